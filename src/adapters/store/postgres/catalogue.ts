import { type RawBuilder, sql, type SqlBool, type Transaction } from "kysely";
import type { Random } from "../../../ports/random.ts";
import type { Catalogue, PageRequest, Positioned } from "../../../ports/store.ts";
import type { Databases } from "./databases.ts";
import {
  agentToRow,
  phoneNumberToRow,
  promptToRow,
  rowToAgent,
  rowToFunction,
  rowToPhoneNumber,
  rowToPrompt,
} from "./rows.ts";
import { isStorable } from "./storable.ts";
import type { Tables } from "./tables.ts";

/** What customers configure. */
export const catalogue = (databases: Databases, random: Random): Catalogue => ({
  ...keys(databases, random),
  ...look(databases),
  ...lists(databases),

  async seed({ workspaceId, agent, prompt, phoneNumber }) {
    await databases.inWorkspace(workspaceId, async (transaction) => {
      const values = { id: workspaceId };
      await transaction
        .insertInto("workspace")
        .values(values)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      await transaction
        .insertInto("agent")
        .values(agentToRow(workspaceId, agent))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      await transaction
        .insertInto("versioned_prompt")
        .values(promptToRow(workspaceId, agent.id, prompt))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      await transaction
        .insertInto("phone_number")
        .values(phoneNumberToRow(workspaceId, phoneNumber))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    });
  },
});

const keys = ({ system, inWorkspace }: Databases, random: Random): Pick<Catalogue, "findApiKey" | "putApiKey"> => ({
  async findApiKey(sha256) {
    const row = await system
      .selectFrom("api_key")
      .select(["id", "workspace_id", "kind"])
      .where("sha256", "=", sha256)
      .executeTakeFirst();
    return row === undefined ? undefined : { id: row.id, workspaceId: row.workspace_id, kind: row.kind };
  },

  async putApiKey({ workspaceId, sha256, kind, label }) {
    await inWorkspace(workspaceId, async (transaction) => {
      await transaction
        .insertInto("workspace")
        .values({ id: workspaceId })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      await transaction
        .insertInto("api_key")
        .values({ id: random.id(), workspace_id: workspaceId, sha256, kind, label })
        .onConflict((conflict) => conflict.column("sha256").doNothing())
        .execute();
    });
  },
});

type Look = Pick<Catalogue, "findAgent" | "findPrompt" | "newestPrompt" | "findPhoneNumber" | "findFunctions">;

const look = ({ inWorkspace }: Databases): Look => ({
  async findAgent(workspaceId, id) {
    if (!isStorable(id)) return undefined;
    const row = await inWorkspace(workspaceId, (transaction) =>
      transaction.selectFrom("agent").select(["id", "name", "rest"]).where("id", "=", id).executeTakeFirst(),
    );
    return row === undefined ? undefined : rowToAgent(row);
  },

  async findPrompt(workspaceId, agentId, id) {
    if (!isStorable(agentId) || !isStorable(id)) return undefined;
    const row = await inWorkspace(workspaceId, (transaction) =>
      promptsOf(transaction, agentId).where("id", "=", id).executeTakeFirst(),
    );
    return row === undefined ? undefined : rowToPrompt(row);
  },

  async newestPrompt(workspaceId, agentId) {
    if (!isStorable(agentId)) return undefined;
    const row = await inWorkspace(workspaceId, (transaction) =>
      promptsOf(transaction, agentId).orderBy("created_at", "desc").orderBy("id", "desc").limit(1).executeTakeFirst(),
    );
    return row === undefined ? undefined : rowToPrompt(row);
  },

  async findPhoneNumber(workspaceId, id) {
    if (!isStorable(id)) return undefined;
    const row = await inWorkspace(workspaceId, (transaction) =>
      transaction
        .selectFrom("phone_number")
        .select(["id", "number", "agent_id", "rest"])
        .where("id", "=", id)
        .executeTakeFirst(),
    );
    return row === undefined ? undefined : rowToPhoneNumber(row);
  },

  async findFunctions(workspaceId, ids) {
    const rows = await inWorkspace(workspaceId, (transaction) =>
      transaction
        .selectFrom("function_definition")
        .select(["id", "rest"])
        .where((where) => where("id", "=", where.fn.any(where.val(ids.filter(isStorable)))))
        .execute(),
    );
    const found = new Map(rows.map((row) => [row.id, rowToFunction(row)]));
    return ids.flatMap((id) => found.get(id) ?? []);
  },
});

const promptsOf = (transaction: Transaction<Tables>, agentId: string) =>
  transaction.selectFrom("versioned_prompt").select(["id", "rest"]).where("agent_id", "=", agentId);

const lists = ({ inWorkspace }: Databases): Pick<Catalogue, "listAgents" | "listPhoneNumbers"> => ({
  async listAgents(workspaceId, page) {
    const rows = await inWorkspace(workspaceId, (transaction) =>
      transaction
        .selectFrom("agent")
        .select(["id", "name", "rest", "created_at"])
        .where(after(page))
        .orderBy("created_at")
        .orderBy("id")
        .limit(page.limit + 1)
        .execute(),
    );
    return positioned(rows, page, rowToAgent);
  },

  async listPhoneNumbers(workspaceId, page) {
    const rows = await inWorkspace(workspaceId, (transaction) =>
      transaction
        .selectFrom("phone_number")
        .select(["id", "number", "agent_id", "rest", "created_at"])
        .where(after(page))
        .orderBy("created_at")
        .orderBy("id")
        .limit(page.limit + 1)
        .execute(),
    );
    return positioned(rows, page, rowToPhoneNumber);
  },
});

/** The rows that come after a page's last one; all of them on the first page. */
const after = ({ after: last }: PageRequest): RawBuilder<SqlBool> =>
  last === undefined
    ? sql<SqlBool>`true`
    : sql<SqlBool>`(created_at, id) > (${last.createdAt}::timestamptz, ${last.id}::text)`;

/** Cuts the row too many, which tells that there is another page. */
const positioned = <Row extends { id: string; created_at: Date }, T>(
  rows: readonly Row[],
  { limit }: PageRequest,
  map: (row: Row) => T,
): Positioned<T> => {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const next =
    rows.length > limit && last !== undefined ? { createdAt: last.created_at.toISOString(), id: last.id } : null;
  return { items: items.map(map), next };
};
