import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { SystemClock } from "../../../src/adapters/clock/system.ts";
import { startEmbeddedPostgres } from "../../../src/adapters/postgres/embedded.ts";
import { isAlive } from "../../../src/adapters/postgres/server-process.ts";
import { SystemRandom } from "../../../src/adapters/random/system.ts";
import { silentLogger } from "../../kit/silent-logger.ts";

type User = Readonly<{ url: string; pid: number; folder: string; process: ChildProcess }>;

const USER = fileURLToPath(new URL("user-process.ts", import.meta.url));
let dataDir: string;
const children: ChildProcess[] = [];

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "call-engine-embedded-"));
  await chmod(dataDir, 0o755);
});

afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  await expect.poll(serversHere, { timeout: 15_000 }).toEqual([]);
  await rm(dataDir, { recursive: true, force: true });
});

/** Another process that uses the server of this test's data folder. */
const startUser = async (): Promise<User> => {
  const child = spawn(process.execPath, [USER, dataDir], { stdio: ["pipe", "pipe", "inherit"] });
  children.push(child);
  const lines = createInterface({ input: child.stdout });
  const [line] = (await once(lines, "line")) as [string];
  return { ...(JSON.parse(line) as Omit<User, "process">), process: child };
};

const start = (folder = dataDir) =>
  startEmbeddedPostgres({
    dataDir: folder,
    logger: silentLogger(),
    clock: new SystemClock(),
    random: new SystemRandom(),
  });

const query = async (url: string, text: string): Promise<readonly unknown[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
};

/** Processes of this test's data folder: servers and guardians, whoever runs them. */
const serversHere = (): readonly string[] =>
  execFileSync("ps", ["-eo", "pid=,args="], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes(`-D ${dataDir}/`));

test("a server starts, keeps what it is given, and starts again on the same data", async () => {
  const first = await start();
  await query(first.url, "CREATE TABLE kept AS SELECT 7 AS number");
  await Promise.all([first.stop(), first.stop()]);
  expect(serversHere()).toEqual([]);
  const second = await start();
  expect(await query(second.url, "SELECT number FROM kept")).toEqual([{ number: 7 }]);
  await second.stop();
});

test("the login is an ordinary role with a password of its own, on a socket that is nobody else's", async () => {
  const server = await start();
  expect(await query(server.url, "SELECT rolsuper FROM pg_roles WHERE rolname = current_user")).toEqual([
    { rolsuper: false },
  ]);
  await expect(query(server.url.replace(/:[^:@]*@/u, ":wrong@"), "SELECT 1")).rejects.toMatchObject({ code: "28P01" });
  expect(await query(server.url, "SHOW listen_addresses")).toEqual([{ listen_addresses: "" }]);
  expect(
    await query(server.url, "SELECT current_setting('fsync') AS f, current_setting('synchronous_commit') AS s"),
  ).toEqual([{ f: "on", s: "on" }]);
  const password = await stat(join(server.folder, "server", "password"));
  expect(password.mode % 0o1000).toBe(0o600);
  expect((await stat(server.folder)).mode % 0o1000).toBe(0o700);
  await server.stop();
});

test("kill -9 of its only user stops the server, and the next start has the data", async () => {
  const user = await startUser();
  await query(user.url, "CREATE TABLE kept AS SELECT 8 AS number");
  user.process.kill("SIGKILL");
  await expect.poll(serversHere, { timeout: 15_000 }).toEqual([]);
  const again = await start();
  expect(await query(again.url, "SELECT number FROM kept")).toEqual([{ number: 8 }]);
  await again.stop();
});

test("a start right after kill -9, while the old server still stops, works", async () => {
  const user = await startUser();
  await query(user.url, "CREATE TABLE kept AS SELECT 9 AS number");
  user.process.kill("SIGKILL");
  const again = await start();
  expect(await query(again.url, "SELECT number FROM kept")).toEqual([{ number: 9 }]);
  await again.stop();
});

