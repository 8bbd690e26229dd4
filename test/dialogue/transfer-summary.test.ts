import fc from "fast-check";
import { expect, test } from "vitest";
import { MAX_SUMMARY, transferSummary } from "../../src/dialogue/transfer-summary.ts";

const told = (args: string, language = "en") => transferSummary({ transferMode: "warm" }, args, language);

test("whatever a model writes, a summary is one short line of words", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: "binary", maxLength: 900 }), fc.lorem({ maxCount: 150 })), (summary) => {
      const line = told(JSON.stringify({ summary })) ?? "";
      expect(line).toBe(line.trim());
      expect(line.length).toBeGreaterThan(0);
      expect(line.length).toBeLessThanOrEqual(MAX_SUMMARY);
      expect(line.isWellFormed()).toBe(true);
      expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    }),
  );
});

test("arguments that have no summary are told of in the call's language", () => {
  for (const args of [
    "",
    "{",
    "[]",
    "null",
    '{"summary":null}',
    '{"__proto__":{"summary":"x"}}',
    `{"summary":" \u200B "}`,
  ])
    expect(told(args, "de-AT")).toBe("Ein Anruf wird zu Ihnen durchgestellt.");
  expect(told("{}", "xx")).toBe("A caller is being connected to you.");
  expect(transferSummary({}, '{"summary":"Ada"}', "en")).toBeUndefined();
});
