import { ProviderError } from "../../../src/ports/provider-error.ts";

/** What goes wrong at a provider, as its adapter tells it. */
export const FAULTS = [
  "refused",
  "reset",
  "stall before the first",
  "stall in the middle",
  "slow drip",
  "401",
  "429",
  "5xx",
  "garbage",
  "early close",
  "duplicates",
  "wrong order",
] as const;
export type Fault = (typeof FAULTS)[number];

export const STAGES = ["transcriber", "model", "synthesizer"] as const;
export type Stage = (typeof STAGES)[number];

/** Faults that show before anything else comes, and how long the network takes to tell, in milliseconds. */
const AT_ONCE: ReadonlyMap<Fault, readonly [kind: "auth" | "rate-limited" | "unavailable", afterMs: number]> = new Map([
  ["refused", ["unavailable", 2]],
  ["401", ["auth", 80]],
  ["429", ["rate-limited", 80]],
  ["5xx", ["unavailable", 150]],
] as const);

/** The error that a fault begins with, and when it comes; `undefined` for faults that begin well. */
export const failsAtOnce = (
  fault: Fault | undefined,
): Readonly<{ error: ProviderError; afterMs: number }> | undefined => {
  const [kind, afterMs] = (fault === undefined ? undefined : AT_ONCE.get(fault)) ?? [];
  if (kind === undefined || afterMs === undefined) return undefined;
  return { error: new ProviderError("faulty", kind, "a fault of the test"), afterMs };
};

/** The error of a fault that shows in the middle. */
export const failsInTheMiddle = (fault: Fault | undefined): ProviderError | undefined =>
  fault === "reset" || fault === "garbage"
    ? new ProviderError("faulty", "unavailable", "a fault of the test")
    : undefined;

/** Whether a provider has its fault this time; it is asked once for each request, turn or stream. */
export type Luck = () => Fault | undefined;
