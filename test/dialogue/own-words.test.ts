import { expect, test } from "vitest";
import { everyFiller, everyIdleMessage, fillersOf, idleMessagesOf } from "../../src/dialogue/call-words.ts";
import { ownWords, ownWordsIn } from "../../src/dialogue/own-words.ts";

const LANGUAGES = "cs da de en es fi fr hi it ja ko nb nl no pl pt ru sv tr zh".split(" ");
const english = ownWords("en");

test.each(LANGUAGES)(
  "all that the project says of its own accord is there in %s, in words of that language",
  (language) => {
    const words = ownWordsIn(`${language.toUpperCase()}-XX`);
    expect(words).toBeDefined();
    const texts = Object.values(words ?? {}).flat();
    expect(texts.length).toBe(Object.values(english).flat().length);
    for (const text of texts) expect(text.trim().length).toBeGreaterThan(1);
    if (language !== "en") for (const text of Object.values(english).flat()) expect(texts).not.toContain(text);
  },
);

test("a language without words is spoken to in English, and asked for no moment", () => {
  expect(ownWordsIn("xx")).toBeUndefined();
  expect(ownWordsIn("__proto__")).toBeUndefined();
  expect(ownWords("xx-YY")).toBe(english);
});

const plan = {
  language: "en-GB",
  languages: ["en-GB", "es", "xx"].map((language) => ({ language, transcriber: "t", voiceId: "v" })),
  filler: { afterMs: 1500, messages: ["Bear with me."] },
  idle: { enabled: true, messages: ["You there?"], afterMs: 1, maxMessages: 3 },
};

test("the agent's own words are said in its own language, the project's in the others that a call changes to", () => {
  expect(fillersOf(plan, "en-US")).toEqual(["Bear with me."]);
  expect(fillersOf(plan, "es-MX")).toEqual(ownWords("es").fillers);
  expect(fillersOf(plan, "xx")).toEqual(["Bear with me."]);
  expect(fillersOf({ language: "en" }, "es")).toEqual([]);
  expect(idleMessagesOf(plan, "en")).toEqual(["You there?"]);
  expect(idleMessagesOf(plan, "es")).toEqual(["¿Sigue ahí?"]);
  expect(everyIdleMessage(plan)).toEqual(["You there?", "¿Sigue ahí?", "You there?"]);
  expect(everyFiller(plan)).toContain("Sigo aquí.");
});
