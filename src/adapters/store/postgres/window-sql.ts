import { type RawBuilder, sql } from "kysely";

/**
 * Whether a dial's calling window is open now, over a row of `dial`: in every time zone that the number may be in, by the database's
 * clock. Always, for a dial without one.
 */
export const windowOpen: RawBuilder<boolean> = sql<boolean>`NOT EXISTS (
  SELECT 1 FROM json_array_elements_text(dial.plan->'callingWindow'->'zones') AS zone
  CROSS JOIN LATERAL (SELECT now() AT TIME ZONE zone AS at) AS local
  WHERE NOT ((dial.plan->'callingWindow'->'days')::jsonb @> to_jsonb(extract(isodow FROM local.at)::int)
    AND local.at::time >= (dial.plan->'callingWindow'->>'start')::time
    AND local.at::time < (dial.plan->'callingWindow'->>'end')::time))`;

/** Since when a dial has waited for a worker: the time that its window was closed does not count. */
export const waitingSince: RawBuilder<Date> = sql<Date>`greatest(dial.created_at, dial.not_before)`;
