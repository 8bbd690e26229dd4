import { type RawBuilder, type Selectable, sql, type Transaction } from "kysely";
import { shownOfPlan } from "./shown-of-plan.ts";
import { erasedPlan } from "../../../model/erased-plan.ts";
import type { Erasure, ErasureCause } from "../../../model/erasure.ts";
import { KEPT_DAYS, type DueErasure, type Erasures } from "../../../ports/erasures.ts";
import type { Databases } from "./databases.ts";
import { Records } from "./records.ts";
import { isStorable } from "./storable.ts";
import type { DialTable, Tables } from "./tables.ts";

type Row = Readonly<{ id: string; cause: ErasureCause; dial_id: string | null; dials: number; created_at: Date }>;

/** Erasure and housekeeping. Whoever asks is bound to a workspace; what is due is done across all of them. */
export const erasures = (databases: Databases): Erasures => ({
  ...marking(databases),
  ...finding(databases),
  ...erasing(databases),
});

const marking = (databases: Databases): Pick<Erasures, "markDial" | "markNumber" | "list"> => {
  const records = new Records<Erasure, Row>(databases, {
    name: "erasure",
    columns: ["id", "cause", "dial_id", "dials", "created_at"],
    fromRow: toErasure,
    toRow: ({ cause, dialId, dials }) => ({ cause, dial_id: dialId ?? null, dials }),
  });
  return {
    list: (workspaceId, page) => records.list({ workspaceId }, page),

    markDial: (workspaceId, dialId) =>
      databases.inWorkspace(workspaceId, async (transaction) => {
        if (!isStorable(dialId)) return "unknown";
        const { rows } = await sql<{ over: boolean }>`
          UPDATE dial SET erase_at = CASE WHEN state = 'ENDED' THEN coalesce(erase_at, now()) ELSE erase_at END,
            erase_cause = CASE WHEN state = 'ENDED' THEN coalesce(erase_cause, 'dial') ELSE erase_cause END
          WHERE id = ${dialId} RETURNING state = 'ENDED' AS over`.execute(transaction);
        const [row] = rows;
        if (row === undefined) return "unknown";
        return row.over ? "marked" : "open";
      }),

    markNumber: (workspaceId, erasureId, number) =>
      databases.inWorkspace(workspaceId, async (transaction) => {
        const { rows } = await sql<Row>`WITH marked AS (
            UPDATE dial SET erase_at = coalesce(erase_at, now()), erase_cause = coalesce(erase_cause, 'number')
            WHERE erased_at IS NULL AND (direction = 'outbound' AND to_number = ${number}
              OR direction = 'inbound' AND from_number = ${number})
            RETURNING id)
          INSERT INTO erasure (id, workspace_id, cause, dials)
          SELECT ${erasureId}, ${workspaceId}, 'number', count(*) FROM marked
          RETURNING id, cause, dial_id, dials, created_at`.execute(transaction);
        const [row] = rows;
        if (row === undefined) throw new Error("an erasure that was noted is not there");
        return toErasure(row);
      }),
  };
};

const finding = ({ system }: Databases): Pick<Erasures, "findMarked" | "findExpired" | "standingOf"> => ({
  async findMarked(limit, workspaceId) {
    const own = workspaceId === undefined ? sql`true` : sql`workspace_id = ${workspaceId}`;
    const { rows } = await sql<DueRow>`SELECT id, workspace_id, erase_cause AS cause FROM dial
      WHERE erase_at < now() + interval '1 s' AND erased_at IS NULL AND state = 'ENDED' AND ${own}
      ORDER BY erase_at LIMIT ${limit}`.execute(system);
    return rows.map(toDue);
  },

  async findExpired(limit, otherwiseDays) {
    // One step through the index for each number of days that occurs, however many dials have it.
    const { rows } = await sql<DueRow>`WITH RECURSIVE kept (days) AS (
        SELECT min(retention_days) FROM dial WHERE ${UNERASED}
        UNION ALL
        SELECT (SELECT min(retention_days) FROM dial WHERE ${UNERASED} AND retention_days > kept.days)
        FROM kept WHERE kept.days IS NOT NULL)
      SELECT found.* FROM kept CROSS JOIN LATERAL (${expired(sql`retention_days = kept.days`, sql`kept.days`, limit)}) AS found
      WHERE kept.days IS NOT NULL LIMIT ${limit}`.execute(system);
    if (otherwiseDays === undefined || rows.length >= limit) return rows.map(toDue);
    const others = await expired(sql`retention_days IS NULL`, sql`${otherwiseDays}::int`, limit).execute(system);
    return [...rows, ...others.rows].slice(0, limit).map(toDue);
  },

  async standingOf(dialId) {
    if (!isStorable(dialId)) return undefined;
    const { rows } = await sql<{ over: boolean; erased: boolean }>`
      SELECT state = 'ENDED' AND ended_at < now() - interval '60 s' AS over, erased_at IS NOT NULL AS erased FROM dial WHERE id = ${dialId}`.execute(
      system,
    );
    return rows[0];
  },
});

