import fc from "fast-check";
import { expect, test } from "vitest";
import { PlaybackLedger } from "../../src/call/ledger.ts";

const endsOf = (text: string) => [...text.matchAll(/\S+\s*/gu)].map((match) => match.index + match[0].length);

const pieces = fc.array(
  fc.record({
    text: fc
      .array(fc.stringMatching(/^[a-z]{1,8}$/), { minLength: 1, maxLength: 6 })
      .map((words) => `${words.join(" ")}. `),
    msPerLetter: fc.integer({ min: 1, max: 90 }),
    timed: fc.boolean(),
  }),
  { minLength: 1, maxLength: 5 },
);

const build = (list: readonly { text: string; msPerLetter: number; timed: boolean }[]) => {
  const ledger = new PlaybackLedger();
  for (const { text, msPerLetter, timed } of list) {
    const base = ledger.totalMs;
    ledger.addPiece(text, endsOf(text));
    const words = [...text.matchAll(/\S+/gu)].map((match) => ({
      text: match[0],
      startMs: base + match.index * msPerLetter,
      endMs: base + (match.index + match[0].length) * msPerLetter,
    }));
    ledger.addSound(text.length * msPerLetter, timed ? words : []);
    ledger.endPiece();
  }
  return ledger;
};

test("what was heard grows with the position, is always a beginning of the text, and in the end all of it", () => {
  fc.assert(
    fc.property(pieces, fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 20 }), (list, positions) => {
      const ledger = build(list);
      const all = list.map(({ text }) => text).join("");
      let before = "";
      for (const position of positions.toSorted((a, b) => a - b)) {
        const heard = ledger.heard(position * ledger.totalMs);
        expect(all.startsWith(heard)).toBe(true);
        expect(heard.length).toBeGreaterThanOrEqual(before.length);
        before = heard;
      }
      expect(ledger.heard(ledger.totalMs)).toBe(all);
      expect(ledger.heard(0)).toBe("");
    }),
  );
});

test("a word counts as heard when more than half of it sounded", () => {
  const ledger = build([{ text: "one two ", msPerLetter: 100, timed: true }]);
  expect(ledger.heard(149)).toBe("");
  expect(ledger.heard(150)).toBe("one ");
  expect(ledger.heard(549)).toBe("one ");
  expect(ledger.heard(551)).toBe("one two ");
});

test("words that are told while their piece still comes count for themselves, and not for those that were not told yet", () => {
  const ledger = new PlaybackLedger();
  const text = "one two three four ";
  ledger.addPiece(text, endsOf(text));
  ledger.addSound(400, [
    { text: "one", startMs: 0, endMs: 180 },
    { text: "two", startMs: 200, endMs: 380 },
  ]);
  expect(ledger.heard(150)).toBe("one ");
  expect(ledger.heard(390)).toBe("one two ");
  ledger.addSound(400, [
    { text: "three", startMs: 400, endMs: 580 },
    { text: "four", startMs: 600, endMs: 780 },
  ]);
  expect(ledger.heard(590)).toBe("one two three ");
  ledger.endPiece();
  expect(ledger.heard(800)).toBe(text);
});

test("what is written and what is spoken may differ in words; the written text is cut where the spoken one was", () => {
  const ledger = new PlaybackLedger();
  ledger.addPiece("It costs $20 today.", [3, 9, 13, 13, 19]);
  const words = ["It", "costs", "twenty", "dollars", "today."];
  ledger.addSound(
    500,
    words.map((text, index) => ({ text, startMs: index * 100, endMs: index * 100 + 100 })),
  );
  ledger.endPiece();
  expect(ledger.heard(260)).toBe("It costs $20 ");
  expect(ledger.heard(160)).toBe("It costs ");
});

test("a piece whose sound is still coming is estimated by its letters", () => {
  const ledger = new PlaybackLedger();
  ledger.addPiece("one two three four", [4, 8, 14, 18]);
  ledger.addSound(650);
  expect(ledger.heard(650)).toBe("one two ");
});

test("after a false alarm playback takes up at the beginning of the word", () => {
  const ledger = build([{ text: "one two three ", msPerLetter: 100, timed: true }]);
  expect(ledger.wordStart(650)).toBe(400);
  expect(ledger.wordStart(0)).toBe(0);
});

test("speech ends with its last word, not with the silence behind it", () => {
  const ledger = new PlaybackLedger();
  ledger.addPiece("one two", [4, 7]);
  ledger.addSound(1000, [
    { text: "one", startMs: 20, endMs: 300 },
    { text: "two", startMs: 320, endMs: 700 },
  ]);
  ledger.endPiece();
  expect(ledger.speechEnd(1000)).toBe(700);
  expect(ledger.speechEnd(310)).toBe(300);
  expect(ledger.speechEnd(0)).toBe(0);
});
