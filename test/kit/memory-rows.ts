import { callEnd, outcomeOf, type CallEnd, type EndReason } from "../../src/model/call-end.ts";
import type { Dial, DialState, DialSummary } from "../../src/model/dial.ts";
import type { ErasureCause } from "../../src/model/erasure.ts";
import type { TranscriptEntry } from "../../src/model/transcript.ts";
import type { TurnRecord } from "../../src/model/turn-record.ts";
import type { CarrierEnd } from "../../src/ports/carrier.ts";
import type { KeptRecording } from "../../src/ports/recording-records.ts";
import type { PageRequest, Positioned } from "../../src/ports/page.ts";
import type { DialFilter, Ending, NewDial } from "../../src/ports/store.ts";

/** A dial as the store in memory keeps it; times in milliseconds since 1970. */
export type Row = {
  readonly dial: NewDial;
  createdAt: number;
  spentTokens: Set<string>;
  state: DialState;
  stateAt: number;
  epoch: number;
  owner: string | undefined;
  leaseUntil: number;
  reconcileUntil: number;
  confirmedAt: number;
  carrierCallId: string | null;
  intent: Readonly<{ reason: EndReason; endedBy: CallEnd["endedBy"] }> | undefined;
  evidence: number;
  end: CallEnd | null;
  corrected: boolean;
  jobId: string | undefined;
  enqueuedAt: number;
  startedAt: number | undefined;
  endedAt: number | undefined;
  updatedAt: number;
  transcript: TranscriptEntry[];
  turns: TurnRecord[];
  /** When a worker last asked for it in vain, and how often the carrier was asked again after its end. */
  readyAt: number;
  looks: number;
  lookAt: number | undefined;
  recordings: KeptRecording[];
  eraseCause?: ErasureCause;
  erasedAt?: number;
  aiResult: Readonly<Record<string, unknown>> | undefined;
  aiResultEvidence: Readonly<Record<string, readonly number[]>> | undefined;
};

export const newRow = (dial: NewDial, now: number): Row => ({
  dial,
  createdAt: now,
  spentTokens: new Set(),
  state: "QUEUED",
  stateAt: now,
  epoch: 0,
  owner: undefined,
  leaseUntil: 0,
  reconcileUntil: Number.POSITIVE_INFINITY,
  confirmedAt: now,
  carrierCallId: null,
  intent: undefined,
  evidence: 0,
  end: null,
  corrected: false,
  jobId: dial.jobId,
  enqueuedAt: 0,
  startedAt: undefined,
  endedAt: undefined,
  updatedAt: now,
  transcript: [],
  turns: [],
  readyAt: -Infinity,
  looks: 0,
  lookAt: undefined,
  recordings: [],
  aiResult: undefined,
  aiResultEvidence: undefined,
});

/** How an ending reads for a row: our own intent goes before what says only that somebody hung up. */
export const endingOf = (row: Row, ending: Ending): CallEnd => {
  const intended = row.intent && callEnd(row.intent.reason, row.intent.endedBy);
  if (ending.type === "observed") return VERDICTS.has(ending.end.reason) ? ending.end : (intended ?? ending.end);
  const { end, otherwise } = ending;
  const { reason, by, intent } = CARRIER_ENDS[end.cause];
  const known = otherwise !== undefined && OPEN_CAUSES.has(end.cause);
  const alone = callEnd(known ? otherwise : reason, end.endedBy ?? (known ? "system" : by));
  return intent ? (intended ?? alone) : alone;
};

const CARRIER_ENDS: Readonly<
  Record<CarrierEnd["cause"], Readonly<{ reason: EndReason; by: CallEnd["endedBy"]; intent?: true }>>
> = {
  completed: { reason: "counterparty_hangup", by: "remote", intent: true },
  canceled: { reason: "canceled", by: "carrier", intent: true },
  busy: { reason: "busy", by: "remote" },
  "no-answer": { reason: "no_answer", by: "remote" },
  rejected: { reason: "carrier_rejected", by: "carrier" },
  "invalid-number": { reason: "invalid_number", by: "carrier" },
  failed: { reason: "carrier_error", by: "carrier" },
  "time-limit": { reason: "max_duration", by: "carrier" },
  "rate-limited": { reason: "rate_limited", by: "carrier" },
};

