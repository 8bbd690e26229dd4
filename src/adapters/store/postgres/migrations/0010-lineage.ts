import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/**
 * Under which history of its server the database was seen, one row for each time that it was found to be another, or to lack what it had
 * acknowledged. Outbound dials that were created before `quarantined_before` wait until `released_at`.
 */
export const lineage: Migration = {
  name: "0010-lineage",
  statements: [
    sql`CREATE TABLE store_generation (
      id text PRIMARY KEY,
      number integer NOT NULL UNIQUE,
      identity text NOT NULL,
      noted_at timestamptz(3) NOT NULL DEFAULT now(),
      quarantined_before timestamptz,
      released_at timestamptz
    )`,
  ],
};
