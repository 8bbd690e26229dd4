import * as fc from "fast-check";
import { resolve, type ApiDocument, type Schema } from "./api-document.ts";

/** Arbitraries that know the meaning of some fields, by name, so that what is generated comes past the checks of meaning too. */
export type FieldArbitraries = Readonly<Record<string, fc.Arbitrary<unknown>>>;

/** Text that parsers, databases and templates stumble over. */
export const oddText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: "grapheme" }),
  fc.constantFrom(
    "\0",
    "\uD800",
    "{{a}}",
    "__proto__",
    "constructor",
    "'; drop table dial; --",
    "null",
    "../..",
    "%00",
  ),
);

/** Anything that JSON can say, and a text that is too long for most fields. */
export const anyJson: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: oddText },
  fc.jsonValue(),
  fc.double(),
  fc.constantFrom(null, true, -1, 1e21, [], {}, "x".repeat(3000)),
);

/** Values that a schema allows; required members always, others now and then. Patterns are met only by luck or by `fields`. */
export const fromSchema = (
  document: ApiDocument,
  schema: Schema,
  fields: FieldArbitraries = {},
  name = "",
): fc.Arbitrary<unknown> => {
  const found = resolve(document, schema);
  const inner = (one: Schema, of = name) => fromSchema(document, one, fields, of);
  if (found.enum !== undefined) return fc.constantFrom(...found.enum);
  const known = fields[name];
  if (known !== undefined && found.type === "string") return known;
  if (found.const !== undefined) return fc.constant(found.const);
  if (found.anyOf !== undefined) return fc.oneof(...found.anyOf.map((one) => inner(one)));
  switch (found.type) {
    case "string":
      return fc.string({ minLength: found.minLength ?? 0, maxLength: Math.min(found.maxLength ?? 20, 20) });
    case "integer":
      return fc.integer({ min: found.minimum ?? -1000, max: found.maximum ?? 100_000 });
    case "number":
      return fc.double({ noNaN: true, noDefaultInfinity: true });
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "array":
      return fc.array(inner(found.items ?? {}), { minLength: found.minItems ?? 0, maxLength: 3 });
    case "object":
      return objectOf(found, inner);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
};

const objectOf = (schema: Schema, inner: (one: Schema, of: string) => fc.Arbitrary<unknown>): fc.Arbitrary<unknown> => {
  const properties = Object.entries(schema.properties ?? {});
  if (properties.length === 0)
    return fc.dictionary(fc.string({ maxLength: 5 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 });
  return fc.record(Object.fromEntries(properties.map(([name, one]) => [name, inner(one, name)])), {
    requiredKeys: [...(schema.required ?? [])],
  });
};

/** Values with one place changed to something else, a member added, or one taken away. */
export const mutated = (values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.tuple(values, fc.array(fc.nat(7), { minLength: 1, maxLength: 4 }), anyJson, oddText, fc.nat(3)).map((drawn) => {
    const [value, path, put, name, how] = drawn;
    return changeAt(value, path, (inner) => {
      if (how === 0 && isRecord(inner)) return { ...inner, [name]: put };
      if (how === 1 && isRecord(inner)) return Object.fromEntries(Object.entries(inner).slice(1));
      if (how === 2 && Array.isArray(inner)) return [...(inner as unknown[]), put];
      return put;
    });
  });

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Goes down a value by the numbers of the path, as far as there is something to go down to, and changes what is there. */
const changeAt = (value: unknown, path: readonly number[], change: (inner: unknown) => unknown): unknown => {
  const [step, ...rest] = path;
  const isArray = Array.isArray(value);
  if (step === undefined || !(isArray || isRecord(value))) return change(value);
  const entries = Object.entries(value as object) as [string, unknown][];
  const at = entries.length === 0 ? -1 : step % entries.length;
  if (at === -1) return change(value);
  const changed = entries.map(([name, inner], index): [string, unknown] => [
    name,
    index === at ? changeAt(inner, rest, change) : inner,
  ]);
  return isArray ? changed.map(([, inner]) => inner) : Object.fromEntries(changed);
};
