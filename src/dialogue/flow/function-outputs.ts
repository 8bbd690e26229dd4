import { Check } from "typebox/schema";
import type { Output } from "./node-data.ts";
import { parseNumber } from "./number-words.ts";
import { parseSchema } from "./output-schema.ts";

/**
 * The outputs of a function out of its result (JSON text): fields of the result by name, or the result itself where the node has one
 * output and the result is no object. A value that does not fit its type, and one that is missing, is null, whether or not the output
 * may be: a call goes on, and no condition holds for null.
 */
export const readOutputs = (outputs: readonly Output[], result: string): Readonly<Record<string, unknown>> => {
  const parsed = parse(result);
  const fields = typeof parsed === "object" && parsed !== null && !Array.isArray(parsed) ? parsed : undefined;
  return Object.fromEntries(
    outputs.map((output) => {
      const value = fieldOf(fields, output.name) ?? (fields === undefined && outputs.length === 1 ? parsed : undefined);
      return [output.name, typed(output, value) ?? null];
    }),
  );
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

const fieldOf = (fields: object | undefined, name: string): unknown =>
  fields !== undefined && Object.hasOwn(fields, name) ? (fields as Readonly<Record<string, unknown>>)[name] : undefined;

const typed = (output: Output, value: unknown): unknown => {
  if (value === undefined || value === null) return null;
  switch (output.type) {
    case "BOOLEAN":
      return booleanOf(value);
    case "STRING":
      return plainText(value);
    case "INTEGER":
      return Number.isSafeInteger(numberOf(value)) ? numberOf(value) : null;
    case "FLOAT":
      return numberOf(value);
    case "CUSTOM":
      return fitsSchema(output.customFieldJsonSchema, value) ? value : null;
  }
};

const plainText = (value: unknown): string | null => {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : null;
};

const booleanOf = (value: unknown): boolean | null => {
  if (typeof value === "boolean") return value;
  if (typeof value !== "string") return null;
  const text = value.trim().toLowerCase();
  if (text === "true") return true;
  return text === "false" ? false : null;
};

const numberOf = (value: unknown): number | null => {
  if (typeof value === "number") return value;
  return typeof value === "string" ? (parseNumber(value) ?? null) : null;
};

const fitsSchema = (text: string | null | undefined, value: unknown): boolean => {
  const schema = text ? parseSchema(text) : undefined;
  if (schema === undefined) return true;
  try {
    return Check(schema, value);
  } catch {
    // A schema that cannot be applied (a broken pattern or reference) says nothing about the value.
    return true;
  }
};
