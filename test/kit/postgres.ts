import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { SystemClock } from "../../src/adapters/clock/system.ts";
import { startEmbeddedPostgres } from "../../src/adapters/postgres/embedded.ts";
import { SystemRandom } from "../../src/adapters/random/system.ts";
import { migrate } from "../../src/adapters/store/postgres/migrate.ts";
import { type Clock, sleep } from "../../src/ports/clock.ts";
import { silentLogger } from "./silent-logger.ts";

export type TestDatabase = Readonly<{
  /** Of a fresh, migrated database that nobody else uses. */
  url: string;
  /** Runs a statement as the owner of the server's databases (an ordinary role, for whom row-level security holds). */
  query(text: string, values?: readonly unknown[]): Promise<readonly Readonly<Record<string, unknown>>[]>;
  close(): Promise<void>;
}>;

/** All test files share one real PostgreSQL, which stops with the last of them. */
const DATA_DIR = join(tmpdir(), `call-engine-test-${process.getuid?.() ?? 0}`);

let made = 0;

/** A database of its own for a test file, on a real PostgreSQL. `migrated` false leaves it empty. */
export const createTestDatabase = async ({ migrated = true } = {}): Promise<TestDatabase> => {
  const clock = new SystemClock();
  const logger = silentLogger();
  const server = await startEmbeddedPostgres({ dataDir: DATA_DIR, logger, clock, random: new SystemRandom() });
  const admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
  await dropOrphans(admin);
  made += 1;
  const name = `test_${process.pid}_${made}`;
  await admin.query(`CREATE DATABASE ${name}`);
  const url = server.url.replace("/call_engine?", `/${name}?`);
  if (migrated) await migrate(url, { clock, logger });
  const owner = new pg.Pool({ connectionString: url, max: 4 });
  owner.on("error", () => undefined);
  return {
    url,
    query: async (text, values = []) => (await owner.query<Record<string, unknown>>(text, [...values])).rows,
    async close() {
      await owner.end();
      await dropSoon(admin, name, clock);
      await admin.end();
      await server.stop();
    },
  };
};

/** Databases of test runs that were killed. */
const dropOrphans = async (admin: pg.Client): Promise<void> => {
  const { rows } = await admin.query<{ name: string }>(
    "SELECT datname AS name FROM pg_database WHERE datname LIKE 'test\\_%'",
  );
  for (const { name } of rows) {
    const pid = Number(name.split("_")[1]);
    // Another test file may drop it at the same moment; what stays is dropped by a later run.
    if (!isAlive(pid)) await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`).catch(() => undefined);
  }
};

/** Connections that were closed a moment ago may still be there on the server, also those of logins that we may not end. */
const dropSoon = async (admin: pg.Client, name: string, clock: Clock): Promise<void> => {
  for (let attempt = 1; ; attempt++) {
    try {
      await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
      return;
    } catch (error) {
      const passing = error instanceof pg.DatabaseError && (error.code === "42501" || error.code === "55006");
      if (!passing || attempt === DROP_ATTEMPTS) throw error;
      await sleep(clock, 100);
    }
  }
};

const DROP_ATTEMPTS = 50;

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};
