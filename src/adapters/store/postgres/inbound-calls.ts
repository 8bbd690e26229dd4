import { sql } from "kysely";
import type { DialStore } from "../../../ports/store.ts";
import type { Databases } from "./databases.ts";
import { planToRow, rowToPhoneNumber } from "./rows.ts";
import { isStorable } from "./storable.ts";

type NumberRow = Parameters<typeof rowToPhoneNumber>[0] & Readonly<{ workspace_id: string }>;

/** What a carrier's call leads to, across workspaces: the carrier knows none. Of a plan only what the call itself reads is revised. */
export const inboundCalls = ({
  system,
}: Databases): Pick<DialStore, "findAnsweringNumber" | "findByCall" | "revise"> => ({
  async revise(plan) {
    const row = planToRow(plan);
    const { rows } = await sql`
      UPDATE dial SET plan = ${row.plan}::json, shown = ${row.shown}::json, calling_window = ${row.calling_window}::json,
        retention_days = ${row.retention_days}::int, updated_at = now()
      WHERE id = ${row.id} AND state = 'QUEUED' RETURNING id`.execute(system);
    return rows.length > 0;
  },

  async findAnsweringNumber(account, number) {
    if (!isStorable(account) || !isStorable(number)) return undefined;
    const { rows } = await sql<NumberRow>`
      SELECT workspace_id, id, number, agent_id, rest FROM phone_number
      WHERE number = ${number} AND agent_id IS NOT NULL
        AND coalesce(rest->>'carrierAccountId', rest->>'carrier') = ${account}
      ORDER BY created_at, id LIMIT 1`.execute(system);
    const [row] = rows;
    return row && { workspaceId: row.workspace_id, number: rowToPhoneNumber(row) };
  },

  async findByCall(account, carrierCallId) {
    if (!isStorable(account) || !isStorable(carrierCallId)) return undefined;
    const { rows } = await sql<{ id: string }>`
      SELECT id FROM dial WHERE carrier = ${account} AND carrier_call_id = ${carrierCallId}`.execute(system);
    return rows[0]?.id;
  },
});
