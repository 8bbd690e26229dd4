import type { WordTiming } from "../../../ports/synthesizer.ts";

/** A stretch of sound, in milliseconds. */
export type Span = Readonly<{ startMs: number; endMs: number }>;

/** Words without any time: they stand where nothing is pronounced. */
export const unspokenWords = (words: readonly string[], atMs: number): readonly WordTiming[] =>
  words.map((text) => ({ text, startMs: atMs, endMs: atMs }));

/**
 * Estimated times: each word gets of the voiced spans a share as large as its share of letters and digits (a digit counts as
 * four letters, about what its name takes), pauses between the spans left out.
 */
export const estimatedWords = (words: readonly string[], spans: readonly Span[]): readonly WordTiming[] => {
  const weights = words.map(weightOf);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const voicedMs = spans.reduce((sum, span) => sum + span.endMs - span.startMs, 0);
  let spoken = 0;
  return words.map((text, index) => {
    const weight = weights[index] ?? 0;
    const startMs = placeOf(spans, total === 0 ? 0 : (spoken / total) * voicedMs, "start");
    spoken += weight;
    const endMs = placeOf(spans, total === 0 ? 0 : (spoken / total) * voicedMs, "end");
    return { text, startMs: Math.min(startMs, endMs), endMs };
  });
};

/** The same timings, later by `ms`. */
export const shifted = (words: readonly WordTiming[], ms: number): readonly WordTiming[] =>
  words.map((word) => ({ text: word.text, startMs: word.startMs + ms, endMs: word.endMs + ms }));

const weightOf = (word: string): number =>
  (word.match(/\p{L}/gu)?.length ?? 0) + 4 * (word.match(/\p{N}/gu)?.length ?? 0);

/** Where `voicedMs` of voiced sound have passed; at the edge of a pause, a word ends before it and the next starts after it. */
const placeOf = (spans: readonly Span[], voicedMs: number, edge: "start" | "end"): number => {
  let left = voicedMs;
  for (const span of spans) {
    const length = span.endMs - span.startMs;
    if (left < length - 1e-6 || (edge === "end" && left <= length + 1e-6)) return span.startMs + Math.min(left, length);
    left -= length;
  }
  return spans.at(-1)?.endMs ?? 0;
};
