import { toError } from "../kit/errors.ts";
import { Scope } from "../kit/scope.ts";
import { withDeadline, type Clock } from "../ports/clock.ts";
import type { CatalogueModel, LanguageModel, ModelEvent, ModelMessage, ModelRequest } from "../ports/language-model.ts";
import type { Logger } from "../ports/logger.ts";
import type { Metrics } from "../ports/metrics.ts";
import { Continuation } from "./continuation.ts";
import type { ChosenModel } from "./prompt-dialogue.ts";
import { untilAborted } from "./until-aborted.ts";

export type FallbackModelParts = Readonly<{
  /** In the order in which they are asked; at least one. */
  candidates: readonly ChosenModel[];
  clock: Clock;
  logger: Logger;
  metrics?: Pick<Metrics, "providerError"> | undefined;
}>;

/** A model that has not begun by now is given up for the next one, in milliseconds; the caller has waited this long. */
export const FIRST_TOKEN_MS = 4000;

/** The next one after it has half of that, since the call gives up a silent dialogue after 8 s. */
const NEXT_FIRST_TOKEN_MS = 2000;

/** A model that stops in the middle of an answer for this long has failed; what it said before is being spoken meanwhile. */
const STALLED_MS = 4000;

/** After a failure a model rests for this long, since trying it costs the caller its deadline each time. */
const REST_MS = 30_000;

/**
 * A model with others behind it. When one fails, or does not begin in time, the next is asked the same; when one breaks off in the middle,
 * the next goes on from the last word, and what it repeats of what was said already is left out. Calls of functions are passed on at an
 * answer's end only, so none is asked for twice. The last model is waited for without a limit of its own. One per call.
 */
export class FallbackModel implements LanguageModel {
  readonly name: string;
  readonly scripted: boolean;
  readonly models: readonly CatalogueModel[];
  readonly #parts: FallbackModelParts;
  readonly #restUntil = new Map<ChosenModel, number>();

  constructor(parts: FallbackModelParts) {
    const [first] = parts.candidates;
    if (first === undefined) throw new RangeError("a fallback needs a model to fall back from");
    this.#parts = parts;
    this.name = first.model.name;
    this.scripted = first.model.scripted;
    this.models = first.model.models;
  }

  async *generate(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const { clock, logger, metrics } = this.#parts;
    const candidates = this.#awake();
    let said = "";
    for (const [index, candidate] of candidates.entries()) {
      const last = index === candidates.length - 1;
      const attempt = new Scope("a model");
      const stop = () => void attempt.close();
      signal.addEventListener("abort", stop, { once: true });
      if (signal.aborted) stop();
      let passedOn = false;
      try {
        const asked = requestTo(candidate, request, said, index > 0 || candidate !== this.#parts.candidates[0]);
        const firstMs = index === 0 ? FIRST_TOKEN_MS : NEXT_FIRST_TOKEN_MS;
        const limits = last ? undefined : { firstMs, nextMs: STALLED_MS };
        for await (const event of following(candidate, asked, said, { clock, limits, signal: attempt.signal })) {
          if (event.type === "text") said += event.text;
          passedOn ||= event.type !== "text";
          yield event;
        }
        return;
      } catch (error) {
        if (signal.aborted) return;
        if (last || passedOn) throw error;
        this.#restUntil.set(candidate, clock.monotonic() + REST_MS);
        logger.warn("a model failed; the next one goes on", { provider: candidate.model.name, error: toError(error) });
        metrics?.providerError("model", candidate.model.name);
      } finally {
        signal.removeEventListener("abort", stop);
        await attempt.close();
      }
    }
  }

  /** The models belong to the deployment. */
  close(): Promise<void> {
    return Promise.resolve();
  }

  /** Those that do not rest, in their order; all of them when all rest. */
  #awake(): readonly ChosenModel[] {
    const now = this.#parts.clock.monotonic();
    const { candidates } = this.#parts;
    const awake = candidates.filter((one) => (this.#restUntil.get(one) ?? 0) <= now);
    return awake.length === 0 ? candidates : [...awake, ...candidates.filter((one) => !awake.includes(one))];
  }
}

type Limits = Readonly<{
  clock: Clock;
  limits: Readonly<{ firstMs: number; nextMs: number }> | undefined;
  signal: AbortSignal;
}>;

/** One model's events, each within its limit; what it says again of what was said is left out. */
async function* following(
  { model }: ChosenModel,
  request: ModelRequest,
  said: string,
  { clock, limits, signal }: Limits,
): AsyncGenerator<ModelEvent> {
  const rest = new Continuation(said);
  const events = untilAborted(model.generate(request, signal), signal)[Symbol.asyncIterator]();
  try {
    for (let ms = limits?.firstMs; ; ms = limits?.nextMs) {
      const next = events.next();
      const event = ms === undefined ? await next : await withDeadline(clock, ms, "the model's next word", next);
      if (event.done === true) return;
      if (event.value.type === "text") {
        const text = rest.push(event.value.text);
        if (text !== "") yield { type: "text", text };
        continue;
      }
      const held = rest.end();
      if (held !== "") yield { type: "text", text: held };
      yield event.value;
    }
  } finally {
    // A stream that hangs answers only when it wakes.
    void events.return(undefined).catch(() => undefined);
  }
}

/** What another model is asked: the same, with what was said so far, and only the options that it has itself. */
const requestTo = (candidate: ChosenModel, request: ModelRequest, said: string, other: boolean): ModelRequest => {
  const known = candidate.model.models.find(({ id }) => id === candidate.modelId)?.modelOptions.map(({ id }) => id);
  const options = other
    ? Object.fromEntries(Object.entries(request.options).filter(([id]) => known?.includes(id)))
    : request.options;
  const soFar: readonly ModelMessage[] =
    said.trim() === ""
      ? []
      : [
          { role: "assistant", text: said },
          { role: "user", text: BROKE_OFF },
        ];
  return { ...request, model: candidate.modelId, options, messages: [...request.messages, ...soFar] };
};

const BROKE_OFF =
  "[Your answer broke off exactly there; all of it was heard. Go on with the next word, and repeat nothing of it.]";
