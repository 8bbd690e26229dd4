import fc from "fast-check";
import { expect, test } from "vitest";
import { Arrivals } from "../../../../src/adapters/synthesizer/streaming/arrivals.ts";
import { WordMatch } from "../../../../src/adapters/synthesizer/streaming/word-match.ts";

test("words that a vendor writes otherwise, cuts or leaves out are timed all the same", () => {
  const match = new WordMatch(["Well,", "—", "don't", "call", "me."]);
  const reported = [
    { text: "well", startMs: 0, endMs: 300 },
    { text: "don", startMs: 500, endMs: 700 },
    { text: "t", startMs: 700, endMs: 750 },
    { text: "me", startMs: 1000, endMs: 1200 },
  ];
  expect(match.times(reported)).toEqual([
    { text: "Well,", startMs: 0, endMs: 300 },
    { text: "—", startMs: 300, endMs: 500 },
    { text: "don't", startMs: 500, endMs: 700 },
    { text: "call", startMs: 700, endMs: 1000 },
    { text: "me.", startMs: 1000, endMs: 1200 },
  ]);
  expect(match.rest(1300)).toEqual([]);
});

test("whatever is reported, every word of the text is timed once, in order, forwards", () => {
  const word = fc.constantFrom("one", "two", "three", "four", "—", "naïve");
  const time = fc.integer({ min: -10, max: 5000 });
  const report = fc.record({ text: word, startMs: time, endMs: time });
  fc.assert(
    fc.property(fc.array(word, { maxLength: 12 }), fc.array(report, { maxLength: 20 }), (words, reported) => {
      const match = new WordMatch(words);
      const timed = [...match.times(reported), ...match.rest(5000)];
      expect(timed.map(({ text }) => text)).toEqual(words);
      let at = 0;
      for (const { startMs, endMs } of timed) {
        expect(startMs).toBeGreaterThanOrEqual(at);
        expect(endMs).toBeGreaterThanOrEqual(startMs);
        at = startMs;
      }
    }),
  );
});

test("a source that is far ahead of its reader is held back until half of it was read", async () => {
  const taps: string[] = [];
  const arrivals = new Arrivals<number>({ pause: () => taps.push("pause"), resume: () => taps.push("resume") });
  for (let piece = 0; piece < 5; piece += 1) arrivals.push(piece, 64 * 1024);
  expect(taps).toEqual(["pause"]);
  arrivals.finish();
  const read: number[] = [];
  for await (const piece of arrivals.read()) {
    read.push(piece);
    if (piece === 2) expect(taps).toEqual(["pause"]);
  }
  expect(read).toEqual([0, 1, 2, 3, 4]);
  expect(taps).toEqual(["pause", "resume"]);
});
