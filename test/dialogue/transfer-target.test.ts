import fc from "fast-check";
import { expect, test } from "vitest";
import { runs } from "../kit/runs.ts";
import { transferTarget } from "../../src/dialogue/transfer-target.ts";

const RECEPTION = "+12025550199";
const SALES = "+442071838750";
const definition = { allowedNumbers: [{ number: RECEPTION }, { number: SALES }] };
const anybody = () => undefined;
const asked = (destination: unknown) => transferTarget(definition, JSON.stringify({ destination }), anybody);

test("a listed number is connected to as it is stored", () => {
  expect(asked(RECEPTION)).toEqual({ type: "allowed", to: RECEPTION });
  expect(asked(SALES)).toEqual({ type: "allowed", to: SALES });
});

test.each([
  "+1202555019",
  "+120255501990",
  "+1 202 555 0199",
  "+1-202-555-0199",
  "12025550199",
  "0012025550199",
  "tel:+12025550199",
  "+12025550199;ext=9",
  "+12025550199,+19005550100",
  "+12025550199\n",
  "\u200B+12025550199",
  "+1202555\u00AD0199",
  "\uFF0B12025550199",
  "+\uFF11\uFF12\uFF10\uFF12\uFF15\uFF15\uFF15\uFF10\uFF11\uFF19\uFF19",
  "+\u0661\u0662\u0660\u0662\u0665\u0665\u0665\u0660\u0661\u0669\u0669",
  "+1202555O199",
  "+19005550100",
  "911",
  "",
])("%j is no listed number, however it reads", (destination) => {
  expect(asked(destination).type).toBe("refused");
});

test.each(["", "{", "null", "[]", '"+12025550199"', '["+12025550199"]', "{}", '{"number":"+12025550199"}'])(
  "arguments %s name no destination",
  (args) => {
    expect(transferTarget(definition, args, anybody).type).toBe("refused");
  },
);

test("a destination that is no string, or comes from a prototype, is none", () => {
  for (const destination of [12025550199, [RECEPTION], { toString: RECEPTION }, null, true])
    expect(asked(destination).type).toBe("refused");
  expect(transferTarget(definition, `{"__proto__":{"destination":"${RECEPTION}"}}`, anybody).type).toBe("refused");
});

test("a listed entry that is no strict number, or may never be rung, is not connected to", () => {
  for (const number of [
    "911",
    "+1 202 555 0199",
    "+\uFF11\uFF12\uFF10\uFF12\uFF15\uFF15\uFF15\uFF10\uFF11",
    "sip:a@b",
    "",
    "+0123456789",
  ]) {
    const listed = { allowedNumbers: [{ number }] };
    expect(transferTarget(listed, JSON.stringify({ destination: number }), anybody).type).toBe("refused");
  }
  expect(transferTarget(definition, JSON.stringify({ destination: SALES }), () => "never")).toEqual({
    type: "refused",
    why: "never",
  });
});

/** What a hostile or confused model may emit: noise, near misses of listed numbers, and the numbers themselves. */
const emissions = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.json({ maxDepth: 2 }),
  fc
    .string({ unit: fc.constantFrom(..."+0123456789 -()\u0661\uFF12\u200B".split("")), maxLength: 18 })
    .map((text) => JSON.stringify({ destination: text })),
  fc
    .tuple(fc.constantFrom(RECEPTION, SALES), fc.nat(13), fc.string({ unit: "grapheme", maxLength: 2 }), fc.nat(2))
    .map(([number, at, put, cut]) =>
      JSON.stringify({ destination: number.slice(0, at) + put + number.slice(at + cut) }),
    ),
  fc.jsonValue({ maxDepth: 1 }).map((destination) => JSON.stringify({ destination })),
  fc.constantFrom(RECEPTION, SALES).map((destination) => JSON.stringify({ destination })),
);

test("whatever a model emits, only stored entries come out", () => {
  const stored = new Set([RECEPTION, SALES]);
  let allowed = 0;
  fc.assert(
    fc.property(emissions, (args) => {
      const target = transferTarget(definition, args, anybody);
      if (target.type === "refused") return;
      allowed += 1;
      expect(stored.has(target.to)).toBe(true);
      expect((JSON.parse(args) as { destination: unknown }).destination).toBe(target.to);
    }),
    { numRuns: EMISSIONS },
  );
  // The generator is worth something only if it also finds the numbers that are allowed.
  expect(allowed).toBeGreaterThan(EMISSIONS / 20);
}, 120_000);

/** The usual ones are enough for every kind of near miss. */
const EMISSIONS = runs(10_000, 100_000);
