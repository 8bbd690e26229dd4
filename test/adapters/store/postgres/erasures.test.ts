import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SystemClock } from "../../../../src/adapters/clock/system.ts";
import { memoryLiveState } from "../../../../src/adapters/live/memory.ts";
import { SystemRandom } from "../../../../src/adapters/random/system.ts";
import { DiskRecorder } from "../../../../src/adapters/recorder/disk-recorder.ts";
import { openPostgresStore } from "../../../../src/adapters/store/postgres/store.ts";
import { eraseDial, eraseMarked } from "../../../../src/dials/erase.ts";
import { callEnd } from "../../../../src/model/call-end.ts";
import type { CallPlan } from "../../../../src/model/call-plan.ts";
import type { Store } from "../../../../src/ports/store.ts";
import { Housekeeper } from "../../../../src/worker/housekeeper.ts";
import { testAgent, testPlan } from "../../../kit/dial-plans.ts";
import { createTestDatabase, type TestDatabase } from "../../../kit/postgres.ts";
import { silentLogger } from "../../../kit/silent-logger.ts";

const WORKSPACE = "workspace-1";
/** Stands in everything that a call tells of a person. */
const CANARY = "kanarienvogel";
const NUMBER = "+12025557777";

const clock = new SystemClock();
const random = new SystemRandom();
let database: TestDatabase;
let store: Store;
let dataDir: string;
let recorder: DiskRecorder;
const live = memoryLiveState({ clock });
const deps = () => ({ clock, random, logger: silentLogger(), erasures: store.erasures, recorder, live });

beforeAll(async () => {
  database = await createTestDatabase();
  store = await openPostgresStore({ url: database.url, clock, random });
  await store.catalogue.putApiKey({ workspaceId: WORKSPACE, sha256: "hash", kind: "secret", label: "test" });
  dataDir = await mkdtemp(join(tmpdir(), "erasures-"));
  recorder = new DiskRecorder({ folder: join(dataDir, "recordings"), logger: silentLogger() });
}, 60_000);

afterAll(async () => {
  await recorder.close();
  await rm(dataDir, { recursive: true });
  await store.close();
  await database.close();
});

/** A call that left something personal in every place that a call can. */
const talk = async (dialId: string, parts: Partial<CallPlan> = {}): Promise<void> => {
  const plan = testPlan({
    dialId,
    toNumber: NUMBER,
    fromNumber: `+1202555${dialId.slice(-4)}`,
    inputs: { name: CANARY, number: NUMBER },
    openingLine: `Hello ${CANARY}`,
    voicemail: { action: "leave_message", message: CANARY },
    startedMessages: { f: [CANARY] },
    transcriber: { type: "local", keywords: [CANARY] },
    warnings: [CANARY],
    ...parts,
  });
  await store.dials.create({ plan, sessionId: `session-${dialId}`, webhookUrl: "https://customer.example/hook" });
  const claim = await store.dials.claim(dialId, "worker");
  await store.dials.attachCall(claim!, `${CANARY}-${dialId}`);
  await store.dials.advance(dialId, "IN_PROGRESS");
  await store.dials.spendToken(dialId, CANARY);
  await speak(dialId);
  const stream = await recorder.open({ dialId, recordingId: "r", sampleRate: 8000 });
  stream.write("caller", new Int16Array(8000).fill(1000), 0);
  await stream.close();
  live.publish(dialId, { type: "interim", text: CANARY });
};

const speak = async (dialId: string): Promise<void> => {
  const entry = { text: CANARY, speaker: "HUMAN", detailType: null, startTimeMs: 0, endTimeMs: 1 } as const;
  await store.dials.saveTranscript(dialId, [{ index: 0, entry }]);
  await store.dials.saveTurns(dialId, [{ index: 0, startMs: 0, endReason: "opening", interrupted: false }]);
  const startedAt = "2026-01-05T09:00:00.000Z";
  await store.dials.saveRecording(dialId, { id: "r", channels: 2, durationMs: 1000, startedAt });
  await store.dials.saveAiResult(dialId, { name: CANARY }, { name: [0] });
};

const end = (dialId: string) =>
  store.dials.end(dialId, { type: "observed", evidence: 2, end: callEnd("agent_hangup", "agent") });

