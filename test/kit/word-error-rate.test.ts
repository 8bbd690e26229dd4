import { expect, test } from "vitest";
import { totalWordErrorRate, wordErrorRate, wordsOf } from "./word-error-rate.ts";

test("case, marks and the way numbers are written do not count", () => {
  expect(wordErrorRate("Call me at seven, please!", "call me at 7 please")).toBe(0);
  expect(wordErrorRate("the twenty first of May", "the 21st of May")).toBe(0);
  expect(wordErrorRate("five five five two three four six", "555-2346")).toBe(0);
  expect(wordErrorRate("one hundred and five", "105")).toBeCloseTo(0.25);
  expect(wordErrorRate("goodbye", "Good-bye.")).toBe(0);
  expect(wordsOf("It's 3:30 p.m. — $20!")).toEqual(["it's", "three", "thirty", "pm", "twenty", "dollars"]);
});

test("wrong, missing and added words count alike", () => {
  expect(wordErrorRate("a b c d", "a x c d")).toBe(0.25);
  expect(wordErrorRate("a b c d", "a c d")).toBe(0.25);
  expect(wordErrorRate("a b c d", "a b b c d")).toBe(0.25);
  expect(wordErrorRate("a b", "")).toBe(1);
  expect(() => wordErrorRate("…", "a")).toThrow(RangeError);
});

test("over many utterances every word weighs the same", () => {
  expect(
    totalWordErrorRate([
      { reference: "a", hypothesis: "b" },
      { reference: "a b c d e f g h i", hypothesis: "a b c d e f g h i" },
    ]),
  ).toBe(0.1);
});
