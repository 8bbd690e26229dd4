import { type RawBuilder, sql } from "kysely";

/** Whether a dial, a row of `dial`, is called within a window at all. */
export const hasWindow: RawBuilder<boolean> = sql<boolean>`dial.calling_window IS NOT NULL`;

/**
 * Whether a dial's calling window is open now, over a row of `dial`: in every time zone that the number may be in, by the database's
 * clock. Always, for a dial without one.
 */
export const windowOpen: RawBuilder<boolean> = sql<boolean>`CASE WHEN ${hasWindow} THEN NOT EXISTS (
  SELECT 1 FROM json_array_elements_text(dial.calling_window->'zones') AS zone
  CROSS JOIN LATERAL (SELECT now() AT TIME ZONE zone AS at) AS local
  WHERE NOT ((dial.calling_window->'days')::jsonb @> to_jsonb(extract(isodow FROM local.at)::int)
    AND local.at::time >= (dial.calling_window->>'start')::time
    AND local.at::time < (dial.calling_window->>'end')::time)) ELSE true END`;

/** Since when a dial has waited for a worker: the time that its window was closed does not count. */
export const waitingSince: RawBuilder<Date> = sql<Date>`greatest(dial.created_at, dial.not_before)`;
