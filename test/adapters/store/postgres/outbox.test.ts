import { afterAll, beforeAll, expect, test } from "vitest";
import { SystemClock } from "../../../../src/adapters/clock/system.ts";
import { SystemRandom } from "../../../../src/adapters/random/system.ts";
import { openPostgresStore } from "../../../../src/adapters/store/postgres/store.ts";
import { DIAL_STATES, mayMove } from "../../../../src/model/dial.ts";
import { callEnd } from "../../../../src/model/call-end.ts";
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
  await store.dials.create({
    plan,
    sessionId: `session-${dialId}`,
    ...(webhookUrl === undefined ? {} : { webhookUrl }),
  });
};

const events = (dialId: string) =>
  database.query(
    "SELECT event, sequence, payload, attempts, sent_at FROM outbox WHERE dial_id = $1 ORDER BY sequence",
    [dialId],
  );

test("every change that a customer sees is one event, in order, with the change", async () => {
  await create("1000", "https://example.com/hook");
  await store.dials.claim("1000", "worker");
  await store.dials.advance("1000", "RINGING");
  await store.dials.advance("1000", "RINGING");
  await store.dials.advance("1000", "IN_PROGRESS");
  await store.dials.end("1000", { type: "observed", evidence: 2, end: callEnd("media_lost", "system") });
  await store.dials.end("1000", { type: "carrier", evidence: 3, end: { cause: "completed" } });
  await store.dials.end("1000", { type: "carrier", evidence: 3, end: { cause: "completed" } });
  const ids = { dial_session_id: "session-1000", dial_id: "1000" };
  const failed = { status: "failed", system_result_type: "FAILED" };
  const completed = { status: "completed", system_result_type: "COUNTERPARTY_HANGUP" };
  const unsent = { attempts: 0, sent_at: null };
  expect(await events("1000")).toEqual([
    { event: "dial.created", sequence: 1, payload: ids, ...unsent },
    { event: "dial.updated", sequence: 2, payload: { ...ids, status: "ringing", system_result_type: null }, ...unsent },
    {
      event: "dial.updated",
      sequence: 3,
      payload: { ...ids, status: "in-progress", system_result_type: null },
      ...unsent,
    },
    { event: "dial.updated", sequence: 4, payload: { ...ids, ...failed }, ...unsent },
    { event: "dial.transcript", sequence: 5, payload: { dial_id: "1000" }, ...unsent },
    { event: "dial.corrected", sequence: 6, payload: { dial_id: "1000", ...completed, previous: failed }, ...unsent },
  ]);
});

test("a dial without a webhook has no events", async () => {
  await create("1001");
  await store.dials.claim("1001", "worker");
  await store.dials.advance("1001", "RINGING");
  await store.dials.end("1001", { type: "carrier", evidence: 3, end: { cause: "busy" } });
  expect(await events("1001")).toEqual([]);
});

test("a dial that expires tells its webhook", async () => {
  await create("1002", "https://example.com/hook");
  await database.query("UPDATE dial SET created_at = created_at - interval '1 hour' WHERE id = '1002'");
  expect(await store.dials.expireQueued(600_000)).toHaveLength(1);
  expect(await events("1002")).toMatchObject([
    { event: "dial.created" },
    { event: "dial.updated", payload: { status: "failed", system_result_type: "RATE_LIMITED" } },
  ]);
});

test("of many who end a dial at once one tells it", async () => {
  await create("1003", "https://example.com/hook");
  await store.dials.claim("1003", "worker");
  await Promise.all(
    Array.from({ length: 10 }, () =>
      store.dials.end("1003", { type: "carrier", evidence: 3, end: { cause: "no-answer" } }),
    ),
  );
  expect(await events("1003")).toHaveLength(2);
});

