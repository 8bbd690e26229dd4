import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SystemClock } from "../../../src/adapters/clock/system.ts";
import { openBullmqQueue, type QueueConnection } from "../../../src/adapters/queue/bullmq.ts";
import { SystemRandom } from "../../../src/adapters/random/system.ts";
import { withDeadline } from "../../../src/ports/clock.ts";
import { queueContract } from "../../contract/queue.contract.ts";
import { countingMetrics } from "../../kit/counting-metrics.ts";
import { createTestDatabase, type TestDatabase } from "../../kit/postgres.ts";
import { startTestRedis, type TestRedis } from "../../kit/redis.ts";
import { silentLogger } from "../../kit/silent-logger.ts";

let database: TestDatabase;
let redis: TestRedis;

beforeAll(async () => {
  [database, redis] = await Promise.all([createTestDatabase(), startTestRedis()]);
}, 60_000);

afterAll(async () => {
  await Promise.all([database.close(), redis.close()]);
});

const open = (connection: QueueConnection) => {
  const { metrics, failures } = countingMetrics();
  const deps = { clock: new SystemClock(), random: new SystemRandom(), logger: silentLogger(), metrics };
  return { queue: openBullmqQueue({ connection, ...deps }), failures };
};

queueContract("PostgreSQL", () => open({ databaseUrl: database.url }).queue);
queueContract("Redis", () => open({ redisUrl: redis.url }).queue);

test("adding rejects within two seconds when nothing listens there", async () => {
  for (const connection of [{ redisUrl: "redis://127.0.0.1:1" }, { databaseUrl: "postgres://127.0.0.1:1/none" }]) {
    const { queue } = open(connection);
    const clock = new SystemClock();
    const started = clock.monotonic();
    await expect(queue.add("dial-1")).rejects.toThrow();
    expect(clock.monotonic() - started).toBeLessThan(2_500);
    await queue.close();
  }
});

test("adding rejects within two seconds when Redis is frozen, and works again when it goes on", async () => {
  const { queue, failures } = open({ redisUrl: redis.url });
  await queue.add("warm");
  redis.freeze();
  const clock = new SystemClock();
  const started = clock.monotonic();
  await expect(queue.add("dial-1")).rejects.toThrow();
  expect(clock.monotonic() - started).toBeLessThan(2_500);
  redis.thaw();
  await expect(queue.add("dial-2")).resolves.toMatch(/^dial-dial-2-/u);
  expect([...failures.keys()].filter((key) => key !== "queue/redis")).toEqual([]);
  await queue.close();
});

test("a worker that is told to take no more, and then to close, tells of no failure", async () => {
  const { queue, failures } = open({ redisUrl: redis.url });
  const consumer = await queue.consume(async () => undefined, 10);
  const admin = new Redis(redis.url);
  const isWaiting = async () => /flags=b.*cmd=bzpopmin/u.test(String(await admin.client("LIST")));
  await expect.poll(isWaiting, { timeout: 10_000 }).toBe(true);
  await Promise.all([consumer.pause(), consumer.close()]);
  await queue.close();
  expect([...failures]).toEqual([]);
  await admin.quit();
});

test("a process whose Redis is gone, or answers nothing, ends all the same, and without a word", async () => {
  const user = fileURLToPath(new URL("queue-user.ts", import.meta.url));
  const trouble = { gone: (server: TestRedis) => server.close(), frozen: (server: TestRedis) => server.freeze() };
  await Promise.all(
    Object.values(trouble).map(async (begin) => {
      const server = await startTestRedis();
      const child = spawn(process.execPath, [user, server.url], { stdio: ["pipe", "pipe", "pipe"] });
      let said = "";
      child.stderr.on("data", (text: Buffer) => (said += text.toString()));
      try {
        const exited = once(child, "exit");
        await once(child.stdout, "data");
        await begin(server);
        child.stdin.end();
        expect(await withDeadline(new SystemClock(), 40_000, "the end of the process", exited)).toEqual([0, null]);
        expect(said).toBe("");
      } finally {
        child.kill("SIGKILL");
        await server.close();
      }
    }),
  );
});
