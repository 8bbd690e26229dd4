import fc from "fast-check";
import { expect, test } from "vitest";
import { agreement } from "../../../../src/adapters/language-model/scripted/agreement.ts";
import { DAY_MS, dayOf, findDay } from "../../../../src/adapters/language-model/scripted/calendar-day.ts";
import { businessOf, linesOf } from "../../../../src/adapters/language-model/scripted/messages.ts";
import { normalize } from "../../../../src/adapters/language-model/scripted/normalize.ts";
import { findName, findPhone } from "../../../../src/adapters/language-model/scripted/person.ts";
import { spokenDay, spokenDigits, spokenTime } from "../../../../src/adapters/language-model/scripted/spoken.ts";
import { findDayPart, findTime } from "../../../../src/adapters/language-model/scripted/time-of-day.ts";

/** Monday, 5 January 2026. */
const MONDAY = Date.UTC(2026, 0, 5);

const dayIn = (text: string): string | undefined => {
  const day = findDay(normalize(text), MONDAY);
  return day === undefined ? undefined : new Date(day).toISOString().slice(5, 10);
};

test.each([
  ["tomorrow", "01-06"],
  ["the day after tomorrow please", "01-07"],
  ["uh Thursday", "01-08"],
  ["Monday", "01-12"],
  ["today if possible", "01-05"],
  ["next Tuesday", "01-13"],
  ["a week from Wednesday", "01-14"],
  ["the twenty third", "01-23"],
  ["on the 3rd", "02-03"],
  ["Friday the ninth", "01-09"],
  ["January sixth", "01-06"],
  ["the second of March", "03-02"],
  ["in two weeks", "01-19"],
  ["not Tuesday, Thursday", "01-08"],
  ["from Tuesday to Friday", "01-09"],
  ["Wednesday instead of Thursday", "01-07"],
  ["Tuesday no wait Wednesday", "01-07"],
])("%s is a day", (text, expected) => {
  expect(dayIn(text)).toBe(expected);
});

test.each([
  "one second",
  "hold on a minute",
  "next week",
  "the day is wrong",
  "may I ask",
  "for two people",
  "555 123 4567",
])("%s is no day", (text) => {
  expect(dayIn(text)).toBeUndefined();
});

const timeIn = (text: string, expected = false): string | undefined => {
  const time = findTime(normalize(text), expected);
  return time === undefined ? undefined : `${Math.floor(time / 60)}:${String(time % 60).padStart(2, "0")}`;
};

test.each([
  ["three thirty pm", "15:30"],
  ["at 3:30 p.m. please", "15:30"],
  ["330 PM", "15:30"],
  ["half past ten", "10:30"],
  ["a quarter to five", "16:45"],
  ["ten past two", "14:10"],
  ["eleven o'clock", "11:00"],
  ["four o'clock in the afternoon", "16:00"],
  ["nine in the morning", "9:00"],
  ["twelve thirty", "12:30"],
  ["noon", "12:00"],
  ["three oh five", "15:05"],
  ["at to thirty", "14:30"],
  ["for thirty on Monday", "16:30"],
  ["no, make it four", "16:00"],
  ["not at three, at four", "16:00"],
])("%s is a time", (text, expected) => {
  expect(timeIn(text)).toBe(expected);
});

test("what only sounds like a number is one when a time was asked for", () => {
  expect(timeIn("to", true)).toBe("14:00");
  expect(timeIn("maybe for", true)).toBe("16:00");
  expect(timeIn("uh ten please", true)).toBe("10:00");
  expect(timeIn("to", false)).toBeUndefined();
});

test.each(["555 123 4567", "the twenty third", "two people", "25:99", "in three days", "it costs 45 dollars"])(
  "%s is no time",
  (text) => {
    expect(timeIn(text)).toBeUndefined();
  },
);

test("a part of the day is offered a time, a greeting is not", () => {
  expect(findDayPart("sometime in the afternoon")).toBe(14 * 60);
  expect(findDayPart("first thing")).toBe(9 * 60);
  expect(findDayPart("good morning")).toBeUndefined();
});

