import type { FunctionDefinition } from "../model/function-definition.ts";
import type { JsonSchema, Tool } from "../ports/language-model.ts";

/** A function of the agent and the tool by which a model calls it. */
export type OfferedFunction = Readonly<{ tool: Tool; definition: FunctionDefinition }>;

/** The tool by which every agent ends a call; a function of the agent may not take its name. */
export const END_CALL: Tool = {
  name: "end_call",
  description:
    "Hangs up. Say goodbye in the same answer, before you call it. Use it when the matter is settled and the other party " +
    "has nothing more, says goodbye, or asks to end the call.",
  parameters: { type: "object", properties: {}, additionalProperties: false },
};

/** The tool by which an agent presses keys; a function of the agent may not take its name either. */
export const PRESS_DIGITS: Tool = {
  name: "press_digits",
  description:
    "Presses keys of the telephone, for an automated menu. Press only what the menu offers or asks for, and nothing twice.",
  parameters: {
    type: "object",
    properties: {
      digits: { type: "string", description: "1 to 32 of 0-9, * and #; a comma waits two seconds.", minLength: 1 },
    },
    required: ["digits"],
    additionalProperties: false,
  },
};

/**
 * The agent's functions as tools. A model accepts only names of letters, digits, `_` and `-` up to 64 characters, so other
 * names are rewritten, and numbered where two would be the same; the order of the functions decides who keeps the name.
 */
export const offerFunctions = (definitions: readonly FunctionDefinition[]): readonly OfferedFunction[] => {
  const taken = new Set([END_CALL.name, PRESS_DIGITS.name]);
  return definitions.map((definition) => {
    const name = freeName(definition.name, taken);
    taken.add(name);
    return { definition, tool: { name, description: definition.description, parameters: parametersOf(definition) } };
  });
};

/** The function that a model means by a tool's name; `undefined` when it made the name up. */
export const findFunction = (
  definitions: readonly FunctionDefinition[],
  toolName: string,
): FunctionDefinition | undefined =>
  offerFunctions(definitions).find((offered) => offered.tool.name === toolName)?.definition;

/** Longest tool name that the chat completions interface takes. */
const MAX_NAME = 64;

const freeName = (name: string, taken: ReadonlySet<string>): string => {
  const plain =
    name
      .normalize("NFKD")
      .replaceAll(/[^A-Za-z0-9_-]+/gu, "_")
      .replaceAll(/^_+|_+$/gu, "")
      .slice(0, MAX_NAME) || "function";
  let candidate = plain;
  for (let count = 2; taken.has(candidate); count++)
    candidate = `${plain.slice(0, MAX_NAME - `_${count}`.length)}_${count}`;
  return candidate;
};

const parametersOf = (definition: FunctionDefinition): JsonSchema => {
  if (definition.type === "api") return schemaFrom(definition.inputJsonSchema);
  return {
    type: "object",
    properties: {
      destination: {
        type: "string",
        description: "The number to connect the other party to.",
        enum: definition.allowedNumbers.map((allowed) => allowed.number),
      },
    },
    required: ["destination"],
    additionalProperties: false,
  };
};

/** A schema that is no JSON object (it is checked when it is saved) offers a function without parameters. */
const schemaFrom = (text: string | undefined): JsonSchema => {
  const none = { type: "object", properties: {}, additionalProperties: false };
  if (text === undefined || text.trim() === "") return none;
  try {
    const schema: unknown = JSON.parse(text);
    return typeof schema === "object" && schema !== null && !Array.isArray(schema)
      ? { type: "object", ...schema }
      : none;
  } catch {
    return none;
  }
};
