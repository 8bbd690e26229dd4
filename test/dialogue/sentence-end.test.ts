import * as fc from "fast-check";
import { expect, test } from "vitest";
import { sentenceEnd, sentencesOf } from "../../src/dialogue/sentence-end.ts";

test.each([
  ["We close at six.", 16],
  ["Really?!", 8],
  ["Take a seat; I am with you in a moment.", 12],
  ["Let me see...", 13],
  ["My address is a.b@example.org.", 30],
  ["That is 4.75.", 13],
  ["It opens at 9 a.m.", 18],
  ["Ask for Mrs.", 12],
  ["(It is free.) Come in.", 13],
])("a whole text: %j ends its first sentence at %i", (text, end) => {
  expect(sentenceEnd(text, true)).toBe(end);
});

test.each(["Not yet", "Not yet,", "It weighs 4.75", "Ask Dr", "see www.example.org", "&amp; more", ""])(
  "%j has no end, though no more comes",
  (text) => {
    expect(sentenceEnd(text, true)).toBe(0);
  },
);

test.each(["Ask for Dr.", "It costs 4.", "Well...", "Go to www.", 'He said "yes."', "We met in the U.S.", "Room no."])(
  "whether %j has ended is told only by what follows",
  (text) => {
    expect(sentenceEnd(text)).toBe(0);
  },
);

test.each([
  "آپ کیسے ہیں؟",
  "شكرا جزيلا؛",
  "ٹھیک ہے۔",
  "明天见。",
  "好的！",
  "先付款；",
  "ठीक है।",
  "ধন্যবাদ।",
  "ဟုတ်ကဲ့။",
  "Շատ լավ։",
  "Դու գալիս ես՞",
  "እሺ።",
  "ደህና ነህ፧",
  "Хорошо.",
  "Ευχαριστώ.",
  "תודה.",
])("the mark that ends %j is known", (text) => {
  expect(sentenceEnd(text)).toBe(text.length);
});

test.each([
  [["Good evening.", "Is Mr. Hill in?", "No.", "He is out."]],
  [["We moved to the U.S.A.", "She stayed."]],
  [["Ask J.R.R. Miller about it.", "Thanks."]],
  [["Hm... let me think.", "Yes."]],
  [["He asked “Are you there? Hello?” and hung up.", "I waited."]],
  [["Sie sagte: „Gern. Bis morgen.“ und ging.", "Gut."]],
  [["Der Termin ist am 3. Juli um 10 Uhr.", "Passt das?"]],
  [["El Sr. Ruiz vive en la Av. Central.", "¿Algo más?"]],
  [["Mevr. de Vries komt om 9 uur.", "Tot dan."]],
  [["彼は「はい。そうです。」と言った。", "分かりました。"]],
  [['The screen is 55" wide.', "It costs 300."]],
  [["Open shop.example/a?b=c!", "It works."]],
  [["Room no. 5 is free.", "Art is on p. 7."]],
])("sentences are told from the marks within them: %j", (sentences) => {
  expect(sentencesOf(sentences.join(" "))).toEqual(sentences);
});

test("sentences lose no letter of any text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      expect(sentencesOf(text).join("").replaceAll(/\s/gu, "")).toBe(text.replaceAll(/\s/gu, ""));
      expect(sentenceEnd(text)).toBeLessThanOrEqual(text.length);
    }),
    { numRuns: 500 },
  );
});
