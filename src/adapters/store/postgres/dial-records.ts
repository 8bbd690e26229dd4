import { type Selectable, sql } from "kysely";
import type { Dial, Recording } from "../../../model/dial.ts";
import type { TranscriptEntry } from "../../../model/transcript.ts";
import type { TurnRecord } from "../../../model/turn-record.ts";
import type { DialStore } from "../../../ports/store.ts";
import type { Databases } from "./databases.ts";
import { PLAN_COLUMNS, type PlanRow, rowToPlan, rowToRecording } from "./rows.ts";
import { isStorable } from "./storable.ts";
import type { DialTable } from "./tables.ts";

type Records = Pick<DialStore, "find" | "findRecording" | "saveTranscript" | "saveTurns" | "saveRecording">;

/** What is read of a dial, and what a call leaves behind. */
export const dialRecords = ({ system, inWorkspace }: Databases): Records => ({
  async find(workspaceId, dialId) {
    if (!isStorable(dialId)) return undefined;
    const { rows } = await inWorkspace(workspaceId, (transaction) => findStatement(dialId).execute(transaction));
    return rows[0] === undefined ? undefined : toDial(rows[0]);
  },

  async findRecording(workspaceId, dialId, recordingId) {
    if (!isStorable(dialId) || !isStorable(recordingId)) return undefined;
    const row = await inWorkspace(workspaceId, (transaction) =>
      transaction
        .selectFrom("recording")
        .select(["id", "channels", "duration_ms", "started_at"])
        .where("dial_id", "=", dialId)
        .where("id", "=", recordingId)
        .executeTakeFirst(),
    );
    return row === undefined ? undefined : rowToRecording(row);
  },

  async saveTranscript(dialId, entries) {
    if (entries.length === 0) return;
    const last = new Map(entries.map(({ index, entry }) => [index, JSON.stringify(entry)]));
    await sql`INSERT INTO transcript_entry (dial_id, index, workspace_id, entry)
      SELECT dial.id, given.index, dial.workspace_id, given.entry::json
      FROM dial, unnest(${[...last.keys()]}::int[], ${[...last.values()]}::text[]) AS given (index, entry)
      WHERE dial.id = ${dialId}
      ON CONFLICT (dial_id, index) DO UPDATE SET entry = excluded.entry`.execute(system);
  },

  async saveTurns(dialId, turns) {
    if (turns.length === 0) return;
    const last = new Map(turns.map((turn) => [turn.index, JSON.stringify(turn)]));
    await sql`INSERT INTO turn_record (dial_id, index, workspace_id, turn)
      SELECT dial.id, given.index, dial.workspace_id, given.turn::json
      FROM dial, unnest(${[...last.keys()]}::int[], ${[...last.values()]}::text[]) AS given (index, turn)
      WHERE dial.id = ${dialId}
      ON CONFLICT (dial_id, index) DO UPDATE SET turn = excluded.turn`.execute(system);
  },

  async saveRecording(dialId, { id, channels, durationMs, startedAt }) {
    await sql`INSERT INTO recording (dial_id, id, workspace_id, channels, duration_ms, started_at)
      SELECT id, ${id}, workspace_id, ${channels}::int, ${durationMs}::int, ${startedAt}::timestamptz
      FROM dial WHERE id = ${dialId}
      ON CONFLICT (dial_id, id) DO UPDATE
        SET channels = excluded.channels, duration_ms = excluded.duration_ms, started_at = excluded.started_at`.execute(
      system,
    );
  },
});

type DialColumns = Selectable<DialTable>;

type FoundRow = PlanRow &
  Pick<
    DialColumns,
    | "status"
    | "system_result_type"
    | "end_reason"
    | "ended_by"
    | "job_id"
    | "created_at"
    | "updated_at"
    | "started_at"
    | "ended_at"
  > & {
    transcript: readonly TranscriptEntry[];
    turns: readonly TurnRecord[];
    recordings: readonly Omit<Recording, "url">[];
  };

const OTHER_COLUMNS = [
  "status",
  "system_result_type",
  "end_reason",
  "ended_by",
  "job_id",
  "created_at",
  "updated_at",
  "started_at",
  "ended_at",
] as const;

const findStatement = (dialId: string) => sql<FoundRow>`
  SELECT ${sql.join([...PLAN_COLUMNS, ...OTHER_COLUMNS].map((column) => sql.ref(column)))},
    (SELECT coalesce(json_agg(entry ORDER BY index), '[]') FROM transcript_entry WHERE dial_id = dial.id) AS transcript,
    (SELECT coalesce(json_agg(turn ORDER BY index), '[]') FROM turn_record WHERE dial_id = dial.id) AS turns,
    (SELECT coalesce(json_agg(json_build_object('id', recording.id, 'channels', channels, 'durationMs', duration_ms,
        'startedAt', to_char(recording.started_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
        ORDER BY recording.started_at, recording.id), '[]')
      FROM recording WHERE dial_id = dial.id) AS recordings
  FROM dial WHERE id = ${dialId}`;

const toDial = (row: FoundRow): Dial => {
  const plan = rowToPlan(row);
  return {
    id: row.id,
    direction: plan.direction,
    status: row.status,
    systemResultType: row.system_result_type,
    endReason: row.end_reason,
    endedBy: row.ended_by,
    agent: plan.agent,
    inputs: { ...plan.inputs },
    voiceId: plan.voice.id,
    versionedPromptId: plan.prompt.id,
    warnings: [...plan.warnings],
    ...(plan.toNumber === undefined ? {} : { toNumber: plan.toNumber }),
    ...(plan.fromNumber === undefined ? {} : { fromNumber: plan.fromNumber }),
    fromNumberId: plan.fromNumberId ?? null,
    ...(row.job_id === null ? {} : { dialTaskId: row.job_id }),
    transcript: [...row.transcript],
    turns: [...row.turns],
    recordings: row.recordings.map((recording) => ({
      url: `/dials/${encodeURIComponent(row.id)}/recordings/${encodeURIComponent(recording.id)}`,
      ...recording,
    })),
    ...timesOf(row),
  };
};

const timesOf = (row: FoundRow): Partial<Dial> => ({
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  ...(row.started_at === null ? {} : { startedAt: row.started_at.toISOString() }),
  ...(row.ended_at === null ? {} : { endedAt: row.ended_at.toISOString() }),
  ...(row.started_at === null || row.ended_at === null
    ? {}
    : { durationSeconds: Math.max(0, Math.round((row.ended_at.getTime() - row.started_at.getTime()) / 1000)) }),
});
