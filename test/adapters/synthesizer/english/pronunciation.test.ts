import * as fc from "fast-check";
import { expect, test } from "vitest";
import { stressed } from "../../../../src/adapters/synthesizer/english/flite-letter-to-sound.ts";
import { alignedWords } from "../../../../src/adapters/synthesizer/english/phone-alignment.ts";
import { Pronunciation } from "../../../../src/adapters/synthesizer/english/pronunciation.ts";

const guessed: string[] = [];
const pronunciation = new Pronunciation((word) => {
  guessed.push(word);
  return ["G", "EH1", "S"];
});
const said = (word: string) => pronunciation.ofWord(word).join(" ");

test.each([
  ["appointment", "AH0 P OY1 N T M AH0 N T"],
  ["Appointment,", "AH0 P OY1 N T M AH0 N T"],
  ["“don’t”", "D OW1 N T"],
  ["and", "AE0 N D"],
  ["twenty-one", "T W EH1 N T IY0 W AH1 N"],
  ["café", "K AH0 F EY1"],
])("known words are looked up, whatever is around them: %s", (word, phones) => {
  expect(said(word)).toBe(phones);
});

test.each([
  ["texted", "T EH1 K S T IH0 D"],
  ["rescheduling", "R IY0 S K EH1 JH UW0 L IH0 NG"],
  ["unscheduled", "AH0 N S K EH1 JH UW0 L D"],
  ["widgetbox", "W IH1 JH IH0 T B AA2 K S"],
])("endings, prefixes and compounds of known words are put together: %s", (word, phones) => {
  expect(said(word)).toBe(phones);
});

test("capitals that are no word are spelt, and digits and signs are named", () => {
  expect(said("QZX")).toBe("K Y UW1 Z IY1 EH1 K S");
  expect(said("US")).toBe("Y UW1 EH1 S");
  expect(said("7")).toBe("S EH1 V AH0 N");
  expect(said("&")).toBe("AE0 N D");
  expect(said("…")).toBe("");
});

test("a word that nobody knows is guessed once", () => {
  guessed.length = 0;
  expect([said("brzeczyk"), said("Brzeczyk,")]).toEqual(["G EH1 S", "G EH1 S"]);
  expect(guessed).toEqual(["brzeczyk"]);
});

test("'the' and 'to' change before a vowel", () => {
  const words = ["the", "apple", "the", "pear"];
  expect(pronunciation.ofWords(words).map((phones) => phones.join(" "))).toEqual([
    "DH IY0",
    "AE1 P AH0 L",
    "DH AH0",
    "P EH1 R",
  ]);
});

test("the letter A is not the article", () => {
  const [, letter] = pronunciation.ofWords(["Room", "A"]);
  expect(letter).toEqual(["EY1"]);
  expect(pronunciation.ofWords(["A", "room"])[0]).toEqual(["AH0"]);
});

test("guessed phones get one primary stress", () => {
  expect(stressed(["z", "ax", "b", "ih", "g", "n", "iy", "uw"])).toEqual([
    "Z",
    "AH0",
    "B",
    "IH1",
    "G",
    "N",
    "IY0",
    "UW2",
  ]);
});

test("any word has a pronunciation of known phones", () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.string({ unit: "grapheme" }), fc.constantFrom("__proto__", "constructor")),
      (word) => {
        for (const phone of pronunciation.ofWord(word)) expect(phone).toMatch(/^[A-Z]{1,2}[012]?$/u);
      },
    ),
  );
});

test("words are timed by the phones that sounded, pauses left out, and a phone more or less moves nobody else", () => {
  const phone = (name: string, startMs: number) => ({ name, startMs, endMs: startMs + 100 });
  const made = ["hh", "ax", "l", "ow", "pau", "dh", "eh", "r", "k", "ae", "t"].map((name, index) =>
    phone(name, index * 100),
  );
  const expected = [["HH", "AH0", "L", "OW1"], ["DH", "EH1"], ["K", "AE1", "T", "S"], []];
  expect(alignedWords(["Hello,", "there", "cats", "…"], expected, made)).toEqual([
    { text: "Hello,", startMs: 0, endMs: 400 },
    { text: "there", startMs: 500, endMs: 800 },
    { text: "cats", startMs: 800, endMs: 1100 },
    { text: "…", startMs: 1100, endMs: 1100 },
  ]);
});
