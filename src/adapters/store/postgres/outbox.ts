import { type RawBuilder, sql } from "kysely";
import type { Random } from "../../../ports/random.ts";
import {
  DELIVERY_LEASE_MS,
  type DeliveryLease,
  type DueDelivery,
  ENDPOINT_CONCURRENCY,
  type Outbox,
  type Verdict,
} from "../../../ports/outbox.ts";
import type { TranscriptEntry } from "../../../model/transcript.ts";
import type { Databases } from "./databases.ts";
import { deliveryLog } from "./delivery-log.ts";
import { liveSecrets, webhookSecrets } from "./webhook-secrets.ts";

/** Attempts of one delivery that are kept; replays make more than a schedule has. */
const KEPT_ATTEMPTS = 50;

/** Delivery of webhooks. Times are the database's, so that processes with different clocks agree on what is due. */
export const outbox = (databases: Databases, random: Random): Outbox => ({
  ...delivering(databases, random),
  ...deliveryLog(databases),
  ...webhookSecrets(databases, random),
});

type Delivering = Pick<Outbox, "claim" | "open" | "settle" | "release">;

const delivering = ({ system }: Databases, random: Random): Delivering => ({
  async claim(limit, near) {
    const { rows } = await claimStatement(limit, near).execute(system);
    return rows
      .map((row) => ({ dialId: row.dial_id, epoch: row.epoch, armed: row.armed, waitedMs: row.waited_ms }))
      .toSorted((a, b) => b.waitedMs - a.waitedMs);
  },

  async open(lease) {
    const { rows } = await headStatement(lease).execute(system);
    const [head] = rows;
    if (head === undefined) return undefined;
    if (head.gone) {
      await giveUp(lease).execute(system);
      return undefined;
    }
    if (head.uid === null || head.early_ms > 0) {
      await putBack(lease, head).execute(system);
      return undefined;
    }
    return toDelivery(lease, head, await liveSecrets(system, random, head.workspace_id));
  },

  async settle(delivery, attempt, verdict) {
    const { lease, id } = delivery;
    if (verdict.type === "gone") await giveUp(lease, id).execute(system);
    const { rows } = await sql<{ dial_id: string }>`
      WITH lease AS (
        UPDATE webhook_stream SET leased = false, next_at = ${dueAfter(verdict, delivery)}
        WHERE ${held(lease)} RETURNING dial_id),
      noted AS (
        UPDATE outbox SET attempts = attempts + 1, step = step + 1, ${outcomeOf(verdict)}
        WHERE uid = ${id} AND EXISTS (SELECT FROM lease) RETURNING id, attempts, workspace_id),
      pruned AS (
        DELETE FROM webhook_attempt USING noted
        WHERE outbox_id = noted.id AND number <= noted.attempts - ${KEPT_ATTEMPTS}),
      logged AS (
        INSERT INTO webhook_attempt (outbox_id, number, workspace_id, at, outcome, status_code, duration_ms)
        SELECT id, attempts, workspace_id, now() - ${attempt.durationMs}::int * interval '1 ms', ${attempt.outcome},
          ${attempt.statusCode ?? null}::int, ${attempt.durationMs}::int FROM noted)
      SELECT dial_id FROM lease`.execute(system);
    return rows.length > 0;
  },

  async release(lease) {
    await sql`UPDATE webhook_stream SET leased = false, next_at = now() WHERE ${held(lease)}`.execute(system);
  },
});

type ClaimRow = Readonly<{ dial_id: string; epoch: number; armed: number; waited_ms: number }>;

const held = ({ dialId, epoch }: DeliveryLease): RawBuilder<unknown> =>
  sql`dial_id = ${dialId} AND epoch = ${epoch} AND leased`;

/**
 * Goes from endpoint to endpoint in the index, so that the cost is that of the endpoints with something waiting, however much it is,
 * and a busy one cannot fill the batch. A lapsed lease is due like anything else.
 */
const claimStatement = (limit: number, near: readonly DeliveryLease[] | undefined) => sql<ClaimRow>`
  WITH RECURSIVE waiting (endpoint) AS (${near === undefined ? EVERYWHERE : endpointsOf(near)}),
  due AS (
    SELECT next.dial_id, next.next_at FROM waiting, LATERAL (
      SELECT dial_id, next_at FROM webhook_stream
      WHERE webhook_stream.endpoint = waiting.endpoint AND next_at <= now()
      ORDER BY next_at
      LIMIT greatest(0, ${ENDPOINT_CONCURRENCY}::int - (SELECT count(*) FROM webhook_stream AS busy
        WHERE busy.leased AND busy.endpoint = waiting.endpoint AND busy.next_at > now()))
      FOR UPDATE SKIP LOCKED) AS next
    WHERE waiting.endpoint IS NOT NULL
    ORDER BY next.next_at LIMIT ${limit}::int)
  UPDATE webhook_stream SET leased = true, epoch = epoch + 1, next_at = now() + ${DELIVERY_LEASE_MS}::int * interval '1 ms'
  FROM due WHERE webhook_stream.dial_id = due.dial_id
  RETURNING webhook_stream.dial_id, epoch, armed,
    (extract(epoch FROM now() - due.next_at) * 1000)::float8 AS waited_ms`;

