import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SystemClock } from "../../../../src/adapters/clock/system.ts";
import { SystemRandom } from "../../../../src/adapters/random/system.ts";
import { openPostgresStore } from "../../../../src/adapters/store/postgres/store.ts";
import type { Positioned } from "../../../../src/ports/page.ts";
import type { Store } from "../../../../src/ports/store.ts";
import {
  testAgent,
  testExtractor,
  testFunction,
  testPhoneNumber,
  testPlan,
  testPrompt,
} from "../../../kit/dial-plans.ts";
import { createTestDatabase, type TestDatabase } from "../../../kit/postgres.ts";

let database: TestDatabase;
let store: Store;
let app: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  store = await openPostgresStore({ url: database.url, clock: new SystemClock(), random: new SystemRandom() });
  for (const workspaceId of ["mine", "theirs"]) {
    await store.catalogue.putApiKey({ workspaceId, sha256: workspaceId, kind: "secret", label: "test" });
    await store.catalogue.seed({
      workspaceId,
      agent: testAgent(`agent-${workspaceId}`),
      prompt: testPrompt(`prompt-${workspaceId}`),
      phoneNumber: testPhoneNumber(`number-${workspaceId}`),
    });
    const plan = testPlan({ dialId: `dial-${workspaceId}`, workspaceId });
    const idempotency = { key: `key-${workspaceId}`, fingerprint: "same" };
    await store.dials.create({ plan, sessionId: "session", webhookUrl: "https://example.com", idempotency });
    const claim = await store.dials.claim(plan.dialId, "worker");
    expect(claim).toBeDefined();
    await store.dials.advance(plan.dialId, "RINGING");
    const entry = { text: "hello", speaker: "HUMAN", detailType: null, startTimeMs: 0, endTimeMs: 1 } as const;
    await store.dials.saveTranscript(plan.dialId, [{ index: 0, entry }]);
    await store.dials.saveTurns(plan.dialId, [{ index: 0, startMs: 0, endReason: "opening", interrupted: false }]);
    const recording = { id: "recording", channels: 2, durationMs: 1, startedAt: "2026-01-05T09:00:00.000Z" };
    await store.dials.saveRecording(plan.dialId, recording);
    await store.catalogue.addFunction(workspaceId, testFunction(`function-${workspaceId}`));
    await store.catalogue.addExtractor(workspaceId, `agent-${workspaceId}`, testExtractor(`extractor-${workspaceId}`));
    const sound = { samples: Int16Array.of(1, -1), sampleRate: 8000 };
    await store.catalogue.addAudio(workspaceId, { id: `audio-${workspaceId}`, name: "office", ...sound }, 10);
    await store.catalogue.addDoNotCall(workspaceId, { id: `listed-${workspaceId}`, number: "+12025550199" });
    await store.erasures.markNumber(workspaceId, `erasure-${workspaceId}`, "+12025550188");
    const [lease] = await store.outbox.claim(1);
    const delivery = lease && (await store.outbox.open(lease));
    expect(delivery?.workspaceId).toBe(workspaceId);
    const attempt = { outcome: "delivered", statusCode: 200, durationMs: 1 } as const;
    if (delivery !== undefined) await store.outbox.settle({ ...delivery, more: false }, attempt, { type: "delivered" });
  }
  app = new pg.Client({ connectionString: database.url, options: "-c role=call_engine_app" });
  await app.connect();
}, 60_000);

afterAll(async () => {
  await app.end();
  await store.close();
  await database.close();
});

const scopedTables = async (): Promise<readonly string[]> => {
  const rows = await database.query(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'workspace_id'
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') ORDER BY 1`,
  );
  return rows.map(({ name }) => String(name));
};

test("every table forces row-level security, and each with a workspace has the policy of its workspace", async () => {
  const tables = await database.query(
    `SELECT relname AS name, relrowsecurity AND relforcerowsecurity AS forced FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND relname <> 'schema_migration'`,
  );
  expect(tables.length).toBeGreaterThanOrEqual(15);
  expect(tables.filter(({ forced }) => forced !== true)).toEqual([]);
  const scoped = await scopedTables();
  expect(scoped.length).toBeGreaterThanOrEqual(13);
  const policies = await database.query(
    "SELECT tablename FROM pg_policies WHERE policyname = 'own_workspace' AND roles = '{call_engine_app}'",
  );
  const covered = new Set(policies.map(({ tablename }) => String(tablename)));
  expect(scoped.filter((table) => !covered.has(table))).toEqual([]);
});

test("a transaction of one workspace sees its own rows and none of another, in every table", async () => {
  for (const table of await scopedTables()) {
    await app.query("BEGIN");
    await app.query("SELECT set_config('app.workspace', 'mine', true)");
    const { rows } = await app.query<{ workspace_id: string }>(`SELECT DISTINCT workspace_id FROM ${table}`);
    await app.query("COMMIT");
    expect(rows, table).toEqual([{ workspace_id: "mine" }]);
  }
});

test("without a workspace the role of requests sees nothing", async () => {
  for (const table of await scopedTables()) expect((await app.query(`SELECT * FROM ${table}`)).rowCount, table).toBe(0);
});

test("a transaction of one workspace cannot write into another", async () => {
  await app.query("BEGIN");
  await app.query("SELECT set_config('app.workspace', 'mine', true)");
  const changed = await app.query("UPDATE agent SET name = 'stolen' WHERE id = 'agent-theirs'");
  expect(changed.rowCount).toBe(0);
  await expect(
    app.query("INSERT INTO agent (id, workspace_id, name, rest) VALUES ('planted', 'theirs', 'x', '{}')"),
  ).rejects.toMatchObject({ code: "42501" });
  await app.query("ROLLBACK");
});