test.each([
  ["My name is Maria Lopez.", false, "Maria Lopez"],
  ["uh, maria lopez please", true, "Maria Lopez"],
  ["S-M-I-T-H", true, "Smith"],
  ["john s m i t h", true, "John Smith"],
  ["Yes, it's Peter.", true, "Peter"],
  ["JOHN SMITH", true, "John Smith"],
  ["will smith", true, "Will Smith"],
  ["put it under Jean-Luc Picard", true, "Jean-Luc Picard"],
  ["this is Anna calling about my appointment", false, "Anna"],
  ["I'd like to book under Smith for tomorrow", false, "Smith"],
  ["this is great", false, undefined],
  ["What are your hours?", true, undefined],
  ["i don't know", true, undefined],
  ["tomorrow", true, undefined],
  ["yes", true, undefined],
  ["Maria Lopez", false, undefined],
])("in %s (asked for: %s) the name is %s", (text, expected, name) => {
  expect(findName(text, expected)).toBe(name);
});

test("a telephone number is found among other numbers", () => {
  expect(findPhone(normalize("at three it's five five five, one two three, four five six seven"))).toBe("5551234567");
  expect(findPhone(normalize("on the 23rd at 3:30"))).toBeUndefined();
});

test.each([
  ["yes", "yes"],
  ["Yeah, sure.", "yes"],
  ["no that's fine", "yes"],
  ["sounds good to me", "yes"],
  ["mhm", "yes"],
  ["no", "no"],
  ["Nope.", "no"],
  ["that's not right", "no"],
  ["not quite", "no"],
  ["thursday", undefined],
  ["I don't know what you mean, yes or no", "no"],
])("%s agrees: %s", (text, expected) => {
  expect(agreement(normalize(text))).toBe(expected);
});

test("dates, times and numbers are said as people say them", () => {
  expect(spokenDay(MONDAY + 17 * DAY_MS)).toBe("Thursday, January twenty-second");
  expect(spokenTime(15 * 60 + 30)).toBe("three thirty in the afternoon");
  expect(spokenTime(9 * 60 + 5)).toBe("nine oh five in the morning");
  expect(spokenTime(12 * 60)).toBe("noon");
  expect(spokenTime(17 * 60)).toBe("five in the evening");
  expect(spokenDigits("5551234567")).toBe("five five five, one two three, four five six seven");
});

test.each([
  ["You are the receptionist of Blue Dental. Be kind.", "Blue Dental"],
  ["You work for Smith & Sons Plumbing, a family business.", "Smith & Sons Plumbing"],
  ["You answer the phone at The Corner Shop.", undefined],
  ["Be kind to everybody.", undefined],
  ['The business is called "Café Noir".', "Café Noir"],
  ["# Role\nYou are Ann, a friendly assistant at Green Garden Centre", "Green Garden Centre"],
  ["Ask for Name and Date of Birth.", undefined],
])("the business in: %s", (prompt, business) => {
  expect(businessOf([{ role: "system", text: prompt }])).toBe(business);
});

test("notes about silence count, other notes do not, and lines are what was said", () => {
  const text = "[The call is connected.]\nhello\n[the caller has been silent for 10 s]";
  expect(
    linesOf([
      { role: "system", text: "x" },
      { role: "user", text },
      { role: "assistant", text: "Hi." },
    ]),
  ).toEqual([{ type: "said", text: "hello" }, { type: "silence" }, { type: "turn" }]);
});

test("every time that the office may offer is understood when it is said back", () => {
  fc.assert(
    fc.property(fc.integer({ min: 9 * 4, max: 17 * 4 }), (quarter) => {
      const time = quarter * 15;
      expect(findTime(normalize(spokenTime(time)), false)).toBe(time);
    }),
  );
});

test("every day of the next half year is understood when it is said back", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 180 }), fc.integer({ min: 0, max: 1000 }), (ahead, from) => {
      const today = MONDAY + from * DAY_MS;
      const day = today + ahead * DAY_MS;
      expect(findDay(normalize(spokenDay(day)), today)).toBe(day);
    }),
  );
});

test("normalizing is quick and stable whatever comes in", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), (text) => {
      const once = normalize(text);
      expect(once).toBe(once.trim());
      expect(findName(text, true) ?? "name").not.toBe("");
      expect(dayOf(findDay(once, MONDAY) ?? MONDAY)).not.toBeNaN();
    }),
  );
});
