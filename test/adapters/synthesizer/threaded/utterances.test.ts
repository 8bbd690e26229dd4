import * as fc from "fast-check";
import { expect, test } from "vitest";
import { utterancesOf, wordsOf } from "../../../../src/adapters/synthesizer/threaded/utterances.ts";
import { trimSilence } from "../../../../src/adapters/synthesizer/threaded/silence.ts";

test("a piece is spoken sentence by sentence, a long sentence in parts that end at a comma", () => {
  expect(utterancesOf("One. Two? Three", 80)).toEqual(["One.", "Two?", "Three"]);
  expect(utterancesOf("When the rain had stopped, we all went out, and walked for a while", 40)).toEqual([
    "When the rain had stopped,",
    "we all went out, and walked for a while",
  ]);
  expect(utterancesOf("aaaa bbbb cccc dddd", 10)).toEqual(["aaaa bbbb", "cccc dddd"]);
});

test("marks without words join what was before them", () => {
  expect(utterancesOf("Well. … Yes.", 80)).toEqual(["Well. …", "Yes."]);
});

test("no word is lost, split or moved, and only single words are longer than the bound", () => {
  const text = fc
    .array(fc.oneof(fc.constantFrom("word", "end.", "so,", "…", "a".repeat(30)), fc.string()), { maxLength: 60 })
    .map((words) => words.join(" "));
  fc.assert(
    fc.property(text, (source) => {
      const utterances = utterancesOf(source, 50);
      expect(utterances.flatMap((utterance) => wordsOf(utterance))).toEqual(wordsOf(source));
    }),
  );
});

test("silence before speech is cut to 20 ms, and after it to the pause that its end asks for", () => {
  const sound = new Int16Array(16_000 * 3);
  sound.fill(8000, 16_000, 32_000);
  const milliseconds = (text: string) => trimSilence(sound, 16_000, text).samples.length / 16;
  expect(milliseconds("A sentence.")).toBe(20 + 1000 + 280);
  expect(milliseconds("A clause,")).toBe(20 + 1000 + 150);
  expect(milliseconds("some words")).toBe(20 + 1000 + 40);
  expect(trimSilence(sound, 16_000, "x")).toMatchObject({ cutMs: 980, soundEndMs: 1020 });
  expect(trimSilence(new Int16Array(100), 16_000, "x").samples.length).toBe(0);
});
