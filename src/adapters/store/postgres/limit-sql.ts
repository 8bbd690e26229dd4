import { type RawBuilder, sql } from "kysely";
import type { WorkspaceLimits } from "../../../ports/workspace-limits.ts";

/** A workspace at its limit is asked for again after this time; a dial of its own that ends lets the worker ask sooner. */
const FULL_MS = 500;
/** Somebody older is next: their worker asks within half a second. */
const BEHIND_MS = 200;
/** A dial that was asked for within this time has a worker that is alive, and goes before younger ones. */
const READY = "3 s";

/** Carriers count over longer times than this: what a faster pace starts within it is not told apart. */
const PACE_MS = 10;

/**
 * How many milliseconds a dial must still wait for its workspace's limits, and 0 if it may start, which then counts against the pace. The
 * workspace's row is locked until the claim is in, and what is read after that is new: so of two processes that claim at the same
 * time, the second counts the dial of the first. Whoever waits for us is held to the number of calls alone.
 */
export const HOLD_FUNCTION = `CREATE OR REPLACE FUNCTION dial_hold(wanted text, most integer, kept integer, per_second float8)
RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  mine record;
  next_at timestamptz;
  held integer := 0;
BEGIN
  SELECT workspace_id, direction, created_at INTO mine FROM dial WHERE id = wanted;
  SELECT next_dial_at INTO next_at FROM workspace WHERE id = mine.workspace_id FOR NO KEY UPDATE;
  IF mine.direction = 'outbound' THEN
    most := most - kept;
  END IF;
  IF (SELECT count(*) FROM (SELECT 1 FROM dial WHERE workspace_id = mine.workspace_id
      AND state IN ('PLACING', 'RINGING', 'IN_PROGRESS') LIMIT most) AS live) >= most THEN
    held := ${FULL_MS};
  ELSIF mine.direction = 'outbound' THEN
    IF EXISTS (SELECT 1 FROM dial WHERE workspace_id = mine.workspace_id AND state = 'QUEUED'
        AND (created_at, id) < (mine.created_at, wanted) AND ready_at > clock_timestamp() - interval '${READY}') THEN
      held := ${BEHIND_MS};
    ELSIF next_at > clock_timestamp() + greatest(interval '0', interval '${PACE_MS} ms' - interval '1 s' / per_second) THEN
      held := ceil(extract(epoch FROM next_at - clock_timestamp()) * 1000);
    ELSE
      UPDATE workspace SET next_dial_at = greatest(next_at, clock_timestamp()) + interval '1 s' / per_second
        WHERE id = mine.workspace_id;
    END IF;
  END IF;
  IF held > 0 THEN
    UPDATE dial SET ready_at = clock_timestamp() WHERE id = wanted AND state = 'QUEUED' AND direction = 'outbound';
  END IF;
  RETURN held;
END $$`;

/** For the row of `dial` that is claimed; without limits every dial may start. */
export const holdMs = (limits: WorkspaceLimits | undefined): RawBuilder<number> =>
  limits === undefined
    ? sql<number>`0`
    : sql<number>`dial_hold(dial.id, ${limits.concurrency}::int, ${limits.reserve}::int, ${limits.perSecond}::float8)`;