test("the role of requests cannot read the secret of the deployment", async () => {
  await expect(app.query("SELECT * FROM deployment_secret")).rejects.toMatchObject({ code: "42501" });
});

const namesOf = (of: string) => ({
  agentId: `agent-${of}`,
  promptIds: [`prompt-${of}`],
  extractorId: `extractor-${of}`,
  fromNumberId: `number-${of}`,
  idempotencyKey: `key-${of}`,
});

test("every method that names a workspace finds its own and nothing of another", async () => {
  const { catalogue, dials } = store;
  const found = (workspaceId: string, of: string) =>
    Promise.all([
      catalogue.findAgent(workspaceId, `agent-${of}`),
      catalogue.findPrompt(workspaceId, `agent-${of}`, `prompt-${of}`),
      catalogue.newestPrompt(workspaceId, `agent-${of}`),
      catalogue.findPhoneNumber(workspaceId, `number-${of}`),
      catalogue.findFunctions(workspaceId, [`function-${of}`]).then(([one]) => one),
      catalogue.findExtractor(workspaceId, `agent-${of}`, `extractor-${of}`),
      catalogue.readAudio(workspaceId, `audio-${of}`),
      catalogue.changeAgent(workspaceId, `agent-${of}`, (agent) => agent),
      catalogue.changePrompt(workspaceId, `agent-${of}`, `prompt-${of}`, (prompt) => prompt),
      catalogue.changeExtractor(workspaceId, `agent-${of}`, `extractor-${of}`, (extractor) => extractor),
      catalogue.changeFunction(workspaceId, `function-${of}`, (definition) => definition),
      catalogue.changePhoneNumber(workspaceId, `number-${of}`, (number) => number),
      dials.findReferences(workspaceId, namesOf(of)).then(({ earlier }) => earlier),
      dials.findReferences(workspaceId, namesOf(of)).then(({ agent }) => agent),
      dials.findReferences(workspaceId, namesOf(of)).then(({ prompts: [prompt] }) => prompt),
      dials.findReferences(workspaceId, namesOf(of)).then(({ newestPromptId }) => newestPromptId),
      dials.findReferences(workspaceId, namesOf(of)).then(({ extractor }) => extractor),
      dials.findReferences(workspaceId, namesOf(of)).then(({ from }) => from),
      dials.find(workspaceId, `dial-${of}`),
      dials.findRecording(workspaceId, `dial-${of}`, "recording"),
    ]);
  expect((await found("mine", "mine")).filter((one) => one === undefined)).toEqual([]);
  expect((await found("mine", "theirs")).filter((one) => one !== undefined)).toEqual([]);
  const page = { limit: 10 };
  const ids = async (list: Promise<Positioned<Readonly<{ id: string }>>>) => (await list).items.map(({ id }) => id);
  expect(await ids(catalogue.listAgents("mine", page))).toEqual(["agent-mine"]);
  expect(await ids(catalogue.listPhoneNumbers("mine", page))).toEqual(["number-mine"]);
  expect(await ids(catalogue.listFunctions("mine", page))).toEqual(["function-mine"]);
  expect(await ids(catalogue.listPrompts("mine", "agent-mine", page))).toEqual(["prompt-mine"]);
  expect(await ids(catalogue.listPrompts("mine", "agent-theirs", page))).toEqual([]);
  expect(await ids(catalogue.listExtractors("mine", "agent-theirs", page))).toEqual([]);
  expect(await ids(dials.list("mine", {}, page))).toEqual(["dial-mine"]);
  expect(await ids(dials.list("mine", { agentId: "agent-theirs" }, page))).toEqual([]);
  expect((await catalogue.listApiKeys("mine", page)).items).toHaveLength(1);
  const told = (await store.outbox.list("mine", {}, page)).items.map(({ dialId }) => dialId);
  expect(new Set(told)).toEqual(new Set(["dial-mine"]));
  expect(await ids(store.outbox.list("mine", { dialId: "dial-theirs" }, page))).toEqual([]);
  const [theirs] = (await store.outbox.list("theirs", {}, page)).items;
  expect(await store.outbox.replay("mine", theirs?.id ?? "")).toBeUndefined();
  expect(await store.outbox.replay("theirs", theirs?.id ?? "")).toBeDefined();
});

test("nothing is added to or removed from another workspace", async () => {
  const { catalogue } = store;
  expect(await catalogue.addPrompt("mine", "agent-theirs", testPrompt("planted"))).toBe(false);
  expect(await catalogue.addExtractor("mine", "agent-theirs", testExtractor("planted"))).toBe(false);
  expect(await catalogue.removePrompt("mine", "agent-theirs", "prompt-theirs")).toBeUndefined();
  expect(await catalogue.removeExtractor("mine", "agent-theirs", "extractor-theirs")).toBeUndefined();
  expect(await catalogue.removePhoneNumber("mine", "number-theirs")).toBeUndefined();
  expect(await catalogue.removeFunction("mine", "function-theirs")).toBeUndefined();
  expect(await catalogue.removeAudio("mine", "audio-theirs")).toBeUndefined();
  expect(await catalogue.removeDoNotCall("mine", "listed-theirs")).toBeUndefined();
  expect(await catalogue.removeAgent("mine", "agent-theirs")).toBeUndefined();
  const [key] = (await catalogue.listApiKeys("theirs", { limit: 1 })).items;
  expect(await catalogue.removeApiKey("mine", key?.id ?? "")).toBeUndefined();
  expect(await catalogue.findPrompt("theirs", "agent-theirs", "prompt-theirs")).toBeDefined();
  expect(await catalogue.findExtractor("theirs", "agent-theirs", "extractor-theirs")).toBeDefined();
  expect(await catalogue.findApiKey("theirs")).toBeDefined();
});
