import fc from "fast-check";
import { expect, test } from "vitest";
import { Continuation } from "../../src/dialogue/continuation.ts";

const goOn = (said: string, ...pieces: readonly string[]): string => {
  const rest = new Continuation(said);
  return said + pieces.map((piece) => rest.push(piece)).join("") + rest.end();
};

test.each<readonly [string, readonly string[], string]>([
  ["", ["Hello", " there"], "Hello there"],
  ["We open at", [" nine."], "We open at nine."],
  ["We open at", ["nine."], "We open at nine."],
  ["We open at", ["We open at nine."], "We open at nine."],
  ["We open at", ["open at", " nine."], "We open at nine."],
  ["We open at", [", say, nine."], "We open at, say, nine."],
  ["No", ["no, never."], "No no, never."],
  ["We open at nine.", ["We open", " at nine."], "We open at nine."],
  ["We open at nine.", ["We open late on Monday."], "We open at nine. We open late on Monday."],
])("%j goes on with %j as %j", (said, pieces, expected) => {
  expect(goOn(said, ...pieces).trim()).toBe(expected);
});

test("whatever is new comes through, in whatever pieces it comes", () => {
  fc.assert(
    fc.property(fc.string(), fc.array(fc.string()), (said, pieces) => {
      const fresh = pieces.join("");
      const whole = goOn(said, ...pieces);
      expect(whole.startsWith(said)).toBe(true);
      expect(fresh.trim().endsWith(whole.slice(said.length).trim())).toBe(true);
      expect(goOn(said, fresh).slice(said.length)).toBe(goOn(said, ...Array.from(fresh)).slice(said.length));
    }),
  );
});
