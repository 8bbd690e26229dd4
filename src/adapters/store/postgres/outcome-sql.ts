import { type RawBuilder, sql } from "kysely";
import { type EndedBy, type EndReason, OUTCOMES } from "../../../model/call-end.ts";
import type { CarrierEnd } from "../../../ports/carrier.ts";
import type { Ending } from "../../../ports/store.ts";

/** The reason and its author as SQL over a row of `dial`: the row's own intent takes part, as it stands when the row is locked. */
export type EndingSql = Readonly<{ reason: RawBuilder<EndReason>; endedBy: RawBuilder<EndedBy> }>;

/** The public status of a reason, by the one table of endings. */
export const statusSql = (reason: RawBuilder<unknown>): RawBuilder<string> => outcomeCase(reason, "status");

/** The system result of a reason, or null, by the one table of endings. */
export const resultSql = (reason: RawBuilder<unknown>): RawBuilder<string | null> =>
  outcomeCase(reason, "systemResultType");

/**
 * How an ending reads for the row that it meets. "Completed" and "canceled" are what a carrier says of any call that somebody
 * hung up, so that our own intent, noted before we hung up, tells who and why; the other words of a carrier stand by
 * themselves. Of our own observations only the carrier's verdicts on placing stand against an intent.
 */
export const endingSql = (ending: Ending): EndingSql => {
  if (ending.type === "observed") {
    const { reason, endedBy } = ending.end;
    return VERDICTS.has(reason) ? fixed(reason, endedBy) : unlessIntended(reason, endedBy);
  }
  const { end, otherwise } = ending;
  const { reason, endedBy, intent } = CARRIER_ENDS[end.cause];
  const ours = otherwise !== undefined && OPEN_CAUSES.has(end.cause);
  const by = end.endedBy ?? (ours ? "system" : endedBy);
  return intent ? unlessIntended(ours ? otherwise : reason, by) : fixed(ours ? otherwise : reason, by);
};

type CarrierEnding = Readonly<{
  reason: EndReason;
  endedBy: EndedBy;
  /** Our own intent goes first. */ intent: boolean;
}>;

const CARRIER_ENDS: Readonly<Record<CarrierEnd["cause"], CarrierEnding>> = {
  completed: { reason: "counterparty_hangup", endedBy: "remote", intent: true },
  canceled: { reason: "canceled", endedBy: "carrier", intent: true },
  busy: { reason: "busy", endedBy: "remote", intent: false },
  "no-answer": { reason: "no_answer", endedBy: "remote", intent: false },
  rejected: { reason: "carrier_rejected", endedBy: "carrier", intent: false },
  "invalid-number": { reason: "invalid_number", endedBy: "carrier", intent: false },
  failed: { reason: "carrier_error", endedBy: "carrier", intent: false },
  "time-limit": { reason: "max_duration", endedBy: "carrier", intent: false },
  "rate-limited": { reason: "rate_limited", endedBy: "carrier", intent: false },
};

/** Causes that leave the reason open, so that a caller who knows more may name it. */
const OPEN_CAUSES: ReadonlySet<CarrierEnd["cause"]> = new Set(["completed", "canceled", "failed"]);

const VERDICTS: ReadonlySet<EndReason> = new Set(["busy", "invalid_number", "carrier_rejected", "rate_limited"]);

const fixed = (reason: EndReason, endedBy: EndedBy): EndingSql => ({
  reason: sql<EndReason>`${reason}::text`,
  endedBy: sql<EndedBy>`${endedBy}::text`,
});

const unlessIntended = (reason: EndReason, endedBy: EndedBy): EndingSql => ({
  reason: sql<EndReason>`coalesce(hangup_intent, ${reason}::text)`,
  endedBy: sql<EndedBy>`CASE WHEN hangup_intent IS NULL THEN ${endedBy}::text ELSE coalesce(hangup_by, 'system') END`,
});

const outcomeCase = <Value>(reason: RawBuilder<unknown>, column: "status" | "systemResultType"): RawBuilder<Value> => {
  const arms = Object.entries(OUTCOMES).map(([name, outcome]) => {
    const value = outcome[column];
    return `WHEN '${name}' THEN ${value === null ? "NULL" : `'${value}'`}`;
  });
  return sql<Value>`CASE ${reason} ${sql.raw(arms.join(" "))} END`;
};
