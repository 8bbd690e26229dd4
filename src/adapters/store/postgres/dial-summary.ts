import type { Selectable } from "kysely";
import type { DialSummary, Direction } from "../../../model/dial.ts";
import type { ShownOfPlan } from "./shown-of-plan.ts";
import type { DialTable } from "./tables.ts";

/** The columns that tell how a dial goes. */
export const PROGRESS_COLUMNS = [
  "status",
  "system_result_type",
  "end_reason",
  "ended_by",
  "job_id",
  "created_at",
  "updated_at",
  "started_at",
  "ended_at",
  "ai_result",
  "ai_result_evidence",
  "erased_at",
] as const satisfies readonly (keyof DialTable)[];

export type ProgressRow = Pick<Selectable<DialTable>, "id" | (typeof PROGRESS_COLUMNS)[number]>;

type ShownPlan = ShownOfPlan & Readonly<{ direction: Direction; fromNumber: string | null; toNumber: string | null }>;

/** A dial as lists show it. */
export const summaryOf = (row: ProgressRow, plan: ShownPlan): DialSummary => ({
  id: row.id,
  direction: plan.direction,
  status: row.status,
  systemResultType: row.system_result_type,
  endReason: row.end_reason,
  endedBy: row.ended_by,
  agent: plan.agent,
  inputs: { ...plan.inputs },
  voiceId: plan.voiceId,
  ...(plan.promptId === "" ? {} : { versionedPromptId: plan.promptId }),
  warnings: [...plan.warnings],
  ...(plan.toNumber === null ? {} : { toNumber: plan.toNumber }),
  ...(plan.fromNumber === null ? {} : { fromNumber: plan.fromNumber }),
  fromNumberId: plan.fromNumberId,
  ...(row.job_id === null ? {} : { dialTaskId: row.job_id }),
  ...(row.ai_result === null ? {} : { aiResult: { ...row.ai_result } }),
  ...(row.ai_result_evidence === null ? {} : { aiResultEvidence: evidenceOf(row.ai_result_evidence) }),
  ...timesOf(row),
});

const evidenceOf = (kept: Readonly<Record<string, readonly number[]>>): Record<string, number[]> =>
  Object.fromEntries(Object.entries(kept).map(([field, entries]) => [field, [...entries]]));

const timesOf = (row: ProgressRow): Partial<DialSummary> => ({
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  ...(row.started_at === null ? {} : { startedAt: row.started_at.toISOString() }),
  ...(row.ended_at === null ? {} : { endedAt: row.ended_at.toISOString() }),
  ...(row.erased_at === null ? {} : { erasedAt: row.erased_at.toISOString() }),
  ...(row.started_at === null || row.ended_at === null
    ? {}
    : { durationSeconds: Math.max(0, Math.round((row.ended_at.getTime() - row.started_at.getTime()) / 1000)) }),
});
