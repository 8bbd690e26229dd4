import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/** What customers configure over the API: extractors, public keys for some agents, one record a number; and lists of dials. */
export const catalogueRecords: Migration = {
  name: "0002-catalogue",
  statements: [
    sql`CREATE TABLE extractor (
      id text PRIMARY KEY,
      workspace_id text NOT NULL REFERENCES workspace,
      agent_id text NOT NULL REFERENCES agent ON DELETE CASCADE,
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      updated_at timestamptz(3) NOT NULL DEFAULT now(),
      rest json NOT NULL
    )`,
    sql`CREATE INDEX extractor_page ON extractor (agent_id, created_at, id)`,
    sql`ALTER TABLE api_key ADD COLUMN allowed_agent_ids json`,
    sql`CREATE INDEX api_key_page ON api_key (workspace_id, created_at, id)`,
    sql`CREATE UNIQUE INDEX phone_number_own ON phone_number (workspace_id, number)`,
    sql`CREATE INDEX phone_number_agent ON phone_number (agent_id) WHERE agent_id IS NOT NULL`,
    sql`CREATE INDEX dial_agent_page ON dial (workspace_id, agent_id, created_at, id)`,
    sql`CREATE INDEX dial_status_page ON dial (workspace_id, status, created_at, id)`,
  ],
};