test("an intent that is noted while the end waits for the row decides the end", async () => {
  await create("1004");
  await store.dials.claim("1004", "worker");
  const other = await createConnection();
  await other("BEGIN");
  await other("UPDATE dial SET hangup_intent = 'max_duration', hangup_by = 'system' WHERE id = '1004'");
  const ending = store.dials.end("1004", { type: "carrier", evidence: 3, end: { cause: "completed" } });
  await expect.poll(() => database.query("SELECT 1 FROM pg_locks WHERE NOT granted")).not.toHaveLength(0);
  await other("COMMIT");
  expect((await ending).end).toEqual(callEnd("max_duration", "system"));
  await other(undefined);
});

test("the history of a dial is kept and cannot be changed by the service", async () => {
  await create("1005");
  await store.dials.claim("1005", "worker");
  await store.dials.end("1005", { type: "carrier", evidence: 3, end: { cause: "busy" } });
  const history = await database.query(
    "SELECT kind, payload FROM dial_event WHERE dial_id = '1005' ORDER BY at, source_id",
  );
  expect(history).toMatchObject([
    { kind: "placing", payload: { epoch: 1, owner: "worker" } },
    { kind: "ended", payload: { endReason: "busy", evidence: 3 } },
  ]);
  const grants = await database.query(
    `SELECT privilege_type FROM information_schema.role_table_grants
     WHERE table_name = 'dial_event' AND grantee LIKE 'call_engine_%' AND privilege_type = 'UPDATE'
       OR table_name = 'dial_event' AND grantee = 'call_engine_app' AND privilege_type = 'DELETE'`,
  );
  expect(grants).toEqual([]);
  const other = await createConnection();
  await other("SET ROLE call_engine_system");
  await other("DELETE FROM dial_event");
  await other(undefined);
  expect(await database.query("SELECT kind FROM dial_event WHERE dial_id = '1005'")).toHaveLength(2);
});

test("the database refuses every move that the transition table does not have, and allows the others", async () => {
  const ended = "end_reason = 'busy', ended_by = 'remote', evidence = 2, ended_at = now()";
  const open = "end_reason = NULL, ended_by = NULL, evidence = NULL, ended_at = NULL";
  for (const from of DIAL_STATES)
    for (const to of DIAL_STATES.filter((state) => state !== from)) {
      const dialId = `${2000 + DIAL_STATES.indexOf(from) * 10 + DIAL_STATES.indexOf(to)}`;
      await create(dialId);
      const path = {
        QUEUED: [],
        PLACING: ["PLACING"],
        RINGING: ["RINGING"],
        IN_PROGRESS: ["PLACING", "IN_PROGRESS"],
        ENDED: ["ENDED"],
      };
      for (const state of path[from])
        await database.query(`UPDATE dial SET state = $2, ${state === "ENDED" ? ended : open} WHERE id = $1`, [
          dialId,
          state,
        ]);
      const move = database.query(`UPDATE dial SET state = $2, ${to === "ENDED" ? ended : open} WHERE id = $1`, [
        dialId,
        to,
      ]);
      if (mayMove(from, to)) await expect(move).resolves.toEqual([]);
      else await expect(move).rejects.toMatchObject({ code: "23514" });
    }
});

test("the database refuses a second correction", async () => {
  await create("3000");
  await database.query(
    "UPDATE dial SET state = 'ENDED', end_reason = 'busy', ended_by = 'remote', evidence = 1, ended_at = now() WHERE id = '3000'",
  );
  await expect(database.query("UPDATE dial SET end_reason = 'idle' WHERE id = '3000'")).rejects.toMatchObject({
    code: "23514",
  });
  await database.query("UPDATE dial SET end_reason = 'idle', evidence = 2, corrected = true WHERE id = '3000'");
  await expect(
    database.query("UPDATE dial SET end_reason = 'busy', evidence = 3 WHERE id = '3000'"),
  ).rejects.toMatchObject({ code: "23514" });
});

/** A connection that keeps its transaction; called with nothing it closes. */
const createConnection = async () => {
  const { default: pg } = await import("pg");
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  return async (text: string | undefined): Promise<void> => {
    if (text === undefined) await client.end();
    else await client.query(text);
  };
};
