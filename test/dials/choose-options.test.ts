import { expect, test } from "vitest";
import { findOptionFault } from "../../src/dials/choose-engines.ts";

const OPTIONS = [
  { id: "temperature", name: "T", valueType: "FLOAT" as const, default: "1", minimum: 0, maximum: 2 },
  { id: "tokens", name: "N", valueType: "INT" as const, default: "0" },
  { id: "model", name: "M", valueType: "STRING" as const, default: "a", choices: ["a", "b"] },
  { id: "effort", name: "E", valueType: "STRING" as const, default: "" },
];

const faultOf = (optionId: string, value: string) => findOptionFault(OPTIONS, [{ optionId, value }])?.path;

test("a value fits its option by type and bounds", () => {
  for (const value of ["0", "2", "0.5"]) expect(faultOf("temperature", value)).toBeUndefined();
  for (const value of ["-0.1", "2.01", "hot", "", "1e0", "NaN"]) expect(faultOf("temperature", value)).toBe("/0/value");
  expect(faultOf("tokens", "-5")).toBeUndefined();
  expect(faultOf("tokens", "1.5")).toBe("/0/value");
  expect(faultOf("effort", "anything")).toBeUndefined();
  expect(faultOf("model", "b")).toBeUndefined();
  expect(faultOf("model", "c")).toBe("/0/value");
  expect(faultOf("top_p", "1")).toBe("/0/optionId");
});

test("what is out of bounds is told with the bounds", () => {
  expect(findOptionFault(OPTIONS, [{ optionId: "temperature", value: "3" }])?.why).toContain("from 0 to 2");
});
