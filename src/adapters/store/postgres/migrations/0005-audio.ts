import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/** Uploaded sounds. The samples are kept uncompressed, since compressing sound like text takes time and saves nothing. */
export const audioRecords: Migration = {
  name: "0005-audio",
  statements: [
    sql`CREATE TABLE audio (
      id text PRIMARY KEY,
      workspace_id text NOT NULL REFERENCES workspace,
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      name text NOT NULL,
      sample_rate integer NOT NULL CHECK (sample_rate > 0),
      duration_ms integer NOT NULL,
      pcm bytea NOT NULL
    )`,
    sql`ALTER TABLE audio ALTER COLUMN pcm SET STORAGE EXTERNAL`,
    sql`CREATE INDEX audio_page ON audio (workspace_id, created_at, id)`,
  ],
};
