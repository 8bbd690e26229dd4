import { type RawBuilder, sql } from "kysely";
import { Batches } from "../../../kit/batches.ts";
import type { Claim, DialStore } from "../../../ports/store.ts";
import { HeldBack, type WorkspaceLimits } from "../../../ports/workspace-limits.ts";
import type { Databases } from "./databases.ts";
import { isConflict } from "./conflict.ts";
import { holdMs } from "./limit-sql.ts";
import type { KnownMark } from "./lineage.ts";
import { quarantined } from "./lineage-sql.ts";
import { PLAN_COLUMNS, type PlanRow, rowToPlan } from "./rows.ts";
import { waitingSince, windowOpen } from "./window-sql.ts";

/** How long a worker owns a dial without a sign of life; it beats every third of it. */
export const LEASE = "15 s";
/** A claim is a permit to place for this long; counted by the worker from before the claim, and noted here for the record. */
export const PLACE = "5 s";
/** A carrier's list may lack a call for 90 s after a request of up to 10 s, and then it may ring; 180 s at least. */
const LIST_LAG = "100 s";
const SHORTEST_HORIZON = "180 s";

/** A dial of a database that lacks what we have seen of it is asked for again after this time, by which that is noted. */
const CHANGED_MS = 1_000;

export const interval = (text: string): RawBuilder<unknown> => sql.raw(`interval '${text}'`);

/**
 * Claims. Those of one workspace follow one another, because each counts those before it. One that comes alone commits as everything does;
 * while another is under way, a claim is seen by the next one before it is on the disk, so that they do not wait for the disk one by one. A
 * further commit then makes all of them last that came together, and only after it anybody learns that a dial is theirs
 * (`docs/decisions/0028-claims-share-a-commit.md`). A database that lacks what is `known` of it refuses them.
 */
export const claiming = ({ system }: Databases, known: KnownMark): Pick<DialStore, "claim"> => {
  let underWay = 0;
  const lasting = new Batches<undefined>(() => COMMIT.execute(system));
  return {
    async claim(dialId, owner, limits) {
      const alone = underWay === 0;
      underWay += 1;
      try {
        const { rows } = await claimStatement({ dialId, owner, limits, alone }, known).execute(system);
        const claim = claimOf(dialId, rows[0]);
        if (claim !== undefined && !alone) await lasting.add(undefined);
        return claim;
      } catch (error) {
        // Another dial between the same two numbers is being placed: this one stays queued until that is settled.
        if (isConflict(error, "dial_placing")) return undefined;
        throw error;
      } finally {
        underWay -= 1;
      }
    },
  };
};

/** Writes next to nothing, and answers when that and all that was written before it is on the disk. */
const COMMIT = sql`SELECT pg_logical_emit_message(true, 'call-engine', '')`;

type Wanted = Readonly<{ dialId: string; owner: string; limits: WorkspaceLimits | undefined; alone: boolean }>;

const claimStatement = ({ dialId, owner, limits, alone }: Wanted, known: KnownMark): RawBuilder<ClaimedRow> => {
  const { generation = null, position = null } = known.mark ?? {};
  return sql<ClaimedRow>`
    WITH hold AS MATERIALIZED (
      SELECT id, CASE WHEN store_changed(${generation}::text, ${position}::pg_lsn) THEN ${CHANGED_MS}::int
        ELSE ${holdMs(limits)} END AS hold_ms,
        CASE WHEN NOT ${alone}::boolean THEN set_config('synchronous_commit', 'off', true) END
      FROM dial WHERE id = ${dialId} AND state = 'QUEUED' AND ${windowOpen} AND NOT ${quarantined}),
    claimed AS (UPDATE dial SET state = 'PLACING', state_at = now(), epoch = epoch + 1, owner = ${owner},
      lease_until = now() + ${interval(LEASE)}, place_deadline = now() + ${interval(PLACE)},
      reconcile_until = now() + greatest(${interval(SHORTEST_HORIZON)},
        ${interval(LIST_LAG)} + ring_timeout_ms * interval '1 ms'),
      confirmed_at = now(), updated_at = now(), version = version + 1
    FROM hold WHERE dial.id = hold.id AND hold.hold_ms = 0 AND state = 'QUEUED'
    RETURNING dial.id AS claimed_id, epoch, EXISTS (SELECT 1 FROM do_not_call
        WHERE do_not_call.workspace_id = dial.workspace_id AND do_not_call.number = dial.to_number) AS do_not_call,
      (extract(epoch FROM now() - ${waitingSince}) * 1000)::float8 AS queued_ms,
      ${sql.join(PLAN_COLUMNS.map((column) => sql.ref(`dial.${column}`)))})
    SELECT hold.hold_ms, claimed.* FROM hold LEFT JOIN claimed ON true`;
};

/** All but `hold_ms` is null when the dial was held back, or somebody else was quicker. */
type ClaimedRow = PlanRow & {
  hold_ms: number;
  claimed_id: string | null;
  epoch: number;
  queued_ms: number;
  do_not_call: boolean;
};

const claimOf = (dialId: string, row: ClaimedRow | undefined): Claim | undefined => {
  if (row === undefined) return undefined;
  if (row.hold_ms > 0) throw new HeldBack(row.hold_ms);
  return row.claimed_id === null
    ? undefined
    : { dialId, epoch: row.epoch, plan: rowToPlan(row), queuedMs: row.queued_ms, doNotCall: row.do_not_call };
};
