import type { AudioFormat } from "../model/audio.ts";
import type { Voice } from "../model/voice.ts";

export type VoiceSettings = Readonly<{
  /** Id from the voice catalogue. */
  voiceId: string;
  /** BCP 47. */
  language: string;
  /** Validated `voiceOptionValues` by option id. */
  options: Readonly<Record<string, string>>;
}>;

/** When a word of the spoken text sounds, in milliseconds since the first sample of the same `synthesize` call. */
export type WordTiming = Readonly<{ text: string; startMs: number; endMs: number }>;

export type SpokenChunk = Readonly<{
  /** Sound in the format that `formatFor` named; may be empty. */
  audio: Uint8Array;
  /** Words of the current piece that this or earlier chunks sound, where the engine knows; otherwise times are estimated by length. */
  words?: readonly WordTiming[];
  /** The sound of the current piece of text is complete. Every piece gets exactly one. */
  endOfPiece?: true;
}>;

export interface SpeechSynthesizer {
  readonly name: string;
  /** Its voices, for `GET /voices`. */
  readonly voices: readonly Voice[];
  /** Whether it speaks a language (BCP 47): with any of its voices, or with the one named. */
  supports(language: string, voiceId?: string): boolean;
  /** How long its first sound may take before a caller should look for another voice, in milliseconds. */
  readonly firstAudioDeadlineMs: number;
  /** What it will produce for a line of the given format: that format where it can, else what it has. */
  formatFor(line: AudioFormat): AudioFormat;
  /**
   * Speaks pieces of text as they come (each a clause or a sentence). Throws on failure; stops soon after `signal` aborts.
   */
  synthesize(
    pieces: AsyncIterable<string>,
    voice: VoiceSettings,
    line: AudioFormat,
    signal: AbortSignal,
  ): AsyncIterable<SpokenChunk>;
  /** Makes the next `synthesize` with this voice begin sooner, where something can be done for that (a connection, mostly). */
  warm?(voice: VoiceSettings, line: AudioFormat): void;
  close(): Promise<void>;
}
