import { cancelCall } from "../../../grpc/cancel-call.ts";
import { fromWireOptions } from "../../../grpc/options.ts";
import { MODEL_SERVER, type ModelServerConnection } from "../../../grpc/model-server.ts";
import {
  checkModelServers,
  fromFirst,
  isOffered,
  MODEL_SERVER_ENV,
  needModelServers,
  type ModelServers,
} from "../../../grpc/model-servers.ts";
import { providerFailure } from "../../../grpc/provider-failure.ts";
import type { GenerateRequest } from "../../../grpc/generated/callengine/models/v1/GenerateRequest.ts";
import type { GenerateResponse__Output } from "../../../grpc/generated/callengine/models/v1/GenerateResponse.ts";
import type { Message } from "../../../grpc/generated/callengine/models/v1/Message.ts";
import type { Descriptor } from "../../../ports/descriptor.ts";
import type {
  CatalogueModel,
  LanguageModel,
  ModelEvent,
  ModelMessage,
  ModelRequest,
} from "../../../ports/language-model.ts";
import { ProviderError } from "../../../ports/provider-error.ts";

/** The longest answer; the call waits for its words by deadlines of its own, which are shorter. */
const ANSWER_MS = 120_000;

class ModelServerLanguageModel implements LanguageModel {
  readonly name = MODEL_SERVER;
  readonly scripted = false;
  readonly models: readonly CatalogueModel[];
  readonly #servers: ModelServers<"generator">;

  constructor(servers: ModelServers<"generator">) {
    this.#servers = servers;
    const offered = new Map(servers.offers.flatMap(({ models }) => models.map((model) => [model.id, model])));
    this.models = [...offered.values()].map(({ id, name, options }) => ({
      id,
      name: name === "" ? id : name,
      modelOptions: fromWireOptions(options),
    }));
  }

  async *generate(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, void, undefined> {
    if (signal.aborted) return;
    if (this.#servers.closed) throw new ProviderError(this.name, "unavailable", "the language model is closed");
    const known = this.models.some(({ id }) => id === request.model);
    // One that nobody has is refused by the server, whose list may be longer by now.
    const able = this.#servers.candidates(({ models }) => !known || models.some(({ id }) => id === request.model));
    yield* fromFirst(able, (server) => this.#ask(server, request, signal));
  }

  async close(): Promise<void> {
    this.#servers.close();
  }

  async *#ask(
    server: ModelServerConnection,
    request: ModelRequest,
    signal: AbortSignal,
  ): AsyncGenerator<ModelEvent, void, undefined> {
    const isOver = () => signal.aborted;
    const deadline = server.deadline(ANSWER_MS);
    const call = server.keep(server.client.Generate(wireRequest(request), server.metadata(), { deadline }));
    const cancel = () => cancelCall(call);
    signal.addEventListener("abort", cancel, { once: true });
    try {
      for await (const answer of call) {
        if (isOver()) return;
        const event = eventOf(answer as GenerateResponse__Output);
        if (event === undefined) continue;
        yield event;
        if (event.type === "done") return;
      }
      throw new ProviderError(this.name, "unavailable", "the model server broke off its answer");
    } catch (error) {
      if (!isOver()) throw providerFailure(this.name, error);
    } finally {
      signal.removeEventListener("abort", cancel);
      cancelCall(call);
    }
  }
}

const wireRequest = ({ model, messages, tools, options, answer }: ModelRequest): GenerateRequest => ({
  model,
  messages: messages.map(wireMessage),
  tools: tools.map(({ name, description, parameters }) => ({
    name,
    description,
    parametersSchema: JSON.stringify(parameters),
  })),
  options: { ...options },
  ...(answer === undefined ? {} : { answerSchema: JSON.stringify(answer) }),
});

/** Protobuf takes no halves of surrogate pairs. */
const wireMessage = (message: ModelMessage): Message => {
  switch (message.role) {
    case "system":
      return { role: "ROLE_SYSTEM", text: message.text.toWellFormed() };
    case "user":
      return { role: "ROLE_USER", text: message.text.toWellFormed() };
    case "assistant":
      return {
        role: "ROLE_ASSISTANT",
        text: message.text.toWellFormed(),
        calls: (message.calls ?? []).map(({ id, name, args }) => ({ id, name, args })),
      };
    case "tool":
      return { role: "ROLE_TOOL", text: message.result.toWellFormed(), callId: message.callId, name: message.name };
  }
};

const eventOf = ({ response, text, call, done }: GenerateResponse__Output): ModelEvent | undefined => {
  // An empty text is no word, which somebody may be waiting for.
  if (response === "text") return text === undefined || text === "" ? undefined : { type: "text", text };
  if (response === "call" && call) {
    const { id, name, args } = call;
    return { type: "call", call: { id: id || name, name, args: args.trim() || "{}" } };
  }
  if (response !== "done" || !done) return undefined;
  const { inputTokens, outputTokens } = done;
  return {
    type: "done",
    ...(inputTokens === 0 ? {} : { inputTokens }),
    ...(outputTokens === 0 ? {} : { outputTokens }),
  };
};

/** A model server that thinks. */
export default {
  name: MODEL_SERVER,
  env: MODEL_SERVER_ENV,
  available: (env, deps) =>
    isOffered(env, deps, "generator", (offers) =>
      offers.some(({ models }) => models.length > 0) ? undefined : "the server at MODEL_SERVER_URL names no model",
    ),
  create: async (env, deps) => new ModelServerLanguageModel(await needModelServers(env, deps, "generator")),
  check: (env, deps) => checkModelServers(env, deps, "generator"),
} satisfies Descriptor<LanguageModel>;
