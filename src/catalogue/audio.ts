import { readWav, WavError } from "../audio/wav.ts";
import { invalidField, Refusal } from "../dials/refusal.ts";
import type { Audio, AudioSound } from "../model/uploaded-audio.ts";
import type { Random } from "../ports/random.ts";
import type { Catalogue } from "../ports/store.ts";

/** Longest sound, in seconds: a background that repeats after two minutes is not noticed to repeat. */
export const LONGEST_AUDIO_S = 120;

/** Sounds of a workspace at most. */
export const MOST_AUDIOS = 50;

/** More samples a second than any call carries. */
const HIGHEST_RATE = 48_000;

export type AudioDeps = Readonly<{
  catalogue: Pick<Catalogue, "addAudio" | "removeAudio">;
  random: Random;
}>;

/**
 * Keeps a sound for a workspace.
 *
 * @throws {Refusal} `invalid_audio` for what cannot be read as a WAV file or is too long, `audio_limit_reached` when there are too many.
 */
export const createAudio = async (
  { catalogue, random }: AudioDeps,
  workspaceId: string,
  name: string,
  file: Uint8Array,
): Promise<Audio> => {
  if (name.includes("\0") || !name.isWellFormed())
    throw invalidField("/name", "must not hold U+0000 or half of a surrogate pair");
  const sound = read(file);
  const audio = await catalogue.addAudio(workspaceId, { id: random.id(), name, ...sound }, MOST_AUDIOS);
  if (audio === undefined)
    throw new Refusal("audio_limit_reached", `A workspace may have ${MOST_AUDIOS} sounds. Delete one first.`);
  return audio;
};

/** @throws {Refusal} `audio_not_found`. */
export const deleteAudio = async ({ catalogue }: AudioDeps, workspaceId: string, id: string): Promise<Audio> => {
  const removed = await catalogue.removeAudio(workspaceId, id);
  if (removed === undefined) throw new Refusal("audio_not_found", "There is no sound with this id.");
  return removed;
};

const read = (file: Uint8Array): AudioSound => {
  let sound: AudioSound;
  try {
    sound = readWav(file, LONGEST_AUDIO_S);
  } catch (error) {
    if (error instanceof WavError) throw invalidAudio(error.message);
    throw error;
  }
  if (sound.samples.length === 0) throw invalidAudio("this WAV file has no sound in it; it is empty or damaged");
  if (sound.sampleRate > HIGHEST_RATE)
    throw invalidAudio(`this WAV file has more than ${HIGHEST_RATE} samples a second; convert it to 16000`);
  return sound;
};

const invalidAudio = (why: string): Refusal => new Refusal("invalid_audio", `The sound cannot be used: ${why}.`);
