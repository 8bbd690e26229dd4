import type { LanguageModelV4CallOptions, LanguageModelV4FunctionTool, LanguageModelV4Message } from "@ai-sdk/provider";
import type { ModelMessage, ModelRequest, Tool } from "../../../ports/language-model.ts";

/** A request in the SDK's form. Only options that were set go along, because newer models refuse some even at their default. */
export const toCallOptions = (request: ModelRequest): LanguageModelV4CallOptions => {
  const number = (id: string): number | undefined => {
    const value = Number(request.options[id]?.trim() || Number.NaN);
    return Number.isFinite(value) ? value : undefined;
  };
  const positive = (id: string): number | undefined => {
    const value = number(id) ?? 0;
    return value > 0 ? value : undefined;
  };
  return {
    prompt: asked(request.messages).map((message) => toSdkMessage(message)),
    ...(request.answer === undefined ? {} : { responseFormat: { type: "json", schema: request.answer } }),
    ...(request.tools.length === 0 ? {} : { tools: request.tools.map((tool) => toSdkTool(tool)) }),
    ...defined("temperature", number("temperature")),
    ...defined("topP", number("top_p")),
    ...defined("topK", positive("top_k")),
    ...defined("frequencyPenalty", number("frequency_penalty")),
    ...defined("presencePenalty", number("presence_penalty")),
    ...defined("maxOutputTokens", positive("max_tokens")),
  };
};

/** Some vendors refuse a request in which nobody has said anything. */
const asked = (messages: readonly ModelMessage[]): readonly ModelMessage[] =>
  messages.some(({ role }) => role !== "system") ? messages : [...messages, { role: "user", text: "[Go on.]" }];

const defined = <K extends string>(key: K, value: number | undefined): Partial<Record<K, number>> => {
  const part: Partial<Record<K, number>> = {};
  if (value !== undefined) part[key] = value;
  return part;
};

const toSdkTool = (tool: Tool): LanguageModelV4FunctionTool => ({
  type: "function",
  name: tool.name,
  description: tool.description,
  inputSchema: tool.parameters,
});

const toSdkMessage = (message: ModelMessage): LanguageModelV4Message => {
  switch (message.role) {
    case "system":
      return { role: "system", content: message.text };
    case "user":
      return { role: "user", content: [{ type: "text", text: message.text }] };
    case "tool":
      return {
        role: "tool",
        content: [
          {
            type: "tool-result",
            toolCallId: message.callId,
            toolName: message.name,
            output: { type: "text", value: message.result },
          },
        ],
      };
    case "assistant":
      return {
        role: "assistant",
        content: [
          ...(message.text === "" ? [] : [{ type: "text" as const, text: message.text }]),
          ...(message.calls ?? []).map((call) => ({
            type: "tool-call" as const,
            toolCallId: call.id,
            toolName: call.name,
            input: parsed(call.args),
          })),
        ],
      };
  }
};

/** The SDK writes arguments as JSON again; a model's own broken JSON becomes an empty object, which every server takes. */
const parsed = (json: string): unknown => {
  try {
    return JSON.parse(json);
  } catch {
    return {};
  }
};
