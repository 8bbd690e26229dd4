import type { AudioFormat } from "../../../model/audio.ts";
import type { WordTiming } from "../../../ports/synthesizer.ts";

/** What a speech thread is asked: one sentence or clause, in one voice, as bytes of one format. */
export type SpeechRequest = Readonly<{
  text: string;
  /** The engine's own name of the voice. */
  voice: string;
  /** 1 is the voice's own pace; 2 is twice as fast. */
  speed: number;
  format: AudioFormat;
}>;

/** What it answers: the sound, and one timing for each whitespace-separated word, counted from the first sample. */
export type Speech = Readonly<{ audio: Uint8Array; words: readonly WordTiming[] }>;

export type ToThread = Readonly<{ type: "speak"; id: number; request: SpeechRequest }> | Readonly<{ type: "close" }>;

export type FromThread =
  | Readonly<{ type: "ready" }>
  | Readonly<{ type: "note"; message: string }>
  | Readonly<{ type: "spoken"; id: number; speech: Speech }>
  | Readonly<{ type: "failed"; id: number; error: Error }>;
