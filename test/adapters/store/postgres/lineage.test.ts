import { execFile } from "node:child_process";
import { appendFile, chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SystemClock } from "../../../../src/adapters/clock/system.ts";
import { startEmbeddedPostgres, type EmbeddedPostgres } from "../../../../src/adapters/postgres/embedded.ts";
import { SystemRandom } from "../../../../src/adapters/random/system.ts";
import { inspectDatabase } from "../../../../src/adapters/store/postgres/inspect.ts";
import { migrate } from "../../../../src/adapters/store/postgres/migrate.ts";
import { openPostgresStore, type PostgresStore } from "../../../../src/adapters/store/postgres/store.ts";
import { callEnd } from "../../../../src/model/call-end.ts";
import { sleep } from "../../../../src/ports/clock.ts";
import { StoreUnavailable, type Claim } from "../../../../src/ports/store.ts";
import { HeldBack } from "../../../../src/ports/workspace-limits.ts";
import { testAgent, testPhoneNumber, testPlan, testPrompt } from "../../../kit/dial-plans.ts";
import { silentLogger } from "../../../kit/silent-logger.ts";

const run = promisify(execFile);
const deps = { clock: new SystemClock(), random: new SystemRandom(), logger: silentLogger() };

let dataDir: string;
let server: EmbeddedPostgres;
let store: PostgresStore;
const stores: PostgresStore[] = [];

const open = async (): Promise<PostgresStore> => {
  const opened = await openPostgresStore({ ...deps, url: server.url });
  stores.push(opened);
  return opened;
};

const start = async (): Promise<void> => {
  server = await startEmbeddedPostgres({ ...deps, dataDir });
};

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "lin-"));
  await chmod(dataDir, 0o711);
  await start();
  await migrate(server.url, deps);
  store = await open();
  const seed = { workspaceId: "workspace-1", agent: testAgent(), prompt: testPrompt(), phoneNumber: testPhoneNumber() };
  await store.catalogue.seed(seed);
}, 120_000);

afterAll(async () => {
  await Promise.all(stores.map((one) => one.close()));
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const files = () => join(server.folder, "server", "data");

/** Does something to the files of the server while it does not run. */
const whileDown = async (work: (data: string, copy: string) => Promise<unknown>): Promise<void> => {
  await server.stop();
  await work(files(), join(server.folder, "copy"));
  await start();
};

let made = 0;

const dial = async (parts: Parameters<typeof testPlan>[0]): Promise<void> => {
  made += 1;
  const plan = testPlan({ toNumber: `+1202555${1000 + made}`, ...parts });
  expect(await store.dials.create({ plan, sessionId: `session-${plan.dialId}` })).toMatchObject({ type: "created" });
};

/**
 * Connections that the end of the server broke are found broken by the next statement, and replaced; and a server that recovers takes
 * connections before it takes writes. 30 s at most.
 */
const again = async <T>(statement: () => Promise<T>): Promise<T> => {
  for (let tries = 1; ; tries++) {
    try {
      return await statement();
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || tries === 300) throw error;
      await sleep(deps.clock, 100);
    }
  }
};

const claim = (dialId: string): Promise<Claim | undefined> => again(() => store.dials.claim(dialId, "worker-1"));

test("dials that waited when a backup was made are not placed after it was restored until somebody releases them", async () => {
  expect(await store.lineage.look([])).not.toHaveProperty("quarantined");
  await dial({ dialId: "placed-since" });
  await dial({ dialId: "waits" });
  await dial({
    dialId: "waits-for-morning",
    callingWindow: { days: [], start: "00:00", end: "24:00", zones: ["UTC"] },
  });
  await dial({ dialId: "rings-us", direction: "inbound" });
  const before = await store.lineage.look([]);
  await whileDown((data, copy) => run("cp", ["-a", data, copy]));

  // A stop and a start lose nothing, and nothing is made of them.
  expect(await again(() => store.lineage.look([before.mark]))).not.toHaveProperty("quarantined");
  expect(await claim("placed-since")).toMatchObject({ epoch: 1 });
  const after = await store.lineage.look([]);
  expect(after.mark.generation).toBe(before.mark.generation);

  await whileDown(async (data, copy) => {
    await rm(data, { recursive: true });
    await run("mv", [copy, data]);
  });
  // Whoever went on meanwhile knows more than the database does.
  await expect(claim("waits")).rejects.toThrow(HeldBack);
  await expect(claim("placed-since")).rejects.toThrow(HeldBack);
  // Whoever begins now has it from where the mark was kept; the one who went on finds it noted.
  const late = await open();
  const noted = await late.lineage.look([after.mark]);
  expect(noted).toMatchObject({ quarantined: 3 });
  expect(await store.lineage.look([])).toEqual({ mark: { ...noted.mark, position: expect.any(String) } });
  expect(await (await open()).lineage.look([after.mark, before.mark])).not.toHaveProperty("quarantined");

  expect(await claim("placed-since")).toBeUndefined();
  expect(await claim("waits")).toBeUndefined();
  expect(await claim("rings-us")).toMatchObject({ dialId: "rings-us" });
  expect(await store.dials.findUnqueued(10)).toEqual([]);
  expect(await store.dials.backlog()).toMatchObject({ count: 0, quarantined: 3 });
  const listed = await store.lineage.listQuarantined(1);
  expect(listed).toMatchObject({ count: 3, dials: [{ dialId: "placed-since", workspaceId: "workspace-1" }] });
  expect(await inspectDatabase(server.url)).toMatchObject({ quarantined: 3 });
  await dial({ dialId: "new" });
  expect(await claim("new")).toMatchObject({ epoch: 1 });

  const end = callEnd("operator_hangup", "api");
  for (const dialId of ["placed-since", "waits-for-morning"])
    await store.dials.end(dialId, { type: "observed", evidence: 2, end });
  expect(await store.lineage.release()).toBe(1);
  expect(await store.lineage.listQuarantined(10)).toEqual({ count: 0, dials: [] });
  expect(await claim("waits")).toMatchObject({ epoch: 1 });
  expect(await store.lineage.release()).toBe(0);
}, 120_000);

test("a server that was promoted is known by its timeline, by those who saw the other and by those who saw nothing", async () => {
  await dial({ dialId: "waits-too" });
  await store.lineage.look([]);
  await whileDown(async (data) => {
    // Recovery from an archive that holds nothing ends where the log does, and begins a timeline, as a promotion does.
    await appendFile(join(data, "postgresql.auto.conf"), "restore_command = '/bin/false'\n");
    await writeFile(join(data, "recovery.signal"), "");
    await chmod(join(data, "recovery.signal"), 0o644);
  });
  await expect(claim("waits-too")).rejects.toThrow(HeldBack);
  const late = await open();
  expect(await again(() => late.lineage.look([]))).toMatchObject({ quarantined: 1 });
  expect(await claim("waits-too")).toBeUndefined();
  expect(await again(() => store.lineage.release())).toBe(1);
  expect(await again(() => store.lineage.look([]))).not.toHaveProperty("quarantined");
  expect(await claim("waits-too")).toMatchObject({ epoch: 1 });
}, 120_000);
