import { sql } from "kysely";
import type { RecordingRecords } from "../../../ports/recording-records.ts";
import type { Databases } from "./databases.ts";
import { type RecordingRow, rowToRecording } from "./rows.ts";
import { isStorable } from "./storable.ts";

/** What is known of the sound of calls. */
export const recordingRecords = ({ inWorkspace, system }: Databases): RecordingRecords => ({
  async findRecording(workspaceId, dialId, recordingId) {
    if (!isStorable(dialId) || !isStorable(recordingId)) return undefined;
    const row = await inWorkspace(workspaceId, (transaction) =>
      transaction
        .selectFrom("recording")
        .select(["id", "channels", "duration_ms", "started_at", "allowed_at", "completions"])
        .where("dial_id", "=", dialId)
        .where("id", "=", recordingId)
        .executeTakeFirst(),
    );
    return row === undefined ? undefined : rowToRecording(row);
  },

  async saveRecording(dialId, { id, channels, durationMs, startedAt, allowedAt, incomplete }) {
    // The row itself counts, since what a statement reads beside it may be older than the lock that it waited for.
    const completions = incomplete === true ? 0 : 1;
    await sql`WITH saved AS (
        INSERT INTO recording (dial_id, id, workspace_id, channels, duration_ms, started_at, allowed_at, completions)
        SELECT id, ${id}, workspace_id, ${channels}::int, ${durationMs}::int, ${startedAt}::timestamptz,
          ${allowedAt ?? null}::timestamptz, ${completions}::int
        FROM dial WHERE id = ${dialId} AND erased_at IS NULL
        ON CONFLICT (dial_id, id) DO UPDATE
          SET channels = excluded.channels, duration_ms = excluded.duration_ms, started_at = excluded.started_at,
            allowed_at = coalesce(recording.allowed_at, excluded.allowed_at),
            completions = recording.completions + excluded.completions
          WHERE excluded.completions > 0 OR recording.completions = 0
        RETURNING dial_id, completions),
      numbered AS (
        UPDATE dial SET outbox_sequence = outbox_sequence + 1 FROM saved
        WHERE dial.id = saved.dial_id AND ${completions}::int = 1 AND completions = 1 AND webhook_url IS NOT NULL
        RETURNING dial.id, workspace_id, outbox_sequence)
      INSERT INTO outbox (workspace_id, dial_id, kind, event, sequence, payload)
      SELECT workspace_id, id, 'dial.recording_created:' || ${id}::text, 'dial.recording_created', outbox_sequence,
        json_build_object('dial_id', id, 'recording_id', ${id}::text)
      FROM numbered`.execute(system);
  },

  async findBrokenRecordings(limit) {
    const { rows } = await sql<RecordingRow & { dial_id: string }>`
      SELECT dial_id, recording.id, channels, duration_ms, recording.started_at, allowed_at, completions
      FROM recording JOIN dial ON dial.id = dial_id
      WHERE completions = 0 AND state = 'ENDED' AND ended_at < now() - interval '60 s'
      ORDER BY ended_at LIMIT ${limit}`.execute(system);
    return rows.map((row) => ({ dialId: row.dial_id, recording: rowToRecording(row) }));
  },
});
