import { dictionary } from "cmu-pronouncing-dictionary";
import fc from "fast-check";
import llama from "llama-tokenizer-js";
import { expect, test } from "vitest";
import { correctionOf } from "../../../../src/adapters/transcriber/local/keywords.ts";
import { loadLexicon } from "../../../../src/adapters/transcriber/local/lexicon.ts";
import { guessPhones } from "../../../../src/adapters/transcriber/local/letter-sounds.ts";
import { soundDistance, soundOf } from "../../../../src/adapters/transcriber/local/sound-distance.ts";
import { tokenTable } from "../../../../src/adapters/transcriber/local/token-table.ts";
import { KEYWORDS, PLAIN_SENTENCES } from "./plain-sentences.ts";

const lexicon = await loadLexicon(tokenTable(llama.vocabById));
const all = correctionOf(KEYWORDS, lexicon);

test.for<[heard: string, meant: string]>([
  ["I am calling about Caitlin today.", "I am calling about Kaitlyn today."],
  ["I am calling about Shimansky today.", "I am calling about Szymanski today."],
  ['"Cowdallchick" is what I need.', '"Kowalczyk" is what I need.'],
  ["Could I speak to Johnson, please?", "Could I speak to Jonsson, please?"],
  ["Matt Foreman is what I need.", "Metformin is what I need."],
  ["I am calling about at her vast aidon today.", "I am calling about Atorvastatin today."],
  ["Blue tooth is what I need, not blue-tooth.", "Bluetooth is what I need, not Bluetooth."],
  ["It is Silarow's fault.", "It is Silero's fault."],
  ["I am calling about Sophia Petra today.", "I am calling about Sophia Petrov today."],
  ["Is it Ridith? Is it Ozempit? Kintoso!", "Is it Redis? Is it Ozempic? Contoso!"],
])("what the recognizer made of a keyword becomes the keyword: %j", ([heard, meant]) => {
  expect(all(heard)).toBe(meant);
});

test.for(PLAIN_SENTENCES)("nothing is taken for a keyword: %j", (sentence) => {
  expect(all(sentence)).toBe(sentence);
});

test.for<[text: string, ...keywords: string[]]>([
  ["The cat is on the flour.", "Kat", "Katt", "Flower", "Flour"],
  ["I would write to the night porter.", "Wood", "Right", "Knight"],
  ["Kaitlyn and KAITLYN and kaitlyn's", "Kaitlyn", "Caitlin"],
  ["Acme, dental and acme dental", "Acme Dental"],
  ["There is a bell.", "Isabel", "Theresa"],
  ["There is a man there.", "Amanda"],
  ["Sharon and Kate and Carl", "Karen", "Katie", "Carla"],
])("words that are right, or common, stay as they are: %j", ([text, ...keywords]) => {
  expect(correctionOf(keywords, lexicon)(text)).toBe(text);
});

test("of thousands of other names and rare words, hardly any is taken for a keyword", () => {
  const names = Object.keys(dictionary)
    .filter((word) => /^[a-z]{4,}$/u.test(word) && !lexicon.isCommon(word))
    .filter((_, index) => index % 20 === 0)
    .map((word) => `My name is ${word.charAt(0).toUpperCase()}${word.slice(1)} and I call about it.`);
  expect(names.length).toBeGreaterThan(5000);
  expect(names.filter((sentence) => all(sentence) !== sentence).length).toBeLessThanOrEqual(5);
});

test("one that is spelled out, and one at a sentence's begin, are written as the text wants it", () => {
  expect(correctionOf(["IBM"], lexicon)("I work at I B M.")).toBe("I work at IBM.");
  expect(correctionOf(["rooibos tea"], lexicon)("Roiboss tea, please. I like roiboss tea.")).toBe(
    "Rooibos tea, please. I like rooibos tea.",
  );
});

test("keywords that cannot be said in English are left out", () => {
  const correct = correctionOf(["東京", "", "  ", "7", "…", "Ж", "a"], lexicon);
  expect(correct("I am in Tokio a while.")).toBe("I am in Tokio a while.");
});

const said = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...PLAIN_SENTENCES.flatMap((sentence) => sentence.split(" "))) },
      fc.constantFrom(
        ...KEYWORDS,
        "Caitlin",
        "Shimansky",
        "Silarow,",
        "Ridith's",
        "Kintoso.",
        "blue tooth",
        "Sophia Petra",
      ),
      fc.string({ unit: "grapheme", maxLength: 8 }),
    ),
    { maxLength: 14 },
  )
  .map((words) => words.join(" "));

test("without keywords a text stays as it is", () => {
  fc.assert(fc.property(said, (text) => correctionOf([], lexicon)(text) === text));
});

test("a second time changes nothing, whatever the text and the keywords", () => {
  const odd = fc.oneof(fc.constantFrom(...KEYWORDS), said, fc.string({ unit: "grapheme" }));
  fc.assert(
    fc.property(said, fc.array(odd, { maxLength: 6 }), (text, keywords) => {
      const correct = correctionOf([...KEYWORDS, ...keywords], lexicon);
      const once = correct(text);
      expect(correct(once)).toBe(once);
    }),
    { numRuns: 300 },
  );
});

test("how unlike sounds are has the properties of a distance", () => {
  const sound = fc
    .array(fc.integer({ min: 0, max: 38 }), { minLength: 1, maxLength: 12 })
    .map((all) => Uint8Array.from(all));
  fc.assert(
    fc.property(sound, sound, fc.double({ min: 0, max: 1, noNaN: true }), (one, other, limit) => {
      const distance = soundDistance(one, other, 2);
      expect(soundDistance(one, one, 0)).toBe(0);
      expect(soundDistance(other, one, 2)).toBeCloseTo(distance, 9);
      expect(soundDistance(one, other, limit)).toBe(distance <= limit ? distance : Infinity);
    }),
  );
  expect(soundDistance(soundOf(""), soundOf("K AE1 T"), 0.5)).toBe(Infinity);
});

test("a word that no dictionary knows is sounded out", () => {
  expect(["kokoro", "zapier", "phlox", "knabe", "schmidge", "quixel"].map(guessPhones)).toEqual([
    "K AA K AO R OW",
    "Z AE P IY R",
    "F L AA K S",
    "N AE B",
    "SH M IH JH",
    "K W IH K S EH L",
  ]);
});
