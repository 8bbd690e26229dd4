import { sql } from "kysely";
import { decodeLinear16, encodeLinear16 } from "../../../audio/linear16.ts";
import type { Audio } from "../../../model/uploaded-audio.ts";
import type { Catalogue } from "../../../ports/store.ts";
import type { Databases } from "./databases.ts";
import { Records } from "./records.ts";
import { isStorable } from "./storable.ts";

type AudioRow = Readonly<{ id: string; name: string; sample_rate: number; duration_ms: number; created_at: Date }>;

/** Uploaded sounds: 16-bit samples of one channel, low byte first. */
export const audioRecords = (
  databases: Databases,
): Pick<Catalogue, "listAudio" | "addAudio" | "removeAudio" | "readAudio"> => {
  const records = new Records<Audio, AudioRow>(databases, {
    name: "audio",
    columns: ["id", "name", "sample_rate", "duration_ms", "created_at"],
    fromRow: rowToAudio,
    toRow: ({ name }) => ({ name }),
  });
  return {
    listAudio: (workspaceId, page) => records.list({ workspaceId }, page),
    removeAudio: (workspaceId, id) => records.remove({ workspaceId }, id),

    addAudio: (workspaceId, { id, name, samples, sampleRate }, most) =>
      databases.inWorkspace(workspaceId, async (transaction) => {
        // Counted one after another, so that uploads at the same time do not pass the limit together.
        await sql`SELECT FROM workspace WHERE id = ${workspaceId} FOR UPDATE`.execute(transaction);
        const durationMs = Math.round((samples.length * 1000) / sampleRate);
        const pcm = Buffer.from(encodeLinear16(samples));
        const { rows } = await sql<AudioRow>`
          INSERT INTO audio (id, workspace_id, name, sample_rate, duration_ms, pcm)
          SELECT ${id}, ${workspaceId}, ${name}, ${sampleRate}::int, ${durationMs}::int, ${pcm}::bytea
          WHERE (SELECT count(*) FROM audio) < ${most}::int
          RETURNING id, name, sample_rate, duration_ms, created_at`.execute(transaction);
        return rows[0] && rowToAudio(rows[0]);
      }),

    async readAudio(workspaceId, id) {
      if (!isStorable(id)) return undefined;
      const [row] = await databases.readWorkspace(
        workspaceId,
        sql<{ sample_rate: number; pcm: Buffer }>`SELECT sample_rate, pcm FROM audio WHERE id = ${id}`,
      );
      return row && { sampleRate: row.sample_rate, samples: decodeLinear16(row.pcm) };
    },
  };
};

const rowToAudio = (row: AudioRow): Audio => ({
  id: row.id,
  name: row.name,
  durationMs: row.duration_ms,
  sampleRate: row.sample_rate,
  createdAt: row.created_at.toISOString(),
});
