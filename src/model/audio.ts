/**
 * Sound as it travels between the parts of a call.
 *
 * `linear16` is signed 16-bit little-endian mono. A frame is 20 ms unless a line says otherwise, because every
 * carrier that streams media uses 20 ms.
 */
export type Encoding = "mulaw" | "alaw" | "linear16";

export type AudioFormat = Readonly<{
  encoding: Encoding;
  /** Samples per second: 8000, 16000, 22050, 24000 or 48000. */
  sampleRate: number;
}>;

/** A piece of sound that came in on a line. */
export type AudioFrame = Readonly<{
  payload: Uint8Array;
  /**
   * Where the frame begins on the line's own timeline, in milliseconds since the line's media started. Taken from the
   * carrier's timestamps, never from counting frames: digits, holds and pauses remove frames (carriers drop 120–458 ms).
   */
  atMs: number;
}>;

/** Length of one frame on every line, in milliseconds. */
export const FRAME_MS = 20;

/** Bytes that `ms` milliseconds of sound take in a format. */
export const bytesOf = (format: AudioFormat, ms: number): number =>
  Math.round((format.sampleRate * ms) / 1000) * (format.encoding === "linear16" ? 2 : 1);

/** Milliseconds that `bytes` of sound last in a format. */
export const millisecondsOf = (format: AudioFormat, bytes: number): number =>
  (bytes / (format.encoding === "linear16" ? 2 : 1) / format.sampleRate) * 1000;

export const sameFormat = (a: AudioFormat, b: AudioFormat): boolean =>
  a.encoding === b.encoding && a.sampleRate === b.sampleRate;
