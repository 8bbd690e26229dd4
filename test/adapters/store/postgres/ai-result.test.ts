import { afterAll, beforeAll, expect, test } from "vitest";
import { SystemClock } from "../../../../src/adapters/clock/system.ts";
import { SystemRandom } from "../../../../src/adapters/random/system.ts";
import { openPostgresStore } from "../../../../src/adapters/store/postgres/store.ts";
import type { Store } from "../../../../src/ports/store.ts";
import { testAgent, testPhoneNumber, testPlan, testPrompt } from "../../../kit/dial-plans.ts";
import { createTestDatabase, type TestDatabase } from "../../../kit/postgres.ts";

let database: TestDatabase;
let store: Store;

beforeAll(async () => {
  database = await createTestDatabase();
  store = await openPostgresStore({ url: database.url, clock: new SystemClock(), random: new SystemRandom() });
  const seed = { agent: testAgent(), prompt: testPrompt(), phoneNumber: testPhoneNumber() };
  await store.catalogue.seed({ workspaceId: "workspace-1", ...seed });
}, 60_000);

afterAll(async () => {
  await store.close();
  await database.close();
});

const create = async (dialId: string, webhookUrl?: string) => {
  const plan = testPlan({ dialId, toNumber: `+1202555${dialId}` });
  const sessionId = `session-${dialId}`;
  await store.dials.create({ plan, sessionId, ...(webhookUrl === undefined ? {} : { webhookUrl }) });
};

const extracted = (dialId: string) =>
  database.query("SELECT event, sequence, payload FROM outbox WHERE dial_id = $1 AND event = 'dial.extractor'", [
    dialId,
  ]);

const RESULT = { name: "Ada", guests: 2, price: null, extra: { "a'": ["\\", "ü", "$1"] } };

test("what was extracted is read with the dial and told once, a later result is only kept", async () => {
  await create("2000", "https://example.com/hook");
  expect(await store.dials.find("workspace-1", "2000")).not.toHaveProperty("aiResult");
  await store.dials.saveAiResult("2000", RESULT, { name: [3, 5], guests: [] });
  expect(await store.dials.find("workspace-1", "2000")).toMatchObject({ aiResult: RESULT });
  const told = [{ event: "dial.extractor", sequence: 2, payload: { dial_id: "2000", ai_result: RESULT } }];
  expect(await extracted("2000")).toEqual(told);
  expect(await store.dials.find("workspace-1", "2000")).toMatchObject({
    aiResultEvidence: { name: [3, 5], guests: [] },
  });
  await store.dials.saveAiResult("2000", { name: null });
  expect((await store.dials.find("workspace-1", "2000"))?.aiResultEvidence).toEqual({});
  expect((await store.dials.find("workspace-1", "2000"))?.aiResult).toEqual({ name: null });
  expect(await extracted("2000")).toEqual(told);
});

test("without a webhook there is nothing to tell, and an unknown dial has no result", async () => {
  await create("2001");
  await store.dials.saveAiResult("2001", RESULT);
  await store.dials.saveAiResult("nobody", RESULT);
  expect((await store.dials.find("workspace-1", "2001"))?.aiResult).toEqual(RESULT);
  expect(await extracted("2001")).toEqual([]);
});

test("two results at the same time are told as one", async () => {
  await create("2002", "https://example.com/hook");
  await Promise.all(Array.from({ length: 5 }, (_, guests) => store.dials.saveAiResult("2002", { guests })));
  expect(await extracted("2002")).toHaveLength(1);
});
