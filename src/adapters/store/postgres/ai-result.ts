import { sql } from "kysely";
import type { DialStore } from "../../../ports/store.ts";
import type { Databases } from "./databases.ts";

/** What an extractor found in a call; the first result is told, a later one only kept. */
export const aiResults = ({ system }: Databases): Pick<DialStore, "saveAiResult"> => ({
  async saveAiResult(dialId, result, evidence) {
    await sql`WITH before AS (
        SELECT id, ai_result IS NULL AND webhook_url IS NOT NULL AS told FROM dial
        WHERE id = ${dialId} AND erased_at IS NULL FOR UPDATE),
      saved AS (
        UPDATE dial SET ai_result = ${JSON.stringify(result)}::json,
          ai_result_evidence = ${JSON.stringify(evidence ?? {})}::json, updated_at = now(),
          outbox_sequence = outbox_sequence + told::int
        FROM before WHERE dial.id = before.id
        RETURNING dial.id, workspace_id, outbox_sequence, dial.ai_result, told)
      INSERT INTO outbox (workspace_id, dial_id, kind, event, sequence, payload)
      SELECT workspace_id, id, 'dial.extractor', 'dial.extractor', outbox_sequence,
        json_build_object('dial_id', id, 'ai_result', ai_result)
      FROM saved WHERE told`.execute(system);
  },
});
