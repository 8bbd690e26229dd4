import { Scope } from "../kit/scope.ts";
import type { Clock, Timer } from "../ports/clock.ts";
import type { CatalogueModel, LanguageModel, ModelEvent, ModelRequest } from "../ports/language-model.ts";
import type { FailureMetrics } from "../ports/metrics.ts";
import { ProviderError } from "../ports/provider-error.ts";
import { requestTo } from "./candidate-request.ts";
import type { ChosenModel } from "./prompt-dialogue.ts";
import { untilAborted } from "./until-aborted.ts";

export type HedgedModelParts = Readonly<{
  first: ChosenModel;
  second: ChosenModel;
  /** How long the first may take to begin before the second is asked as well, in milliseconds. */
  afterMs: number;
  clock: Clock;
  /** Whether the second is worth asking now; asked when its time has come. */
  mayAsk(): boolean;
  /** One of them failed before it had begun, and its error is not the answer's. */
  failed(candidate: ChosenModel, error: unknown): void;
  /** The second has begun first, because the first was late or had failed. */
  secondWon(why: "late" | "failed"): void;
  metrics?: Partial<Pick<FailureMetrics, "hedge">> | undefined;
}>;

/**
 * Two models for one answer: the second is asked when the first has not begun in time or has failed, whoever begins first answers, and
 * the other is stopped. Nothing of the one that lost is passed on, so no function is called twice; what it costs is its tokens.
 */
export class HedgedModel implements LanguageModel {
  readonly name: string;
  readonly scripted: boolean;
  readonly models: readonly CatalogueModel[];
  readonly #parts: HedgedModelParts;

  constructor(parts: HedgedModelParts) {
    this.#parts = parts;
    const { model } = parts.first;
    this.name = model.name;
    this.scripted = model.scripted;
    this.models = model.models;
  }

  /** @throws the first model's failure when both fail before they begin. */
  async *generate(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const race = new Race(this.#parts, request, signal);
    try {
      const winner = await race.winner();
      if (winner === undefined) return;
      yield winner.begun;
      for await (const event of winner.rest()) yield event;
    } finally {
      race.close();
    }
  }

  /** The models belong to the deployment. */
  close(): Promise<void> {
    return Promise.resolve();
  }
}

type Winner = Readonly<{ begun: ModelEvent; rest(): AsyncIterable<ModelEvent> }>;

/** Who begins first. */
class Race {
  readonly #parts: HedgedModelParts;
  readonly #request: ModelRequest;
  readonly #signal: AbortSignal;
  readonly #scope = new Scope("a hedged answer");
  readonly #decided = Promise.withResolvers<Winner | undefined>();
  readonly #running = new Map<ChosenModel, Scope>();
  readonly #stop = () => {
    this.#decided.resolve(undefined);
    void this.#scope.close();
  };
  #firstError: Readonly<{ error: unknown }> | undefined;
  #secondAsked = false;
  #hedge: Timer | undefined;

  constructor(parts: HedgedModelParts, request: ModelRequest, signal: AbortSignal) {
    this.#parts = parts;
    this.#request = request;
    this.#signal = signal;
  }

  /** `undefined` when the signal aborted. */
  winner(): Promise<Winner | undefined> {
    this.#signal.addEventListener("abort", this.#stop, { once: true });
    if (this.#signal.aborted) this.#stop();
    else {
      const { clock, afterMs, first } = this.#parts;
      this.#hedge = clock.setTimer(afterMs, () => {
        this.#askSecond();
      });
      void this.#ask(first, "first");
    }
    return this.#decided.promise;
  }

  close(): void {
    this.#signal.removeEventListener("abort", this.#stop);
    this.#hedge?.cancel();
    void this.#scope.close();
  }

  #askSecond(): boolean {
    if (this.#secondAsked || !this.#parts.mayAsk()) return false;
    this.#secondAsked = true;
    void this.#ask(this.#parts.second, "second");
    return true;
  }

  async #ask(candidate: ChosenModel, which: "first" | "second"): Promise<void> {
    const scope = this.#scope.child(which);
    this.#running.set(candidate, scope);
    const request = requestTo(candidate, this.#request, "", which === "second");
    const events = untilAborted(candidate.model.generate(request, scope.signal), scope.signal);
    try {
      for (;;) {
        const next = await events.next();
        if (scope.closed) return;
        if (next.done === true)
          throw new ProviderError(candidate.model.name, "unavailable", "the stream ended without an answer");
        if (next.value.type === "text" && next.value.text === "") continue;
        this.#won(candidate, which, next.value, events);
        return;
      }
    } catch (error) {
      if (!scope.closed) this.#lost(candidate, error);
    }
  }

  #won(candidate: ChosenModel, which: "first" | "second", begun: ModelEvent, rest: AsyncIterable<ModelEvent>): void {
    const { failed, first, metrics, secondWon } = this.#parts;
    this.#hedge?.cancel();
    for (const [other, scope] of this.#running) if (other !== candidate) void scope.close();
    if (this.#secondAsked) metrics?.hedge?.(which);
    if (this.#firstError !== undefined) failed(first, this.#firstError.error);
    if (which === "second") secondWon(this.#firstError === undefined ? "late" : "failed");
    this.#decided.resolve({ begun, rest: () => rest });
  }

  #lost(candidate: ChosenModel, error: unknown): void {
    this.#running.delete(candidate);
    if (candidate === this.#parts.first) this.#firstError = { error };
    else this.#parts.failed(candidate, error);
    if (this.#running.size > 0 || this.#askSecond()) return;
    this.#hedge?.cancel();
    this.#decided.reject(this.#firstError?.error);
  }
}
