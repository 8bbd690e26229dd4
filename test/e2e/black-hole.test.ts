import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SystemClock } from "../../src/adapters/clock/system.ts";
import { DEMO_AGENT_ID, DEMO_NUMBER_ID } from "../../src/app/demo-workspace.ts";
import { sleep } from "../../src/ports/clock.ts";
import { createTestDatabase, type TestDatabase } from "../kit/postgres.ts";
import { startTestRedis, type TestRedis } from "../kit/redis.ts";
import { startService, type RunningService } from "./running-service.ts";

/** At this number a line is busy at once, so that calls cost next to nothing. */
const BUSY_LINE = "+12025550130";
const DIALS = 150;
/** Three seconds for them all, so that jobs are given up meanwhile. */
const EVERY_MS = 20;
/** How long a job may take to reach the queue; after it, a dial must be found again. */
const ADD_MS = 2000;
const MARGIN_MS = 5;
/** The machine has other work: what is true in one round is true, and what costs time costs it in every round. */
const ROUNDS = 3;

const clock = new SystemClock();

let database: TestDatabase;
let redis: TestRedis;
let dataDir: string;
let api: RunningService;
let shared: Readonly<Record<string, string>>;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "call-engine-e2e-"));
  await chmod(dataDir, 0o711);
  database = await createTestDatabase({ migrated: false });
  redis = await startTestRedis();
  shared = {
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    API_KEY: "a-key-for-two-processes-0123456789",
    LOG_LEVEL: "silent",
  };
  api = await startService(shared, "api");
});

afterAll(async () => {
  expect(await api.end("SIGTERM")).toBe(0);
  await redis.close();
  await database.close();
  await rm(dataDir, { recursive: true, force: true });
});

const body = { callAgentId: DEMO_AGENT_ID, fromNumberId: DEMO_NUMBER_ID, toNumber: BUSY_LINE };

/** Creates dials one after the other at a steady pace; the median and the 99th percentile of the answers, in milliseconds. */
const createDials = async () => {
  const times: number[] = [];
  for (let made = 0; made < DIALS; made++) {
    const began = clock.monotonic();
    await api.client.createDial({ body });
    times.push(clock.monotonic() - began);
    await sleep(clock, Math.max(0, EVERY_MS - (clock.monotonic() - began)));
  }
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.ceil(DIALS * share) - 1] as number;
  return { median: at(0.5), p99: at(0.99) };
};

test("a dial that was created while Redis is a black hole is placed when Redis returns", async () => {
  const worker = await startService(shared, "worker");
  redis.freeze();
  const { dialId } = await api.client.createDial({ body });
  await sleep(clock, ADD_MS + 500);
  expect((await api.client.getDial({ id: dialId })).status).toBe("queued");
  redis.thaw();
  const ended = await api.until(dialId, ({ endedAt }) => endedAt !== undefined, 60_000);
  expect(ended).toMatchObject({ status: "busy", systemResultType: "BUSY" });
  expect(await worker.end("SIGTERM")).toBe(0);
});

test("a dial is created as fast while Redis is a black hole as normally", async ({ annotate }) => {
  await createDials();
  const told: string[] = [];
  let held = false;
  for (let round = 1; round <= ROUNDS && !held; round++) {
    const normal = await createDials();
    redis.freeze();
    const frozen = await createDials();
    redis.thaw();
    held = frozen.median <= normal.median + MARGIN_MS && frozen.p99 <= normal.p99 + MARGIN_MS;
    const line = ({ median, p99 }: typeof normal) => `median ${median.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;
    told.push(`round ${round}: normally ${line(normal)}; without Redis ${line(frozen)}`);
  }
  await annotate(told.join("\n"));
  expect(held, told.join("\n")).toBe(true);
});
