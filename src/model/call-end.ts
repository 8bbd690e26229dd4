import { Type, type Static } from "typebox";

/** The public life of a dial. */
export const DialStatusSchema = Type.Enum([
  "queued",
  "ringing",
  "in-progress",
  "completed",
  "failed",
  "canceled",
  "busy",
  "no-answer",
]);
export type DialStatus = Static<typeof DialStatusSchema>;

export const SystemResultTypeSchema = Type.Enum([
  "BUSY",
  "FAILED",
  "NO_ANSWER",
  "CANCELLED",
  "USER_HANGUP",
  "COUNTERPARTY_HANGUP",
  "TIMEOUT",
  "RATE_LIMITED",
]);
export type SystemResultType = Static<typeof SystemResultTypeSchema>;

export const EndedBySchema = Type.Enum(["remote", "agent", "api", "transfer_target", "carrier", "system"]);
export type EndedBy = Static<typeof EndedBySchema>;

type Outcome = Readonly<{ status: DialStatus; systemResultType: SystemResultType | null }>;

/**
 * The one table of endings. Each reason a call can end for, and what the customer is
 * told of it. Nothing else in the project maps an ending to a result.
 */
export const OUTCOMES = {
  agent_hangup: { status: "completed", systemResultType: null },
  transferred: { status: "completed", systemResultType: null },
  voicemail: { status: "completed", systemResultType: null },
  idle: { status: "completed", systemResultType: null },
  counterparty_hangup: { status: "completed", systemResultType: "COUNTERPARTY_HANGUP" },
  operator_hangup: { status: "completed", systemResultType: "USER_HANGUP" },
  max_duration: { status: "completed", systemResultType: "TIMEOUT" },
  busy: { status: "busy", systemResultType: "BUSY" },
  no_answer: { status: "no-answer", systemResultType: "NO_ANSWER" },
  no_client: { status: "no-answer", systemResultType: "NO_ANSWER" },
  canceled: { status: "canceled", systemResultType: "CANCELLED" },
  rate_limited: { status: "failed", systemResultType: "RATE_LIMITED" },
  expired: { status: "failed", systemResultType: "RATE_LIMITED" },
  invalid_number: { status: "failed", systemResultType: "FAILED" },
  carrier_rejected: { status: "failed", systemResultType: "FAILED" },
  carrier_error: { status: "failed", systemResultType: "FAILED" },
  media_lost: { status: "failed", systemResultType: "FAILED" },
  transcriber_failed: { status: "failed", systemResultType: "FAILED" },
  model_failed: { status: "failed", systemResultType: "FAILED" },
  synthesizer_failed: { status: "failed", systemResultType: "FAILED" },
  worker_lost: { status: "failed", systemResultType: "FAILED" },
  compliance_blocked: { status: "failed", systemResultType: "FAILED" },
} as const satisfies Record<string, Outcome>;

export type EndReason = keyof typeof OUTCOMES;

export const EndReasonSchema = Type.Enum(Object.keys(OUTCOMES) as EndReason[]);

/** Who has to look into it when a call ends this way; a label with few values, for metrics and alerts. */
export type Fault = "none" | "caller" | "carrier" | "provider" | "platform" | "customer";

/** The single value that a call ends in, decided in one place (`call/outcome.ts` and the terminal statement). */
export type CallEnd = Readonly<{ reason: EndReason; endedBy: EndedBy; fault: Fault }>;

const FAULTS: Partial<Record<EndReason, Fault>> = {
  busy: "caller",
  no_answer: "caller",
  no_client: "caller",
  rate_limited: "carrier",
  expired: "platform",
  invalid_number: "customer",
  carrier_rejected: "carrier",
  carrier_error: "carrier",
  media_lost: "carrier",
  transcriber_failed: "provider",
  model_failed: "provider",
  synthesizer_failed: "provider",
  worker_lost: "platform",
  compliance_blocked: "customer",
};

export const outcomeOf = (reason: EndReason): Outcome => OUTCOMES[reason];

export const callEnd = (reason: EndReason, endedBy: EndedBy): CallEnd => ({
  reason,
  endedBy,
  fault: FAULTS[reason] ?? "none",
});
