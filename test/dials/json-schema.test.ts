import fc from "fast-check";
import { expect, test } from "vitest";
import { compileSchema, UnusableSchema } from "../../src/dials/json-schema.ts";

const check = (schema: unknown, value: unknown) => compileSchema(JSON.stringify(schema))(value);

test("a value is checked, and what is wrong with it is named by its place", () => {
  const schema = {
    type: "object",
    properties: { day: { type: "string", format: "date" }, size: { enum: ["small", "large"] } },
    required: ["day"],
    additionalProperties: false,
  };
  expect(check(schema, { day: "2026-03-01", size: "small" })).toBeUndefined();
  expect(check(schema, {})).toBe("the value must have required property 'day'");
  expect(check(schema, { day: "tomorrow" })).toContain("/day");
  expect(check(schema, { day: "2026-03-01", size: "huge" })).toContain('["small","large"]');
  expect(check(schema, { day: "2026-03-01", more: 1 })).toContain("additional properties");
  expect(check(schema, { day: 5 })).toContain("/day");
});

test("a value is never changed: nothing is converted, filled in or removed", () => {
  const schema = { type: "object", properties: { n: { type: "integer", default: 1 } }, additionalProperties: false };
  const value = {};
  expect(check(schema, value)).toBeUndefined();
  expect(value).toEqual({});
  expect(check(schema, { n: "5" })).toContain("/n");
});

test("references within the schema are followed, and several patterns are told apart", () => {
  const schema = {
    $schema: "http://json-schema.org/draft-07/schema#",
    $id: "https://example.com/x",
    definitions: { code: { type: "string", pattern: "^[A-Z]{3}$" } },
    properties: { a: { $ref: "#/definitions/code" }, b: { type: "string", pattern: "^[0-9]+$" } },
  };
  expect(check(schema, { a: "ABC", b: "123" })).toBeUndefined();
  expect(check(schema, { a: "123" })).toContain("/a");
  expect(check(schema, { b: "ABC" })).toContain("/b");
});

test("a pattern that backtracks for ages elsewhere takes no time here", () => {
  const slow = compileSchema(
    '{"properties":{"a":{"pattern":"^(a+)+$"}},"patternProperties":{"(x+x+)+y":{"type":"null"}}}',
  );
  expect(slow({ a: `${"a".repeat(50_000)}!` })).toContain("/a");
  expect(slow({ ["x".repeat(50_000)]: 1 })).toBeUndefined();
});

const doubling = (levels: number) => {
  const $defs: Record<string, unknown> = { d0: { type: "null" } };
  for (let level = 1; level <= levels; level++)
    $defs[`d${level}`] = { anyOf: [{ $ref: `#/$defs/d${level - 1}` }, { $ref: `#/$defs/d${level - 1}` }] };
  return { $defs, $ref: `#/$defs/d${levels}` };
};

test.each([
  ["no JSON", "{"],
  ["no object", "[]"],
  ["too long", JSON.stringify({ description: "x".repeat(30_000) })],
  ["a reference to the network", '{"$ref":"https://example.com/schema.json"}'],
  ["a reference to a file", '{"$ref":"file:///etc/passwd"}'],
  ["a reference to nowhere", '{"$ref":"#/$defs/none"}'],
  ["a reference to itself", '{"properties":{"a":{"$ref":"#"}}}'],
  ["a dynamic reference", '{"$dynamicRef":"#x"}'],
  ["references that double", JSON.stringify(doubling(30))],
  ["deep nesting", `${'{"not":'.repeat(200)}{}${"}".repeat(200)}`],
  ["a pattern that is none", '{"pattern":"("}'],
  ["a pattern beyond RE2", '{"pattern":"(a)\\\\1"}'],
  ["an unknown type", '{"type":"thing"}'],
  ["async", '{"$async":true,"type":"object","$ref":"#/$defs/x"}'],
])("a schema with %s cannot be used", (_name, text) => {
  expect(() => compileSchema(text)).toThrow(UnusableSchema);
});

test("a value that is nested very deeply is refused or accepted, never fatal", () => {
  const deep = JSON.parse(`${"[".repeat(5000)}${"]".repeat(5000)}`) as unknown;
  expect(compileSchema('{"uniqueItems":true}')(deep)).toBeUndefined();
  expect(compileSchema('{"enum":[[[1]]]}')(deep)).toBeTypeOf("string");
});

test("whatever a schema says, it compiles to a check or is refused, in bounded time", () => {
  const schema = fc.letrec((tie) => ({
    node: fc.oneof(
      { maxDepth: 3, depthSize: "small" },
      fc.record(
        {
          type: fc.constantFrom<unknown>("string", "integer", "object", "array", 5, null, "x"),
          properties: fc.dictionary(fc.string({ maxLength: 5 }), tie("node"), { maxKeys: 2 }),
          items: tie("node"),
          anyOf: fc.array(tie("node"), { maxLength: 2 }),
          pattern: fc.string({ maxLength: 20 }),
          $ref: fc.constantFrom("#", "#/properties/a", "#/anyOf/0", "x"),
          enum: fc.array(fc.jsonValue({ maxDepth: 0 }), { maxLength: 3 }),
          format: fc.string({ maxLength: 5 }),
        },
        { requiredKeys: [] },
      ),
      fc.jsonValue({ maxDepth: 0 }),
    ),
  })).node;
  fc.assert(
    fc.property(schema, fc.jsonValue(), (made, value) => {
      try {
        const problem = check(made, value);
        expect(problem === undefined || typeof problem === "string").toBe(true);
      } catch (error) {
        expect(error).toBeInstanceOf(UnusableSchema);
      }
    }),
    { numRuns: 100 },
  );
});
