import { sql } from "kysely";
import type { DoNotCall } from "../../../model/do-not-call.ts";
import type { DoNotCallRecords } from "../../../ports/do-not-call.ts";
import type { Databases } from "./databases.ts";
import { positioned, Records } from "./records.ts";
import { isStorable } from "./storable.ts";

type Row = Readonly<{ id: string; number: string; reason: string | null; dial_id: string | null; created_at: Date }>;

const COLUMNS = ["id", "number", "reason", "dial_id", "created_at"] as const;
const columns = sql.join(COLUMNS.map((column) => sql.ref(column)));

/** The numbers that a workspace does not call; one row for each. */
export const doNotCallRecords = (databases: Databases): DoNotCallRecords => {
  const records = new Records<DoNotCall, Row>(databases, {
    name: "do_not_call",
    columns: COLUMNS,
    fromRow: toEntry,
    toRow: ({ number, reason, dialId }) => ({ number, reason: reason ?? null, dial_id: dialId ?? null }),
  });
  return {
    listDoNotCall: (workspaceId, page, number) =>
      number === undefined
        ? records.list({ workspaceId }, page)
        : databases.inWorkspace(workspaceId, async (transaction) => {
            if (!isStorable(number)) return { items: [], next: null };
            const { rows } = await sql<Row>`SELECT ${columns} FROM do_not_call WHERE number = ${number}`.execute(
              transaction,
            );
            return positioned(rows, page, toEntry);
          }),

    addDoNotCall: (workspaceId, { id, number, reason, dialId }) =>
      databases.inWorkspace(workspaceId, async (transaction) => {
        // The update changes nothing, and makes the row that stands the answer.
        const { rows } = await sql<Row>`
          INSERT INTO do_not_call (id, workspace_id, number, reason, dial_id)
          VALUES (${id}, ${workspaceId}, ${number}, ${reason ?? null}, ${dialId ?? null})
          ON CONFLICT (workspace_id, number) DO UPDATE SET number = excluded.number
          RETURNING ${columns}`.execute(transaction);
        const [row] = rows;
        if (row === undefined) throw new Error("a number that was added is not there");
        return { entry: toEntry(row), added: row.id === id };
      }),

    removeDoNotCall: (workspaceId, id) => records.remove({ workspaceId }, id),
  };
};

const toEntry = (row: Row): DoNotCall => ({
  id: row.id,
  number: row.number,
  ...(row.reason === null ? {} : { reason: row.reason }),
  ...(row.dial_id === null ? {} : { dialId: row.dial_id }),
  createdAt: row.created_at.toISOString(),
});
