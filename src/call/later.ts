import type { TranscriptEvent } from "../ports/transcriber.ts";

/** The same, so many milliseconds later. */
export const later = <T extends Readonly<{ startMs: number; endMs: number }>>(timed: T, ms: number): T => ({
  ...timed,
  startMs: timed.startMs + ms,
  endMs: timed.endMs + ms,
});

/** What a transcriber said, on a clock whose zero is so many milliseconds earlier. */
export const eventLater = (event: TranscriptEvent, ms: number): TranscriptEvent => ({
  ...later(event, ms),
  ...(event.words === undefined ? {} : { words: event.words.map((word) => later(word, ms)) }),
});
