import { expect, test } from "vitest";
import { fitting } from "../../../../src/adapters/transcriber/remote/languages.ts";
import { Stretches } from "../../../../src/adapters/transcriber/remote/stretches.ts";
import { UtteranceNumbers } from "../../../../src/adapters/transcriber/remote/utterance-numbers.ts";

test("a stretch keeps its number until it is final, also over a break", () => {
  const numbers = new UtteranceNumbers();
  expect([numbers.numberOf(7, false), numbers.numberOf(7, true), numbers.numberOf(8, false)]).toEqual([1, 1, 2]);
  numbers.reconnected();
  expect([numbers.numberOf(1, false), numbers.numberOf(1, true), numbers.numberOf(2, true)]).toEqual([2, 2, 3]);
  numbers.reconnected();
  expect(numbers.numberOf(1, false)).toBe(4);
  numbers.reconnected();
  numbers.turnTaken();
  expect(numbers.known(1)).toBeUndefined();
  expect(numbers.numberOf(1, false)).toBe(5);
});

test("stretches that are done in any order answer in the order of their sound", () => {
  const stretches = new Stretches();
  stretches.sent(0, 800);
  stretches.committed(100);
  stretches.asked(100);
  stretches.sent(500, 800);
  stretches.committed(600);
  stretches.asked(600);
  stretches.sent(900, 80);
  const [one, two] = [stretches.named("a"), stretches.named("b")];
  expect([one?.number, two?.number, stretches.named("a")?.number, stretches.openBytes]).toEqual([1, 2, 1, 80]);
  if (one === undefined || two === undefined) throw new Error("there are two");
  two.done = true;
  expect(stretches.takeDone()).toEqual({});
  one.done = true;
  expect(stretches.takeDone()).toEqual({ settledMs: 600, answeredMs: 600 });
  expect(stretches.named("c")?.fromMs).toBe(900);
});

test("keywords are kept as far as they fit", () => {
  const limits = { most: 3, longest: 8, together: 12 };
  expect(fitting([" Zürich ", "", "far too long a keyword", "Bern", "Oslo"], limits)).toEqual(["Zürich", "Bern"]);
  expect(fitting(["a", "b", "c", "d"], limits)).toEqual(["a", "b", "c"]);
});
