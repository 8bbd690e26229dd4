import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/** Numbers that are not called, and dials that wait for an hour at which people may be. */
export const doNotCall: Migration = {
  name: "0006-do-not-call",
  statements: [
    sql`CREATE TABLE do_not_call (
      id text PRIMARY KEY,
      workspace_id text NOT NULL REFERENCES workspace,
      number text NOT NULL,
      reason text,
      dial_id text,
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      UNIQUE (workspace_id, number)
    )`,
    sql`CREATE INDEX do_not_call_page ON do_not_call (workspace_id, created_at, id)`,
    sql`ALTER TABLE dial ADD COLUMN not_before timestamptz`,
  ],
};
