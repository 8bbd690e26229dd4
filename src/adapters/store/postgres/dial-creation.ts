import { sql } from "kysely";
import type { CreateOutcome, DialStore, NewDial } from "../../../ports/store.ts";
import type { Databases } from "./databases.ts";
import { planToRow } from "./rows.ts";

/** How long an idempotency key answers with its first dial. */
const KEY_LIFE = "7 days";

/**
 * Creation of dials. Key, dial and webhook event are one statement: a twin that comes while it runs waits at the key's index
 * and then reads the first one's answer.
 */
export const dialCreation = ({ inWorkspace }: Databases): Pick<DialStore, "create" | "findEarlier"> => ({
  create: (dial) =>
    inWorkspace(dial.plan.workspaceId, async (transaction) => {
      const { plan, sessionId } = dial;
      const inserted = await insertStatement(dial).execute(transaction);
      if (inserted.rows.length > 0 || dial.idempotency === undefined)
        return { type: "created", dialId: plan.dialId, sessionId };
      const earlier = await transaction
        .selectFrom("idempotency_key")
        .innerJoin("dial", "dial.id", "idempotency_key.dial_id")
        .select(["fingerprint", "dial.id", "dial.session_id"])
        .where("idempotency_key.workspace_id", "=", plan.workspaceId)
        .where("key", "=", dial.idempotency.key)
        .executeTakeFirstOrThrow();
      return earlier.fingerprint === dial.idempotency.fingerprint
        ? ({ type: "replayed", dialId: earlier.id, sessionId: earlier.session_id } satisfies CreateOutcome)
        : { type: "key-reused" };
    }),

  async findEarlier(workspaceId, key) {
    const row = await inWorkspace(workspaceId, (transaction) =>
      transaction
        .selectFrom("idempotency_key")
        .innerJoin("dial", "dial.id", "idempotency_key.dial_id")
        .select(["fingerprint", "dial.id", "dial.session_id", "dial.max_duration_ms"])
        .where("idempotency_key.workspace_id", "=", workspaceId)
        .where("key", "=", key)
        .where(sql<boolean>`idempotency_key.created_at >= now() - ${sql.lit(KEY_LIFE)}::interval`)
        .executeTakeFirst(),
    );
    if (row === undefined) return undefined;
    const { fingerprint, id, session_id: sessionId, max_duration_ms: maxDurationMs } = row;
    return { fingerprint, dialId: id, sessionId, maxDurationMs };
  },
});

const insertStatement = ({ plan, sessionId, webhookUrl, idempotency }: NewDial) => {
  const row = planToRow(plan);
  const key =
    idempotency === undefined
      ? sql`SELECT ${row.id}::text AS dial_id`
      : sql`INSERT INTO idempotency_key (workspace_id, key, fingerprint, dial_id)
          VALUES (${row.workspace_id}, ${idempotency.key}, ${idempotency.fingerprint}, ${row.id})
          ON CONFLICT (workspace_id, key) DO UPDATE
            SET fingerprint = excluded.fingerprint, dial_id = excluded.dial_id, created_at = now()
            WHERE idempotency_key.created_at < now() - ${sql.lit(KEY_LIFE)}::interval
          RETURNING dial_id`;
  return sql<{ id: string }>`
    WITH permit AS (${key}),
    added AS (
      INSERT INTO dial (id, workspace_id, session_id, agent_id, direction, from_number, to_number, carrier, webhook_url,
        ring_timeout_ms, max_duration_ms, plan, outbox_sequence)
      SELECT dial_id, ${row.workspace_id}::text, ${sessionId}::text, ${row.agent_id}::text, ${row.direction}::text,
        ${row.from_number}::text, ${row.to_number}::text, ${row.carrier}::text, ${webhookUrl ?? null}::text,
        ${row.ring_timeout_ms}::int, ${row.max_duration_ms}::int, ${row.plan}::json, ${webhookUrl === undefined ? 0 : 1}::int
      FROM permit
      RETURNING id, workspace_id, session_id, webhook_url),
    note AS (
      INSERT INTO outbox (workspace_id, dial_id, kind, event, sequence, payload)
      SELECT workspace_id, id, 'dial.created', 'dial.created', 1,
        json_build_object('dial_session_id', session_id, 'dial_id', id)
      FROM added WHERE webhook_url IS NOT NULL)
    SELECT id FROM added`;
};
