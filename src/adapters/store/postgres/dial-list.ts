import { type Selectable, sql } from "kysely";
import type { CallPlan } from "../../../model/call-plan.ts";
import type { DialSummary } from "../../../model/dial.ts";
import type { PageRequest } from "../../../ports/page.ts";
import type { DialFilter, DialStore } from "../../../ports/store.ts";
import type { Databases } from "./databases.ts";
import { PROGRESS_COLUMNS, type ProgressRow, summaryOf } from "./dial-summary.ts";
import { type ShownOfPlan, shownOfPlan } from "./shown-of-plan.ts";
import { positioned } from "./records.ts";
import { isStorable } from "./storable.ts";
import type { DialTable } from "./tables.ts";

/** What lists show of a plan, or the whole plan of a dial that the version before has written. */
type ListRow = ProgressRow &
  Pick<Selectable<DialTable>, "direction" | "from_number" | "to_number"> &
  (Readonly<{ shown: ShownOfPlan; whole: null }> | Readonly<{ shown: null; whole: CallPlan }>);

/** Lists of dials. Only what they show is read of a plan, which holds whole prompts. */
export const dialLists = ({ inWorkspace }: Databases): Pick<DialStore, "list"> => ({
  list: (workspaceId, filter, page) =>
    inWorkspace(workspaceId, async (transaction) => {
      const { rows } = await sql<ListRow>`
        SELECT id, direction, from_number, to_number, ${sql.join(PROGRESS_COLUMNS.map((column) => sql.ref(column)))},
          shown, CASE WHEN shown IS NULL THEN plan END AS whole
        FROM dial WHERE workspace_id = ${workspaceId} AND ${sql.join(conditions(filter, page), sql` AND `)}
        ORDER BY created_at DESC, id DESC LIMIT ${page.limit + 1}`.execute(transaction);
      return positioned(rows, page, toSummary);
    }),
});

const conditions = ({ agentId, status, createdAfter, createdBefore }: DialFilter, { after: last }: PageRequest) => [
  last === undefined ? sql`true` : sql`(created_at, id) < (${last.createdAt}::timestamptz, ${last.id}::text)`,
  ...(agentId === undefined ? [] : [isStorable(agentId) ? sql`agent_id = ${agentId}` : sql`false`]),
  ...(status === undefined ? [] : [sql`status = ${status}`]),
  ...(createdAfter === undefined ? [] : [sql`created_at > ${createdAfter}::timestamptz`]),
  ...(createdBefore === undefined ? [] : [sql`created_at < ${createdBefore}::timestamptz`]),
];

const toSummary = (row: ListRow): DialSummary =>
  summaryOf(row, {
    ...(row.shown ?? shownOfPlan(row.whole)),
    direction: row.direction,
    fromNumber: row.from_number,
    toNumber: row.to_number,
  });
