import { appendFile, chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SystemClock } from "../../../../src/adapters/clock/system.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../../../src/adapters/postgres/embedded.ts";
import { SystemRandom } from "../../../../src/adapters/random/system.ts";
import { migrate } from "../../../../src/adapters/store/postgres/migrate.ts";
import { openPostgresStore, type PostgresStore } from "../../../../src/adapters/store/postgres/store.ts";
import { HeldBack, type WorkspaceLimits } from "../../../../src/ports/workspace-limits.ts";
import { testAgent, testPhoneNumber, testPlan, testPrompt } from "../../../kit/dial-plans.ts";
import { silentLogger } from "../../../kit/silent-logger.ts";

const deps = { clock: new SystemClock(), random: new SystemRandom(), logger: silentLogger() };

let dataDir: string;
let server: EmbeddedPostgres;
let store: PostgresStore;

const start = async (): Promise<void> => {
  server = await startEmbeddedPostgres({ ...deps, dataDir });
  await migrate(server.url, deps);
  store = await openPostgresStore({ ...deps, url: server.url });
};

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "clm-"));
  await chmod(dataDir, 0o711);
  server = await startEmbeddedPostgres({ ...deps, dataDir });
  // What commits without waiting then stays in memory until somebody else's commit, and is lost with the server.
  await appendFile(join(server.folder, "server", "data", "postgresql.conf"), "\nwal_writer_delay = 10s\n");
  await server.stop();
  await start();
  const seed = { workspaceId: "workspace-1", agent: testAgent(), prompt: testPrompt(), phoneNumber: testPhoneNumber() };
  await store.catalogue.seed(seed);
}, 120_000);

afterAll(async () => {
  await store.close();
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const LIMITS: WorkspaceLimits = { concurrency: 20, reserve: 0, perSecond: 100_000 };
const idsOf = (name: string, count: number) => Array.from({ length: count }, (_, index) => `${name}-${index}`);

const create = (ids: readonly string[], areaCode: string) =>
  Promise.all(
    ids.map(async (dialId, index) => {
      const plan = testPlan({ dialId, toNumber: `+1${areaCode}555${1000 + index}` });
      expect(await store.dials.create({ plan, sessionId: `session-${dialId}` })).toMatchObject({ type: "created" });
    }),
  );

const statesOf = async (client: pg.Client): Promise<ReadonlyMap<string, string>> => {
  const { rows } = await client.query<{ id: string; state: string }>("SELECT id, state FROM dial");
  return new Map(rows.map(({ id, state }) => [id, state]));
};

const withClient = async <T>(work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: server.url });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
};

test("claims that come together stay within the workspace's limits", async () => {
  const ids = idsOf("limited", 60);
  await create(ids, "202");
  const outcomes = await Promise.allSettled(ids.map((id) => store.dials.claim(id, "worker-1", LIMITS)));
  const claimed = outcomes.filter((one) => one.status === "fulfilled" && one.value !== undefined);
  const heldBack = outcomes.filter((one) => one.status === "rejected" && one.reason instanceof HeldBack);
  expect([claimed.length, heldBack.length]).toEqual([20, 40]);
});

test("whoever was told that a dial is theirs finds it theirs after the database's server was killed", async () => {
  const ids = idsOf("kept", 30);
  await create([...ids, "not-kept"], "303");
  const claims = await Promise.all(ids.map((id) => store.dials.claim(id, "worker-1")));
  expect(claims.every((claim) => claim !== undefined)).toBe(true);
  await withClient(async (client) => {
    await client.query("SET synchronous_commit = off");
    await client.query("UPDATE dial SET state = 'PLACING' WHERE id = 'not-kept'");
    process.kill(server.pid, "SIGQUIT");
  });
  await store.close();
  await server.stop();
  await start();
  const states = await withClient(statesOf);
  // Without this one the test would say nothing: it shows that what nobody waited for is gone.
  expect(states.get("not-kept")).toBe("QUEUED");
  expect(ids.map((id) => states.get(id))).toEqual(ids.map(() => "PLACING"));
});
