import { type RawBuilder, sql } from "kysely";
import {
  type DeliveryStatus,
  SHOWN_ATTEMPTS,
  type WebhookAttempt,
  type WebhookDelivery,
} from "../../../model/webhook-delivery.ts";
import type { Outbox } from "../../../ports/outbox.ts";
import type { Databases } from "./databases.ts";
import { isStorable } from "./storable.ts";

type LogRow = Readonly<{
  id: string;
  uid: string;
  dial_id: string;
  event: WebhookDelivery["event"];
  sequence: number;
  state: DeliveryStatus;
  created_at: Date;
  next_at: Date;
  sent_at: Date | null;
  attempts: number;
  log: WebhookAttempt[];
}>;

/** What customers see of their deliveries, and how they start one anew. */
export const deliveryLog = ({ inWorkspace }: Databases): Pick<Outbox, "list" | "replay"> => ({
  list: (workspaceId, { dialId, status }, { limit, after }) =>
    inWorkspace(workspaceId, async (transaction) => {
      if (dialId !== undefined && !isStorable(dialId)) return { items: [], next: null };
      const { rows } = await select(sql`outbox.workspace_id = ${workspaceId}
        AND ${after === undefined ? sql`true` : sql`outbox.id < ${after.id}::bigint`}
        AND ${dialId === undefined ? sql`true` : sql`outbox.dial_id = ${dialId}`}
        AND ${status === undefined ? sql`true` : sql`outbox.state = ${status}`}
        ORDER BY outbox.id DESC LIMIT ${limit + 1}`).execute(transaction);
      const items = rows.slice(0, limit);
      const last = items.at(-1);
      const next = rows.length > limit && last ? { createdAt: last.created_at.toISOString(), id: last.id } : null;
      return { items: items.map(toRecord), next };
    }),

  async replay(workspaceId, id) {
    if (!isStorable(id)) return undefined;
    return inWorkspace(workspaceId, async (transaction) => {
      // The stream is locked first, as by those who deliver, so that neither waits for the other for ever.
      await sql`SELECT FROM webhook_stream WHERE dial_id = (SELECT dial_id FROM outbox WHERE uid = ${id}) FOR UPDATE`.execute(
        transaction,
      );
      const { rows } = await sql<{ dial_id: string; sequence: number }>`
        UPDATE outbox SET state = 'pending', step = 0, next_at = now(), sent_at = NULL WHERE uid = ${id}
        RETURNING dial_id, sequence`.execute(transaction);
      const [replayed] = rows;
      if (replayed === undefined) return undefined;
      // What goes before it would hold it back until its own time.
      await sql`UPDATE outbox SET next_at = now()
        WHERE dial_id = ${replayed.dial_id} AND state = 'pending' AND sequence < ${replayed.sequence}`.execute(
        transaction,
      );
      await sql`UPDATE webhook_stream SET armed = armed + 1, gone = false,
          next_at = CASE WHEN leased AND next_at > now() THEN next_at ELSE now() END
        WHERE dial_id = ${replayed.dial_id}`.execute(transaction);
      const found = await select(sql`outbox.uid = ${id}`).execute(transaction);
      return found.rows[0] && toRecord(found.rows[0]);
    });
  },
});

const select = (where: RawBuilder<unknown>) => sql<LogRow>`
  SELECT outbox.id, uid, dial_id, event, sequence, state, created_at, next_at, sent_at, attempts,
    (SELECT coalesce(json_agg(json_strip_nulls(json_build_object(
        'at', to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'outcome', outcome,
        'statusCode', status_code, 'durationMs', duration_ms)) ORDER BY number), '[]')
      FROM (SELECT * FROM webhook_attempt WHERE outbox_id = outbox.id ORDER BY number DESC LIMIT ${SHOWN_ATTEMPTS}) AS latest) AS log
  FROM outbox WHERE ${where}`;

const toRecord = (row: LogRow): WebhookDelivery => ({
  id: row.uid,
  dialId: row.dial_id,
  event: row.event,
  sequence: row.sequence,
  status: row.state,
  createdAt: row.created_at.toISOString(),
  nextAttemptAt: row.state === "pending" ? row.next_at.toISOString() : null,
  deliveredAt: row.sent_at?.toISOString() ?? null,
  attemptCount: row.attempts,
  attempts: row.log,
});