const OPEN_CAUSES: ReadonlySet<string> = new Set(["completed", "canceled", "failed"]);
const VERDICTS: ReadonlySet<string> = new Set(["busy", "invalid_number", "carrier_rejected", "rate_limited"]);

const STATUS = { QUEUED: "queued", PLACING: "queued", RINGING: "ringing", IN_PROGRESS: "in-progress" } as const;

/** The dial as a customer reads it. */
export const dialOf = (row: Row): Dial => {
  const { plan } = row.dial;
  const iso = (at: number) => new Date(at).toISOString();
  const outcome = row.end === null ? undefined : outcomeOf(row.end.reason);
  return {
    id: plan.dialId,
    status: outcome?.status ?? STATUS[row.state as keyof typeof STATUS],
    systemResultType: outcome?.systemResultType ?? null,
    endReason: row.end?.reason ?? null,
    endedBy: row.end?.endedBy ?? null,
    direction: plan.direction,
    ...(plan.toNumber === undefined ? {} : { toNumber: plan.toNumber }),
    ...(plan.fromNumber === undefined ? {} : { fromNumber: plan.fromNumber }),
    fromNumberId: plan.fromNumberId ?? null,
    agent: plan.agent,
    inputs: { ...plan.inputs },
    transcript: row.transcript,
    turns: row.turns,
    recordings: row.recordings.map(({ id, channels, durationMs, startedAt, allowedAt }) => ({
      id,
      channels,
      durationMs,
      startedAt,
      url: "",
      ...(allowedAt === undefined ? {} : { allowedAt }),
    })),
    ...(row.aiResult === undefined ? {} : { aiResult: { ...row.aiResult } }),
    ...(row.aiResultEvidence === undefined
      ? {}
      : {
          aiResultEvidence: Object.fromEntries(
            Object.entries(row.aiResultEvidence).map(([field, entries]) => [field, [...entries]]),
          ),
        }),
    ...(row.erasedAt === undefined ? {} : { erasedAt: iso(row.erasedAt) }),
    warnings: [...plan.warnings],
    voiceId: plan.voice.id,
    versionedPromptId: plan.prompt.id,
    createdAt: iso(row.createdAt),
    updatedAt: iso(row.updatedAt),
    ...(row.jobId === undefined ? {} : { dialTaskId: row.jobId }),
    ...(row.startedAt === undefined ? {} : { startedAt: iso(row.startedAt) }),
    ...(row.endedAt === undefined ? {} : { endedAt: iso(row.endedAt) }),
    ...(row.startedAt === undefined || row.endedAt === undefined
      ? {}
      : { durationSeconds: Math.round((row.endedAt - row.startedAt) / 1000) }),
  };
};

/** A page of a workspace's dials, newest first. */
export const dialPage = (
  rows: Iterable<Row>,
  workspaceId: string,
  filter: DialFilter,
  { limit, after }: PageRequest,
): Positioned<DialSummary> => {
  const { agentId, status, createdAfter = "", createdBefore = "9" } = filter;
  const position = (dial: DialSummary) => `${dial.createdAt} ${dial.id}`;
  const found = [...rows]
    .filter(({ dial: { plan } }) => plan.workspaceId === workspaceId && (agentId ?? plan.agent.id) === plan.agent.id)
    .map((row): DialSummary => {
      const { transcript: _, turns: __, recordings: ___, ...summary } = dialOf(row);
      return summary;
    })
    .filter((dial) => (status ?? dial.status) === dial.status)
    .filter(({ createdAt = "" }) => createdAt > createdAfter && createdAt < createdBefore)
    .filter((dial) => after === undefined || position(dial) < `${after.createdAt} ${after.id}`)
    .toSorted((a, b) => (position(a) < position(b) ? 1 : -1));
  const items = found.slice(0, limit);
  const last = items.at(-1);
  const next = last === undefined || found.length <= limit ? null : { createdAt: last.createdAt ?? "", id: last.id };
  return { items, next };
};

/** The dial of a carrier's call. */
export const memoryCallOf = (rows: Iterable<Row>, account: string, callId: string): string | undefined =>
  [...rows].find((row) => row.dial.plan.carrier === account && row.carrierCallId === callId)?.dial.plan.dialId;
