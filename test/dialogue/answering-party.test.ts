import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { SystemClock } from "../../src/adapters/clock/system.ts";
import { answeringParty, partyOfWords } from "../../src/dialogue/answering-party.ts";

/** Sentences under a heading that says who says them. */
const readAnswers = (name: string): readonly Readonly<{ party: string; text: string }>[] => {
  let party = "";
  const lines = readFileSync(new URL(`answers/${name}.txt`, import.meta.url), "utf8").split("\n");
  return lines.flatMap((line) => {
    if (line.startsWith("# ")) party = line.slice(2);
    return line.startsWith("# ") || line.trim() === "" ? [] : [{ party, text: line }];
  });
};

const told = (text: string): string => {
  const party = partyOfWords(text);
  return party === "unknown" ? "human" : party;
};

test.each(["tuning", "held-out"])(
  "of the answers of set %s, 97 in 100 are told right and under 2 in 100 people as machines",
  (name) => {
    const answers = readAnswers(name);
    const people = answers.filter(({ party }) => party === "human");
    const wrong = answers.filter(({ party, text }) => told(text) !== party);
    const falseMachines = people.filter(({ text }) => told(text) !== "human");
    expect(answers.length).toBeGreaterThan(150);
    expect(wrong.length / answers.length, wrong.map(({ text }) => text).join("\n")).toBeLessThanOrEqual(0.03);
    expect(falseMachines.length / people.length, falseMachines.map(({ text }) => text).join("\n")).toBeLessThan(0.02);
  },
);

test("capitals and missing punctuation change little: transcribers differ in both", () => {
  const answers = readAnswers("tuning").filter(({ party }) => party === "voicemail");
  const bare = answers.filter(
    ({ text }) => told(text.replaceAll(/[.,!?:;。、！？：]/gu, " ").toUpperCase()) !== "voicemail",
  );
  expect(bare.length / answers.length, bare.map(({ text }) => text).join("\n")).toBeLessThan(0.04);
});

test("a person who picks up in the middle of a greeting is a person", () => {
  expect(partyOfWords("Hi, this is Mark, please leave a message after the beep. Hello? Hello, sorry, I'm here")).toBe(
    "human",
  );
  expect(
    partyOfWords("If you record your name and reason for calling, I'll see if this person is available. Hello?"),
  ).toBe("human");
});

test("sound and the carrier tell where words do not", () => {
  expect(answeringParty({ text: "" })).toBe("unknown");
  expect(answeringParty({ text: "", faxTones: true })).toBe("fax");
  expect(answeringParty({ text: "", carrier: "fax" })).toBe("fax");
  expect(answeringParty({ text: "Mark and Julia.", speechMs: 2200 })).toBe("unknown");
  expect(answeringParty({ text: "Mark and Julia.", speechMs: 2200, beep: true })).toBe("voicemail");
  expect(answeringParty({ text: "", speechMs: 3000, beep: true })).toBe("voicemail");
  expect(answeringParty({ text: "", speechMs: 3000, carrier: "machine" })).toBe("voicemail");
});

test("neither a beep nor the carrier makes a machine of a person who asks something", () => {
  expect(answeringParty({ text: "Hello, who is this?", speechMs: 1800, beep: true })).toBe("human");
  expect(answeringParty({ text: "Hello, who is this?", speechMs: 1800, carrier: "machine" })).toBe("human");
  expect(answeringParty({ text: "Hello?", speechMs: 400, carrier: "machine" })).toBe("human");
});

test("speech that goes on and sounds a little like a greeting is one, unless the carrier heard a person", () => {
  const text = "Harbor Insurance. We are closed until Monday and wish you happy holidays.";
  expect(answeringParty({ text, speechMs: 1500 })).not.toBe("voicemail");
  expect(answeringParty({ text, speechMs: 7000 })).toBe("voicemail");
  expect(answeringParty({ text, speechMs: 7000, carrier: "human" })).not.toBe("voicemail");
});

test("whatever is said, however long, is judged at once", () => {
  const clock = new SystemClock();
  const started = clock.monotonic();
  for (const piece of ["leave ", "please record ", "der teilnehmer ", "say your name and ", "number you are ", "ピ"])
    expect(typeof partyOfWords(piece.repeat(4000))).toBe("string");
  expect(clock.monotonic() - started).toBeLessThan(3000);
  fc.assert(
    fc.property(fc.string({ maxLength: 300, unit: "grapheme" }), (text) => {
      expect(["human", "voicemail", "ivr", "screener", "unknown"]).toContain(partyOfWords(text));
    }),
    { numRuns: 200 },
  );
});
