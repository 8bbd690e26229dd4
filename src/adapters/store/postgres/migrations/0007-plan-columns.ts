import { type RawBuilder, sql } from "kysely";
import type { Migration } from "./migration.ts";

/**
 * The window of a plan, which processes of the version before write into nothing else. `json` may hold characters that PostgreSQL cannot
 * make text of (U+0000, lone surrogates), and then refuses to look into it at all; no window has any of those, so that they may become spaces
 * before.
 */
const windowOf = (plan: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`CASE WHEN strpos(${plan}::text, '"callingWindow"') > 0 THEN
    regexp_replace(${plan}::text, '\\\\u[0-9a-fA-F]{4}', '\\\\u0020', 'g')::json->'callingWindow' END`;

/**
 * What statements and lists need of a plan has columns of its own, so that no statement looks into the plan. They follow it when a process of
 * the version before writes it, which is on until none runs: a dial's window then comes from the plan, and `shown` is null, for which
 * lists read the whole plan.
 */
export const planColumns: Migration = {
  name: "0007-plan-columns",
  statements: [
    sql`ALTER TABLE dial ADD COLUMN shown json, ADD COLUMN calling_window json`,
    sql`CREATE FUNCTION dial_follow_plan() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'INSERT' AND NEW.shown IS NULL
        OR TG_OP = 'UPDATE' AND NEW.plan::text <> OLD.plan::text AND NEW.shown::text IS NOT DISTINCT FROM OLD.shown::text THEN
        NEW.shown := NULL;
        NEW.calling_window := ${windowOf(sql`NEW.plan`)};
      END IF;
      RETURN NEW;
    END $$`,
    sql`CREATE TRIGGER dial_follow_plan BEFORE INSERT OR UPDATE OF plan ON dial
      FOR EACH ROW EXECUTE FUNCTION dial_follow_plan()`,
    sql`UPDATE dial SET calling_window = ${windowOf(sql`plan`)}
      WHERE state = 'QUEUED' AND strpos(plan::text, '"callingWindow"') > 0`,
  ],
};
