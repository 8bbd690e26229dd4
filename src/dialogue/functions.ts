import type { CallPlan } from "../model/call-plan.ts";
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

/** The tool by which an agent has the other party press keys. */
export const COLLECT_DIGITS: Tool = {
  name: "collect_digits",
  description:
    "Waits for the other party to press keys of their telephone, such as a PIN or an account number. Ask for them in the same answer, " +
    "before you call it. The result has the digits.",
  parameters: {
    type: "object",
    properties: {
      maxDigits: { type: "integer", minimum: 1, maximum: 32, description: "Done after so many keys." },
      finishKey: { type: "string", enum: ["#", "*"], description: "Done at this key, which is not among the digits." },
      timeoutSeconds: { type: "integer", minimum: 1, maximum: 30, description: "Longest wait for a key; 8 if absent." },
      sensitive: { type: "boolean", description: "The digits are not written into the transcript." },
    },
    additionalProperties: false,
  },
};

/** The tool by which an agent sees to it that the other party is not called any more. */
export const MARK_DO_NOT_CALL: Tool = {
  name: "mark_do_not_call",
  description:
    "Puts the other party's number on the list of numbers that are never called again. Use it when they ask not to be called any more. " +
    "When it is done, tell them so, say goodbye and end the call.",
  parameters: { type: "object", properties: {}, additionalProperties: false },
};

/** The tool by which an agent goes on in another language. */
export const ALLOW_RECORDING: Tool = {
  name: "allow_recording",
  description:
    "Begins to record the call. Nothing is recorded yet. Ask whether the call may be recorded, and call this only when the other party has agreed.",
  parameters: { type: "object", properties: {}, additionalProperties: false },
};

export const SWITCH_LANGUAGE = "switch_language";

const switchLanguage = (languages: readonly string[]): Tool => ({
  name: SWITCH_LANGUAGE,
  description:
    "Goes on in another language: until it is called you can neither hear nor speak any other. Use it when the other party asks for one of these " +
    "languages, or plainly speaks it.",
  parameters: {
    type: "object",
    properties: { language: { type: "string", enum: [...languages] } },
    required: ["language"],
    additionalProperties: false,
  },
});

/** What every agent can do beside its own functions, on a call like this. */
export const builtInTools = ({
  direction,
  ivrPrompt,
  languages = [],
  recording,
}: Pick<CallPlan, "direction" | "ivrPrompt" | "languages" | "recording">): readonly Tool[] => [
  ...(direction === "outbound" && ivrPrompt === undefined ? [PRESS_DIGITS] : []),
  COLLECT_DIGITS,
  ...(direction === "browser" ? [] : [MARK_DO_NOT_CALL]),
  ...(recording?.requireConsent === true ? [ALLOW_RECORDING] : []),
  ...(languages.length > 1 ? [switchLanguage(languages.map(({ language }) => language))] : []),
  END_CALL,
];

/** Names that no function of an agent may take. */
const BUILT_IN = [
  ...[END_CALL, PRESS_DIGITS, COLLECT_DIGITS, MARK_DO_NOT_CALL, ALLOW_RECORDING].map(({ name }) => name),
  SWITCH_LANGUAGE,
];

/**
 * The agent's functions as tools. A model accepts only names of letters, digits, `_` and `-` up to 64 characters, so other
 * names are rewritten, and numbered where two would be the same; the order of the functions decides who keeps the name. `language` (BCP 47)
 * is the one of whoever people are connected with.
 */
export const offerFunctions = (
  definitions: readonly FunctionDefinition[],
  language?: string,
): readonly OfferedFunction[] => {
  const taken = new Set(BUILT_IN);
  return definitions.map((definition) => {
    const name = freeName(definition.name, taken);
    taken.add(name);
    const parameters = parametersOf(definition, language);
    return { definition, tool: { name, description: definition.description, parameters } };
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

const parametersOf = (definition: FunctionDefinition, language: string | undefined): JsonSchema => {
  if (definition.type === "api") return schemaFrom(definition.inputJsonSchema);
  const warm = definition.transferMode === "warm";
  return {
    type: "object",
    properties: {
      destination: {
        type: "string",
        description: "The number to connect the other party to.",
        enum: definition.allowedNumbers.map((allowed) => allowed.number),
      },
      ...(warm ? { summary: summaryIn(language) } : {}),
    },
    required: warm ? ["destination", "summary"] : ["destination"],
    additionalProperties: false,
  };
};

const summaryIn = (language: string | undefined): JsonSchema => ({
  type: "string",
  description:
    "What whoever picks up there is told before they talk: who is calling, what they want, and what was done or found out so far. " +
    `One or two sentences, and only what the call says${language === undefined ? "" : `; in the language "${language}"`}.`,
});

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
