import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SystemClock } from "../../../../src/adapters/clock/system.ts";
import { SystemRandom } from "../../../../src/adapters/random/system.ts";
import { openPostgresStore } from "../../../../src/adapters/store/postgres/store.ts";
import { callEnd } from "../../../../src/model/call-end.ts";
import type { Store } from "../../../../src/ports/store.ts";
import { describeOutbox } from "../../../contract/outbox.contract.ts";
import { testAgent, testPhoneNumber, testPlan, testPrompt } from "../../../kit/dial-plans.ts";
import { createTestDatabase, type TestDatabase } from "../../../kit/postgres.ts";

let database: TestDatabase;
let store: Store;

beforeAll(async () => {
  database = await createTestDatabase();
  store = await openPostgresStore({ url: database.url, clock: new SystemClock(), random: new SystemRandom() });
  for (const workspaceId of ["w1", "w2", "workspace-1"]) {
    const seed = {
      agent: testAgent(`agent-${workspaceId}`),
      prompt: testPrompt(`prompt-${workspaceId}`),
      phoneNumber: testPhoneNumber(`number-${workspaceId}`),
    };
    await store.catalogue.seed({ workspaceId, ...seed });
  }
}, 60_000);

afterAll(async () => {
  await store.close();
  await database.close();
});

/** Moves every moment of the webhooks into the past. */
const pass = async (ms: number) => {
  await database.query("UPDATE webhook_stream SET next_at = next_at - $1::float8 * interval '1 ms'", [ms]);
  await database.query("UPDATE outbox SET next_at = next_at - $1::float8 * interval '1 ms'", [ms]);
  await database.query("UPDATE webhook_secret SET previous_until = previous_until - $1::float8 * interval '1 ms'", [
    ms,
  ]);
};

describe("the outbox in PostgreSQL", () => {
  describeOutbox(async () => ({
    outbox: store.outbox,
    pass,
    add: async ({ workspaceId, dialId, url }) => {
      const number = `+1202555${dialId.replaceAll(/\D/g, "").padStart(4, "0")}`;
      const created = await store.dials.find(workspaceId, dialId);
      if (created === undefined) {
        const plan = testPlan({ dialId, workspaceId, toNumber: number });
        await store.dials.create({ plan, sessionId: `session-${dialId}`, webhookUrl: url });
        return;
      }
      // A recording is an event that can be added again and again.
      await store.dials.saveRecording(dialId, {
        id: new SystemRandom().id(),
        channels: 2,
        durationMs: 1,
        startedAt: "2026-01-05T09:00:00.000Z",
      });
    },
  }));
});

const talk = async (dialId: string) => {
  const plan = testPlan({ dialId, toNumber: `+1202556${dialId}` });
  await store.dials.create({ plan, sessionId: "session", webhookUrl: `https://${dialId}.example.com/` });
  await store.dials.claim(dialId, "worker");
  await store.dials.advance(dialId, "IN_PROGRESS");
  const entry = { text: "hello", speaker: "AI", detailType: null, startTimeMs: 0, endTimeMs: 1 } as const;
  await store.dials.saveTranscript(dialId, [{ index: 0, entry }]);
  await store.dials.end(dialId, { type: "carrier", evidence: 3, end: { cause: "completed" } });
  return entry;
};

/** Delivers what is due for a dial, and answers what was sent. */
const drain = async (dialId: string) => {
  const sent: Readonly<Record<string, unknown>>[] = [];
  for (;;) {
    const lease = (await store.outbox.claim(100)).find((one) => one.dialId === dialId);
    const delivery = lease && (await store.outbox.open(lease));
    if (delivery === undefined) return sent;
    sent.push({ event: delivery.event, ...delivery.payload });
    await store.outbox.settle(
      delivery,
      { outcome: "delivered", statusCode: 200, durationMs: 1 },
      { type: "delivered" },
    );
  }
};

