import { expect, test } from "vitest";
import { checkInputs } from "../../src/dials/check-inputs.ts";
import { Refusal } from "../../src/dials/refusal.ts";

const faultsOf = (inputs: Readonly<Record<string, unknown>>) => {
  try {
    checkInputs(inputs);
  } catch (error) {
    if (error instanceof Refusal) return error.faults;
    throw error;
  }
  return [];
};

test("a value may have ten thousand characters as text, and no more", () => {
  expect(faultsOf({ name: "x".repeat(10_000), list: Array.from({ length: 4999 }, () => 1), none: null })).toEqual([]);
  expect(faultsOf({ name: "x".repeat(10_001) })).toMatchObject([{ path: "/callAgentInput/name" }]);
  expect(faultsOf({ "a/b": Array.from({ length: 5000 }, () => 1), ok: 1, long: "x".repeat(10_001) })).toMatchObject([
    { path: "/callAgentInput/a~1b" },
    { path: "/callAgentInput/long" },
  ]);
});
