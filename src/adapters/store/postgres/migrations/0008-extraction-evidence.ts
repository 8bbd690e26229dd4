import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/** Which entries of the transcript each extracted value rests on, by field name. */
export const extractionEvidence: Migration = {
  name: "0008-extraction-evidence",
  statements: [sql`ALTER TABLE dial ADD COLUMN ai_result_evidence json`],
};
