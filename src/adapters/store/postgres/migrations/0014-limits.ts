import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/**
 * What limits across processes need: when a workspace may have its next dial placed, which dials a worker holds ready, and the index
 * that counts live ones. And when the carrier is asked again about a dial that ended without its word.
 */
export const limits: Migration = {
  name: "0014-limits",
  statements: [
    sql`ALTER TABLE workspace ADD COLUMN next_dial_at timestamptz`,
    sql`ALTER TABLE dial
      ADD COLUMN ready_at timestamptz,
      ADD COLUMN looks smallint NOT NULL DEFAULT 0,
      ADD COLUMN look_at timestamptz`,
    sql`CREATE INDEX dial_live ON dial (workspace_id) WHERE state IN ('PLACING', 'RINGING', 'IN_PROGRESS')`,
    sql`CREATE INDEX dial_waiting ON dial (workspace_id, created_at, id) WHERE state = 'QUEUED'`,
    sql`CREATE INDEX dial_weak_end ON dial (ended_at) WHERE state = 'ENDED' AND evidence < 3`,
  ],
};