test("processes that start at the same time share one server, which ends with the last of them", async () => {
  const [one, two, three] = await Promise.all([startUser(), startUser(), startUser()]);
  expect([two.pid, three.pid]).toEqual([one.pid, one.pid]);
  one.process.kill("SIGKILL");
  two.process.stdin?.end("stop\n");
  await once(two.process, "exit");
  expect(await query(three.url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  three.process.stdin?.end("stop\n");
  await once(three.process, "exit");
  expect(isAlive(one.pid)).toBe(false);
});

test("a process that starts twice at the same time, on a folder that is new, has one server", async () => {
  const servers = await Promise.all([start(), start(), start()]);
  expect(new Set(servers.map(({ pid }) => pid)).size).toBe(1);
  for (const server of servers) await server.stop();
  expect(await readdir(join(dataDir, "postgres"))).toEqual(["server"]);
});

test("a server that lost its guardian is stopped and started anew", async () => {
  const user = await startUser();
  for (const line of serversHere().filter((command) => command.includes("guardian")))
    process.kill(Number(line.trim().split(" ")[0]), "SIGKILL");
  user.process.kill("SIGKILL");
  await once(user.process, "exit");
  expect(isAlive(user.pid)).toBe(true);
  const again = await start();
  expect(again.pid).not.toBe(user.pid);
  expect(serversHere().filter((line) => line.trim().startsWith(`${user.pid} `))).toEqual([]);
  await again.stop();
});

test("a lock file that names another living program does not keep the server from starting", async () => {
  const first = await start();
  const lock = join(first.folder, "server", "data", "postmaster.pid");
  const text = await readFile(lock, "utf8");
  await first.stop();
  await writeFile(lock, text.replace(/^\d+/u, String(process.pid)));
  const second = await start();
  expect(await query(second.url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  await second.stop();
});

test("a start that was cut short during the first one leaves nothing in the way", async () => {
  const child = spawn(process.execPath, [USER, dataDir], { stdio: "ignore" });
  children.push(child);
  await expect.poll(() => readdir(join(dataDir, "postgres")).catch(() => [])).not.toEqual([]);
  child.kill("SIGKILL");
  await once(child, "exit");
  const server = await start();
  expect(await query(server.url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  await server.stop();
  expect(await readdir(join(dataDir, "postgres"))).toEqual(["server"]);
});

test("a data folder whose path is too long for a socket works", async () => {
  const deep = join(dataDir, "a-long-name-for-a-folder".repeat(4), "data");
  await mkdir(deep, { recursive: true });
  const server = await start(deep);
  expect(await query(server.url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  await server.stop();
});

const ONLY_AS_ROOT = { skip: process.getuid?.() !== 0 };

const startClosed = async (name: string, info: (message: string) => void = () => undefined) => {
  const closed = join(dataDir, name);
  await mkdir(closed, { recursive: true, mode: 0o700 });
  const logger = { ...silentLogger(), info };
  return startEmbeddedPostgres({ dataDir: closed, logger, clock: new SystemClock(), random: new SystemRandom() });
};

test("root's own folder, closed to others, is no obstacle", ONLY_AS_ROOT, async () => {
  const said: string[] = [];
  const server = await startClosed("closed", (message) => said.push(message));
  try {
    expect(server.folder).toMatch(/^\/var\/lib\/call-engine\/[0-9a-f]{16}$/u);
    expect(said).toHaveLength(1);
    await query(server.url, "CREATE TABLE kept AS SELECT 10 AS number");
    await server.stop();
    const again = await startClosed("closed");
    expect(await query(again.url, "SELECT number FROM kept")).toEqual([{ number: 10 }]);
    await again.stop();
  } finally {
    await rm(server.folder, { recursive: true, force: true });
  }
});

test("files kept elsewhere for a temporary folder go when the folder has gone", ONLY_AS_ROOT, async () => {
  const gone = await startClosed("gone");
  await gone.stop();
  await rm(join(dataDir, "gone"), { recursive: true });
  const other = await startClosed("other");
  try {
    await expect(stat(gone.folder)).rejects.toMatchObject({ code: "ENOENT" });
  } finally {
    await other.stop();
    await rm(other.folder, { recursive: true, force: true });
  }
});
