import type { AudioFrame } from "../../model/audio.ts";

/** One way for a call's sound to and from a browser, in the browser line's format. A call may change from one to another. */
export interface MediaPath {
  /** As of a `Transport`. */
  readonly queue: "far-end" | "none";
  readonly bufferedAmount: number;
  send(payload: Uint8Array): void;
  mark(name: string): void;
  clear(): void;
  close(): void;
}

/** What a path reports; times of frames count from the path's own beginning. */
export type PathListener = Readonly<{
  frame(frame: AudioFrame): void;
  digit(digit: string): void;
  mark(name: string): void;
  /** The path is of no use any more, and was not closed by us. */
  lost(): void;
}>;
