import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/**
 * What may be kept of a call and for how long: when a dial is to be erased and when it was, and a row for each erasure that says
 * nothing of the person. Recordings have their row from their first moment, and say whether they are whole.
 */
export const erasure: Migration = {
  name: "0012-erasure",
  statements: [
    sql`ALTER TABLE dial
      ADD COLUMN retention_days integer,
      ADD COLUMN erase_at timestamptz,
      ADD COLUMN erase_cause text CHECK (erase_cause IN ('dial', 'number', 'retention')),
      ADD COLUMN erased_at timestamptz(3)`,
    sql`CREATE INDEX dial_retention ON dial (retention_days, ended_at) WHERE state = 'ENDED' AND erased_at IS NULL`,
    sql`CREATE INDEX dial_erase ON dial (erase_at) WHERE erase_at IS NOT NULL AND erased_at IS NULL`,
    sql`CREATE INDEX dial_to_number ON dial (workspace_id, to_number) WHERE to_number IS NOT NULL`,
    sql`CREATE INDEX dial_from_number ON dial (workspace_id, from_number) WHERE direction = 'inbound'`,
    sql`CREATE INDEX dial_event_age ON dial_event (at)`,
    sql`CREATE INDEX outbox_age ON outbox (created_at) WHERE state <> 'pending'`,
    sql`CREATE TABLE erasure (
      id text PRIMARY KEY,
      workspace_id text NOT NULL REFERENCES workspace,
      cause text NOT NULL CHECK (cause IN ('dial', 'number', 'retention')),
      dial_id text,
      dials integer NOT NULL,
      created_at timestamptz(3) NOT NULL DEFAULT now()
    )`,
    sql`CREATE INDEX erasure_page ON erasure (workspace_id, created_at, id)`,
    sql`ALTER TABLE recording
      ADD COLUMN completions integer NOT NULL DEFAULT 1,
      ADD COLUMN allowed_at timestamptz(3)`,
    sql`CREATE INDEX recording_incomplete ON recording (dial_id) WHERE completions = 0`,
  ],
};
