import * as fc from "fast-check";
import { expect, test } from "vitest";
import { heardSource, toSpeakable } from "../../src/dialogue/speakable.ts";

const spoken = (text: string, language = "en-US") => toSpeakable(text, language).spoken;

test.each([
  ["The total is $1,299.50.", "The total is one thousand two hundred ninety-nine dollars and fifty cents."],
  ["It costs $1 or $0.99, at most €5.", "It costs one dollar or ninety-nine cents, at most five euros."],
  ["We raised $1.5 million.", "We raised one point five million dollars."],
  ["That is $5-10 or $5-$10.", "That is five to ten dollars or five to ten dollars."],
  ["You save 15% today.", "You save fifteen percent today."],
  ["It takes 2-3 days.", "It takes two to three days."],
  ["Half is 1/2, most is 3/4, and 1 1/2 cups.", "Half is one half, most is three quarters, and one and a half cups."],
  ["Pi is 3.14.", "Pi is three point one four."],
  ["It is -5 outside, or 30°C.", "It is minus five outside, or thirty degrees Celsius."],
  ["You are 21st of 1,000.", "You are twenty-first of one thousand."],
  ["It weighs 5 kg, or 1 lb.", "It weighs five kilograms, or one pound."],
  ["Press #5 now.", "Press number five now."],
])("amounts are written out: %s", (text, expected) => {
  expect(spoken(text)).toBe(expected);
});

test.each([
  ["On 2026-11-20 at 3:30 pm.", "On November twentieth, twenty twenty-six at three thirty p.m."],
  ["See you 11/20.", "See you November twentieth."],
  ["Nov. 3, 2005 works.", "November third, two thousand five works."],
  ["At 9:05 a.m. or 10:00.", "At nine oh five a.m. or ten o'clock."],
  ["Open 9am-5pm.", "Open nine a.m. to five p.m."],
  ["In 1999 and since 2010.", "In nineteen ninety-nine and since twenty ten."],
])("dates and times are written out: %s", (text, expected) => {
  expect(spoken(text)).toBe(expected);
});

test("a date in figures is read by the language's order", () => {
  expect(spoken("on 4/3/2026", "en-US")).toBe("on April third, twenty twenty-six");
  expect(spoken("on 4/3/2026", "en-GB")).toBe("on March fourth, twenty twenty-six");
});

test.each([
  ["Call 555-234-6789.", "Call five five five, two three four, six seven eight nine."],
  ["Or (202) 555-0123, please.", "Or two zero two, five five five, zero one two three, please."],
  ["+12025550123", "plus one, two zero two, five five five, zero one two three"],
  ["Write to john.smith42@example.com.", "Write to john dot smith four two at example dot com."],
  ["Visit https://www.example.com/book!", "Visit example dot com slash book!"],
  ["Your code is 0042, flight AB12.", "Your code is zero zero four two, flight AB one two."],
])("numbers and addresses are dictated: %s", (text, expected) => {
  expect(spoken(text)).toBe(expected);
});

test.each([
  ["Dr. Smith, 12 Main St., e.g. Monday", "Doctor Smith, twelve Main Street, for example Monday"],
  ["In St. Louis & elsewhere", "In Saint Louis and elsewhere"],
  ["tea/coffee and/or cake", "tea or coffee and or cake"],
  ["Well — I think so", "Well, I think so"],
])("short forms are written out: %s", (text, expected) => {
  expect(spoken(text)).toBe(expected);
});

test.each([
  ["**Bold**, *it*, __un__ and `code` 🎉 done!", "Bold, it, un and code done!"],
  ["# Title\n\n- First\n- Second", "Title. First. Second"],
  ["[our site](https://example.com/a) is up", "our site is up"],
  ["```js\nrun it\n```", "run it"],
  ["a <b>word</b> &amp; more", "a word and more"],
  ["Aℹ", "A"],
  ["👍🏽 👩‍👩‍👧 🇺🇸", ""],
  ['he said "yes" (twice) …', 'he said "yes" (twice)…'],
])("markup and emoji are taken off: %s", (text, expected) => {
  expect(spoken(text)).toBe(expected);
});

test("other languages keep their figures and lose only markup", () => {
  expect(spoken("**Hola** 👋, son 5 €", "es-ES")).toBe("Hola, son 5 €");
});

test("what was heard leads back to what was written, and an expansion counts once it is complete", () => {
  const text = toSpeakable("It costs **$1,299.50**, is that *fine*?", "en-US");
  const words = text.spoken.split(" ");
  const after = (word: string) => heardSource(text, words.indexOf(word) + 1);
  expect(after("costs")).toBe("It costs");
  expect(after("hundred")).toBe("It costs **");
  expect(after("cents,")).toBe("It costs **$1,299.50**,");
  expect(after("that")).toBe("It costs **$1,299.50**, is that");
  expect(after("fine?")).toBe("It costs **$1,299.50**, is that *fine*?");
  expect(heardSource(text, 0)).toBe("");
});

const odd = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: "binary" }),
  fc
    .array(
      fc.constantFrom(
        "**",
        "_",
        "`",
        "#",
        "- ",
        "\n",
        "$",
        "5",
        "1,299",
        "3:30",
        "/",
        "-",
        " ",
        "pm",
        "Dr.",
        "@",
        "a",
        "B",
        ".",
        "%",
        "🎉",
        "é",
        "[",
        "](",
        ")",
        "<",
        ">",
      ),
      { maxLength: 40 },
    )
    .map((parts) => parts.join("")),
);

test("any text gives words without digits, markup or emoji, one end for each, never falling, the last at the source's end", () => {
  fc.assert(
    fc.property(odd, (source) => {
      const text = toSpeakable(source, "en-US");
      const words = text.spoken.split(/\s+/u).filter((word) => word !== "");
      expect(words.join(" ")).toBe(text.spoken);
      expect(text.spoken).not.toMatch(/[*`#_~|[\]<>{}\\\d]|\p{Extended_Pictographic}/u);
      for (const word of words) expect(word).toMatch(/[\p{L}\p{N}]/u);
      expect(text.ends.length).toBe(words.length);
      expect([...text.ends]).toEqual([...text.ends].toSorted((a, b) => a - b));
      if (words.length > 0) expect(text.ends.at(-1)).toBe(source.length);
    }),
    { numRuns: 500 },
  );
});

test("plain words come through as they are", () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[a-z]{2,9}$/u), { minLength: 1 }), (words) => {
      expect(spoken(words.join(" "), "en-US")).toBe(words.join(" "));
    }),
  );
});
