import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SystemClock } from "../../../../src/adapters/clock/system.ts";
import { SystemRandom } from "../../../../src/adapters/random/system.ts";
import { StoreUnsafe } from "../../../../src/adapters/store/postgres/databases.ts";
import { migrate, MigrationFailed, MIGRATIONS } from "../../../../src/adapters/store/postgres/migrate.ts";
import { openPostgresStore } from "../../../../src/adapters/store/postgres/store.ts";
import { StoreUnavailable } from "../../../../src/ports/store.ts";
import { testAgent, testPhoneNumber, testPlan, testPrompt } from "../../../kit/dial-plans.ts";
import { createTestDatabase, type TestDatabase } from "../../../kit/postgres.ts";
import { silentLogger } from "../../../kit/silent-logger.ts";

const deps = { clock: new SystemClock(), random: new SystemRandom(), logger: silentLogger() };
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase({ migrated: false });
}, 60_000);

afterAll(async () => {
  await database.close();
});

const open = (url = database.url) => openPostgresStore({ url, ...deps });

test("migrations that start at the same time run once, and again do nothing", async () => {
  const ran = await Promise.all(Array.from({ length: 4 }, () => migrate(database.url, deps)));
  expect(ran.flat()).toEqual(MIGRATIONS.map(({ name }) => name));
  expect(await migrate(database.url, deps)).toEqual([]);
});

test("a user who may not make what is needed is told what to give", async () => {
  await database.query("DROP ROLE IF EXISTS call_engine_weak");
  await database.query("CREATE ROLE call_engine_weak LOGIN PASSWORD 'weak'");
  const other = await createTestDatabase({ migrated: false });
  try {
    const url = other.url.replace(/\/\/[^@]*@/u, "//call_engine_weak:weak@");
    await expect(migrate(url, deps)).rejects.toThrow(MigrationFailed);
    await expect(migrate(url, deps)).rejects.toThrow("CREATEROLE");
  } finally {
    await other.close();
    await database.query("DROP ROLE call_engine_weak");
  }
});

test("the store refuses a database that may lose what it acknowledged", async () => {
  const name = new URL(database.url).pathname.slice(1);
  await database.query(`ALTER DATABASE ${name} SET synchronous_commit = off`);
  await expect(open()).rejects.toThrow(StoreUnsafe);
  await expect(open()).rejects.toThrow("synchronous_commit");
  await database.query(`ALTER DATABASE ${name} RESET synchronous_commit`);
  await (await open()).close();
});

test("a login that may not take the roles is refused, until the migrations give them to it", async () => {
  await database.query("CREATE ROLE call_engine_late LOGIN CREATEROLE PASSWORD 'late'");
  const late = database.url.replace(/\/\/[^@]*@/u, "//call_engine_late:late@");
  try {
    await expect(open(late)).rejects.toThrow(StoreUnsafe);
    await expect(open(late)).rejects.toThrow("call_engine_app");
    await expect(migrate(late, deps)).rejects.toThrow(MigrationFailed);
    await database.query("GRANT call_engine_app, call_engine_system TO call_engine_late");
    expect(await migrate(late, deps)).toEqual([]);
    await (await open(late)).close();
  } finally {
    await database.query("DROP ROLE call_engine_late");
  }
});

test("a database that is not there is unavailable, within its deadline", async () => {
  const started = deps.clock.monotonic();
  await expect(open("postgres://127.0.0.1:1/none")).rejects.toThrow(StoreUnavailable);
  expect(deps.clock.monotonic() - started).toBeLessThan(4_000);
});

test("connections that break make one answer unavailable and the next one good", async () => {
  const store = await open();
  const seed = { agent: testAgent(), prompt: testPrompt(), phoneNumber: testPhoneNumber() };
  await store.catalogue.seed({ workspaceId: "workspace-1", ...seed });
  await store.dials.create({ plan: testPlan({ dialId: "dial-1" }), sessionId: "session" });
  const blocker = new pg.Client({ connectionString: database.url });
  await blocker.connect();
  await blocker.query("BEGIN; UPDATE dial SET owner = NULL WHERE id = 'dial-1'");
  const claim = store.dials.claim("dial-1", "worker").catch((error: unknown) => error);
  await expect.poll(() => database.query("SELECT 1 FROM pg_locks WHERE NOT granted")).not.toHaveLength(0);
  await database.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE application_name = 'call-engine' AND datname = current_database()`,
  );
  expect(await claim).toBeInstanceOf(StoreUnavailable);
  await blocker.query("ROLLBACK");
  await blocker.end();
  expect(await store.dials.claim("dial-1", "worker")).toMatchObject({ epoch: 1 });
  await store.close();
});

test("a pool without a free connection is unavailable after its deadline, not for ever", async () => {
  const store = await openPostgresStore({ url: database.url, ...deps, connections: 1 });
  await store.dials.create({ plan: testPlan({ dialId: "dial-2" }), sessionId: "session" });
  const blocker = new pg.Client({ connectionString: database.url });
  await blocker.connect();
  await blocker.query("BEGIN; UPDATE dial SET owner = NULL WHERE id = 'dial-2'");
  const claim = store.dials.claim("dial-2", "worker");
  const started = deps.clock.monotonic();
  await expect(store.ping()).rejects.toThrow(StoreUnavailable);
  expect(deps.clock.monotonic() - started).toBeLessThan(2_500);
  await blocker.query("ROLLBACK");
  await blocker.end();
  expect(await claim).toBeUndefined();
  await expect(store.ping()).resolves.toBeUndefined();
  await store.close();
});

test("closing twice is the same as closing once", async () => {
  const store = await open();
  await Promise.all([store.close(), store.close()]);
});
