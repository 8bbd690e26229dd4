import { sql } from "kysely";
import { openDatabases, type Databases } from "./databases.ts";
import { quarantined as inQuarantine } from "./lineage-sql.ts";
import { MIGRATIONS } from "./migrate.ts";

/** What is to be known of a database before the service uses it. */
export type Inspection = Readonly<{
  /** Such as `18.4`. */
  version: string;
  /** Migrations that this version of the service has and the database has not had. */
  pending: readonly string[];
  /** Dials that wait for an operator's release, because the database had lost something. */
  quarantined: number;
}>;

/**
 * Looks at a database without changing anything: whether it answers, whether our roles may be taken, whether its settings keep what
 * they acknowledge, and which migrations are missing.
 *
 * @throws what opening the store throws, and the database's own error where it refuses the login.
 */
export const inspectDatabase = async (url: string): Promise<Inspection> => {
  const databases = openDatabases(url, 1);
  try {
    await databases.check();
    const { rows } = await sql<{ version: string; done: readonly string[] }>`
      SELECT split_part(current_setting('server_version'), ' ', 1) AS version,
        ARRAY(SELECT name FROM schema_migration) AS done`.execute(databases.system);
    const [found] = rows;
    const done = new Set(found?.done);
    const quarantined = done.has("0010-lineage") ? await countQuarantined(databases) : 0;
    return {
      version: found?.version ?? "of an unknown version",
      pending: MIGRATIONS.map(({ name }) => name).filter((name) => !done.has(name)),
      quarantined,
    };
  } finally {
    await databases.close();
  }
};

const countQuarantined = async ({ system }: Databases): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM dial WHERE state = 'QUEUED' AND ${inQuarantine}`.execute(system);
  return rows[0]?.count ?? 0;
};
