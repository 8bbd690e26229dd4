import { status, type ServerWritableStream } from "@grpc/grpc-js";
import type { GenerateRequest__Output } from "../grpc/generated/callengine/models/v1/GenerateRequest.ts";
import type { GenerateResponse } from "../grpc/generated/callengine/models/v1/GenerateResponse.ts";
import type { Message__Output } from "../grpc/generated/callengine/models/v1/Message.ts";
import { written } from "../grpc/writing.ts";
import type { JsonSchema, LanguageModel, ModelEvent, ModelMessage, ModelRequest } from "../ports/language-model.ts";
import { Refusal } from "./refusal.ts";

export type GenerateCall = ServerWritableStream<GenerateRequest__Output, GenerateResponse>;

/** Streams one answer. */
export const generate = async (
  models: readonly LanguageModel[],
  call: GenerateCall,
  signal: AbortSignal,
): Promise<void> => {
  const { request } = call;
  const model = models.find((one) => one.models.some(({ id }) => id === request.model));
  if (model === undefined)
    throw new Refusal(status.NOT_FOUND, "this server has no model of that id; Describe lists those it has");
  for await (const event of model.generate(requestOf(request), signal)) await written(call, responseOf(event));
};

const requestOf = ({ model, messages, tools, options, answerSchema }: GenerateRequest__Output): ModelRequest => ({
  model,
  messages: messages.map(messageOf),
  tools: tools.map(({ name, description, parametersSchema }) => ({
    name,
    description,
    parameters: schemaOf(parametersSchema),
  })),
  options,
  ...(answerSchema === "" ? {} : { answer: schemaOf(answerSchema) }),
});

const messageOf = ({ role, text, calls, callId, name }: Message__Output): ModelMessage => {
  switch (role) {
    case "ROLE_SYSTEM":
      return { role: "system", text };
    case "ROLE_USER":
      return { role: "user", text };
    case "ROLE_ASSISTANT":
      return { role: "assistant", text, ...(calls.length === 0 ? {} : { calls }) };
    case "ROLE_TOOL":
      return { role: "tool", callId, name, result: text };
    default:
      throw new Refusal(status.INVALID_ARGUMENT, "a message has a role that this server does not know");
  }
};

const schemaOf = (text: string): JsonSchema => {
  try {
    const schema: unknown = JSON.parse(text);
    if (typeof schema === "object" && schema !== null && !Array.isArray(schema)) return schema as JsonSchema;
  } catch (cause) {
    throw new Refusal(status.INVALID_ARGUMENT, "a JSON Schema is no JSON", cause);
  }
  throw new Refusal(status.INVALID_ARGUMENT, "a JSON Schema must be an object");
};

const responseOf = (event: ModelEvent): GenerateResponse => {
  switch (event.type) {
    case "text":
      return { text: event.text };
    case "call":
      return { call: { ...event.call } };
    case "done": {
      const { inputTokens, outputTokens } = event;
      return {
        done: {
          ...(inputTokens === undefined ? {} : { inputTokens }),
          ...(outputTokens === undefined ? {} : { outputTokens }),
        },
      };
    }
  }
};
