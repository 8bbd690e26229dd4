import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SystemClock } from "../../../../src/adapters/clock/system.ts";
import { SystemRandom } from "../../../../src/adapters/random/system.ts";
import { planToRow } from "../../../../src/adapters/store/postgres/rows.ts";
import { openPostgresStore } from "../../../../src/adapters/store/postgres/store.ts";
import type { CallPlan } from "../../../../src/model/call-plan.ts";
import type { Store } from "../../../../src/ports/store.ts";
import { testPlan } from "../../../kit/dial-plans.ts";
import { createTestDatabase, type TestDatabase } from "../../../kit/postgres.ts";

const WORKSPACE = "workspace-1";
const NEVER = { days: [], start: "00:00", end: "24:00", zones: ["UTC"] };
const ODD = "a\0b\uD800c \\u0000";

let database: TestDatabase;
let store: Store;
let before: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  store = await openPostgresStore({ url: database.url, clock: new SystemClock(), random: new SystemRandom() });
  await store.catalogue.putApiKey({ workspaceId: WORKSPACE, sha256: "hash", kind: "secret", label: "test" });
  before = new pg.Client({ connectionString: database.url, options: "-c role=call_engine_system" });
  await before.connect();
}, 60_000);
afterAll(async () => {
  await before.end();
  await store.close();
  await database.close();
});

/** As a process of the version before does it, which knows of the plan alone. */
const insertAsBefore = async (plan: CallPlan): Promise<void> => {
  const { shown: _shown, calling_window: _window, retention_days: _days, ...row } = planToRow(plan);
  const columns = { ...row, session_id: "s" };
  const places = Object.keys(columns).map((_, index) => `$${index + 1}`);
  const statement = `INSERT INTO dial (${Object.keys(columns).join(", ")}) VALUES (${places.join(", ")})`;
  await before.query(statement, Object.values(columns));
};

const listed = async (dialId: string) => {
  const { items } = await store.dials.list(WORKSPACE, {}, { limit: 100 });
  return items.find(({ id }) => id === dialId);
};

test("a dial that the version before has written keeps to its window, and is listed", async () => {
  const numbers = { from: 0 };
  const plan = (parts: Partial<CallPlan> & Readonly<{ dialId: string }>) => {
    numbers.from += 1;
    return testPlan({ ...parts, fromNumber: `+1202555010${numbers.from}` });
  };
  await insertAsBefore(plan({ dialId: "before-1", callingWindow: NEVER, warnings: [ODD], inputs: { odd: ODD } }));
  await insertAsBefore(plan({ dialId: "before-2", warnings: ['"callingWindow"', ODD] }));
  expect(await store.dials.claim("before-1", "worker")).toBeUndefined();
  expect(await store.dials.claim("before-2", "worker")).toMatchObject({ epoch: 1 });
  expect(await listed("before-1")).toMatchObject({ inputs: { odd: ODD }, warnings: [ODD] });
});

test("what the version before takes out of a plan is listed no longer", async () => {
  await store.dials.create({ plan: testPlan({ dialId: "now-1", inputs: { name: "Ada" } }), sessionId: "s" });
  expect(await listed("now-1")).toMatchObject({ inputs: { name: "Ada" } });
  await before.query("UPDATE dial SET plan = $1::json WHERE id = 'now-1'", [
    planToRow(testPlan({ dialId: "now-1", inputs: {} })).plan,
  ]);
  expect(await listed("now-1")).toMatchObject({ inputs: {} });
});

test("no list reads a plan that was written by this version", async () => {
  await store.dials.create({ plan: testPlan({ dialId: "now-2", inputs: { odd: ODD } }), sessionId: "s" });
  const { rows } = await before.query("SELECT shown, calling_window FROM dial WHERE id = 'now-2'");
  expect(rows[0]).toMatchObject({ shown: { inputs: { odd: ODD } }, calling_window: null });
});
