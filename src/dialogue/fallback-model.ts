import type { Breaker } from "../kit/breakers.ts";
import { toError } from "../kit/errors.ts";
import { Scope } from "../kit/scope.ts";
import type { Takeover } from "../model/takeover.ts";
import { DeadlineExceeded, withDeadline, type Clock } from "../ports/clock.ts";
import type { CatalogueModel, LanguageModel, ModelEvent, ModelRequest } from "../ports/language-model.ts";
import type { Logger } from "../ports/logger.ts";
import type { FailureMetrics, Metrics } from "../ports/metrics.ts";
import { ProviderError } from "../ports/provider-error.ts";
import { requestTo } from "./candidate-request.ts";
import { Continuation } from "./continuation.ts";
import { HedgedModel } from "./hedged-model.ts";
import type { ChosenModel } from "./prompt-dialogue.ts";
import { untilAborted } from "./until-aborted.ts";

export type FallbackModelParts = Readonly<{
  /** In the order in which they are asked; at least one. */
  candidates: readonly ChosenModel[];
  clock: Clock;
  logger: Logger;
  metrics?: (Pick<Metrics, "providerError"> & Partial<Pick<FailureMetrics, "fallback" | "hedge">>) | undefined;
  /** What the whole process knows of a candidate; without it each is asked until it fails in this very call. */
  breakerOf?: ((candidate: ChosenModel) => Breaker) | undefined;
  /** A first model that has not begun after this many milliseconds gets the second one beside it; absent: it is waited for. */
  hedgeAfterMs?: number | undefined;
  /** Told whenever another model than the first goes on. */
  tookOver?: ((takeover: Takeover) => void) | undefined;
}>;

/** A model that has not begun by now is given up for the next one, in milliseconds; the caller has waited this long. */
export const FIRST_TOKEN_MS = 4000;

/** The next one after it has half of that, since the call gives up a silent dialogue after 8 s. */
const NEXT_FIRST_TOKEN_MS = 2000;

/** A model that stops in the middle of an answer for this long has failed; what it said before is being spoken meanwhile. */
const STALLED_MS = 4000;

/** About how long a letter takes to be said, in milliseconds; a model that falls behind it by {@link STALLED_MS} has stalled by drops. */
const LETTER_MS = 60;

/** After a failure a model rests for this long, since trying it costs the caller its deadline each time. */
const REST_MS = 30_000;

/**
 * A model with others behind it. When one fails, or does not begin in time, the next is asked the same; when one breaks off in the middle,
 * the next goes on from the last word, and what it repeats of what was said already is left out. Calls of functions are passed on at an
 * answer's end only, and an answer that fails behind them counts as complete, so none is asked for twice. One whose circuit breaker is open
 * is asked when nobody else is left. The last model is waited for without a limit of its own. One per call.
 */
export class FallbackModel implements LanguageModel {
  readonly name: string;
  readonly scripted: boolean;
  readonly models: readonly CatalogueModel[];
  readonly #parts: FallbackModelParts;
  readonly #first: ChosenModel;
  readonly #restUntil = new Map<ChosenModel, number>();

  constructor(parts: FallbackModelParts) {
    const [first] = parts.candidates;
    if (first === undefined) throw new RangeError("a fallback needs a model to fall back from");
    this.#parts = parts;
    this.#first = first;
    this.name = first.model.name;
    this.scripted = first.model.scripted;
    this.models = first.model.models;
  }

  async *generate(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const queue = new Queue(
      this.#parts.candidates,
      (one) => (this.#restUntil.get(one) ?? 0) > this.#now(),
      this.#parts,
    );
    const progress = new Progress(this.#first);
    let failed: Readonly<{ model: string; why: Takeover["why"] }> | undefined;
    for (let attempts = 0; ; attempts++) {
      const candidate = queue.take();
      if (candidate === undefined) return;
      progress.by = candidate;
      const down = queue.leftOut;
      if (attempts === 0 && down !== undefined) failed = { model: idOf(down), why: "down" };
      if (failed !== undefined) this.#note(failed, candidate);
      const firstMs = attempts === 0 ? FIRST_TOKEN_MS : NEXT_FIRST_TOKEN_MS;
      const limits = queue.empty ? undefined : { firstMs, nextMs: STALLED_MS };
      try {
        yield* this.#attempt(candidate, queue, { request, progress, limits, signal });
        if (!signal.aborted) this.#parts.breakerOf?.(progress.by).succeeded();
        return;
      } catch (error) {
        if (signal.aborted) return;
        this.#failed(progress.by, error);
        if (progress.called) {
          yield { type: "done" };
          return;
        }
        if (queue.empty) throw error;
        failed = { model: idOf(progress.by), why: error instanceof DeadlineExceeded ? "late" : "failed" };
      }
    }
  }

  /** The first one; when another is needed, the wait for it has its own reasons. */
  warm(): void {
    this.#first.model.warm?.();
  }

  /** The models belong to the deployment. */
  close(): Promise<void> {
    return Promise.resolve();
  }

  async *#attempt(candidate: ChosenModel, queue: Queue, asked: Attempt): AsyncGenerator<ModelEvent> {
    const { request, progress, limits, signal } = asked;
    const scope = new Scope("a model");
    const stop = () => void scope.close();
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    try {
      const other = candidate !== this.#first;
      const mayHedge = !other && progress.said === "";
      const model = mayHedge ? this.#hedged(candidate, queue, progress) : candidate.model;
      const messages = requestTo(candidate, request, progress.said, other);
      yield* following(model, messages, progress, { clock: this.#parts.clock, limits, signal: scope.signal });
    } finally {
      signal.removeEventListener("abort", stop);
      await scope.close();
    }
  }

  /** The first model with the second one beside it, where that is wanted and there is one. */
  #hedged(first: ChosenModel, queue: Queue, progress: Progress): LanguageModel {
    const { hedgeAfterMs, clock, metrics, breakerOf } = this.#parts;
    const second = queue.next;
    if (hedgeAfterMs === undefined || second === undefined) return first.model;
    return new HedgedModel({
      first,
      second,
      afterMs: hedgeAfterMs,
      clock,
      mayAsk: () => breakerOf?.(second).admit() !== false,
      failed: (candidate, error) => {
        this.#failed(candidate, error);
      },
      secondWon: (why) => {
        progress.by = second;
        queue.replaceNext(first);
        this.#note({ model: idOf(first), why }, second);
      },
      metrics,
    });
  }

  #failed(candidate: ChosenModel, error: unknown): void {
    const { logger, metrics, breakerOf } = this.#parts;
    this.#restUntil.set(candidate, this.#now() + REST_MS);
    breakerOf?.(candidate).failed(error);
    logger.warn("a model failed", { provider: candidate.model.name, error: toError(error) });
    metrics?.providerError("model", candidate.model.name);
  }

  #note({ model, why }: Readonly<{ model: string; why: Takeover["why"] }>, to: ChosenModel): void {
    this.#parts.metrics?.fallback?.("model", model, idOf(to));
    this.#parts.tookOver?.({ part: "model", from: model, to: idOf(to), why });
  }

