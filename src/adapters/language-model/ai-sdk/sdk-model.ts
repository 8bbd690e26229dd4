import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type {
  CatalogueModel,
  LanguageModel,
  ModelEvent,
  ModelRequest,
  ToolCall,
} from "../../../ports/language-model.ts";
import { ProviderError } from "../../../ports/provider-error.ts";
import { brokeOff, toProviderError, type Advice } from "./failures.ts";
import { toCallOptions } from "./request.ts";
import { ThoughtFilter } from "./thought-filter.ts";
import type { WarmConnections } from "./warm-connections.ts";

export type Settings = Readonly<{
  name: string;
  models: readonly CatalogueModel[];
  /** The SDK's model of an id. */
  sdkModel(id: string): LanguageModelV4;
  /** What only this vendor has of a prompt's options. */
  vendorOptions?(options: ModelRequest["options"]): LanguageModelV4CallOptions["providerOptions"];
  advice: Advice;
  /** What the SDK asks over, and where to. */
  connections: WarmConnections;
  url: string;
}>;

/** The SDK's models that are kept; a deployment names a few. */
const MOST_KEPT = 64;

/** Longest answer that is passed on, in UTF-16 units: twenty minutes of speech, far beyond what anyone wants to hear. */
export const MAX_ANSWER = 20_000;

/**
 * A vendor's models, by the AI SDK's own provider. Asks once: trying again inside a call would be silence on the line, so that is for
 * whoever owns the call to decide.
 */
export class SdkModel implements LanguageModel {
  readonly name: string;
  readonly scripted = false;
  readonly models: readonly CatalogueModel[];
  readonly #settings: Settings;
  readonly #running = new Set<AbortController>();
  /** By id: the SDK writes and compiles its checks of every chunk anew in each of its models, which takes a millisecond. */
  readonly #kept = new Map<string, LanguageModelV4>();

  constructor(settings: Settings) {
    this.name = settings.name;
    this.models = settings.models;
    this.#settings = settings;
  }

  /** Ends without `done`, and without throwing, when `signal` aborts; throws a {@link ProviderError} for all that goes wrong. */
  async *generate(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    if (signal.aborted) return;
    const controller = new AbortController();
    const stop = () => {
      controller.abort();
    };
    signal.addEventListener("abort", stop, { once: true });
    this.#running.add(controller);
    try {
      yield* this.#stream(request, controller.signal);
    } catch (error) {
      if (!controller.signal.aborted) throw toProviderError(this.name, error, this.#settings.advice);
      if (!isAborted(signal)) throw new ProviderError(this.name, "unavailable", "the provider was closed");
    } finally {
      signal.removeEventListener("abort", stop);
      this.#running.delete(controller);
      // Lets go of the connection when the reader stopped before the end.
      controller.abort();
    }
  }

  warm(): void {
    this.#settings.connections.warm(this.#settings.url);
  }

  close(): Promise<void> {
    for (const controller of this.#running) controller.abort();
    return this.#settings.connections.close();
  }

  #modelOf(id: string): LanguageModelV4 {
    const kept = this.#kept.get(id);
    if (kept !== undefined) return kept;
    const made = this.#settings.sdkModel(id);
    if (this.#kept.size < MOST_KEPT) this.#kept.set(id, made);
    return made;
  }

  async *#stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const providerOptions = this.#settings.vendorOptions?.(request.options);
    const { stream } = await this.#modelOf(request.model).doStream({
      ...toCallOptions(request),
      ...(providerOptions === undefined ? {} : { providerOptions }),
      abortSignal: signal,
    });
    const thoughts = new ThoughtFilter();
    // Calls wait for the end of the answer: those of an answer that breaks off may be incomplete.
    const calls: ToolCall[] = [];
    let length = 0;
    for await (const part of stream) {
      if (part.type === "text-delta") {
        const text = thoughts.push(part.delta);
        length += text.length;
        if (text !== "") yield { type: "text", text };
        if (length > MAX_ANSWER) break;
      } else if (part.type === "tool-call") calls.push(toToolCall(part));
      else if (part.type === "error") throw toProviderError(this.name, part.error, this.#settings.advice);
      else if (part.type === "finish") {
        // The SDK ends every stream in order, also one that just stopped; only a model's own word is an end.
        if (part.finishReason.raw === undefined) throw brokeOff(this.name, this.#settings.advice);
        const rest = thoughts.end();
        if (rest !== "") yield { type: "text", text: rest };
        for (const call of calls) yield { type: "call", call };
        yield { type: "done", ...usageOf(part) };
        return;
      }
    }
    if (length <= MAX_ANSWER) throw brokeOff(this.name, this.#settings.advice);
    yield { type: "done" };
  }
}

const toToolCall = (part: Extract<LanguageModelV4StreamPart, { type: "tool-call" }>): ToolCall => ({
  id: part.toolCallId,
  name: part.toolName,
  args: part.input.trim() === "" ? "{}" : part.input,
});

const usageOf = (
  part: Extract<LanguageModelV4StreamPart, { type: "finish" }>,
): Readonly<{ inputTokens?: number; outputTokens?: number }> => {
  const input = part.usage.inputTokens.total;
  const output = part.usage.outputTokens.total;
  return {
    ...(input === undefined ? {} : { inputTokens: input }),
    ...(output === undefined ? {} : { outputTokens: output }),
  };
};

/** A function, because the compiler takes a signal that was once found live for live for ever. */
const isAborted = (signal: AbortSignal): boolean => signal.aborted;
