import { sql, type Kysely } from "kysely";
import type { Lineage, LineageLook, StoreMark } from "../../../ports/lineage.ts";
import type { Random } from "../../../ports/random.ts";
import { StoreUnavailable } from "../../../ports/store.ts";
import type { Databases } from "./databases.ts";
import { quarantined } from "./lineage-sql.ts";
import type { Tables } from "./tables.ts";

/** What this process has last seen of the database; claims are held to it. */
export type KnownMark = { mark?: StoreMark };

/** Any number that is ours alone; of several who find the same loss, one notes it. */
const ADVISORY_LOCK = 4_212_023_018;

/** The history of the database itself, over all workspaces. */
export const lineage = ({ system }: Pick<Databases, "system">, random: Random, known: KnownMark): Lineage => ({
  async look(seen) {
    const marks = known.mark === undefined ? seen : [...seen, known.mark];
    const found = await read(system, marks);
    if (found.mark !== undefined) {
      known.mark = found.mark;
      return { mark: found.mark };
    }
    const looked = await system.transaction().execute(async (transaction): Promise<LineageLook> => {
      await sql`SELECT pg_advisory_xact_lock(${ADVISORY_LOCK})`.execute(transaction);
      // Somebody else may have noted it while we waited.
      const { mark } = await read(transaction, marks);
      if (mark !== undefined) return { mark };
      const noted = await note(transaction, random.id(), marks.length > 0);
      return noted.lost
        ? { mark: noted.mark, quarantined: (await waiting(transaction, 0)).count }
        : { mark: noted.mark };
    });
    // A generation that was not committed would be taken for one that the database has lost.
    known.mark = looked.mark;
    return looked;
  },

  listQuarantined: (limit) => waiting(system, limit),

  async release() {
    const { rows } = await sql<{ freed: number }>`
      WITH freed AS (SELECT count(*)::int AS freed FROM dial WHERE state = 'QUEUED' AND ${quarantined}),
      released AS (UPDATE store_generation SET released_at = now() FROM freed
        WHERE released_at IS NULL AND quarantined_before IS NOT NULL)
      SELECT freed FROM freed`.execute(system);
    return rows[0]?.freed ?? 0;
  },
});

type Runner = Kysely<Tables>;

/** The mark of the database as it is, unless it lacks something. */
const read = async (database: Runner, marks: readonly StoreMark[]): Promise<Readonly<{ mark?: StoreMark }>> => {
  const generations = marks.map(({ generation }) => generation);
  const positions = marks.map(({ position }) => position);
  const { rows } = await sql<{ id: string | null; position: string; changed: boolean }>`
    SELECT (SELECT id FROM store_generation ORDER BY number DESC LIMIT 1) AS id, store_position()::text AS position,
      store_changed(NULL, NULL) OR EXISTS (SELECT 1 FROM unnest(${generations}::text[], ${positions}::pg_lsn[])
        AS seen (generation, position) WHERE store_changed(seen.generation, seen.position)) AS changed`.execute(
    database,
  );
  const [row] = rows;
  if (row === undefined) throw new StoreUnavailable("the database does not say where it is");
  return row.id === null || row.changed ? {} : { mark: { generation: row.id, position: row.position } };
};

/** Begins a generation. The first of a database is no loss, unless somebody has seen one of which it knows nothing. */
const note = async (
  database: Runner,
  id: string,
  wasSeen: boolean,
): Promise<Readonly<{ mark: StoreMark; lost: boolean }>> => {
  const { rows } = await sql<{ position: string; lost: boolean }>`
    INSERT INTO store_generation (id, number, identity, quarantined_before)
    SELECT ${id}, coalesce(max(number), 0) + 1, store_identity(),
      CASE WHEN count(*) > 0 OR ${wasSeen} THEN clock_timestamp() END
    FROM store_generation RETURNING store_position()::text AS position, quarantined_before IS NOT NULL AS lost`.execute(
    database,
  );
  const [row] = rows;
  if (row === undefined) throw new StoreUnavailable("the database does not take a note");
  return { mark: { generation: id, position: row.position }, lost: row.lost };
};

const waiting = async (database: Runner, limit: number) => {
  const { rows } = await sql<{ count: number; id: string | null; workspace_id: string; created_at: Date }>`
    WITH waiting AS MATERIALIZED (
      SELECT id, workspace_id, created_at FROM dial WHERE state = 'QUEUED' AND ${quarantined})
    SELECT counted.count, shown.* FROM (SELECT count(*)::int AS count FROM waiting) AS counted
    LEFT JOIN (SELECT * FROM waiting ORDER BY created_at, id LIMIT ${limit}) AS shown ON true
    ORDER BY shown.created_at, shown.id`.execute(database);
  return {
    count: rows[0]?.count ?? 0,
    dials: rows.flatMap(({ id, workspace_id: workspaceId, created_at: createdAt }) =>
      id === null ? [] : [{ dialId: id, workspaceId, createdAt: createdAt.toISOString() }],
    ),
  };
};
