import { sql } from "kysely";
import type { ApiKey } from "../../../model/api-key.ts";
import type { Random } from "../../../ports/random.ts";
import type { Catalogue } from "../../../ports/store.ts";
import type { Databases } from "./databases.ts";
import { Records } from "./records.ts";

type Keys = Pick<Catalogue, "findApiKey" | "putApiKey" | "listApiKeys" | "addApiKey" | "removeApiKey">;

type KeyRow = Readonly<{
  id: string;
  kind: ApiKey["type"];
  label: string;
  allowed_agent_ids: readonly string[] | null;
  created_at: Date;
}>;

const COLUMNS = ["id", "kind", "label", "allowed_agent_ids", "created_at"] as const;

/** The keys of a workspace, by their hashes; a key itself is never here. */
export const apiKeys = (databases: Databases, random: Random): Keys => {
  const records = new Records<ApiKey, KeyRow>(databases, {
    name: "api_key",
    columns: COLUMNS,
    fromRow: rowToKey,
    toRow: ({ name, type, allowedAgentIds }) => ({
      label: name,
      kind: type,
      allowed_agent_ids: allowedText(allowedAgentIds),
    }),
  });
  return {
    async findApiKey(sha256) {
      const row = await databases.system
        .selectFrom("api_key")
        .select(["id", "workspace_id", "kind", "allowed_agent_ids"])
        .where("sha256", "=", sha256)
        .executeTakeFirst();
      return row === undefined
        ? undefined
        : {
            id: row.id,
            workspaceId: row.workspace_id,
            kind: row.kind,
            ...(row.allowed_agent_ids === null ? {} : { allowedAgentIds: row.allowed_agent_ids }),
          };
    },

    async putApiKey({ workspaceId, sha256, kind, label }) {
      await databases.inWorkspace(workspaceId, async (transaction) => {
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

    listApiKeys: (workspaceId, page) => records.list({ workspaceId }, page),

    addApiKey: (workspaceId, { id, name, type, allowedAgentIds, sha256 }) =>
      databases.inWorkspace(workspaceId, async (transaction) => {
        const { rows } = await sql<KeyRow>`
          INSERT INTO api_key (id, workspace_id, sha256, kind, label, allowed_agent_ids)
          VALUES (${id}, ${workspaceId}, ${sha256}, ${type}, ${name}, ${allowedText(allowedAgentIds)})
          RETURNING ${sql.join(COLUMNS.map((column) => sql.ref(column)))}`.execute(transaction);
        const [row] = rows;
        if (row === undefined) throw new Error("a key that was added is not there");
        return rowToKey(row);
      }),

    removeApiKey: (workspaceId, id) => records.remove({ workspaceId }, id),
  };
};

const allowedText = (ids: readonly string[] | undefined): string | null =>
  ids === undefined ? null : JSON.stringify(ids);

const rowToKey = (row: KeyRow): ApiKey => ({
  id: row.id,
  name: row.label,
  type: row.kind,
  ...(row.allowed_agent_ids === null ? {} : { allowedAgentIds: [...row.allowed_agent_ids] }),
  createdAt: row.created_at.toISOString(),
});
