import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { RE2JS } from "re2js";

/** What is wrong with a value, in words that name the place; nothing when it fits. */
export type Check = (value: unknown) => string | undefined;

/** A schema that cannot be used; the message says why. */
export class UnusableSchema extends Error {
  override readonly name = "UnusableSchema";
}

/** Longest schema, in UTF-16 units. */
const MAX_LENGTH = 20_000;

/**
 * Most parts of a schema, with every reference followed, since references can make a small schema exponentially large. This bounds
 * what checking a value costs, and compiling: 300 parts take about 50 ms, once in a call.
 */
const MAX_SUBSCHEMAS = 300;

/** Deepest nesting, with every reference followed; a schema that refers to itself never ends. */
const MAX_DEPTH = 32;

/**
 * Compiles a JSON Schema that a customer wrote. It can make nothing slow and reach nothing: references lead into the schema itself
 * only, and patterns run in linear time (RE2 syntax). Values are checked and never changed.
 *
 * @throws {UnusableSchema} when it is no schema, too large, refers to itself or elsewhere, or has a pattern that cannot be used.
 */
export const compileSchema = (text: string): Check => {
  if (text.length > MAX_LENGTH) throw new UnusableSchema(`the schema is longer than ${MAX_LENGTH} characters`);
  try {
    const schema: unknown = JSON.parse(text);
    if (!isRecord(schema)) throw new UnusableSchema("the schema is no JSON object");
    measure(schema, schema, 0, { left: MAX_SUBSCHEMAS });
    const validate = engine().compile(withoutDialect(schema));
    return (value) => {
      try {
        return validate(value) ? undefined : describe(validate.errors?.[0]);
      } catch (error) {
        if (error instanceof RangeError) return "the value is nested too deeply";
        throw error;
      }
    };
  } catch (error) {
    if (error instanceof UnusableSchema) throw error;
    throw new UnusableSchema("the schema cannot be used; it must be a JSON Schema of draft 2020-12", { cause: error });
  }
};

/** One for each schema, so that a schema goes when whoever compiled it goes. */
const engine = (): Ajv2020 => {
  const ajv = new Ajv2020({
    strict: false,
    validateSchema: false,
    allErrors: false,
    addUsedSchema: false,
    logger: false,
    code: { regExp: linear },
  });
  formats.default(ajv);
  return ajv;
};

const linear = Object.assign(
  (pattern: string) => {
    const compiled = RE2JS.compile(pattern);
    // The text is the name under which the validator keeps it.
    return { test: (text: string) => compiled.matcher(text).find(), toString: () => pattern };
  },
  { code: "linear" },
);

/** What a schema says of its own dialect and name has no meaning here. */
const withoutDialect = (schema: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(schema).filter(([key]) => !["$schema", "$id", "id"].includes(key)));

const measure = (root: unknown, node: unknown, depth: number, budget: { left: number }): void => {
  if (typeof node !== "object" || node === null) return;
  budget.left -= 1;
  if (budget.left < 0) throw new UnusableSchema(`the schema has more than ${MAX_SUBSCHEMAS} parts`);
  if (depth > MAX_DEPTH) throw new UnusableSchema("the schema is nested too deeply, or refers to itself");
  for (const [key, value] of Object.entries(node)) {
    if (["$dynamicRef", "$recursiveRef", "$data"].includes(key)) throw new UnusableSchema(`${key} is not supported`);
    if (key === "$ref" && typeof value === "string") measure(root, resolve(root, value), depth + 1, budget);
    else measure(root, value, depth + 1, budget);
  }
};

/** What a reference into the schema itself leads to. */
const resolve = (root: unknown, reference: string): unknown => {
  if (reference !== "#" && !reference.startsWith("#/"))
    throw new UnusableSchema("a reference must lead into the schema itself, such as #/$defs/name");
  let found = root;
  for (const part of reference.split("/").slice(1)) {
    const key = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, key))
      throw new UnusableSchema(`${reference} leads nowhere`);
    found = (found as Readonly<Record<string, unknown>>)[key];
  }
  return found;
};

const describe = (error: ErrorObject | undefined): string => {
  if (error === undefined) return "the value does not fit";
  const where = error.instancePath === "" ? "the value" : error.instancePath.slice(0, 200);
  const allowed = error.keyword === "enum" ? `: ${JSON.stringify(error.params["allowedValues"]).slice(0, 500)}` : "";
  return `${where} ${error.message ?? "does not fit"}${allowed}`;
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