test("a transcript waits until it is whole, and is read when it is sent", async () => {
  const entry = await talk("2000");
  expect((await drain("2000")).map(({ event }) => event)).toEqual(["dial.created", "dial.updated", "dial.updated"]);
  const later = { ...entry, text: "goodbye", speaker: "HUMAN" } as const;
  await store.dials.saveTranscript("2000", [{ index: 1, entry: later }]);
  await store.dials.transcriptComplete("2000");
  await store.dials.transcriptComplete("2000");
  expect(await drain("2000")).toEqual([{ event: "dial.transcript", dial_id: "2000", transcript: [entry, later] }]);
});

test("a transcript whose worker is gone is sent as it is, half a minute after the end", async () => {
  const entry = await talk("2001");
  expect(await drain("2001")).toHaveLength(3);
  await pass(29_000);
  expect(await drain("2001")).toEqual([]);
  await pass(2_000);
  expect(await drain("2001")).toEqual([{ event: "dial.transcript", dial_id: "2001", transcript: [entry] }]);
});

test("a recording is told once, however often it is saved; numbers of a dial have no gap", async () => {
  await talk("2002");
  const recording = { id: "r1", channels: 2, durationMs: 5, startedAt: "2026-01-05T09:00:00.000Z" };
  await Promise.all([store.dials.saveRecording("2002", recording), store.dials.saveRecording("2002", recording)]);
  await store.dials.saveRecording("2002", { ...recording, durationMs: 6 });
  await store.dials.transcriptComplete("2002");
  const sent = await drain("2002");
  expect(sent.at(-1)).toEqual({ event: "dial.recording_created", dial_id: "2002", recording_id: "r1" });
  const { items } = await store.outbox.list("workspace-1", { dialId: "2002" }, { limit: 10 });
  expect(new Set(items.map(({ sequence }) => sequence))).toEqual(new Set([1, 2, 3, 4, 5]));
});

test("a dial that nobody answered has no transcript to tell", async () => {
  const plan = testPlan({ dialId: "2003", toNumber: "+12025562003" });
  await store.dials.create({ plan, sessionId: "session", webhookUrl: "https://example.com/" });
  await store.dials.end("2003", { type: "observed", evidence: 2, end: callEnd("canceled", "api") });
  expect((await drain("2003")).map(({ event }) => event)).toEqual(["dial.created", "dial.updated"]);
});

test("writers and deliverers of one dial do not wait for each other for ever", async () => {
  await talk("2004");
  const recordings = Array.from({ length: 20 }, (_, index) =>
    store.dials.saveRecording("2004", {
      id: `r${index}`,
      channels: 2,
      durationMs: 1,
      startedAt: "2026-01-05T09:00:00.000Z",
    }),
  );
  const [delivery] = (await store.outbox.list("workspace-1", { dialId: "2004" }, { limit: 1 })).items;
  const replays = Array.from({ length: 10 }, () => store.outbox.replay("workspace-1", delivery?.id ?? ""));
  const drained = drain("2004");
  await Promise.all([...recordings, ...replays, store.dials.transcriptComplete("2004"), drained]);
  await drain("2004");
  const { items } = await store.outbox.list("workspace-1", { dialId: "2004", status: "pending" }, { limit: 10 });
  expect(items).toEqual([]);
});

test("a transcript that becomes whole while somebody finds that it is not, does not wait any longer", async () => {
  for (let index = 0; index < 40; index++) {
    const dialId = String(3000 + index);
    await talk(dialId);
    expect(await drain(dialId)).toHaveLength(3);
    const lease = (await wake(dialId)) ?? expect.unreachable();
    const [due] = await Promise.all([store.outbox.open(lease), store.dials.transcriptComplete(dialId)]);
    if (due !== undefined) await store.outbox.release(lease);
    expect(await drain(dialId), dialId).toHaveLength(1);
  }
});

/** Claims a dial whose next event is not due yet, as somebody does who has just delivered the one before. */
const wake = async (dialId: string) => {
  await database.query("UPDATE webhook_stream SET next_at = now() WHERE dial_id = $1", [dialId]);
  return (await store.outbox.claim(100)).find((lease) => lease.dialId === dialId);
};
