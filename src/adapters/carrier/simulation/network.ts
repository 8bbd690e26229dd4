import type { SimulatedRing, SimulatorOptions } from "../../../ports/carrier-simulator.ts";
import { NetworkCall, type NetworkCallParts, type NetworkHooks } from "./network-call.ts";
import { farEndOf, type FarEnd } from "./people.ts";

/** Why nobody is rung; `lost` is a request that is never answered. */
export type Refusal = "invalid-number" | "refused" | "server-error" | "rate-limited" | "lost";

/** What the service asks for when it has somebody rung. */
export type RingOrder = Readonly<{
  from: string;
  to: string;
  ringTimeoutMs: number;
  timeLimitMs: number;
  detectsMachines: boolean;
}>;

/** The calls of a simulated carrier, whatever its interface looks like. */
export class Network {
  readonly #options: SimulatorOptions;
  readonly #hooks: NetworkHooks;
  readonly #calls = new Map<string, NetworkCall>();
  /** How many calls were placed since it began. */
  placed = 0;

  constructor(options: SimulatorOptions, hooks: NetworkHooks) {
    this.#options = options;
    this.#hooks = hooks;
  }

  /** All that are remembered, the latest first. */
  get calls(): readonly NetworkCall[] {
    return [...this.#calls.values()].toReversed();
  }

  find(callId: string): NetworkCall | undefined {
    return this.#calls.get(callId);
  }

  /** Rings somebody by the manners of their number and the faults that are asked for; `answerLost` when the grant gets lost. */
  place(order: RingOrder): Readonly<{ call: NetworkCall; answerLost: boolean }> | Refusal {
    const { deps, faults } = this.#options;
    if (deps.random.fraction() < (faults.tooMany ?? 0)) return "rate-limited";
    const end = farEndOf(order.to, this.#options);
    if (end === undefined) return "invalid-number";
    const { place } = end.number;
    if (place === "request-lost" || place === "not-sent") return "lost";
    if (place !== "accepted" && place !== "answer-lost") return place;
    this.placed += 1;
    const call = this.#begin({ ...order, ...end, direction: "outbound" });
    return { call, answerLost: place === "answer-lost" || deps.random.fraction() < (faults.loseAnswer ?? 0) };
  }

  /** Lets somebody ring, once their voice is ready. @throws {Error} when nobody has the number. */
  async ring({ from, to }: Pick<SimulatedRing, "from" | "to">): Promise<NetworkCall> {
    const end = farEndOf(from, this.#options);
    if (end === undefined) throw new Error(`nobody has the number ${from} in the simulated network`);
    await end.caller;
    const manner = { ringTimeoutMs: PATIENCE_MS, timeLimitMs: DAY_MS, detectsMachines: false };
    return this.#begin({ ...manner, ...end, from, to, direction: "inbound" });
  }

  async close(): Promise<void> {
    for (const call of this.#calls.values()) call.abort();
    await Promise.all([...this.#calls.values()].map((call) => call.settled));
  }

  #begin(parts: RingOrder & FarEnd & Pick<NetworkCallParts, "direction">): NetworkCall {
    const { deps, faults } = this.#options;
    const call = new NetworkCall({ ...parts, deps, faults, hooks: this.#hooks, callId: deps.random.id() });
    this.#calls.set(call.parts.callId, call);
    if (this.#calls.size > MOST_REMEMBERED)
      for (const [callId, { state }] of this.#calls) if (state === "ended") this.#calls.delete(callId);
    return call;
  }
}

const MOST_REMEMBERED = 10_000;
const PATIENCE_MS = 60_000;
const DAY_MS = 86_400_000;
