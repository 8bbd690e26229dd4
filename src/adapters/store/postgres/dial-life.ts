import { type RawBuilder, sql } from "kysely";
import { DIAL_STATES, type DialState, mayMove } from "../../../model/dial.ts";
import type { Claim, DialStore } from "../../../ports/store.ts";
import type { OpenDial } from "../../../ports/unattended-dials.ts";
import type { Databases } from "./databases.ts";
import { claiming, interval, LEASE, PLACE } from "./claiming.ts";
import { inboundCalls } from "./inbound-calls.ts";
import type { KnownMark } from "./lineage.ts";
import { quarantined } from "./lineage-sql.ts";
import { waitingSince, windowOpen } from "./window-sql.ts";
import { isStorable } from "./storable.ts";

/** A dial without a job for this long gets another. */
const WITHOUT_JOB = "5 s";
/** The carrier's word on an open dial is at most this old. */
const CONFIRM_EVERY = "60 s";
/** Overdue dials are asked for at once, but not in every round of the reaper. */
const OVERDUE_EVERY = "10 s";
/** Ends without the carrier's word are looked at again, four times as long after each look, for a day. */
const FIRST_LOOK = "1 min";
const LONGEST_LOOK = "6 h";
const LOOKED_AT_FOR = "24 h";

/** Each of them stands for one time that a visitor has come. */
const MOST_SPENT_TOKENS = 1000;

type Life = Pick<
  DialStore,
  | "workspaceOf"
  | "findAnsweringNumber"
  | "findByCall"
  | "revise"
  | "peek"
  | "enqueued"
  | "claim"
  | "attachCall"
  | "advance"
  | "beat"
  | "intendHangUp"
  | "spendToken"
  | "findUnqueued"
  | "backlog"
  | "takeOverLapsed"
  | "findUnconfirmed"
  | "findWeaklyEnded"
>;

/**
 * Statements between the creation and the end of a dial. Leases and horizons run by the database's clock alone. Claims are refused by a
 * database that lacks what is `known` of it.
 */
export const dialLife = (databases: Databases, known: KnownMark): Life => ({
  ...claiming(databases, known),
  ...ownership(databases),
  ...progress(databases),
  ...inboundCalls(databases),
  ...reaping(databases),
});

type Ownership = Pick<Life, "claim" | "attachCall" | "beat" | "intendHangUp" | "spendToken">;

const ownership = ({ system }: Databases): Omit<Ownership, "claim"> => ({
  async attachCall(claim, carrierCallId) {
    // Noted for an ended dial as well, so that the carrier can be asked about it; the answer still tells to hang up.
    const { rows } = await sql<{ open: boolean }>`
      UPDATE dial SET carrier_call_id = ${carrierCallId}, confirmed_at = now(), updated_at = now()
      WHERE ${fenced(claim)} AND (carrier_call_id IS NULL OR carrier_call_id = ${carrierCallId})
      RETURNING state <> 'ENDED' AS open`.execute(system);
    return rows[0]?.open ?? false;
  },

  async beat(claim) {
    const { numAffectedRows } = await sql`
      UPDATE dial SET lease_until = now() + ${interval(LEASE)} WHERE ${fenced(claim)}`.execute(system);
    return numAffectedRows === 1n;
  },

  async spendToken(dialId, tokenId) {
    const { numAffectedRows } = await sql`
      UPDATE dial SET spent_tokens = array_append(spent_tokens, ${tokenId}::text)
      WHERE id = ${dialId} AND state <> 'ENDED' AND ${tokenId} <> ALL (spent_tokens)
        AND cardinality(spent_tokens) < ${MOST_SPENT_TOKENS}`.execute(system);
    return numAffectedRows === 1n;
  },

  async intendHangUp(dialId, reason, endedBy, claim) {
    const fence = claim === undefined ? sql`id = ${dialId}` : fenced(claim);
    const { numAffectedRows } = await sql`
      UPDATE dial SET hangup_intent = coalesce(hangup_intent, ${reason}),
        hangup_by = CASE WHEN hangup_intent IS NULL THEN ${endedBy} ELSE hangup_by END, updated_at = now()
      WHERE ${fence} AND state <> 'ENDED'`.execute(system);
    return numAffectedRows === 1n;
  },
});

