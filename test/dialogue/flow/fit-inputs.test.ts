import { expect, test } from "vitest";
import { fitInputs } from "../../../src/dialogue/flow/fit-inputs.ts";

const typed = (type: unknown) => ({ type: "object", properties: { value: { type } } });

test.each([
  ["integer", "4", 4],
  ["integer", "-12", -12],
  ["integer", "004", "004"],
  ["integer", "4.5", "4.5"],
  ["integer", "1e3", "1e3"],
  ["integer", "12345678901234567890", "12345678901234567890"],
  ["number", " 4.50 ", 4.5],
  ["number", "four", "four"],
  ["boolean", "true", true],
  ["boolean", "yes", "yes"],
  ["string", 4, "4"],
  ["string", false, "false"],
  ["string", null, null],
  ["string", ["a"], ["a"]],
  [["string", "integer"], 4, 4],
  [undefined, "4", "4"],
])("for %s, %j is %j", (type, value, fitted) => {
  expect(fitInputs({ value }, typed(type))).toEqual({ value: fitted });
});

test("inputs that the schema does not name, and schemas without properties, change nothing", () => {
  expect(fitInputs({ other: "4", constructor: "4" }, typed("integer"))).toEqual({ other: "4", constructor: "4" });
  expect(fitInputs({ value: "4" }, {})).toEqual({ value: "4" });
});
