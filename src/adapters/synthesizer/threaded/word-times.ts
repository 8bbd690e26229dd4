import type { WordTiming } from "../../../ports/synthesizer.ts";

/** Words without any time: they stand where nothing is pronounced. */
export const unspokenWords = (words: readonly string[], atMs: number): readonly WordTiming[] =>
  words.map((text) => ({ text, startMs: atMs, endMs: atMs }));

/** The same timings, later by `ms`. */
export const shifted = (words: readonly WordTiming[], ms: number): readonly WordTiming[] =>
  words.map((word) => ({ text: word.text, startMs: word.startMs + ms, endMs: word.endMs + ms }));