const progress = ({ system }: Databases): Pick<Life, "workspaceOf" | "peek" | "enqueued" | "advance"> => ({
  async workspaceOf(dialId) {
    if (!isStorable(dialId)) return undefined;
    const row = await system.selectFrom("dial").select("workspace_id").where("id", "=", dialId).executeTakeFirst();
    return row?.workspace_id;
  },

  async peek(dialId) {
    if (!isStorable(dialId)) return undefined;
    const { rows } = await sql<OpenRow>`SELECT ${OPEN_COLUMNS} FROM dial WHERE id = ${dialId}`.execute(system);
    return rows[0] === undefined ? undefined : toOpenDial(rows[0]);
  },

  async enqueued(dialId, jobId) {
    await sql`UPDATE dial SET job_id = ${jobId}, enqueued_at = now() WHERE id = ${dialId}`.execute(system);
  },

  async advance(dialId, state) {
    const { rows } = await advanceStatement(dialId, state).execute(system);
    if (rows.length > 0) return true;
    // Nothing new, but a sign that the call is alive.
    await sql`UPDATE dial SET confirmed_at = now() WHERE id = ${dialId} AND state = ${state}`.execute(system);
    return false;
  },
});

const reaping = ({
  system,
}: Databases): Pick<Life, "findUnqueued" | "backlog" | "takeOverLapsed" | "findUnconfirmed" | "findWeaklyEnded"> => ({
  async findUnqueued(limit) {
    const { rows } = await sql<{ id: string }>`
      SELECT queued.id FROM workspace CROSS JOIN LATERAL (
        SELECT id, created_at, direction, row_number() OVER (ORDER BY created_at, id) AS turn FROM dial
        WHERE dial.workspace_id = workspace.id AND state = 'QUEUED' AND direction <> 'browser' AND ${windowOpen}
          AND NOT ${quarantined} AND coalesce(enqueued_at, created_at) < now() - ${interval(WITHOUT_JOB)}
        ORDER BY created_at, id LIMIT ${limit}) AS queued
      ORDER BY queued.direction = 'outbound', queued.turn, queued.created_at, queued.id LIMIT ${limit}`.execute(system);
    return rows.map(({ id }) => id);
  },
  async backlog() {
    const { rows } = await sql<{ waiting: number; kept: number; oldest_ms: number | null }>`
      SELECT count(*) FILTER (WHERE placeable)::int AS waiting, count(*) FILTER (WHERE kept)::int AS kept,
        (extract(epoch FROM now() - min(since) FILTER (WHERE placeable)) * 1000)::float8 AS oldest_ms
      FROM (SELECT ${quarantined} AS kept, ${waitingSince} AS since, NOT ${quarantined} AND ${windowOpen} AS placeable
        FROM dial WHERE state = 'QUEUED' AND direction <> 'browser') AS queued`.execute(system);
    const [row] = rows;
    return { count: row?.waiting ?? 0, oldestMs: Math.max(0, row?.oldest_ms ?? 0), quarantined: row?.kept ?? 0 };
  },

  async takeOverLapsed(owner, limit) {
    const { rows } = await sql<OpenRow>`
      UPDATE dial SET epoch = epoch + 1, owner = ${owner}, lease_until = now() + ${interval(LEASE)},
        updated_at = now(), version = version + 1
      WHERE id IN (SELECT id FROM dial WHERE state IN ('PLACING', 'RINGING', 'IN_PROGRESS') AND lease_until < now()
        ORDER BY lease_until LIMIT ${limit} FOR UPDATE SKIP LOCKED)
      RETURNING ${OPEN_COLUMNS}`.execute(system);
    return rows.map(toOpenDial);
  },

  async findUnconfirmed(limit) {
    const { rows } = await sql<OpenRow>`
      UPDATE dial SET confirmed_at = now()
      WHERE id IN (SELECT id FROM dial WHERE state IN ('PLACING', 'RINGING', 'IN_PROGRESS')
        AND confirmed_at < now() - CASE
          WHEN state = 'RINGING' AND state_at < now() - ring_timeout_ms * interval '1 ms' - interval '30 s'
            OR state = 'IN_PROGRESS' AND started_at < now() - max_duration_ms * interval '1 ms' - interval '60 s'
          THEN ${interval(OVERDUE_EVERY)} ELSE ${interval(CONFIRM_EVERY)} END
        ORDER BY confirmed_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)
      RETURNING ${OPEN_COLUMNS}`.execute(system);
    return rows.map(toOpenDial);
  },

  async findWeaklyEnded(limit) {
    const { rows } = await sql<OpenRow>`
      UPDATE dial SET looks = looks + 1,
        look_at = now() + least(${interval(LONGEST_LOOK)}, ${interval(FIRST_LOOK)} * power(4, looks + 1))
      WHERE id IN (SELECT id FROM dial WHERE state = 'ENDED' AND evidence < 3 AND epoch > 0
        AND direction <> 'browser' AND ended_at > now() - ${interval(LOOKED_AT_FOR)}
        AND coalesce(look_at, ended_at + ${interval(FIRST_LOOK)}) < now()
        ORDER BY ended_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)
      RETURNING ${OPEN_COLUMNS}`.execute(system);
    return rows.map(toOpenDial);
  },
});