const erasing = ({ system }: Databases): Pick<Erasures, "erase" | "tidy"> => ({
  erase: (due, erasureId) => system.transaction().execute((transaction) => eraseOne(transaction, due, erasureId)),

  async tidy(limit) {
    let deleted = 0;
    for (const statement of outdated(limit)) {
      const { numAffectedRows } = await statement.execute(system);
      deleted += Number(numAffectedRows ?? 0);
    }
    return deleted;
  },
});

const eraseOne = async (
  transaction: Transaction<Tables>,
  { dialId, workspaceId, cause }: DueErasure,
  erasureId: string,
): Promise<void> => {
  const { rows } = await sql<{ plan: DialPlan; erased: boolean }>`SELECT plan, erased_at IS NOT NULL AS erased FROM dial
    WHERE id = ${dialId} AND state = 'ENDED' FOR UPDATE`.execute(transaction);
  const [row] = rows;
  if (row === undefined || row.erased) return;
  const plan = erasedPlan(row.plan);
  await sql`UPDATE dial SET plan = ${JSON.stringify(plan)}::json, shown = ${JSON.stringify(shownOfPlan(plan))}::json, from_number = NULL, to_number = NULL,
      carrier_call_id = NULL, ai_result = NULL, ai_result_evidence = NULL, spent_tokens = '{}',
      erase_at = coalesce(erase_at, now()), erase_cause = coalesce(erase_cause, ${cause}), erased_at = now(),
      updated_at = now()
    WHERE id = ${dialId}`.execute(transaction);
  for (const table of ["transcript_entry", "turn_record", "recording"])
    await sql`DELETE FROM ${sql.table(table)} WHERE dial_id = ${dialId}`.execute(transaction);
  // Events keep their place, so that what follows them is delivered; those that told of the person tell that they do no longer.
  await sql`UPDATE outbox SET payload = json_build_object('dial_id', dial_id, 'erased', true)
    WHERE dial_id = ${dialId} AND event <> ALL (${IMPERSONAL})`.execute(transaction);
  await sql`UPDATE do_not_call SET dial_id = NULL WHERE dial_id = ${dialId}`.execute(transaction);
  await sql`INSERT INTO erasure (id, workspace_id, cause, dial_id, dials)
    VALUES (${erasureId}, ${workspaceId}, ${cause}, ${dialId}, 1)`.execute(transaction);
};

type DialPlan = Selectable<DialTable>["plan"];

/** Events whose payloads hold nothing but ids and states. */
const IMPERSONAL = ["dial.created", "dial.updated", "dial.corrected", "dial.recording_created"];

/** In the order of `erase`: what is old goes oldest first, and a row that somebody holds is left for the next time. */
const outdated = (limit: number): readonly RawBuilder<unknown>[] => [
  sql`DELETE FROM idempotency_key WHERE ctid IN (SELECT ctid FROM idempotency_key
    WHERE created_at < now() - ${days(KEPT_DAYS.idempotencyKeys)} ORDER BY created_at LIMIT ${limit}
    FOR UPDATE SKIP LOCKED)`,
  sql`DELETE FROM outbox WHERE id IN (SELECT id FROM outbox
    WHERE state <> 'pending' AND created_at < now() - ${days(KEPT_DAYS.deliveries)} ORDER BY created_at LIMIT ${limit}
    FOR UPDATE SKIP LOCKED)`,
  sql`DELETE FROM dial_event WHERE (dial_id, source_id) IN (SELECT dial_id, source_id FROM dial_event
    WHERE at < now() - ${days(KEPT_DAYS.dialEvents)} ORDER BY at LIMIT ${limit})`,
];

const UNERASED = sql`state = 'ENDED' AND erased_at IS NULL`;

const expired = (which: RawBuilder<unknown>, age: RawBuilder<unknown>, limit: number): RawBuilder<DueRow> =>
  sql<DueRow>`SELECT id, workspace_id, 'retention' AS cause FROM dial
    WHERE ${UNERASED} AND ${which} AND ended_at < now() - ${age} * interval '1 day' ORDER BY ended_at LIMIT ${limit}`;

const days = (count: number): RawBuilder<unknown> => sql.raw(`interval '${count} days'`);

type DueRow = Readonly<{ id: string; workspace_id: string; cause: ErasureCause }>;

const toDue = ({ id, workspace_id: workspaceId, cause }: DueRow): DueErasure => ({ dialId: id, workspaceId, cause });

const toErasure = (row: Row): Erasure => ({
  id: row.id,
  cause: row.cause,
  ...(row.dial_id === null ? {} : { dialId: row.dial_id }),
  dials: row.dials,
  createdAt: row.created_at.toISOString(),
});
