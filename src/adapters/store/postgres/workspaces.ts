import { sql } from "kysely";
import type { FirstKey, Workspaces } from "../../../ports/workspaces.ts";
import type { Databases } from "./databases.ts";
import { isStorable } from "./storable.ts";

/** As the role that sees all workspaces; each method is one statement. */
export const workspaces = ({ system }: Pick<Databases, "system">): Workspaces => ({
  async add({ id, name }, key) {
    await sql`WITH made AS (INSERT INTO workspace (id, name) VALUES (${id}, ${name}) RETURNING id)
      ${keyInto(key, sql`made`)}`.execute(system);
  },

  async list() {
    const { rows } = await sql<{ id: string; name: string | null; created_at: Date; keys: number }>`
      SELECT id, name, created_at, (SELECT count(*)::int FROM api_key WHERE workspace_id = workspace.id) AS keys
      FROM workspace ORDER BY created_at, id`.execute(system);
    return rows.map(({ id, name, created_at, keys }) => ({
      id,
      ...(name === null ? {} : { name }),
      createdAt: created_at.toISOString(),
      keys,
    }));
  },

  async addKey(workspaceId, key) {
    if (!isStorable(workspaceId)) return false;
    const there = sql`(SELECT id FROM workspace WHERE id = ${workspaceId} FOR KEY SHARE) AS there`;
    const { numAffectedRows } = await sql`${keyInto(key, there)}`.execute(system);
    return numAffectedRows === 1n;
  },
});

/** Adds a secret key to the workspace whose id the rows of `source` have. */
const keyInto = ({ id, sha256, label }: FirstKey, source: ReturnType<typeof sql>) =>
  sql`INSERT INTO api_key (id, workspace_id, sha256, kind, label)
    SELECT ${id}, id, ${sha256}, 'secret', ${label} FROM ${source}`;