/** Rows of any table in which a word stands. */
const rowsWith = async (word: string): Promise<readonly string[]> => {
  const tables = await database.query(
    "SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')",
  );
  expect(tables.length).toBeGreaterThan(15);
  const found: string[] = [];
  for (const { name } of tables) {
    if (name === "schema_migration") continue;
    const rows = await database.query(`SELECT t::text AS row FROM "${String(name)}" t WHERE t::text LIKE $1`, [
      `%${word}%`,
    ]);
    found.push(...rows.map(({ row }) => `${String(name)} ${String(row)}`));
  }
  return found;
};

const folders = async () => {
  const names: readonly string[] = await readdir(join(dataDir, "recordings"));
  return names.toSorted();
};

test("of an erased dial nothing personal is left in any table, in the live stream and on disk", async () => {
  await talk("1001");
  await talk("1002", { toNumber: "+12025551111", inputs: {}, transcriber: { type: "local", keywords: [] } });
  expect((await rowsWith(CANARY)).length).toBeGreaterThan(5);
  await expect(eraseDial(deps(), WORKSPACE, "1001")).rejects.toMatchObject({ code: "dial_not_over" });
  await expect(eraseDial(deps(), "workspace-2", "1001")).rejects.toMatchObject({ code: "dial_not_found" });
  await end("1001");
  await end("1002");
  expect(await eraseDial(deps(), WORKSPACE, "1001")).toBe(true);
  // What was on its way while the dial was erased is not kept either.
  await speak("1001");
  const left = (await rowsWith(CANARY)).filter((row) => !row.includes("1002"));
  expect(left).toEqual([]);
  expect(await rowsWith(NUMBER)).toEqual([]);
  expect(await folders()).toEqual(["1002"]);
  live.publish("1001", { type: "interim", text: "the first" });
  const following = live.follow("1001", undefined, new AbortController().signal)[Symbol.asyncIterator]();
  expect((await following.next()).value).toMatchObject({ event: { text: "the first" } });
  await following.return?.();
  const dial = await store.dials.find(WORKSPACE, "1001");
  expect(dial).toMatchObject({ status: "completed", inputs: {}, transcript: [], turns: [], recordings: [] });
  expect(dial?.erasedAt).toBeDefined();
  expect([dial?.toNumber, dial?.fromNumber, dial?.aiResult]).toEqual([undefined, undefined, undefined]);
  expect((await store.dials.find(WORKSPACE, "1002"))?.transcript).toHaveLength(1);
});

test("events of an erased dial are delivered in their order and tell nothing of the person", async () => {
  const events = await database.query(
    "SELECT event, payload, state FROM outbox WHERE dial_id = '1001' ORDER BY sequence",
  );
  expect(events.map(({ event }) => event)).toContain("dial.extractor");
  for (const { event, payload, state } of events) {
    expect(state).toBe("pending");
    if (event === "dial.extractor" || event === "dial.transcript")
      expect(payload).toEqual({ dial_id: "1001", erased: true });
  }
});

test("each erasure leaves one entry, which does not tell whom it was about", async () => {
  expect(await eraseDial(deps(), WORKSPACE, "1001")).toBe(true);
  const { items } = await store.erasures.list(WORKSPACE, { limit: 10 });
  expect(items).toMatchObject([{ cause: "dial", dialId: "1001", dials: 1 }]);
  expect((await store.erasures.list("workspace-2", { limit: 10 })).items).toEqual([]);
});

test("a number is erased from calls to it and from it, at once or when the call is over", async () => {
  const other = "+12025558888";
  await talk("2001", { toNumber: other });
  await talk("2002", { toNumber: "+12025550001", fromNumber: other, direction: "inbound" });
  await talk("2003", { toNumber: "+12025559999", fromNumber: other });
  await talk("2004", { toNumber: other });
  for (const dialId of ["2001", "2002", "2003"]) await end(dialId);
  const erasure = await store.erasures.markNumber(WORKSPACE, "erasure-1", other);
  expect(erasure).toMatchObject({ id: "erasure-1", cause: "number", dials: 3 });
  expect(await store.erasures.markNumber("workspace-1", "erasure-2", "+12025550002")).toMatchObject({ dials: 0 });
  await eraseMarked(deps(), WORKSPACE);
  const erased = async (dialId: string) => (await store.dials.find(WORKSPACE, dialId))?.erasedAt !== undefined;
  expect(await Promise.all(["2001", "2002", "2003", "2004"].map(erased))).toEqual([true, true, false, false]);
  await end("2004");
  await new Housekeeper(deps(), {}).sweep();
  expect(await erased("2004")).toBe(true);
  expect((await rowsWith(CANARY)).filter((row) => /\b200[124]\b/.test(row))).toEqual([]);
  expect(await folders()).toEqual(["1002", "2003"]);
});

