import type { ProviderErrorKind } from "../ports/provider-error.ts";

/**
 * Whether a provider is worth asking, as one value; only the functions here make a new one.
 *
 *   closed ──three failures without a success, or one that time does not mend──► open
 *     ▲                                                                        │ cool-down over
 *     │                                                                        ▼
 *     └───────────────the one that may try succeeds──────────────────────── half-open
 *                     it fails: open again, for twice as long ◄───────────────┘
 *
 * Times are milliseconds of a monotonic clock.
 */
export type Circuit =
  | Readonly<{ state: "closed"; failures: number; lastFailureMs: number }>
  | Readonly<{ state: "open"; untilMs: number; coolDownMs: number }>
  /** One is asking; who comes before `untilMs` is turned away, who comes later takes its place. */
  | Readonly<{ state: "half-open"; untilMs: number; coolDownMs: number }>;

/** What failed, as far as it bears on others' requests; `unknown` for errors that carry no kind. */
export type Failure = ProviderErrorKind | "unknown";

export const closedCircuit: Circuit = { state: "closed", failures: 0, lastFailureMs: 0 };

/** Failures without a success between them that open the circuit. One or two are the ordinary bad luck of networks. */
export const FAILURES_TO_OPEN = 3;

/** Failures further apart than this have nothing to do with each other, in milliseconds. */
export const FORGOTTEN_MS = 60_000;

/** How long an open circuit stays open at first, and at most, in milliseconds. */
export const COOL_DOWN_MS = 10_000;
export const LONGEST_COOL_DOWN_MS = 300_000;

/** One that may try and is not heard of again stands in nobody's way for longer than this, in milliseconds. */
export const TRIAL_MS = 15_000;

/** Whether one more may ask now, and the circuit after that. */
export const admit = (circuit: Circuit, nowMs: number): Readonly<{ admitted: boolean; circuit: Circuit }> => {
  if (circuit.state === "closed") return { admitted: true, circuit };
  if (nowMs < circuit.untilMs) return { admitted: false, circuit };
  const { coolDownMs } = circuit;
  return { admitted: true, circuit: { state: "half-open", untilMs: nowMs + TRIAL_MS, coolDownMs } };
};

/** The provider did what it was asked. What began before the circuit opened and ends well says nothing about now. */
export const afterSuccess = (circuit: Circuit): Circuit => (circuit.state === "open" ? circuit : closedCircuit);

/** The provider failed. A refused request is the request's own fault, and shows that the provider is there. */
export const afterFailure = (circuit: Circuit, failure: Failure, nowMs: number): Circuit => {
  if (failure === "rejected") return afterSuccess(circuit);
  if (circuit.state === "open") return circuit;
  if (circuit.state === "half-open") return opened(Math.min(circuit.coolDownMs * 2, LONGEST_COOL_DOWN_MS), nowMs);
  const recent = nowMs - circuit.lastFailureMs <= FORGOTTEN_MS;
  const failures = (recent ? circuit.failures : 0) + 1;
  if (failures >= FAILURES_TO_OPEN || LASTING.has(failure)) return opened(COOL_DOWN_MS, nowMs);
  return { state: "closed", failures, lastFailureMs: nowMs };
};

/** Asked again at once, these fail again. */
const LASTING: ReadonlySet<Failure> = new Set<Failure>(["auth", "rate-limited"]);

const opened = (coolDownMs: number, nowMs: number): Circuit => ({
  state: "open",
  untilMs: nowMs + coolDownMs,
  coolDownMs,
});
