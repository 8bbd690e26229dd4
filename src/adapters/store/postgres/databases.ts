import {
  Kysely,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  type RawBuilder,
  sql,
  type Transaction,
} from "kysely";
import pg from "pg";
import { toError } from "../../../kit/errors.ts";
import { StoreUnavailable } from "../../../ports/store.ts";
import { APP_ROLE, SYSTEM_ROLE, WORKSPACE_SETTING } from "./definitions.ts";
import { StatementNames } from "./statement-names.ts";
import type { Tables } from "./tables.ts";

/** The settings or the role of the database would break a promise of the service; it refuses to run on it. */
export class StoreUnsafe extends Error {
  override readonly name = "StoreUnsafe";
}

export type Database = Kysely<Tables>;

/** The two ways to the database, each as its own role. */
export type Databases = Readonly<{
  /** Sees no workspace, unless the statement begins with {@link workspaceSet}. */
  app: Database;
  /** Across workspaces; single statements commit by themselves. */
  system: Database;
  /** Runs work in a transaction that sees and writes one workspace only. */
  inWorkspace<T>(workspaceId: string, work: (transaction: Transaction<Tables>) => Promise<T>): Promise<T>;
  /**
   * Reads in a transaction of one statement that sees one workspace only: one round trip instead of four. The order of the rows
   * is not that of the inner query.
   */
  readWorkspace<Row>(workspaceId: string, query: RawBuilder<Row>): Promise<readonly Row[]>;
  /** Connects as both roles and throws {@link StoreUnsafe} when a setting or a role does not protect what it must. */
  check(): Promise<void>;
  close(): Promise<void>;
}>;

/** A statement of ours takes milliseconds; one that takes this long waits for a lock or for a sick disk. */
const STATEMENT_MS = 5_000;
/** Beyond the server's own limit, for the case that the server or the way to it is silent. */
const ANSWER_MS = STATEMENT_MS + 1_000;
/** How long to wait for a free or a new connection: on a machine with too much to do a burst takes seconds, and should not be refused. */
const ACQUIRE_MS = 4_000;
const IDLE_TRANSACTION_MS = 10_000;
/** PostgreSQL 14 is the oldest that is still maintained. */
const OLDEST_SERVER = 140_000;

/** Classes and codes of SQLSTATE that mean "not now": connection, resources, operator intervention, lock and statement timeouts. */
const PASSING_CLASSES = new Set(["08", "53", "57"]);
const PASSING_CODES = new Set(["55P03", "25006", "40001", "40P01"]);

/** Opens nothing yet; connections come with the first statement. `size` is the most connections of each role. */
export const openDatabases = (url: string, size: number): Databases => {
  const app = open(url, APP_ROLE, size);
  const system = open(url, SYSTEM_ROLE, size);
  const inWorkspace: Databases["inWorkspace"] = (workspaceId, work) =>
    app.transaction().execute(async (transaction) => {
      await sql`SELECT set_config(${WORKSPACE_SETTING}, ${workspaceId}, true)`.execute(transaction);
      return work(transaction);
    });
  const readWorkspace: Databases["readWorkspace"] = async <Row>(workspaceId: string, query: RawBuilder<Row>) => {
    const { rows } = await sql<Row>`WITH ${workspaceSet(workspaceId)}
      SELECT found.* FROM workspace_set CROSS JOIN LATERAL (
        SELECT * FROM (${query}) AS query WHERE workspace_set.id IS NOT NULL OFFSET 0) AS found`.execute(app);
    return rows;
  };
  const check = async () => {
    await explaining(APP_ROLE, checkRole(app));
    await explaining(SYSTEM_ROLE, checkRole(system));
  };
  const close = async () => {
    await Promise.all([app.destroy(), system.destroy()]);
  };
  return { app, system, inWorkspace, readWorkspace, check, close };
};

/**
 * For statements that are a transaction of their own: the expression `workspace_set`, whose one row has the workspace's id once
 * row-level security knows it. What follows must need that row (a column of it, or a fence such as `OFFSET 0`), since nothing else
 * makes it come first; what comes too early sees no workspace, and so no row.
 */
