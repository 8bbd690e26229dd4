import { Ajv2020 } from "ajv/dist/2020.js";
import { compileSchema, UnusableSchema } from "../dials/json-schema.ts";

/**
 * Why a text is no JSON Schema that values can be checked by, as the end of a sentence about the field; `undefined` when it is
 * one. `type`: it must describe a value of that type, by saying so or by not excluding it.
 */
export const whyNoSchema = (text: string, type?: "object"): string | undefined => {
  const schema = parse(text);
  if (schema === undefined) return "must be a JSON object, written as text";
  // Which dialect it names is not looked at: calls read every schema as draft 2020-12.
  const { $schema: _, ...content } = schema;
  if (META.validateSchema(content) !== true) {
    const [first] = META.errors ?? [];
    return `is no JSON Schema: ${first?.instancePath || "it"} ${first?.message ?? "is not valid"}`;
  }
  const said = content["type"];
  if (type !== undefined && said !== undefined && said !== type) return `must have the type ${type}`;
  try {
    compileSchema(text);
    return undefined;
  } catch (error) {
    if (error instanceof UnusableSchema) return `cannot be used: ${error.message}`;
    throw error;
  }
};

/** Knows what a schema is; holds no schema of a customer. */
const META = new Ajv2020({ strict: false, validateFormats: false, logger: false });

const parse = (text: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
};