test("dials go when their agents' time is over, or the deployment's where agents do not say", async () => {
  const keeping = (retentionDays: number) => ({ agent: { ...testAgent(), retentionDays }, toNumber: "+12025556666" });
  await talk("3001", keeping(30));
  await talk("3002", keeping(7));
  await talk("3003", { toNumber: "+12025556666" });
  await talk("3004", keeping(7));
  for (const dialId of ["3001", "3002", "3003"]) await end(dialId);
  const age = (days: number) =>
    database.query(
      "UPDATE dial SET ended_at = now() - $1 * interval '1 day' WHERE id LIKE '300_' AND state = 'ENDED'",
      [days],
    );
  const due = async (otherwise?: number) =>
    (await store.erasures.findExpired(10, otherwise)).map(({ dialId }) => dialId).toSorted();
  await age(6.99);
  expect(await due(7)).toEqual([]);
  await age(7.01);
  expect(await due()).toEqual(["3002"]);
  expect(await due(7)).toEqual(["3002", "3003"]);
  await age(31);
  expect(await due()).toEqual(["3001", "3002"]);
  await new Housekeeper(deps(), { retentionDays: 20 }).sweep();
  expect(await due(1)).toEqual([]);
  expect((await rowsWith(CANARY)).filter((row) => /\b300[123]\b/.test(row))).toEqual([]);
  expect((await store.dials.find(WORKSPACE, "3004"))?.erasedAt).toBeUndefined();
});

test("a recorder that is away keeps a dial marked, until it is back", async () => {
  await talk("4001");
  await end("4001");
  const away = { ...deps(), recorder: { remove: () => Promise.reject(new Error("away")) } };
  expect(await eraseDial(away, WORKSPACE, "4001")).toBe(false);
  await new Housekeeper(away, {}).sweep();
  expect((await store.dials.find(WORKSPACE, "4001"))?.erasedAt).toBeUndefined();
  await new Housekeeper(deps(), {}).sweep();
  expect((await store.dials.find(WORKSPACE, "4001"))?.erasedAt).toBeDefined();
});

test("rows that only the service needs are deleted when their time is over, in small batches, and no younger ones", async () => {
  const plan = testPlan({ dialId: "5001", toNumber: "+12025555001" });
  const idempotency = { key: "key-5001", fingerprint: "f" };
  await store.dials.create({ plan, sessionId: "s", webhookUrl: "https://customer.example/hook", idempotency });
  const old = async (table: string, column: string, days: number, where: string) => {
    await database.query(`UPDATE ${table} SET ${column} = now() - $1 * interval '1 day' WHERE ${where}`, [days]);
  };
  const count = async (table: string, where: string) =>
    Number((await database.query(`SELECT count(*) AS n FROM ${table} WHERE ${where}`))[0]?.["n"]);
  await old("idempotency_key", "created_at", 6.9, "key = 'key-5001'");
  await old("outbox", "created_at", 31, "dial_id = '5001'");
  expect(await store.erasures.tidy(1)).toBe(0);
  await old("idempotency_key", "created_at", 7.1, "key = 'key-5001'");
  expect(await store.erasures.tidy(1)).toBe(1);
  expect(await count("idempotency_key", "key = 'key-5001'")).toBe(0);
  // What is not delivered yet stays, however old.
  expect(await count("outbox", "dial_id = '5001'")).toBe(1);
  await database.query("UPDATE outbox SET state = 'delivered' WHERE dial_id = '5001'");
  expect(await store.erasures.tidy(1)).toBe(1);
  expect(await count("outbox", "dial_id = '5001'")).toBe(0);
  const history = "dial_id = '1001'";
  expect(await count("dial_event", history)).toBeGreaterThan(1);
  await old("dial_event", "at", 31, `${history} AND kind = 'placing'`);
  expect(await store.erasures.tidy(100)).toBe(1);
  expect(await count("dial_event", history)).toBeGreaterThan(0);
});
