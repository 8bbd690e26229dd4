import type { AudioFormat } from "../../../model/audio.ts";

/** What a carrier says on a media socket, in words that all of them share. */
export type StreamEvent =
  | Readonly<{
      event: "start";
      /** The carrier's id of the call, where the message names it. */
      callId: string | undefined;
      /** Of the sound that comes in. */
      format: AudioFormat;
    }>
  | Readonly<{
      event: "sound";
      /** Counts the pieces of the stream; `undefined` where they come in order by nature. */
      chunk: number | undefined;
      /** Where the piece begins on the carrier's timeline; `undefined` where it has none. */
      atMs: number | undefined;
      payload: Uint8Array;
    }>
  | Readonly<{ event: "digit"; digit: string }>
  | Readonly<{ event: "mark"; name: string }>
  /** The stream cannot go on, for a reason that an operator understands. */
  | Readonly<{ event: "refused"; why: string }>
  /** The carrier could not use something that we sent; `code` is its own. */
  | Readonly<{ event: "complaint"; code: string }>
  | Readonly<{ event: "stop" }>
  /** Well formed, and of no interest. */
  | Readonly<{ event: "other" }>;

/**
 * How one carrier writes on a media socket. An instance belongs to one socket, and learns from its `start` whatever its own messages
 * have to repeat.
 */
export interface Dialect {
  /** The format that both sides of the line speak; sound that comes in another one is converted. Called after `start`. */
  format(incoming: AudioFormat): AudioFormat;
  /** `undefined` when the message is malformed. Never throws. */
  read(data: string | Uint8Array): StreamEvent | undefined;
  /** The messages that play this sound after what was sent before. */
  sound(payload: Uint8Array): readonly (string | Uint8Array)[];
  /** The messages that ask to be told when all that was sent has been played; `name` is of letters and digits. */
  mark(name: string): readonly (string | Uint8Array)[];
  clear(): string;
  /** What the end of the socket means when the carrier closed it in order: some say `stop` before, some never do. */
  readonly onClose: "hung-up" | "lost";
}
