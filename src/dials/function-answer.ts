import type { FunctionDefinition, FunctionOutput } from "../model/function-definition.ts";
import type { HttpOutcome } from "../ports/http-caller.ts";
import { compileSchema } from "./json-schema.ts";

/** Longest part of a failed answer's body that the model gets to see, in UTF-16 units. */
const MAX_FAILURE_BODY = 1000;

/** What a model is told of a function that did not work: a word that code can look at, and a sentence that it can act on. */
export const failure = (error: string, message: string, more: Readonly<Record<string, unknown>> = {}): string =>
  JSON.stringify({ error, message, ...more });

/** What came back from a function's server, as the result that the model gets: its JSON, or what went wrong. */
export const answerOf = (definition: FunctionDefinition, outcome: HttpOutcome, timeoutMs: number): string => {
  switch (outcome.type) {
    case "answered":
      return answered(definition, outcome);
    case "timeout":
      return failure(
        "timeout",
        `The function did not answer within ${Math.round(timeoutMs / 1000)} seconds. ${UNKNOWN}`,
      );
    case "broken":
      return failure("connection_broken", `The connection broke before the answer was there. ${UNKNOWN}`);
    case "too-large":
      return failure("answer_too_large", `The function's answer is too large to read. ${UNKNOWN}`);
    case "not-sent":
      return failure("unreachable", "The function's server cannot be reached. Nothing was done.");
    case "refused":
      return failure("address_refused", "The function's address may not be called. Nothing was done.");
  }
};

const UNKNOWN = "It is not known whether it did its work: do not say that it did, and do not call it again.";

const answered = (
  definition: FunctionDefinition,
  { status, body }: Extract<HttpOutcome, { type: "answered" }>,
): string => {
  const text = textOf(body);
  const json = text === undefined ? undefined : parsed(text);
  if (status < 200 || status > 299) {
    const message = `The function answered with HTTP status ${status}: it did not work.`;
    const said = json === undefined ? undefined : JSON.stringify(json.value);
    return failure(
      "failed",
      message,
      said === undefined || said.length > MAX_FAILURE_BODY ? {} : { answer: json?.value },
    );
  }
  if (text?.trim() === "" && (definition.outputs ?? []).length === 0) return JSON.stringify({ ok: true });
  if (json === undefined) return failure("not_json", `The function's answer is no JSON. ${UNKNOWN}`);
  const wrong = wrongOutput(definition.outputs ?? [], json.value);
  return wrong === undefined ? JSON.stringify(json.value) : failure("invalid_answer", `${wrong}. ${UNKNOWN}`);
};

/** The first output that an answer does not give as it should. */
const wrongOutput = (outputs: readonly FunctionOutput[], answer: unknown): string | undefined => {
  if (outputs.length === 0) return undefined;
  if (typeof answer !== "object" || answer === null || Array.isArray(answer))
    return "The function's answer is no object";
  const values = new Map<string, unknown>(Object.entries(answer));
  for (const output of outputs) {
    const value = values.get(output.name) ?? null;
    if (value === null ? output.nullable !== true : !fits(output, value))
      return `The function's answer has no valid ${output.name} (${output.type})`;
  }
  return undefined;
};

const fits = ({ type, customFieldJsonSchema }: FunctionOutput, value: unknown): boolean => {
  switch (type) {
    case "BOOLEAN":
      return typeof value === "boolean";
    case "STRING":
      return typeof value === "string";
    case "INTEGER":
      return Number.isSafeInteger(value);
    case "FLOAT":
      return Number.isFinite(value);
    case "CUSTOM":
      return customFieldJsonSchema === undefined || compileSchema(customFieldJsonSchema)(value) === undefined;
  }
};

const textOf = (body: Uint8Array): string | undefined => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    return undefined;
  }
};

const parsed = (text: string): Readonly<{ value: unknown }> | undefined => {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
};
