import { type RawBuilder, sql, type Transaction } from "kysely";
import type { PageRequest, Positioned } from "../../../ports/page.ts";
import type { Change } from "../../../ports/store.ts";
import type { Databases } from "./databases.ts";
import { isStorable } from "./storable.ts";
import type { Tables } from "./tables.ts";

/** How one kind of record lies in its table, which has the columns `id`, `workspace_id` and `created_at` beside these. */
export type RecordTable<T, Row> = Readonly<{
  name: keyof Tables;
  /** What {@link fromRow} reads. */
  columns: readonly (keyof Row & string)[];
  fromRow(row: Row): T;
  /** The columns that a change may change. */
  toRow(item: T): Readonly<Record<string, unknown>>;
}>;

/** Whose records: those of a workspace, or of one of its agents. */
export type Owner = Readonly<{ workspaceId: string; agentId?: string }>;

/**
 * Reads and writes one kind of record. Row-level security keeps every statement within the workspace of its transaction; the
 * agent is a condition.
 */
export class Records<T extends Readonly<{ id: string }>, Row extends Readonly<{ id: string }>> {
  readonly #inWorkspace: Databases["inWorkspace"];
  readonly #kind: RecordTable<T, Row>;
  readonly #table: RawBuilder<unknown>;
  readonly #columns: RawBuilder<unknown>;

  constructor({ inWorkspace }: Databases, kind: RecordTable<T, Row>) {
    this.#inWorkspace = inWorkspace;
    this.#kind = kind;
    this.#table = sql.table(kind.name);
    this.#columns = sql.join(kind.columns.map((column) => sql.ref(column)));
  }

  list(owner: Owner, page: PageRequest): Promise<Positioned<T>> {
    return this.#inWorkspace(owner.workspaceId, async (transaction) => {
      const { rows } = await sql<Row & { created_at: Date }>`
        SELECT ${this.#columns}, created_at FROM ${this.#table} WHERE ${ownedBy(owner)} AND ${after(page)}
        ORDER BY created_at, id LIMIT ${page.limit + 1}`.execute(transaction);
      return positioned(rows, page, this.#kind.fromRow);
    });
  }

  find(owner: Owner, id: string): Promise<T | undefined> {
    return this.#inWorkspace(owner.workspaceId, (transaction) => this.#read(transaction, owner, id, sql``));
  }

  /** Answers false, and adds nothing, when the owner is an agent that the workspace does not have. */
  add(owner: Owner, item: T): Promise<boolean> {
    return this.#inWorkspace(owner.workspaceId, async (transaction) => {
      const { workspaceId, agentId } = owner;
      if (agentId !== undefined && !(await holdAgent(transaction, agentId))) return false;
      const owned = agentId === undefined ? {} : { agent_id: agentId };
      const row = { id: item.id, workspace_id: workspaceId, ...owned, ...this.#kind.toRow(item) };
      await sql`INSERT INTO ${this.#table} (${sql.join(Object.keys(row).map((column) => sql.ref(column)))})
        VALUES (${sql.join(Object.values(row))})`.execute(transaction);
      return true;
    });
  }

  change(owner: Owner, id: string, change: Change<T>): Promise<T | undefined> {
    return this.#inWorkspace(owner.workspaceId, async (transaction) => {
      const before = await this.#read(transaction, owner, id, sql`FOR UPDATE`);
      if (before === undefined) return undefined;
      const changed = change(before);
      const values = Object.entries(this.#kind.toRow(changed)).map(
        ([column, value]) => sql`${sql.ref(column)} = ${value}`,
      );
      await sql`UPDATE ${this.#table} SET ${sql.join(values)}, updated_at = now() WHERE id = ${id}`.execute(
        transaction,
      );
      return changed;
    });
  }

  /** Answers the record as it was. `before` runs first, in the same transaction, unless there is no such record. */
  remove(owner: Owner, id: string, before?: RawBuilder<unknown>): Promise<T | undefined> {
    return this.#inWorkspace(owner.workspaceId, async (transaction) => {
      const found = await this.#read(transaction, owner, id, sql`FOR UPDATE`);
      if (found === undefined) return undefined;
      await before?.execute(transaction);
      await sql`DELETE FROM ${this.#table} WHERE id = ${id}`.execute(transaction);
      return found;
    });
  }

  async #read(
    transaction: Transaction<Tables>,
    owner: Owner,
    id: string,
    lock: RawBuilder<unknown>,
  ): Promise<T | undefined> {
    if (!isStorable(id)) return undefined;
    const { rows } = await sql<Row>`
      SELECT ${this.#columns} FROM ${this.#table} WHERE id = ${id} AND ${ownedBy(owner)} ${lock}`.execute(transaction);
    return rows[0] && this.#kind.fromRow(rows[0]);
  }
}

const ownedBy = ({ agentId }: Owner) => {
  if (agentId === undefined) return sql`true`;
  return isStorable(agentId) ? sql`agent_id = ${agentId}` : sql`false`;
};

/** The rows that come after a page's last one; all of them on the first page. */
const after = ({ after: last }: PageRequest) =>
  last === undefined ? sql`true` : sql`(created_at, id) > (${last.createdAt}::timestamptz, ${last.id}::text)`;

/** Cuts the row too many, which tells that there is another page. */
export const positioned = <Row extends Readonly<{ id: string; created_at: Date }>, T>(
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

/** Whether the workspace has the agent, which then stays until the transaction ends: a foreign key would see every workspace's. */
const holdAgent = async (transaction: Transaction<Tables>, agentId: string): Promise<boolean> => {
  if (!isStorable(agentId)) return false;
  const { rows } = await sql`SELECT id FROM agent WHERE id = ${agentId} FOR KEY SHARE`.execute(transaction);
  return rows.length > 0;
};
