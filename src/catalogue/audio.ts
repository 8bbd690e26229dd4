import { soundFormatOf } from "../audio/sound-format.ts";
import { readWav, WavError } from "../audio/wav.ts";
import { invalidField, Refusal } from "../dials/refusal.ts";
import type { Audio, AudioSound } from "../model/uploaded-audio.ts";
import type { Random } from "../ports/random.ts";
import { NotConverted, type SoundConverter, type SoundFormat } from "../ports/sound-converter.ts";
import type { Catalogue } from "../ports/store.ts";

/** Longest sound, in seconds: a background that repeats after two minutes is not noticed to repeat. */
export const LONGEST_AUDIO_S = 120;

/** Sounds of a workspace at most. */
export const MOST_AUDIOS = 50;

/** More samples a second than any call carries. */
const HIGHEST_RATE = 48_000;

export type AudioDeps = Readonly<{
  catalogue: Pick<Catalogue, "addAudio" | "removeAudio">;
  sounds: Pick<SoundConverter, "convert">;
  random: Random;
}>;

/**
 * Keeps a sound for a workspace: a WAV file, which is read here, or what the deployment's converter reads.
 *
 * @throws {Refusal} `invalid_audio` for what cannot be read or is too long, `audio_limit_reached` when there are too many,
 *   `audio_not_convertible` where only WAV can be read, `too_many_conversions`.
 */
export const createAudio = async (
  { catalogue, random, sounds }: AudioDeps,
  workspaceId: string,
  name: string,
  file: Uint8Array,
): Promise<Audio> => {
  if (name.includes("\0") || !name.isWellFormed())
    throw invalidField("/name", "must not hold U+0000 or half of a surrogate pair");
  const sound = await read(sounds, file);
  const audio = await catalogue.addAudio(workspaceId, { id: random.id(), name, ...sound }, MOST_AUDIOS);
  if (audio === undefined)
    throw new Refusal("audio_limit_reached", `A workspace may have ${MOST_AUDIOS} sounds. Delete one first.`);
  return audio;
};

/** @throws {Refusal} `audio_not_found`. */
export const deleteAudio = async (
  { catalogue }: Pick<AudioDeps, "catalogue">,
  workspaceId: string,
  id: string,
): Promise<Audio> => {
  const removed = await catalogue.removeAudio(workspaceId, id);
  if (removed === undefined) throw new Refusal("audio_not_found", "There is no sound with this id.");
  return removed;
};

const read = async (sounds: AudioDeps["sounds"], file: Uint8Array): Promise<AudioSound> => {
  const format = soundFormatOf(file);
  if (format === undefined)
    throw invalidAudio("it does not begin as a WAV, MP3, Ogg, WebM, FLAC, M4A or AAC file does");
  const sound = format === "wav" ? readOwn(file) : await convert(sounds, file, format);
  if (sound.samples.length === 0) throw invalidAudio("it has no sound in it; it is empty or damaged");
  if (sound.samples.length > LONGEST_AUDIO_S * sound.sampleRate)
    throw invalidAudio(`it lasts longer than ${LONGEST_AUDIO_S} s; cut it to that length`);
  if (sound.sampleRate > HIGHEST_RATE)
    throw invalidAudio(`it has more than ${HIGHEST_RATE} samples a second; convert it to 16000`);
  return sound;
};

const readOwn = (file: Uint8Array): AudioSound => {
  try {
    return readWav(file, LONGEST_AUDIO_S);
  } catch (error) {
    if (error instanceof WavError) throw invalidAudio(error.message);
    throw error;
  }
};

const convert = async (sounds: AudioDeps["sounds"], file: Uint8Array, format: SoundFormat): Promise<AudioSound> => {
  try {
    return await sounds.convert(file, format, LONGEST_AUDIO_S);
  } catch (error) {
    if (error instanceof NotConverted) throw refusalFor(error.why, format);
    throw error;
  }
};

const refusalFor = (why: NotConverted["why"], format: SoundFormat): Refusal => {
  switch (why) {
    case "missing":
      return new Refusal(
        "audio_not_convertible",
        `Only WAV can be read here: send WAV, or let the operator install ffmpeg (apt-get install ffmpeg, brew install ffmpeg).`,
      );
    case "busy":
      return new Refusal("too_many_conversions", "Too many sounds are being converted. Send it again in a moment.");
    case "unreadable":
      return invalidAudio(`it begins as a file of the format ${format} does, and has no sound that can be read`);
  }
};

const invalidAudio = (why: string): Refusal => new Refusal("invalid_audio", `The sound cannot be used: ${why}.`);
