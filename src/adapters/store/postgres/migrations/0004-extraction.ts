import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/** What was extracted from a call, by field name. */
export const extraction: Migration = {
  name: "0004-extraction",
  statements: [sql`ALTER TABLE dial ADD COLUMN ai_result json`],
};
