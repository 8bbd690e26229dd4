import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { SystemClock } from "../../src/adapters/clock/system.ts";
import { SystemRandom } from "../../src/adapters/random/system.ts";
import { openPostgresStore } from "../../src/adapters/store/postgres/store.ts";
import { ApiRig, KEY, OTHER_KEY, PHONE_DIAL } from "../kit/api-rig.ts";
import { createTestDatabase } from "../kit/postgres.ts";

const releasers: (() => Promise<void>)[] = [];
// A shared machine may be many times slower than a quiet one.
vi.setConfig({ testTimeout: 120_000 });

let rig: ApiRig;

beforeAll(async () => {
  const database = await createTestDatabase();
  releasers.push(() => database.close());
  const random = new SystemRandom();
  const store = await openPostgresStore({ url: database.url, clock: new SystemClock(), random });
  releasers.push(() => store.close());
  for (const [workspaceId, key] of [
    ["w1", KEY],
    ["w2", OTHER_KEY],
  ] as const) {
    const sha256 = createHash("sha256").update(key).digest("hex");
    await store.catalogue.putApiKey({ workspaceId, sha256, kind: "secret", label: "test" });
  }
  await store.catalogue.seed({
    workspaceId: "w1",
    agent: { id: "a1", name: "Anna", language: "en", metadata: { team: "sales" } },
    prompt: { id: "p1", name: "First", agentType: "STANDARD", prompt: "You are Anna." },
    phoneNumber: { id: "n1", number: "+12025550100", type: "PSTN", carrier: "loopback" },
  });
  rig = new ApiRig({ store, random });
  releasers.push(() => rig.close());
}, 60_000);

afterAll(async () => {
  for (const release of releasers.toReversed()) await release();
});

test("a dial that was created is read back as it was planned", async () => {
  const callAgentInput = { name: "Ada", nested: { list: [1, null, "ü\n😀"] }, "1": 1e21 };
  const { dialId } = await rig.dial({ callAgentInput, webhookUrl: "https://example.com/hook" });
  const dial = (await rig.request("GET", `/api/dials/${dialId}`)).json<Record<string, unknown>>();
  expect(dial).toMatchObject({
    id: dialId,
    status: "queued",
    systemResultType: null,
    toNumber: "+12025550123",
    agent: { id: "a1", name: "Anna", language: "en", metadata: { team: "sales" } },
    inputs: callAgentInput,
    versionedPromptId: "p1",
  });
  expect(dial["createdAt"]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect((await rig.request("GET", `/api/dials/${dialId}`, { key: OTHER_KEY })).statusCode).toBe(404);
});

test("a hundred twins at once make one dial", async () => {
  const headers = { "idempotency-key": "twins" };
  const responses = await Promise.all(
    Array.from({ length: 100 }, () => rig.request("POST", "/api/dials", { body: PHONE_DIAL, headers })),
  );
  const statuses = responses.map((response) => response.statusCode);
  expect(statuses.filter((status) => status === 201)).toHaveLength(1);
  expect(statuses.filter((status) => status === 200)).toHaveLength(99);
  expect(new Set(responses.map((response) => response.json<{ dialId: string }>().dialId)).size).toBe(1);
});

test("a dial that waits is cancelled at once, and then cannot be claimed", async () => {
  const { dialId } = await rig.dial();
  const response = await rig.request("POST", `/api/dials/${dialId}/hangup`);
  expect(response.json()).toMatchObject({ status: "canceled", systemResultType: "CANCELLED", endedBy: "api" });
  expect(await rig.deps.store.dials.claim(dialId, "worker")).toBeUndefined();
});

test("no text of a client makes the database fail", async () => {
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: "grapheme" }),
    fc.constantFrom("\0", "\uD800", "\\u0000", "'; DROP TABLE dial; --", "NaN", "null", "\u{10FFFF}", "x".repeat(5000)),
  );
  // A member of this name is refused with the body, as another test shows.
  const accepted = (value: unknown): boolean => !JSON.stringify(value).includes("__proto__");
  const statuses = new Set<number>();
  const ask = async (method: "GET" | "POST", url: string, more: Parameters<ApiRig["request"]>[2] = {}) => {
    const { statusCode, body } = await rig.request(method, url, more);
    statuses.add(statusCode);
    expect(statusCode, body).toBeLessThan(500);
  };
  await fc.assert(
    fc.asyncProperty(text.filter(accepted), text, fc.jsonValue().filter(accepted), async (a, b, value) => {
      await ask("POST", "/api/dials", { body: { ...PHONE_DIAL, callAgentInput: { [a]: b, value } } });
      await ask("POST", "/api/dials", { body: { ...PHONE_DIAL, callAgentId: a, fromNumberId: b } });
      await ask("POST", "/api/dials", { body: { ...PHONE_DIAL, fromNumberId: a, versionedModelId: b } });
      await ask("GET", `/api/dials/${encodeURIComponent(a.toWellFormed())}`);
    }),
    { numRuns: 40 },
  );
  expect(statuses).toEqual(new Set([201, 404, 422]));
});