type OpenRow = {
  id: string;
  workspace_id: string;
  direction: OpenDial["direction"];
  state: DialState;
  epoch: number;
  carrier: string | null;
  carrier_call_id: string | null;
  hangup_intent: OpenDial["hangupIntent"];
  end_reason: OpenDial["endReason"];
  to_number: string | null;
  from_number: string | null;
  claimed_at: number | null;
  past_horizon: boolean;
};

const OPEN_COLUMNS =
  sql.raw(`id, workspace_id, direction, state, epoch, carrier, carrier_call_id, hangup_intent, end_reason, to_number, from_number,
  (extract(epoch FROM place_deadline - interval '${PLACE}') * 1000)::float8 AS claimed_at,
  coalesce(reconcile_until < now(), false) AS past_horizon`);

const toOpenDial = (row: OpenRow): OpenDial => ({
  dialId: row.id,
  workspaceId: row.workspace_id,
  direction: row.direction,
  state: row.state,
  epoch: row.epoch,
  carrier: row.carrier,
  carrierCallId: row.carrier_call_id,
  hangupIntent: row.hangup_intent,
  endReason: row.end_reason,
  toNumber: row.to_number,
  fromNumber: row.from_number,
  claimedAt: row.claimed_at,
  pastHorizon: row.past_horizon,
});

const fenced = ({ dialId, epoch }: Claim): RawBuilder<unknown> => sql`id = ${dialId} AND epoch = ${epoch}`;

const PUBLIC_STATUS = { RINGING: "ringing", IN_PROGRESS: "in-progress" } as const;

/** Only browser dials ring without having been placed: they wait for their client. */
const advanceStatement = (dialId: string, state: "RINGING" | "IN_PROGRESS") => {
  const from = DIAL_STATES.filter((earlier) => mayMove(earlier, state));
  const status = PUBLIC_STATUS[state];
  return sql<{ id: string }>`
    WITH moved AS (
      UPDATE dial SET state = ${state}, status = ${status}, state_at = now(), confirmed_at = now(), updated_at = now(),
        started_at = CASE WHEN ${state} = 'IN_PROGRESS' THEN now() ELSE started_at END, version = version + 1,
        outbox_sequence = outbox_sequence + (webhook_url IS NOT NULL)::int
      WHERE id = ${dialId} AND state = ANY(${from}) AND (state <> 'QUEUED' OR direction = 'browser')
      RETURNING *),
    note AS (
      INSERT INTO outbox (workspace_id, dial_id, kind, event, sequence, payload)
      SELECT workspace_id, id, 'dial.updated:' || status, 'dial.updated', outbox_sequence,
        json_build_object('dial_session_id', session_id, 'dial_id', id, 'status', status, 'system_result_type', NULL)
      FROM moved WHERE webhook_url IS NOT NULL)
    SELECT id FROM moved`;
};
