import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/** Which tokens of a dial have opened media, each of which may do so once. */
export const browserDials: Migration = {
  name: "0011-browser-dials",
  statements: [sql`ALTER TABLE dial ADD COLUMN spent_tokens text[] NOT NULL DEFAULT '{}'`],
};
