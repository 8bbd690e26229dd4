import type { JsonSchema } from "../../ports/language-model.ts";

type Named = Readonly<Record<string, unknown>>;

/**
 * A function's inputs in the types that its schema asks for, where a value is plainly one of these in another spelling: `"4"` and 4,
 * `"true"` and true. What callers said and customers sent is text as often as not. Everything else is left for the check to tell of.
 */
export const fitInputs = (inputs: Named, parameters: JsonSchema): Named => {
  const properties = parameters["properties"];
  if (!isNamed(properties)) return inputs;
  return Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => {
      const wanted = Object.hasOwn(properties, name) ? properties[name] : undefined;
      return [name, isNamed(wanted) ? fit(value, wanted["type"]) : value];
    }),
  );
};

const fit = (value: unknown, type: unknown): unknown => {
  if (type === "string") return typeof value === "number" || typeof value === "boolean" ? String(value) : value;
  if (typeof value !== "string") return value;
  const text = value.trim();
  if (type === "boolean" && (text === "true" || text === "false")) return text === "true";
  const number = (type === "number" && DECIMAL.test(text)) || (type === "integer" && WHOLE.test(text));
  return number ? Number(text) : value;
};

/** Leading zeros and more digits than a number keeps are those of a code, which is no number. */
const WHOLE = /^-?(?:0|[1-9]\d{0,14})$/u;
const DECIMAL = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/u;

const isNamed = (value: unknown): value is Named =>
  typeof value === "object" && value !== null && !Array.isArray(value);
