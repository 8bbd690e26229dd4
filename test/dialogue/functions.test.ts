import { expect, test } from "vitest";
import { findFunction, offerFunctions } from "../../src/dialogue/functions.ts";
import type { FunctionDefinition } from "../../src/model/function-definition.ts";

const api = (name: string, inputJsonSchema?: string): FunctionDefinition => ({
  id: name,
  name,
  description: `does ${name}`,
  type: "api",
  allowedNumbers: [],
  ...(inputJsonSchema === undefined ? {} : { inputJsonSchema }),
});

test("a transfer offers its allowed numbers and nothing else", () => {
  const transfer: FunctionDefinition = {
    id: "t",
    name: "Transfer to sales",
    description: "Connects to sales",
    type: "transfer",
    allowedNumbers: [{ number: "+15550100" }, { number: "+15550101" }],
  };
  const [offered] = offerFunctions([transfer]);
  expect(offered?.tool.name).toBe("Transfer_to_sales");
  expect(offered?.tool.parameters).toMatchObject({
    properties: { destination: { enum: ["+15550100", "+15550101"] } },
    required: ["destination"],
  });
});

test("a warm transfer asks for a summary, in the language of whom people are connected with", () => {
  const parameters = (transferMode: "warm" | "cold") => {
    const allowedNumbers = [{ number: "+15550100" }];
    const transfer: FunctionDefinition = { ...api("t"), type: "transfer", transferMode, allowedNumbers };
    return offerFunctions([transfer], "de")[0]?.tool.parameters;
  };
  expect(parameters("warm")).toMatchObject({
    properties: { summary: { type: "string", description: expect.stringContaining('"de"') } },
    required: ["destination", "summary"],
  });
  expect(parameters("cold")).toMatchObject({ required: ["destination"] });
  expect(JSON.stringify(parameters("cold"))).not.toContain("summary");
});

test("an api function offers its own schema, or no parameters when that is none", () => {
  const schema = { type: "object", properties: { id: { type: "integer" } } };
  const offered = offerFunctions([api("a", JSON.stringify(schema)), api("b"), api("c", "{nonsense"), api("d", "[1]")]);
  expect(offered[0]?.tool.parameters).toEqual(schema);
  for (const other of offered.slice(1)) expect(other.tool.parameters).toMatchObject({ properties: {} });
});

test("names that a model would refuse are rewritten, kept apart, and found again", () => {
  const definitions = [api("Größe prüfen"), api("Größe/prüfen"), api("end_call"), api("预约"), api("x".repeat(90))];
  const names = offerFunctions(definitions).map((offered) => offered.tool.name);
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/u);
  expect(names).not.toContain("end_call");
  for (const [index, name] of names.entries()) expect(findFunction(definitions, name)).toBe(definitions[index]);
  expect(findFunction(definitions, "made_up")).toBeUndefined();
});