export const workspaceSet = (workspaceId: string): RawBuilder<unknown> =>
  sql`workspace_set AS MATERIALIZED (SELECT set_config(${WORKSPACE_SETTING}, ${workspaceId}, true) AS id)`;

const open = (url: string, role: string, size: number): Database => {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    options: `-c role=${role}`,
    application_name: "call-engine",
    connectionTimeoutMillis: ACQUIRE_MS,
    statement_timeout: STATEMENT_MS,
    query_timeout: ANSWER_MS,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_MS,
    keepAlive: true,
  });
  // An idle connection that breaks is replaced by the pool; whoever needs it next learns whether the server is back.
  pool.on("error", () => undefined);
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: classifying(pool) }) });
};

/** The pool, with failures of the connection told apart from failures of a statement. */
const classifying = (pool: pg.Pool): PostgresPool => {
  const known = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      let client: pg.PoolClient;
      try {
        client = await pool.connect();
      } catch (error) {
        throw new StoreUnavailable("the database cannot be reached", { cause: error });
      }
      const wrapped = known.get(client) ?? wrap(client);
      known.set(client, wrapped);
      return wrapped;
    },
  };
};

const names = new StatementNames();

const wrap = (client: pg.PoolClient): PostgresPoolClient => {
  let broken = false;
  // While a client is checked out the pool does not listen for its errors.
  client.on("error", () => {
    broken = true;
  });
  const query = async (text: string, values: readonly unknown[]): Promise<unknown> => {
    try {
      const name = names.of(text, values);
      return await client.query({ ...(name === undefined ? {} : { name }), text, values: [...values] });
    } catch (error) {
      if (!(error instanceof pg.DatabaseError)) broken = true;
      throw classify(error);
    }
  };
  return {
    // Kysely declares a second form for cursors, which is never used here.
    query: query as PostgresPoolClient["query"],
    release: (destroy) => {
      client.release(broken || destroy === true);
    },
  };
};

const classify = (thrown: unknown): Error => {
  const error = toError(thrown);
  if (error instanceof pg.DatabaseError && !isPassing(error)) return error;
  return new StoreUnavailable("the database did not answer", { cause: error });
};

const isPassing = ({ code = "" }: pg.DatabaseError): boolean =>
  PASSING_CLASSES.has(code.slice(0, 2)) || PASSING_CODES.has(code);

/** A server that answers, and refuses the login or the role, will not change its mind. */
const explaining = async (role: string, check: Promise<void>): Promise<void> => {
  try {
    await check;
  } catch (error) {
    const cause = error instanceof StoreUnavailable ? error.cause : undefined;
    if (cause instanceof pg.DatabaseError && !isPassing(cause))
      throw new StoreUnsafe(
        `the database refuses the login, or its role ${role}: run call-engine migrate as its owner, or grant the role`,
        {
          cause,
        },
      );
    throw error;
  }
};

const checkRole = async (database: Database): Promise<void> => {
  const { rows } = await sql<{
    role: string;
    above: boolean;
    fsync: string;
    commit: string;
    version: number;
  }>`SELECT current_user AS role, rolsuper OR rolbypassrls AS above, current_setting('fsync') AS fsync,
      current_setting('synchronous_commit') AS commit, current_setting('server_version_num')::int AS version
    FROM pg_roles WHERE rolname = current_user`.execute(database);
  const [found] = rows;
  if (found === undefined) throw new StoreUnsafe("the database does not say which role it gives us");
  if (found.version < OLDEST_SERVER) throw new StoreUnsafe("the database is older than PostgreSQL 14: upgrade it");
  if (found.above)
    throw new StoreUnsafe(`the role ${found.role} is above row-level security: take SUPERUSER and BYPASSRLS from it`);
  if (found.fsync === "off")
    throw new StoreUnsafe("fsync is off: a crash would lose claims, and people would be called twice; turn it on");
  if (found.commit === "off")
    throw new StoreUnsafe(
      "synchronous_commit is off: a crash would lose claims, and people would be called twice; turn it on",
    );
};
