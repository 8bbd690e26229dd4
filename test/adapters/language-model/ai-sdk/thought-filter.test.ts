import fc from "fast-check";
import { expect, test } from "vitest";
import { ThoughtFilter } from "../../../../src/adapters/language-model/ai-sdk/thought-filter.ts";

const filtered = (text: string, cuts: readonly number[]): string => {
  const filter = new ThoughtFilter();
  const ends = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].toSorted((a, b) => a - b);
  const pieces = [...ends, text.length].map((end, index) => text.slice(ends[index - 1] ?? 0, end));
  return pieces.map((piece) => filter.push(piece)).join("") + filter.end();
};

const cuts = fc.array(fc.nat({ max: 200 }), { maxLength: 8 });

test("however a text is cut into pieces, only its thoughts and the blanks before it are missing", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), cuts, (thought, answer, at) => {
      fc.pre(!thought.includes("</think>") && !answer.trimStart().startsWith("<think>"));
      expect(filtered(`\n<think>${thought}</think>\n\n${answer}`, at)).toBe(answer.trimStart());
      expect(filtered(answer, at)).toBe(answer.trimStart());
    }),
  );
});

test("a thought that never ends stays unsaid, and tags further on are text", () => {
  expect(filtered("<think>hm", [3])).toBe("");
  expect(filtered("<thi", [1])).toBe("<thi");
  expect(filtered("Say <think> aloud </think>", [7, 9])).toBe("Say <think> aloud </think>");
});