const EVERYWHERE = sql`
  (SELECT endpoint FROM webhook_stream WHERE next_at IS NOT NULL ORDER BY endpoint LIMIT 1)
  UNION ALL
  SELECT (SELECT endpoint FROM webhook_stream WHERE next_at IS NOT NULL AND endpoint > waiting.endpoint
    ORDER BY endpoint LIMIT 1) FROM waiting WHERE waiting.endpoint IS NOT NULL`;

const endpointsOf = (near: readonly DeliveryLease[]): RawBuilder<unknown> => sql`
  SELECT DISTINCT endpoint FROM webhook_stream WHERE dial_id = ANY(${near.map(({ dialId }) => dialId)})`;

type Head = Readonly<{
  workspace_id: string;
  url: string;
  gone: boolean;
  uid: string | null;
  event: string;
  sequence: number;
  payload: Readonly<Record<string, unknown>>;
  created_at: Date;
  step: number;
  early_ms: number;
  more: boolean;
  transcript: readonly TranscriptEntry[] | null;
}>;

/**
 * The oldest pending event of a leased stream; without one its columns are null. Read after the claim, in a snapshot of its own: an
 * event that was added before the claim is seen. A transcript is read now, because it is complete only now.
 */
const headStatement = (lease: DeliveryLease) => sql<Head>`
  SELECT stream.workspace_id, coalesce(dial.webhook_url, '') AS url, stream.gone,
    head.uid, head.event, head.sequence, head.payload, head.created_at, head.step,
    coalesce(extract(epoch FROM head.next_at - now()) * 1000, 0)::float8 AS early_ms,
    EXISTS (SELECT FROM outbox WHERE outbox.dial_id = stream.dial_id AND state = 'pending' AND sequence > head.sequence) AS more,
    CASE WHEN head.event = 'dial.transcript' THEN
      (SELECT coalesce(json_agg(entry ORDER BY index), '[]') FROM transcript_entry WHERE dial_id = stream.dial_id) END AS transcript
  FROM webhook_stream AS stream JOIN dial ON dial.id = stream.dial_id
  LEFT JOIN LATERAL (SELECT * FROM outbox WHERE outbox.dial_id = stream.dial_id AND state = 'pending'
    ORDER BY sequence LIMIT 1) AS head ON true
  WHERE stream.dial_id = ${lease.dialId} AND stream.epoch = ${lease.epoch} AND stream.leased`;

const toDelivery = (lease: DeliveryLease, head: Head, secrets: readonly string[]): DueDelivery => ({
  lease,
  id: head.uid ?? "",
  dialId: lease.dialId,
  workspaceId: head.workspace_id,
  url: head.url,
  event: head.event,
  sequence: head.sequence,
  createdAt: head.created_at.toISOString(),
  payload: head.transcript === null ? head.payload : { ...head.payload, transcript: head.transcript },
  step: head.step,
  more: head.more,
  secrets,
});

/** Back to rest, or until the head may be sent. What has happened since the claim keeps the stream awake. */
const putBack = (lease: DeliveryLease, { uid, early_ms: earlyMs }: Head) => sql`
  UPDATE webhook_stream SET leased = false, next_at = ${rest(
    lease,
    uid === null ? sql`NULL` : sql`now() + ${earlyMs}::float8 * interval '1 ms'`,
  )} WHERE ${held(lease)}`;

/** `until`, unless something was done for the stream since the claim: the row itself tells, however late it is locked. */
const rest = ({ armed }: DeliveryLease, until: RawBuilder<unknown> = sql`NULL`): RawBuilder<unknown> =>
  sql`CASE WHEN armed = ${armed} THEN ${until} ELSE now() END`;

const dueAfter = (verdict: Verdict, { lease, more }: DueDelivery): RawBuilder<unknown> => {
  if (verdict.type === "retry") return sql`now() + ${verdict.delayMs}::float8 * interval '1 ms'`;
  return more && verdict.type !== "gone" ? sql`now()` : rest(lease);
};

const outcomeOf = (verdict: Verdict): RawBuilder<unknown> => {
  switch (verdict.type) {
    case "delivered":
      return sql`state = 'delivered', sent_at = now()`;
    case "retry":
      return sql`next_at = now() + ${verdict.delayMs}::float8 * interval '1 ms'`;
    case "dead":
    case "gone":
      return sql`state = 'dead'`;
  }
};

/** Everything that waits for the dial is dead; without `except` the lease is given back too. */
const giveUp = (lease: DeliveryLease, except?: string) => sql`
  WITH lease AS (
    UPDATE webhook_stream SET gone = true${except === undefined ? sql`, leased = false, next_at = ${rest(lease)}` : sql``}
    WHERE ${held(lease)} RETURNING dial_id)
  UPDATE outbox SET state = 'dead'
  WHERE dial_id IN (SELECT dial_id FROM lease) AND state = 'pending' AND uid IS DISTINCT FROM ${except ?? null}::text`;
