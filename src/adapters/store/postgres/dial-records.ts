import { sql } from "kysely";
import type { Dial, Recording } from "../../../model/dial.ts";
import type { TranscriptEntry } from "../../../model/transcript.ts";
import type { TurnRecord } from "../../../model/turn-record.ts";
import type { DialStore } from "../../../ports/store.ts";
import type { Databases } from "./databases.ts";
import type { CallRows, GatheredWrites } from "./gathered-writes.ts";
import { PROGRESS_COLUMNS, type ProgressRow, summaryOf } from "./dial-summary.ts";
import { shownOfPlan } from "./shown-of-plan.ts";
import { PLAN_COLUMNS, type PlanRow, rowToPlan } from "./rows.ts";
import { isStorable } from "./storable.ts";

type Records = Pick<DialStore, "find" | "saveTranscript" | "saveTurns" | "transcriptComplete">;

/** What is read of a dial, and what a call leaves behind; the latter is written by `writes`. */
export const dialRecords = (databases: Databases, writes: GatheredWrites): Records => ({
  ...reading(databases),
  ...writing(databases, writes),
});

/** Writes what calls have said and how their turns went, in one statement; dials that were erased get nothing. */
export const writeCallRows =
  ({ system }: Pick<Databases, "system">) =>
  (calls: readonly CallRows[]): Promise<unknown> => {
    const entries = columnsOf(calls, "entries");
    const turns = columnsOf(calls, "turns");
    return sql`WITH said AS (INSERT INTO transcript_entry (dial_id, index, workspace_id, entry)
        SELECT dial.id, given.index, dial.workspace_id, given.json::json
        FROM unnest(${entries.dialIds}::text[], ${entries.indexes}::int[], ${entries.json}::text[]) AS given (dial_id, index, json)
        JOIN dial ON dial.id = given.dial_id AND dial.erased_at IS NULL
        ON CONFLICT (dial_id, index) DO UPDATE SET entry = excluded.entry)
      INSERT INTO turn_record (dial_id, index, workspace_id, turn)
      SELECT dial.id, given.index, dial.workspace_id, given.json::json
      FROM unnest(${turns.dialIds}::text[], ${turns.indexes}::int[], ${turns.json}::text[]) AS given (dial_id, index, json)
      JOIN dial ON dial.id = given.dial_id AND dial.erased_at IS NULL
      ON CONFLICT (dial_id, index) DO UPDATE SET turn = excluded.turn`.execute(system);
  };

const columnsOf = (calls: readonly CallRows[], kind: "entries" | "turns") => {
  const rows = calls.flatMap((call) => [...call[kind]].map(([index, json]) => ({ dialId: call.dialId, index, json })));
  return {
    dialIds: rows.map(({ dialId }) => dialId),
    indexes: rows.map(({ index }) => index),
    json: rows.map(({ json }) => json),
  };
};

const reading = ({ readWorkspace }: Databases): Pick<Records, "find"> => ({
  async find(workspaceId, dialId) {
    if (!isStorable(dialId)) return undefined;
    const [row] = await readWorkspace(workspaceId, findStatement(dialId));
    return row && toDial(row);
  },
});

const writing = ({ system }: Databases, writes: GatheredWrites): Omit<Records, "find"> => ({
  async saveTranscript(dialId, entries) {
    if (entries.length === 0) return;
    await writes.add(dialId, "entries", new Map(entries.map(({ index, entry }) => [index, JSON.stringify(entry)])));
  },

  async saveTurns(dialId, turns) {
    if (turns.length === 0) return;
    await writes.add(dialId, "turns", new Map(turns.map((turn) => [turn.index, JSON.stringify(turn)])));
  },

  async transcriptComplete(dialId) {
    // A dial whose owner is told nothing has no stream, and one that has was given it when it was created.
    if ((await streamOf(dialId).execute(system)).rows.length === 0) return;
    // Three statements, each of which sees what the one before waited for: whoever delivers may be putting the stream to rest.
    await system.transaction().execute(async (transaction) => {
      await sql`${streamOf(dialId)} FOR UPDATE`.execute(transaction);
      const { numAffectedRows } = await sql`UPDATE outbox SET next_at = now()
        WHERE dial_id = ${dialId} AND kind = 'dial.transcript' AND state = 'pending' AND attempts = 0
          AND next_at > now()`.execute(transaction);
      if (numAffectedRows === 0n) return;
      await sql`UPDATE webhook_stream SET armed = armed + 1,
          next_at = CASE WHEN leased AND next_at > now() THEN next_at ELSE now() END
        WHERE dial_id = ${dialId}`.execute(transaction);
    });
  },
});

const streamOf = (dialId: string) => sql`SELECT FROM webhook_stream WHERE dial_id = ${dialId}`;

type FoundRow = PlanRow &
  ProgressRow & {
    transcript: readonly TranscriptEntry[];
    turns: readonly TurnRecord[];
    recordings: readonly (Omit<Recording, "url" | "allowedAt"> & { allowedAt: string | null })[];
  };

const findStatement = (dialId: string) => sql<FoundRow>`
  SELECT ${sql.join([...PLAN_COLUMNS, ...PROGRESS_COLUMNS].map((column) => sql.ref(column)))},
    (SELECT coalesce(json_agg(entry ORDER BY index), '[]') FROM transcript_entry WHERE dial_id = dial.id) AS transcript,
    (SELECT coalesce(json_agg(turn ORDER BY index), '[]') FROM turn_record WHERE dial_id = dial.id) AS turns,
    (SELECT coalesce(json_agg(json_build_object('id', recording.id, 'channels', channels, 'durationMs', duration_ms,
        'startedAt', to_char(recording.started_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'allowedAt', to_char(recording.allowed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
        ORDER BY recording.started_at, recording.id), '[]')
      FROM recording WHERE dial_id = dial.id) AS recordings
  FROM dial WHERE id = ${dialId}`;

const toDial = (row: FoundRow): Dial => {
  const plan = rowToPlan(row);
  return {
    ...summaryOf(row, {
      ...shownOfPlan(plan),
      direction: plan.direction,
      fromNumber: row.from_number,
      toNumber: row.to_number,
    }),
    transcript: [...row.transcript],
    turns: [...row.turns],
    recordings: row.recordings.map(({ allowedAt, ...recording }) => ({
      ...(allowedAt === null ? {} : { allowedAt }),
      url: `/dials/${encodeURIComponent(row.id)}/recordings/${encodeURIComponent(recording.id)}`,
      ...recording,
    })),
  };
};
