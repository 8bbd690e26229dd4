import type { Clock } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import type { FailureMetrics } from "../ports/metrics.ts";
import { ProviderError } from "../ports/provider-error.ts";
import { admit, afterFailure, afterSuccess, closedCircuit, type Circuit } from "./circuit-breaker.ts";

/** What everybody in this process knows of one provider: whether it is worth asking. */
export interface Breaker {
  /**
   * Whether to ask it now. After a pause one is let through to try; whoever is told yes says what came of it, or says nothing when
   * it was stopped before there was an answer.
   */
  admit(): boolean;
  succeeded(): void;
  failed(error: unknown): void;
}

export type BreakersParts = Readonly<{
  clock: Pick<Clock, "monotonic">;
  logger: Logger;
  metrics?: Partial<Pick<FailureMetrics, "breaker">> | undefined;
}>;

/**
 * The circuit breakers of a process, one for each provider of a port; calls share them, so that a provider that is down costs the
 * first few calls their deadlines and not every one.
 */
export class Breakers {
  readonly #parts: BreakersParts;
  readonly #known = new Map<string, Breaker>();

  constructor(parts: BreakersParts) {
    this.#parts = parts;
  }

  /** The breaker of a provider, by its port (`transcriber`, `model`, `synthesizer`) and its descriptor's name. */
  of(port: string, provider: string): Breaker {
    const key = `${port}/${provider}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const breaker = new SharedBreaker(port, provider, this.#parts);
    this.#known.set(key, breaker);
    this.#parts.metrics?.breaker?.(port, provider, "closed");
    return breaker;
  }
}

class SharedBreaker implements Breaker {
  readonly #port: string;
  readonly #provider: string;
  readonly #parts: BreakersParts;
  #circuit: Circuit = closedCircuit;

  constructor(port: string, provider: string, parts: BreakersParts) {
    this.#port = port;
    this.#provider = provider;
    this.#parts = parts;
  }

  admit(): boolean {
    const { admitted, circuit } = admit(this.#circuit, this.#parts.clock.monotonic());
    this.#become(circuit);
    return admitted;
  }

  succeeded(): void {
    this.#become(afterSuccess(this.#circuit));
  }

  failed(error: unknown): void {
    const kind = error instanceof ProviderError ? error.kind : "unknown";
    this.#become(afterFailure(this.#circuit, kind, this.#parts.clock.monotonic()));
  }

  #become(circuit: Circuit): void {
    const before = this.#circuit.state;
    this.#circuit = circuit;
    if (circuit.state === before) return;
    this.#parts.metrics?.breaker?.(this.#port, this.#provider, circuit.state);
    const fields = { port: this.#port, provider: this.#provider, state: circuit.state };
    if (circuit.state === "open")
      this.#parts.logger.warn("a provider keeps failing and is left out for a while", fields);
    else this.#parts.logger.info("a provider is asked again", fields);
  }
}
