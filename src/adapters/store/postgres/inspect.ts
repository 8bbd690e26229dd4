import { sql } from "kysely";
import { openDatabases } from "./databases.ts";
import { MIGRATIONS } from "./migrate.ts";

/** What is to be known of a database before the service uses it. */
export type Inspection = Readonly<{
  /** Such as `18.4`. */
  version: string;
  /** Migrations that this version of the service has and the database has not had. */
  pending: readonly string[];
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
    return {
      version: found?.version ?? "of an unknown version",
      pending: MIGRATIONS.map(({ name }) => name).filter((name) => !done.has(name)),
    };
  } finally {
    await databases.close();
  }
};
