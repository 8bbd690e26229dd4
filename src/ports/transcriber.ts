import type { AudioFormat } from "../model/audio.ts";

export type TranscriberHints = Readonly<{
  /** BCP 47. */
  language: string;
  keywords: readonly string[];
  /** The line's format; the engine answers with the one that it wants to be fed. */
  lineFormat: AudioFormat;
}>;

export type TranscriberListener = Readonly<{
  /**
   * Text of one utterance. Utterances are numbered from 1; a later event of the same number replaces an earlier one's text,
   * also after `final`, because an engine that decodes a growing turn may correct itself when the caller goes on.
   * Times are milliseconds of pushed sound since the stream opened.
   */
  transcript(event: TranscriptEvent): void;
  /** Everything pushed before the last `finalize()` is now out. */
  flushed(): void;
  /** The engine's own judgement of whether the caller's turn is over, 0 to 1; for engines that have one. */
  turnJudged?(probability: number): void;
  failed(error: Error): void;
}>;

export type TranscriptEvent = Readonly<{
  utterance: number;
  text: string;
  final: boolean;
  startMs: number;
  endMs: number;
  /** Where the engine tells when each word was said; in order, within `startMs` and `endMs`. */
  words?: readonly TranscribedWord[];
}>;

/** A word as it is written, and when it was said, on the clock of its event. */
export type TranscribedWord = Readonly<{ text: string; startMs: number; endMs: number }>;

export interface Transcriber {
  readonly name: string;
  /** How long its final words typically come after `finalize()`, in milliseconds; measured in each call from there on. */
  readonly finalMs?: number;
  /** How long it may say nothing after speech has ended before another one is asked, in milliseconds; 700 unless given. */
  readonly silentMs?: number;
  /** Whether it hears a language (BCP 47 tag). */
  supports(language: string): boolean;
  open(hints: TranscriberHints, listener: TranscriberListener): TranscriberStream;
  close(): Promise<void>;
}

export interface TranscriberStream {
  /** What `push` wants: the line's own format where the engine takes it, else 16 kHz linear16. */
  readonly format: AudioFormat;
  /** Sound in `format`; copied before the call returns. */
  push(payload: Uint8Array): void;
  /** The voice activity detector's word, for engines that cut the sound themselves. Times as in `TranscriptEvent`. */
  speech(change: "started" | "ended", atMs: number): void;
  /** Asks for the final text of everything pushed so far; `flushed` answers. */
  finalize(): void;
  /** The turn was taken: what comes next is a new utterance. */
  endTurn(): void;
  close(): void;
}
