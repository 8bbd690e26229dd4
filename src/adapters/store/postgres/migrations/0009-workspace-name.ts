import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/** What an operator calls a workspace; those that are there have none. */
export const workspaceName: Migration = {
  name: "0009-workspace-name",
  statements: [sql`ALTER TABLE workspace ADD COLUMN name text`],
};
