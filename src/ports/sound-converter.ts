import type { AudioSound } from "../model/uploaded-audio.ts";

/** How a file of sound is packed, as its first bytes tell. */
export type SoundFormat = "mp3" | "ogg" | "webm" | "flac" | "m4a" | "aac";

/**
 * A file was not converted: nothing here converts (`missing`), too many files wait already (`busy`), or this one has no sound that can be
 * read in the time that a file has (`unreadable`).
 */
export class NotConverted extends Error {
  override readonly name = "NotConverted";
  readonly why: "missing" | "busy" | "unreadable";

  constructor(why: NotConverted["why"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.why = why;
  }
}

/** Makes plain sound of the files that people have. */
export interface SoundConverter {
  /**
   * The sound of a file: one channel, 8,000 to 48,000 samples a second, and not much more of it than `mostSeconds`.
   *
   * @throws {NotConverted}
   */
  convert(file: Uint8Array, format: SoundFormat, mostSeconds: number): Promise<AudioSound>;
  /** Ends what is under way. Idempotent. */
  close(): Promise<void>;
}