  #now(): number {
    return this.#parts.clock.monotonic();
  }
}

/** Providers offer several models, and one of them may take over from another. */
const idOf = ({ model, modelId }: ChosenModel): string => `${model.name}/${modelId}`;

type Limits = Readonly<{ firstMs: number; nextMs: number }> | undefined;

type Attempt = Readonly<{ request: ModelRequest; progress: Progress; limits: Limits; signal: AbortSignal }>;

/** Who is asked next: those that are well in their order, then those that failed lately in this call, then those known to be down. */
class Queue {
  readonly #waiting: ChosenModel[];
  readonly #down: ChosenModel[] = [];
  readonly #parts: Pick<FallbackModelParts, "breakerOf">;

  constructor(
    candidates: readonly ChosenModel[],
    rests: (candidate: ChosenModel) => boolean,
    parts: Pick<FallbackModelParts, "breakerOf">,
  ) {
    this.#waiting = [...candidates.filter((one) => !rests(one)), ...candidates.filter(rests)];
    this.#parts = parts;
  }

  take(): ChosenModel | undefined {
    for (let one = this.#waiting.shift(); one !== undefined; one = this.#waiting.shift()) {
      if (this.#parts.breakerOf?.(one).admit() !== false) return one;
      this.#down.push(one);
    }
    return this.#down.shift();
  }

  /** The first that was passed over because it is down. */
  get leftOut(): ChosenModel | undefined {
    return this.#down[0];
  }

  get next(): ChosenModel | undefined {
    return this.#waiting[0];
  }

  /** Who was next is at work already; whoever it beat waits in its place. */
  replaceNext(one: ChosenModel): void {
    this.#waiting[0] = one;
  }

  get empty(): boolean {
    return this.#waiting.length === 0 && this.#down.length === 0;
  }
}

/** What came of an answer so far, whoever gave it. */
class Progress {
  /** Who gives it now. */
  by: ChosenModel;
  said = "";
  /** Calls of functions were passed on. */
  called = false;

  constructor(by: ChosenModel) {
    this.by = by;
  }
}

/** One model's events up to `done`, each within its limit; what it says again of what was said is left out. */
async function* following(
  model: LanguageModel,
  request: ModelRequest,
  progress: Progress,
  { clock, limits, signal }: Readonly<{ clock: Clock; limits: Limits; signal: AbortSignal }>,
): AsyncGenerator<ModelEvent> {
  const rest = new Continuation(progress.said);
  const say = function* (text: string): Generator<ModelEvent> {
    progress.said += text;
    if (text !== "") yield { type: "text", text };
  };
  const events = untilAborted(model.generate(request, signal), signal)[Symbol.asyncIterator]();
  let heardUntil: number | undefined;
  const limitMs = () => {
    if (limits === undefined || heardUntil === undefined) return limits?.firstMs;
    return Math.min(limits.nextMs, Math.max(0, heardUntil + limits.nextMs - clock.monotonic()));
  };
  try {
    for (;;) {
      const ms = limitMs();
      const next = events.next();
      const event = ms === undefined ? await next : await withDeadline(clock, ms, "the model's next word", next);
      if (event.done === true) {
        if (signal.aborted) return;
        throw new ProviderError(model.name, "unavailable", "the answer broke off");
      }
      if (event.value.type === "text") {
        heardUntil = (heardUntil ?? clock.monotonic()) + event.value.text.length * LETTER_MS;
        yield* say(rest.push(event.value.text));
        continue;
      }
      yield* say(rest.end());
      if (event.value.type === "call") progress.called = true;
      else if (progress.said.trim() === "" && !progress.called)
        throw new ProviderError(model.name, "unavailable", "the answer was empty");
      yield event.value;
      if (event.value.type === "done") return;
    }
  } finally {
    // A stream that hangs answers only when it wakes.
    void events.return(undefined).catch(() => undefined);
  }
}
