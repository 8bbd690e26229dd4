import { spawn } from "node:child_process";
import { closeSync, constants, openSync } from "node:fs";
import { chown, mkdir, mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { toError } from "../../kit/errors.ts";
import { type Clock, DeadlineExceeded, sleep } from "../../ports/clock.ts";
import type { Logger } from "../../ports/logger.ts";
import type { Random } from "../../ports/random.ts";
import { hasCode } from "./binaries.ts";
import { type Cluster, LOGIN, loginPassword, openCluster, SERVER_ENV, SUPERUSER } from "./cluster.ts";
import { findHome, type Home } from "./home.ts";
import { findServer, type RunningServer, stopServer, waitUntilGone } from "./server-process.ts";

export type EmbeddedPostgres = Readonly<{
  /** Of the database of the service, as an ordinary login; contains the password. */
  url: string;
  /** Process id of the server. */
  pid: number;
  /** Where its files lie. */
  folder: string;
  /** Lets go of the server; it stops, fast, when nobody else uses it. Idempotent. */
  stop(): Promise<void>;
}>;

export type EmbeddedPostgresOptions = Readonly<{ dataDir: string; logger: Logger; clock: Clock; random: Random }>;

/** From the order to run until it takes connections; crash recovery after `kill -9` is included. */
const START_MS = 60_000;
const POLL_MS = 25;
/** A server that others still use does not begin to stop within this time after we let go. */
const LET_GO_MS = 2_000;
const STOP_MS = 17_000;
/** Longest path of a Unix socket that every system takes, less the file name that PostgreSQL adds. */
const SOCKET_FOLDER_LENGTH = 103 - "/.s.PGSQL.5432".length;
const GUARDIAN = fileURLToPath(new URL("guardian.sh", import.meta.url));

/**
 * Starts the PostgreSQL that comes with the packages on `$DATA_DIR/postgres`, or joins the one that another of our processes
 * runs there. It listens on a Unix socket only, with passwords. It ends with its last user: each holds the write end of a
 * pipe, which the kernel closes even after `kill -9`; one that was left without such a guardian is stopped and started anew.
 */
export const startEmbeddedPostgres = async (options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> => {
  const { clock, logger } = options;
  const home = await findHome(options.dataDir);
  if (home.elsewhere)
    logger.info("the user who runs PostgreSQL cannot enter the data folder; its files are elsewhere", {
      path: home.folder,
    });
  const cluster = await openCluster(home, options.random);
  const limit = clock.monotonic() + START_MS;
  for (;;) {
    const use = await takeUse(home, cluster, clock, limit);
    try {
      const server = await untilReady(cluster, use, clock, limit);
      if (server !== undefined && isGuarded(cluster.pipe)) return await ready(home, cluster, use, server, clock);
    } catch (error) {
      closeSync(use.hold);
      throw error;
    }
    closeSync(use.hold);
  }
};

const ready = async (
  home: Home,
  cluster: Cluster,
  use: Use,
  server: RunningServer,
  clock: Clock,
): Promise<EmbeddedPostgres> => {
  await ensureDatabase(cluster, server);
  let stopping: Promise<void> | undefined;
  const stop = () => (stopping ??= letGo(cluster, use, server.pid, clock));
  return { url: urlOf(cluster, server), pid: server.pid, folder: home.folder, stop };
};

/** Our hold on the server; `ended` tells that the guardian which we started has ended, and is false for one that we joined. */
type Use = Readonly<{ hold: number; started: boolean; ended: () => boolean }>;

const takeUse = async (home: Home, cluster: Cluster, clock: Clock, limit: number): Promise<Use> => {
  for (;;) {
    const server = await findServer(cluster.data);
    if (server === undefined) return spawnServer(home, cluster);
    const hold = server.status === "stopping" ? undefined : joinPipe(cluster.pipe);
    if (hold !== undefined) return { hold, started: false, ended: () => false };
    if (server.status === "stopping") await waitUntilGone(clock, server.pid, LET_GO_MS);
    else await stopServer(clock, server.pid);
    if (clock.monotonic() > limit) throw new DeadlineExceeded("the end of an older PostgreSQL", START_MS);
  }
};

/** Opens the pipe for writing; `undefined` when no guardian reads it. */
const joinPipe = (pipe: string): number | undefined => {
  try {
    return openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (hasCode(error, "ENXIO")) return undefined;
    throw error;
  }
};

/** False when the guardian had its end of file just before we took hold: the server that we joined is about to stop. */
const isGuarded = (pipe: string): boolean => {
  const second = joinPipe(pipe);
  if (second !== undefined) closeSync(second);
  return second !== undefined;
};

/**
 * Starts the server under its guardian. Both ends of the pipe are open before the guardian is born with the read end, so that
 * there is no moment in which our death would go unnoticed.
 */
const spawnServer = async (home: Home, cluster: Cluster): Promise<Use> => {
  const socketFolder = await makeSocketFolder(home, cluster);
  const script = await readFile(GUARDIAN, "utf8");
  const both = openSync(cluster.pipe, constants.O_RDWR);
  const readEnd = openSync(cluster.pipe, constants.O_RDONLY);
  const hold = openSync(cluster.pipe, constants.O_WRONLY);
  const log = openSync(join(cluster.logs, "start.log"), "w", 0o600);
  try {
    const program = join(home.binaries, "bin", "postgres");
    const guardian = spawn("/bin/sh", ["-c", script, "guardian", program, ...settings(cluster, socketFolder)], {
      ...home.account,
      cwd: cluster.folder,
      detached: true,
      stdio: [readEnd, log, log],
      env: SERVER_ENV,
    });
    let gone = false;
    guardian.once("exit", () => (gone = true)).once("error", () => (gone = true));
    guardian.unref();
    return { hold, started: true, ended: () => gone };
  } catch (error) {
    closeSync(hold);
    throw error;
  } finally {
    for (const descriptor of [both, readEnd, log]) closeSync(descriptor);
  }
};

/** `synchronous_commit` and `fsync` stay on, as they are by default: a committed claim must survive anything. */
const settings = (cluster: Cluster, socketFolder: string): readonly string[] => {
  const values = {
    listen_addresses: "",
    unix_socket_directories: socketFolder,
    unix_socket_permissions: "0700",
    port: "5432",
    // A process takes up to thirty; a deployment of several on one machine has room for six.
    max_connections: "200",
    shared_buffers: "64MB",
    password_encryption: "scram-sha-256",
    timezone: "UTC",
    // One file an hour, overwritten a day later; statements, details and parameters stay out, since they hold personal data.
    logging_collector: "on",
    log_directory: cluster.logs,
    log_filename: "server-%H.log",
    log_rotation_age: "60",
    log_truncate_on_rotation: "on",
    log_min_messages: "log",
    log_min_error_statement: "panic",
    log_error_verbosity: "terse",
    log_checkpoints: "off",
  };
  return ["-D", cluster.data, ...Object.entries(values).flatMap(([name, value]) => ["-c", `${name}=${value}`])];
};

const makeSocketFolder = async (home: Home, cluster: Cluster): Promise<string> => {
  const near = join(cluster.folder, "socket");
  const fits = Buffer.byteLength(near) <= SOCKET_FOLDER_LENGTH;
  const folder = fits ? near : await mkdtemp(join(tmpdir(), "call-engine-"));
  if (fits) await mkdir(folder, { recursive: true, mode: 0o700 });
  if (home.account !== undefined) await chown(folder, home.account.uid, home.account.gid);
  return folder;
};

/** The server once it takes connections; `undefined` when one that we joined has gone meanwhile. */
const untilReady = async (
  cluster: Cluster,
  use: Use,
  clock: Clock,
  limit: number,
): Promise<RunningServer | undefined> => {
  for (;;) {
    const server = await findServer(cluster.data);
    if (server?.status === "ready" && (await answers(cluster, server))) return server;
    if (server === undefined && !use.started) return undefined;
    if (server === undefined && use.ended()) throw await startFailure(cluster);
    if (clock.monotonic() > limit) throw new DeadlineExceeded("the start of PostgreSQL", START_MS);
    await sleep(clock, POLL_MS);
  }
};

const startFailure = async (cluster: Cluster): Promise<Error> => {
  const file = join(cluster.logs, "start.log");
  const cause = new Error((await readFile(file, "utf8")).trim().slice(-2000));
  return new Error(`PostgreSQL ended while it started; ${cluster.logs} says why`, { cause });
};

const superuser = (cluster: Cluster, server: RunningServer, database: string): pg.Client =>
  new pg.Client({
    host: server.socketFolder,
    user: SUPERUSER,
    password: cluster.password,
    database,
    connectionTimeoutMillis: LET_GO_MS,
  });

const answers = async (cluster: Cluster, server: RunningServer): Promise<boolean> => {
  const client = superuser(cluster, server, "postgres");
  client.on("error", () => undefined);
  try {
    await client.connect();
    return true;
  } catch (error) {
    // 28P01: wrong password. Waiting would not help.
    if (error instanceof pg.DatabaseError && error.code === "28P01")
      throw new Error(`the password in ${cluster.folder} is not that of the server`, { cause: error });
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
};

/** Makes the ordinary login and its database, which need more than `initdb` does. */
const ensureDatabase = async (cluster: Cluster, server: RunningServer): Promise<void> => {
  const client = superuser(cluster, server, "postgres");
  client.on("error", () => undefined);
  await client.connect();
  try {
    const found = await client.query("SELECT 1 FROM pg_database WHERE datname = $1", [LOGIN]);
    if (found.rowCount !== 0) return;
    const password = pg.escapeLiteral(loginPassword(cluster));
    await ignoring(
      client.query(`CREATE ROLE ${LOGIN} LOGIN CREATEROLE CREATEDB PASSWORD ${password}`),
      "42710",
      "23505",
    );
    await ignoring(client.query(`CREATE DATABASE ${LOGIN} OWNER ${LOGIN}`), "42P04", "23505");
  } finally {
    await client.end();
  }
};

/** Another process may do the same at the same time: what it made already is no error. */
const ignoring = async (work: Promise<unknown>, ...codes: readonly string[]): Promise<void> => {
  try {
    await work;
  } catch (error) {
    if (!hasCode(error, ...codes)) throw toError(error);
  }
};

const urlOf = (cluster: Cluster, server: RunningServer): string =>
  `postgres://${LOGIN}:${loginPassword(cluster)}@localhost/${LOGIN}?host=${encodeURIComponent(server.socketFolder)}`;

const letGo = async (cluster: Cluster, use: Use, pid: number, clock: Clock): Promise<void> => {
  closeSync(use.hold);
  const limit = clock.monotonic() + LET_GO_MS;
  for (;;) {
    const server = await findServer(cluster.data);
    if (server === undefined || server.pid !== pid) return;
    if (server.status === "stopping") break;
    if (clock.monotonic() > limit) return;
    await sleep(clock, POLL_MS);
  }
  if (!(await waitUntilGone(clock, pid, STOP_MS))) throw new DeadlineExceeded("the end of PostgreSQL", STOP_MS);
};
