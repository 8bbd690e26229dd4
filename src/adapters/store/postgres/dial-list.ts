import { type Selectable, sql } from "kysely";
import type { CallPlan } from "../../../model/call-plan.ts";
import type { DialSummary } from "../../../model/dial.ts";
import type { PageRequest } from "../../../ports/page.ts";
import type { DialFilter, DialStore } from "../../../ports/store.ts";
import type { Databases } from "./databases.ts";
import { PROGRESS_COLUMNS, type ProgressRow, summaryOf } from "./dial-summary.ts";
import { positioned } from "./records.ts";
import { isStorable } from "./storable.ts";
import type { DialTable } from "./tables.ts";

type ShownPlan = Pick<CallPlan, "agent" | "inputs" | "warnings"> &
  Readonly<{ voice_id: string; prompt_id: string; from_number_id: string | null }>;

/** Either the plan or what lists show of it. */
type ListRow = ProgressRow &
  Pick<Selectable<DialTable>, "direction" | "from_number" | "to_number"> &
  ((ShownPlan & Readonly<{ whole: null }>) | Readonly<{ whole: CallPlan }>);

/** PostgreSQL keeps such characters in JSON and refuses to take any part out of it. */
const opaque = sql<boolean>`plan::text ~ '\\\\u(0000|[dD][89a-fA-F])'`;

/** Lists of dials. Only what they show is read of a plan, which holds whole prompts. */
export const dialLists = ({ inWorkspace }: Databases): Pick<DialStore, "list"> => ({
  list: (workspaceId, filter, page) =>
    inWorkspace(workspaceId, async (transaction) => {
      const { rows } = await sql<ListRow>`
        SELECT id, direction, from_number, to_number, ${sql.join(PROGRESS_COLUMNS.map((column) => sql.ref(column)))},
          CASE WHEN ${opaque} THEN plan END AS whole, ${sql.join(SHOWN_OF_PLAN)}
        FROM dial WHERE workspace_id = ${workspaceId} AND ${sql.join(conditions(filter, page), sql` AND `)}
        ORDER BY created_at DESC, id DESC LIMIT ${page.limit + 1}`.execute(transaction);
      return positioned(rows, page, toSummary);
    }),
});

const SHOWN_OF_PLAN = (
  [
    ["agent", sql`plan->'agent'`],
    ["inputs", sql`plan->'inputs'`],
    ["warnings", sql`plan->'warnings'`],
    ["voice_id", sql`plan->'voice'->>'id'`],
    ["prompt_id", sql`plan->'prompt'->>'id'`],
    ["from_number_id", sql`plan->>'fromNumberId'`],
  ] as const
).map(([name, part]) => sql`CASE WHEN ${opaque} THEN NULL ELSE ${part} END AS ${sql.ref(name)}`);

const conditions = ({ agentId, status, createdAfter, createdBefore }: DialFilter, { after: last }: PageRequest) => [
  last === undefined ? sql`true` : sql`(created_at, id) < (${last.createdAt}::timestamptz, ${last.id}::text)`,
  ...(agentId === undefined ? [] : [isStorable(agentId) ? sql`agent_id = ${agentId}` : sql`false`]),
  ...(status === undefined ? [] : [sql`status = ${status}`]),
  ...(createdAfter === undefined ? [] : [sql`created_at > ${createdAfter}::timestamptz`]),
  ...(createdBefore === undefined ? [] : [sql`created_at < ${createdBefore}::timestamptz`]),
];

const toSummary = (row: ListRow): DialSummary =>
  summaryOf(row, {
    ...shownOf(row),
    direction: row.direction,
    fromNumber: row.from_number,
    toNumber: row.to_number,
  });

const shownOf = (row: ListRow) => {
  if (row.whole !== null) {
    const { agent, inputs, warnings, voice, prompt, fromNumberId = null } = row.whole;
    return { agent, inputs, warnings, voiceId: voice.id, promptId: prompt.id, fromNumberId };
  }
  const { agent, inputs, warnings, voice_id: voiceId, prompt_id: promptId, from_number_id: fromNumberId } = row;
  return { agent, inputs, warnings, voiceId, promptId, fromNumberId };
};
