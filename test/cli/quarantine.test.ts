import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { SystemClock } from "../../src/adapters/clock/system.ts";
import { SystemRandom } from "../../src/adapters/random/system.ts";
import { openPostgresStore, type PostgresStore } from "../../src/adapters/store/postgres/store.ts";
import { runQuarantine } from "../../src/cli/quarantine.ts";
import { testAgent, testPhoneNumber, testPlan, testPrompt } from "../kit/dial-plans.ts";
import { createTestDatabase, type TestDatabase } from "../kit/postgres.ts";

// A shared machine may be many times slower than a quiet one.
vi.setConfig({ testTimeout: 60_000 });

let database: TestDatabase;
let store: PostgresStore;

beforeAll(async () => {
  database = await createTestDatabase();
  store = await openPostgresStore({ url: database.url, clock: new SystemClock(), random: new SystemRandom() });
});

afterAll(async () => {
  await store.close();
  await database.close();
});

/** Runs the command as an operator would; answers its exit code and its words. */
const order = async (...args: readonly string[]) => {
  let [said, complained] = ["", ""];
  const out = vi.spyOn(process.stdout, "write").mockImplementation((text) => Boolean((said += String(text))));
  const err = vi.spyOn(process.stderr, "write").mockImplementation((text) => Boolean((complained += String(text))));
  try {
    return { code: await runQuarantine(args, { DATABASE_URL: database.url }), said, complained };
  } finally {
    out.mockRestore();
    err.mockRestore();
  }
};

test("dials that wait for a word are listed, and released all at once", async () => {
  expect(await order("list")).toMatchObject({ code: 0, said: "quarantined=0\n" });
  const seed = { workspaceId: "workspace-1", agent: testAgent(), prompt: testPrompt(), phoneNumber: testPhoneNumber() };
  await store.catalogue.seed(seed);
  await store.dials.create({ plan: testPlan({ dialId: "dial-1" }), sessionId: "session-1" });
  // A mark of a life that this database does not know.
  await store.lineage.look([{ generation: "of-another-life", position: "0/1" }]);
  const { said } = await order("list");
  expect(said).toMatch(/^dial-1 {2}workspace-1 {2}\d{4}-\d\d-\d\dT\S+Z\nquarantined=1\n$/u);
  expect(await order("release")).toMatchObject({ code: 0, said: "released=1\n" });
  expect(await order("list")).toMatchObject({ code: 0, said: "quarantined=0\n" });
});

test("a folder in which no service ever was is named, and not made", async () => {
  const folder = join(tmpdir(), "call-engine-no-such-folder");
  await expect(runQuarantine(["list"], { DATA_DIR: folder })).rejects.toThrow(/DATA_DIR .* does not exist/u);
  expect(existsSync(folder)).toBe(false);
});

test("any other order is explained and does nothing", async () => {
  for (const args of [[], ["all"], ["release", "dial-1"]])
    expect(await order(...args)).toMatchObject({ code: 2, said: "", complained: expect.stringContaining("Usage") });
});
