import { expect, test } from "vitest";
import { StatementNames } from "../../../../src/adapters/store/postgres/statement-names.ts";

test("a text has one name, and no two texts have the same", () => {
  const names = new StatementNames();
  const first = names.of("SELECT $1", [1]);
  expect(first).toMatch(/^[a-z]+-[a-z]+-\d+$/);
  expect(names.of("SELECT $1", [2])).toBe(first);
  expect(names.of("SELECT $1::int", [1])).not.toBe(first);
});

test("a text without values has no name, and neither have those that come too late", () => {
  const names = new StatementNames();
  expect(names.of("BEGIN", [])).toBeUndefined();
  const early = names.of("SELECT 0, $1", [1]);
  for (let count = 1; count < 500; count++) expect(names.of(`SELECT ${count}, $1`, [1])).toBeDefined();
  expect(names.of("SELECT 500, $1", [1])).toBeUndefined();
  expect(names.of("SELECT 0, $1", [1])).toBe(early);
});
