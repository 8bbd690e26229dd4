import type { FlowNode } from "../../model/versioned-prompt.ts";
import type { JsonSchema } from "../../ports/language-model.ts";
import { readContent, type Output, type QuestionData } from "./node-data.ts";

/** The one output of a question. */
export const ANSWER = "answer";

/**
 * The JSON Schema, as a string, of the object that a node yields; `undefined` for nodes that yield nothing and for nodes whose
 * data does not fit their type.
 */
export const outputSchemaOf = (node: FlowNode): string | undefined => {
  const content = readContent(node.type, node.nodeData);
  if (content?.type === "question") return JSON.stringify(objectOf({ [ANSWER]: answerSchema(content.data) }));
  if (content?.type !== "function_call") return undefined;
  const outputs = content.data.outputs ?? [];
  if (outputs.length === 0) return undefined;
  return JSON.stringify(objectOf(Object.fromEntries(outputs.map((output) => [output.name, schemaOf(output)]))));
};

/** A customer's JSON Schema; `undefined` when the text is not a JSON object. */
export const parseSchema = (text: string): JsonSchema | undefined => {
  try {
    const schema: unknown = JSON.parse(text);
    return typeof schema === "object" && schema !== null && !Array.isArray(schema) ? { ...schema } : undefined;
  } catch {
    return undefined;
  }
};

const objectOf = (properties: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
  type: "object",
  properties,
  required: Object.keys(properties),
});

const answerSchema = ({ questionType, options }: QuestionData): JsonSchema => {
  if (questionType === "numeric") return { type: "number" };
  if (questionType === "multiple_select")
    return { type: "array", items: { type: "string", ...(options === undefined ? {} : { enum: options }) } };
  return questionType === "multiple_choice" && options !== undefined
    ? { type: "string", enum: options }
    : { type: "string" };
};

const TYPES = { BOOLEAN: "boolean", STRING: "string", INTEGER: "integer", FLOAT: "number" } as const;

const schemaOf = (output: Output): JsonSchema => {
  const described = output.description ? { description: output.description } : {};
  if (output.type !== "CUSTOM") {
    const type = TYPES[output.type];
    return { type: output.nullable === true ? [type, "null"] : type, ...described };
  }
  const custom = (output.customFieldJsonSchema ? parseSchema(output.customFieldJsonSchema) : undefined) ?? {};
  if (output.nullable !== true) return { ...custom, ...described };
  return { anyOf: [custom, { type: "null" }], ...described };
};
