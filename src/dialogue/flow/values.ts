import { MAX_RENDERED_LENGTH, renderTemplate, TemplateTooLong } from "../template.ts";
import { isSingleMacro, macrosIn, readField, unwrap, type Yields } from "./field.ts";

type Named = Readonly<Record<string, unknown>>;

/** What a call knows at one place of its flow. */
export type Values = Readonly<{
  /** `callAgentInput` and what `set_variables` nodes set since. */
  variables: Named;
  /** What nodes yielded, by node id; the latest visit counts. */
  outputs: ReadonlyMap<string, Named>;
  /** What the current node yields, as far as it is known. */
  own: Named;
  yields: Yields;
  /** `fillEmptyStringVariables`: names without a value become empty in texts, instead of staying as they are. */
  fillEmpty: boolean;
}>;

/** The value that a field or the inside of a macro points at; `undefined` when there is none. */
export const lookUp = (field: string, values: Values): unknown => {
  const reference = readField(field, values.yields);
  if (reference.type === "unknown") return undefined;
  if (reference.type === "output")
    return into(ownValue(values.outputs.get(reference.nodeId) ?? {}, reference.output), reference.path);
  return inside(values.own, reference.name) ?? inside(values.variables, reference.name);
};

/** A node's text with its macros filled in. */
export const fillText = (text: string, values: Values): string => fill(text, values, (value) => value);

/** A text that is said as it is: lists of plain values are told as lists, which nobody could hear in JSON. */
export const fillSpoken = (text: string, values: Values): string =>
  fill(text, values, (value) => (Array.isArray(value) && value.every(isPlain) ? value.join(", ") : value));

const isPlain = (value: unknown): boolean => ["string", "number"].includes(typeof value);

const fill = (text: string, values: Values, told: (value: unknown) => unknown): string => {
  const found = macrosIn(text).map((name) => [name, told(lookUp(name, values))] as const);
  try {
    return renderTemplate(text, Object.fromEntries(found), { fillEmpty: values.fillEmpty });
  } catch (error) {
    if (!(error instanceof TemplateTooLong)) throw error;
    // A call is under way and has to go on: better a text with gaps than none.
    return renderTemplate(text.slice(0, MAX_RENDERED_LENGTH), {}, { fillEmpty: true });
  }
};

/**
 * A node's JSON value with its macros filled in. A text that is one macro and nothing else takes the type of its value, so that
 * `"{{count}}"` can become the number 3.
 */
export const fillValue = (value: unknown, values: Values): unknown => {
  if (typeof value === "string") {
    const whole = isSingleMacro(value) ? lookUp(unwrap(value), values) : undefined;
    return whole ?? fillText(value, values);
  }
  if (Array.isArray(value)) return value.map((item) => fillValue(item, values));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, fillValue(item, values)]));
};

const ownValue = (named: Named, name: string): unknown => (Object.hasOwn(named, name) ? named[name] : undefined);

/** A name as it is, or the longest beginning of it that has a value, followed by steps into that value. */
const inside = (named: Named, name: string): unknown => {
  for (let end = name.length; end > 0; end = name.lastIndexOf(".", end - 1)) {
    const value = ownValue(named, name.slice(0, end));
    if (value === undefined || value === null) continue;
    return end === name.length ? value : into(value, name.slice(end + 1).split("."));
  }
  return undefined;
};

const into = (value: unknown, path: readonly string[]): unknown => {
  let reached = value;
  for (const step of path) {
    if (typeof reached !== "object" || reached === null || !Object.hasOwn(reached, step)) return undefined;
    reached = (reached as Named)[step];
  }
  return reached ?? undefined;
};
