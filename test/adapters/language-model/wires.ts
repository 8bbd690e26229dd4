import anthropic from "../../../src/adapters/language-model/ai-sdk/anthropic.ts";
import google from "../../../src/adapters/language-model/ai-sdk/google.ts";
import openai from "../../../src/adapters/language-model/ai-sdk/openai.ts";
import openaiCompatible from "../../../src/adapters/language-model/ai-sdk/openai-compatible.ts";
import type { LanguageModel } from "../../../src/ports/language-model.ts";
import { delta, DONE, finished, usage, type SeenRequest } from "./completions-server.ts";

/** A function that a model calls; `args` as JSON text, in pieces where the format has pieces. */
export type WireCall = Readonly<{ id: string; name: string; args: readonly string[] }>;

/** How one vendor says things on the wire. */
export type Wire = Readonly<{
  name: string;
  modelId: string;
  connect(baseUrl: string): Promise<LanguageModel>;
  /** What comes before the first piece of an answer. */
  head: readonly string[];
  text(piece: string): string;
  /** All chunks of an answer's calls. */
  calls(calls: readonly WireCall[]): readonly string[];
  /** The end of an answer, with 7 tokens in and 3 out. */
  tail: readonly string[];
  /** An error inside the stream that says that the vendor is overloaded. */
  overloaded: string;
  /** Whether arguments can be other than JSON: some formats carry them as a value. */
  argsAreText: boolean;
  keyOf(seen: SeenRequest): unknown;
  optionsOf(body: Record<string, unknown>): Record<string, unknown>;
  systemOf(body: Record<string, unknown>): unknown;
}>;

const event = (data: Record<string, unknown>): string =>
  `event: ${String(data["type"])}\ndata: ${JSON.stringify(data)}\n\n`;

const chat = (name: string, connect: Wire["connect"], modelId: string): Wire => ({
  name,
  modelId,
  connect,
  head: [delta({ role: "assistant", content: "" })],
  text: (content) => delta({ content }),
  calls: (calls) =>
    calls.flatMap(({ id, name: called, args }, index) => [
      delta({ tool_calls: [{ index, id, type: "function", function: { name: called, arguments: "" } }] }),
      ...args.map((piece) => delta({ tool_calls: [{ index, function: { arguments: piece } }] })),
    ]),
  tail: [finished(), usage(7, 3), DONE],
  overloaded: `data: ${JSON.stringify({ error: { message: "secret", code: 503 } })}\n\n`,
  argsAreText: true,
  keyOf: ({ authorization }) => authorization,
  optionsOf: (body) => body,
  systemOf: (body) => (body["messages"] as readonly { role: string; content: unknown }[])[0]?.content,
});

export const WIRES: readonly Wire[] = [
  chat(
    "openai-compatible",
    (baseUrl) => openaiCompatible.create({ LLM_BASE_URL: baseUrl, LLM_MODEL: "small", LLM_API_KEY: "key-1" }),
    "small",
  ),
  chat(
    "openai",
    (baseUrl) => openai.create({ OPENAI_API_KEY: "key-1", OPENAI_BASE_URL: baseUrl }, undefined as never),
    "gpt-4.1-mini",
  ),
  {
    name: "anthropic",
    modelId: "claude-haiku-4-5",
    connect: (baseUrl) =>
      anthropic.create({ ANTHROPIC_API_KEY: "key-1", ANTHROPIC_BASE_URL: baseUrl }, undefined as never),
    head: [
      event({
        type: "message_start",
        message: {
          id: "m",
          type: "message",
          role: "assistant",
          model: "x",
          content: [],
          usage: { input_tokens: 7, output_tokens: 1 },
        },
      }),
      event({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
    ],
    text: (text) => event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } }),
    calls: (calls) => [
      event({ type: "content_block_stop", index: 0 }),
      ...calls.flatMap(({ id, name, args }, at) => [
        event({ type: "content_block_start", index: at + 1, content_block: { type: "tool_use", id, name, input: {} } }),
        ...args.map((partial_json) =>
          event({ type: "content_block_delta", index: at + 1, delta: { type: "input_json_delta", partial_json } }),
        ),
        event({ type: "content_block_stop", index: at + 1 }),
      ]),
    ],
    tail: [
      event({
        type: "message_delta",
        delta: { stop_reason: "end_turn", stop_sequence: null },
        usage: { output_tokens: 3 },
      }),
      event({ type: "message_stop" }),
    ],
    overloaded: event({ type: "error", error: { type: "overloaded_error", message: "secret" } }),
    argsAreText: true,
    keyOf: ({ headers }) => `Bearer ${String(headers["x-api-key"])}`,
    optionsOf: (body) => body,
    systemOf: (body) => (body["system"] as readonly { text: unknown }[])[0]?.text,
  },
  {
    name: "google",
    modelId: "gemini-2.5-flash",
    connect: (baseUrl) => google.create({ GOOGLE_API_KEY: "key-1", GOOGLE_BASE_URL: baseUrl }, undefined as never),
    head: [],
    text: (text) => `data: ${JSON.stringify({ candidates: [{ content: { role: "model", parts: [{ text }] } }] })}\n\n`,
    calls: (calls) => [
      `data: ${JSON.stringify({
        candidates: [
          {
            content: {
              role: "model",
              parts: calls.map(({ name, args }) => ({
                functionCall: { name, args: JSON.parse(args.join("") || "{}") as unknown },
              })),
            },
          },
        ],
      })}\n\n`,
    ],
    tail: [
      `data: ${JSON.stringify({
        candidates: [{ content: { role: "model", parts: [] }, finishReason: "STOP" }],
        usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 3, totalTokenCount: 10 },
      })}\n\n`,
    ],
    overloaded: `data: ${JSON.stringify({ error: { code: 503, message: "secret", status: "UNAVAILABLE" } })}\n\n`,
    argsAreText: false,
    keyOf: ({ headers }) => `Bearer ${String(headers["x-goog-api-key"])}`,
    optionsOf: (body) => {
      const config = (body["generationConfig"] ?? {}) as Record<string, unknown>;
      return { ...config, max_tokens: config["maxOutputTokens"], top_p: config["topP"] };
    },
    systemOf: (body) => (body["systemInstruction"] as { parts: readonly { text: unknown }[] }).parts[0]?.text,
  },
];
