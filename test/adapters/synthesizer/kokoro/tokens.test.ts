import { expect, test } from "vitest";
import { phonemeWord } from "../../../../src/adapters/synthesizer/kokoro/phonemes.ts";
import { readVocabulary, tokenBatches } from "../../../../src/adapters/synthesizer/kokoro/tokens.ts";

const VOCABULARY = new Map(Array.from(" ,.!həlOðɛɹ", (symbol, index) => [symbol, index + 1]));

const word = (phonemes: string, after = "") => ({ before: "", phonemes, after });

test("phones become the network's phonemes, with stress before the vowel and marks kept", () => {
  expect(phonemeWord("hello,", ["HH", "AH0", "L", "OW1"])).toEqual({ before: "", phonemes: "həlˈO", after: "," });
  expect(phonemeWord("(city)", ["S", "IH1", "T", "IY0"])).toEqual({ before: "(", phonemes: "sˈɪɾi", after: ")" });
  expect(phonemeWord("bird...", ["B", "ER1", "D"])).toEqual({ before: "", phonemes: "bˈɜɹd", after: "…" });
  expect(phonemeWord("—", [])).toEqual({ before: "—", phonemes: "", after: "" });
});

test("words become ids between padding, with the place of each", () => {
  const [batch] = tokenBatches([word("həlO", ","), word(""), word("ðɛɹ", ".")], VOCABULARY);
  expect(batch?.ids).toEqual([0, 5, 6, 7, 8, 2, 1, 9, 10, 11, 3, 0]);
  expect(batch?.words).toEqual([
    { start: 1, end: 5 },
    { start: 6, end: 6 },
    { start: 7, end: 10 },
  ]);
});

test("more than the network takes goes in several batches, and no batch is too long", () => {
  const words = [...Array.from({ length: 300 }, () => word("həl", ".")), word("h".repeat(2000), "!!!!!!!!!")];
  const batches = tokenBatches(words, VOCABULARY);
  expect(batches.length).toBeGreaterThan(2);
  expect(batches.flatMap((batch) => batch.words).length).toBe(301);
  for (const { ids } of batches) expect(ids.length).toBeLessThanOrEqual(512);
});

test("a tokenizer file without a vocabulary is refused", () => {
  expect(readVocabulary('{"model":{"vocab":{"a":43}}}').get("a")).toBe(43);
  expect(() => readVocabulary("{}")).toThrow(/no vocabulary/u);
});
