import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ClauseSplitter, MAX_PIECE_LENGTH } from "../../src/dialogue/clauses.ts";

const piecesOf = (tokens: readonly string[]): readonly string[] => {
  const splitter = new ClauseSplitter();
  return [...tokens.flatMap((token) => splitter.push(token)), ...splitter.flush()];
};

/** Text as a model streams it: words with their leading space, marks on their own. */
const tokensOf = (text: string): readonly string[] => text.match(/\s?[\p{L}\p{N}'’]+|\s+|[^\s\p{L}\p{N}]+/gu) ?? [];

test.each([
  [["Sure, I can help with that.", " What day works for you?"]],
  [["Dr. Smith is free at 3.30 or 4 p.m. on Tuesday.", " Is that OK?"]],
  [["The total is $1,299.50,", " and it includes tax.", " Thanks!"]],
  [["Hello!", " I'm Ana from the clinic,", " how can I help?", " We are open, as always, until five."]],
  [["We moved to the U.S. in May.", " OK.", " It costs 5.", " Fine."]],
  [["Please visit www.example.com/a.b for more about it.", " Or call us, any time, e.g. today."]],
  [["1. First item\n", "2. Second item\n", "Done"]],
  [["Let me check that for you —", " one moment."]],
])("pieces are the clauses and sentences that a speaker would make: %j", (pieces) => {
  expect(piecesOf(tokensOf(pieces.join("")))).toEqual(pieces);
});

test("a sentence goes out with its mark, before anything follows it", () => {
  const splitter = new ClauseSplitter();
  expect(splitter.push("How are")).toEqual([]);
  expect(splitter.push(" you")).toEqual([]);
  expect(splitter.push("?")).toEqual(["How are you?"]);
  expect(splitter.push(" I can see you on Monday")).toEqual([]);
  expect(splitter.push(".")).toEqual([" I can see you on Monday."]);
});

test("the first clause goes out at its comma, and later sentences stay whole", () => {
  const splitter = new ClauseSplitter();
  expect(splitter.push("I looked it up, and")).toEqual(["I looked it up,"]);
  expect(splitter.push(" there is a table for two at seven.")).toEqual([" and there is a table for two at seven."]);
  expect(splitter.push(" If that is fine, I will book it.")).toEqual([" If that is fine, I will book it."]);
});

test("after a number or a short form it waits for what follows", () => {
  const splitter = new ClauseSplitter();
  expect(splitter.push("That makes 3.")).toEqual([]);
  expect(splitter.push("50 in all.")).toEqual(["That makes 3.50 in all."]);
  expect(splitter.push(" Ask Dr.")).toEqual([]);
  expect(splitter.push(" Who.")).toEqual([" Ask Dr. Who."]);
});

test("a closing quote that is there goes with its sentence", () => {
  expect(new ClauseSplitter().push('She said "no way." Then she left.')).toEqual([
    'She said "no way."',
    " Then she left.",
  ]);
});

test("a flushed splitter begins anew", () => {
  const splitter = new ClauseSplitter();
  splitter.push("one two three, four five six seven eight nine ten eleven twelve");
  splitter.flush();
  expect(splitter.push("one two three, four")).toEqual(["one two three,"]);
});

const text = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc
    .array(
      fc.constantFrom("word ", "Dr. ", "3.5 ", "end. ", "x, ", "…", "\n", '"', "?!", "**", "🎉", "—", "a".repeat(60)),
      { maxLength: 60 },
    )
    .map((parts) => parts.join("")),
);

test("joined together, the pieces are the text, however it was streamed, and none is longer than the bound", () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 30 }), (source, step) => {
      const tokens = Array.from({ length: Math.ceil(source.length / step) }, (_, index) =>
        source.slice(index * step, (index + 1) * step),
      );
      const pieces = piecesOf(tokens);
      expect(pieces.join("")).toBe(source);
      for (const piece of pieces) {
        expect(piece).not.toBe("");
        expect(piece.length).toBeLessThanOrEqual(MAX_PIECE_LENGTH + 8);
      }
    }),
    { numRuns: 500 },
  );
});
