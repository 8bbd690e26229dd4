import { type RawBuilder, sql } from "kysely";

/** Whether a dial, a row of `dial`, is called within a window at all. Looks at the text, which any plan has. */
export const hasWindow: RawBuilder<boolean> = sql<boolean>`strpos(dial.plan::text, '"callingWindow"') > 0`;

/**
 * The window of a dial. `json` may hold characters that PostgreSQL cannot make text of (U+0000, lone surrogates), and then refuses to look
 * into it at all; no window has any of those, so that they may become spaces before.
 */
const window = sql`(regexp_replace(dial.plan::text, '\\\\u[0-9a-fA-F]{4}', '\\\\u0020', 'g')::json->'callingWindow')`;

/**
 * Whether a dial's calling window is open now, over a row of `dial`: in every time zone that the number may be in, by the database's
 * clock. Always, for a dial without one.
 */
export const windowOpen: RawBuilder<boolean> = sql<boolean>`CASE WHEN ${hasWindow} THEN NOT EXISTS (
  SELECT 1 FROM (SELECT ${window} AS said OFFSET 0) AS calling
  CROSS JOIN LATERAL json_array_elements_text(calling.said->'zones') AS zone
  CROSS JOIN LATERAL (SELECT now() AT TIME ZONE zone AS at) AS local
  WHERE NOT ((calling.said->'days')::jsonb @> to_jsonb(extract(isodow FROM local.at)::int)
    AND local.at::time >= (calling.said->>'start')::time
    AND local.at::time < (calling.said->>'end')::time)) ELSE true END`;

/** Since when a dial has waited for a worker: the time that its window was closed does not count. */
export const waitingSince: RawBuilder<Date> = sql<Date>`greatest(dial.created_at, dial.not_before)`;
