import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DEMO_AGENT_ID, DEMO_NUMBER_ID } from "../../src/app/demo-workspace.ts";
import { portsInARow } from "../kit/ports-in-a-row.ts";
import { createTestDatabase, type TestDatabase } from "../kit/postgres.ts";
import { startTestRedis, type TestRedis } from "../kit/redis.ts";
import { startService } from "./running-service.ts";

let database: TestDatabase;
let redis: TestRedis;
let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "call-engine-e2e-"));
  await chmod(dataDir, 0o711);
  database = await createTestDatabase({ migrated: false });
  redis = await startTestRedis();
});

afterAll(async () => {
  await redis.close();
  await database.close();
  await rm(dataDir, { recursive: true, force: true });
});

const body = { callAgentId: DEMO_AGENT_ID, fromNumberId: DEMO_NUMBER_ID, toNumber: "+12025550126" };

test("API and worker in processes of their own share a PostgreSQL and a Redis: live events, a hang-up across, one result", async () => {
  const shared = {
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    API_KEY: "a-key-for-two-processes-0123456789",
  };
  const api = await startService(shared, "api");
  // The worker's calls reach it by way of the API's address alone, whose process holds none.
  const control = { CONTROL_LISTEN: "127.0.0.1:0", CONTROL_TOKEN: "a token for the control of calls" };
  const worker = await startService({ ...shared, ...control, PUBLIC_URL: new URL(api.baseUrl).origin }, "worker");
  const { dialId } = await api.client.createDial({ body });
  const events: string[] = [];
  for await (const { event } of api.client.followDial(dialId)) {
    events.push(event.type === "status" ? event.status : event.type);
    if (event.type === "transcript") break;
  }
  expect(events).toContain("in-progress");
  await api.client.hangUpDial({ id: dialId });
  const ended = await api.until(dialId, ({ endedAt }) => endedAt !== undefined, 15_000);
  expect(ended).toMatchObject({ status: "completed", systemResultType: "USER_HANGUP", endedBy: "api" });
  expect(ended.transcript?.[0]).toMatchObject({ speaker: "AI" });
  expect(await worker.end("SIGTERM")).toBe(0);
  expect(await api.end("SIGTERM")).toBe(0);
});

test("without the stores that two processes share, a role alone is refused", async () => {
  await expect(startService({ DATA_DIR: dataDir, WORKER_SLOT: "3" }, "worker")).rejects.toThrow(
    /WORKER_SLOTS was probably meant[^]*DATABASE_URL and REDIS_URL/u,
  );
});

test("SIGTERM lets a call end by itself; the processes behind one port wait for it and leave nothing behind", async () => {
  const stores = { DATA_DIR: dataDir, DATABASE_URL: database.url, REDIS_URL: redis.url };
  const port = await portsInARow(3);
  const service = await startService({ ...stores, PROCESSES: "2", PORT: String(port), WORKER_SLOT: "3" });
  expect(service.baseUrl).toBe(`http://localhost:${port}/api`);
  expect(service.log().match(/WORKER_SLOTS was probably meant/gu)).toHaveLength(1);
  const status = async (at: number, path: string) => (await fetch(`http://127.0.0.1:${at}${path}`)).status;
  // Each tells its own metrics; at the common port nobody knows whose they would be.
  expect(await Promise.all([0, 1, 2].map((own) => status(port + own, "/metrics")))).toEqual([404, 200, 200]);
  expect(await status(port, "/readyz")).toBe(200);
  const { dialId } = await service.client.createDial({ body: { ...body, toNumber: "+12025550145" } });
  await service.until(dialId, ({ status }) => status === "in-progress", 30_000);
  expect(await service.end("SIGTERM")).toBe(0);
  await expect(status(port, "/readyz")).rejects.toThrow();
  await expect(status(port + 2, "/readyz")).rejects.toThrow();
  const again = await startService(stores);
  const dial = await again.client.getDial({ id: dialId });
  expect(dial).toMatchObject({ status: "completed", systemResultType: "COUNTERPARTY_HANGUP" });
  expect(await again.end("SIGINT")).toBe(0);
});
