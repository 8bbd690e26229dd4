import type { Breaker } from "../kit/breakers.ts";
import type { Takeover } from "../model/takeover.ts";
import type { Clock } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import type { FailureMetrics, Metrics } from "../ports/metrics.ts";
import type { Transcriber, TranscriberHints, TranscriberListener, TranscriberStream } from "../ports/transcriber.ts";
import { FallbackHearing } from "./fallback-hearing.ts";

export type FallbackTranscriberParts = Readonly<{
  /** In the order in which they are asked; at least one, and all of them hear the call's language. */
  candidates: readonly Transcriber[];
  clock: Clock;
  logger: Logger;
  metrics: Pick<Metrics, "providerError"> & Partial<Pick<FailureMetrics, "fallback">>;
  /** What all calls know of a candidate. */
  breakerOf?: ((candidate: Transcriber) => Breaker) | undefined;
  /** Hears of each time that another one takes over. */
  tookOver?: ((takeover: Takeover) => void) | undefined;
}>;

/**
 * A transcriber with others behind it. When one fails, or says nothing after speech, the sound of the turn goes to the next one, which
 * stays until it fails itself; the first is asked again for a later turn, once it has rested. One per call.
 */
export class FallbackTranscriber implements Transcriber {
  readonly name: string;
  readonly finalMs?: number;
  readonly #parts: FallbackTranscriberParts;
  readonly #first: Transcriber;
  readonly #restUntilMs = new Map<Transcriber, number>();

  constructor(parts: FallbackTranscriberParts) {
    const [first] = parts.candidates;
    if (first === undefined) throw new RangeError("a fallback needs a transcriber to fall back from");
    this.#parts = parts;
    this.#first = first;
    this.name = first.name;
    if (first.finalMs !== undefined) this.finalMs = first.finalMs;
  }

  supports(language: string): boolean {
    return this.#first.supports(language);
  }

  open(hints: TranscriberHints, listener: TranscriberListener): TranscriberStream {
    return new FallbackHearing(this.#parts, this.#restUntilMs, hints, listener);
  }

  /** The transcribers belong to the process. */
  close(): Promise<void> {
    return Promise.resolve();
  }
}
