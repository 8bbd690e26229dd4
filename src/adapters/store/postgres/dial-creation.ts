import { sql } from "kysely";
import type { CreateOutcome, DialStore, NewDial } from "../../../ports/store.ts";
import { type Databases, workspaceSet } from "./databases.ts";
import { KEY_LIFE } from "./dial-references.ts";
import { planToRow } from "./rows.ts";

/**
 * Creation of dials. Key, dial and webhook event are one statement, which is its own transaction: one round trip, one commit. A
 * twin that comes while it runs waits at the key's index and then reads the first one's answer.
 */
export const dialCreation = ({ app, readWorkspace }: Databases): Pick<DialStore, "create"> => ({
  async create(dial) {
    const { plan, sessionId, idempotency } = dial;
    const { rows } = await insertStatement(dial).execute(app);
    if (rows.length > 0 || idempotency === undefined) return { type: "created", dialId: plan.dialId, sessionId };
    const [earlier] = await readWorkspace(
      plan.workspaceId,
      sql<{ fingerprint: string; id: string; session_id: string }>`
        SELECT fingerprint, dial.id, dial.session_id FROM idempotency_key JOIN dial ON dial.id = dial_id
        WHERE idempotency_key.workspace_id = ${plan.workspaceId} AND key = ${idempotency.key}`,
    );
    if (earlier === undefined) throw new Error("a key that was taken is not there");
    return earlier.fingerprint === idempotency.fingerprint
      ? ({ type: "replayed", dialId: earlier.id, sessionId: earlier.session_id } satisfies CreateOutcome)
      : { type: "key-reused" };
  },
});

const insertStatement = ({ plan, sessionId, webhookUrl, jobId, idempotency }: NewDial) => {
  const row = planToRow(plan);
  const key =
    idempotency === undefined
      ? sql`SELECT ${row.id}::text AS dial_id, id AS workspace_id FROM workspace_set`
      : sql`INSERT INTO idempotency_key (workspace_id, key, fingerprint, dial_id)
          SELECT id, ${idempotency.key}::text, ${idempotency.fingerprint}::text, ${row.id}::text FROM workspace_set
          ON CONFLICT (workspace_id, key) DO UPDATE
            SET fingerprint = excluded.fingerprint, dial_id = excluded.dial_id, created_at = now()
            WHERE idempotency_key.created_at < now() - ${sql.lit(KEY_LIFE)}::interval
          RETURNING dial_id, workspace_id`;
  return sql<{ id: string }>`
    WITH ${workspaceSet(row.workspace_id)},
    permit AS (${key}),
    added AS (
      INSERT INTO dial (id, workspace_id, session_id, agent_id, direction, from_number, to_number, carrier, webhook_url,
        ring_timeout_ms, max_duration_ms, plan, shown, calling_window, retention_days, job_id, outbox_sequence)
      SELECT dial_id, workspace_id, ${sessionId}::text, ${row.agent_id}::text, ${row.direction}::text,
        ${row.from_number}::text, ${row.to_number}::text, ${row.carrier}::text, ${webhookUrl ?? null}::text,
        ${row.ring_timeout_ms}::int, ${row.max_duration_ms}::int, ${row.plan}::json, ${row.shown}::json, ${row.calling_window}::json,
        ${row.retention_days}::int, ${jobId ?? null}::text,
        ${webhookUrl === undefined ? 0 : 1}::int
      FROM permit
      RETURNING id, workspace_id, session_id, webhook_url),
    note AS (
      INSERT INTO outbox (workspace_id, dial_id, kind, event, sequence, payload)
      SELECT workspace_id, id, 'dial.created', 'dial.created', 1,
        json_build_object('dial_session_id', session_id, 'dial_id', id)
      FROM added WHERE webhook_url IS NOT NULL)
    SELECT id FROM added`;
};
