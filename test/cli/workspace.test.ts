import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { SystemClock } from "../../src/adapters/clock/system.ts";
import { SystemRandom } from "../../src/adapters/random/system.ts";
import { openPostgresStore } from "../../src/adapters/store/postgres/store.ts";
import { hashOf } from "../../src/catalogue/api-key.ts";
import { runWorkspace } from "../../src/cli/workspace.ts";
import { createTestDatabase, type TestDatabase } from "../kit/postgres.ts";

// A shared machine may be many times slower than a quiet one.
vi.setConfig({ testTimeout: 60_000 });

let database: TestDatabase;
let said: string;
let complained: string;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(() => {
  said = "";
  complained = "";
});

/** Runs the command as an operator would, whose words to the terminal are kept. */
const order = async (...args: readonly string[]): Promise<number> => {
  const out = vi.spyOn(process.stdout, "write").mockImplementation((text) => Boolean((said += String(text))));
  const err = vi.spyOn(process.stderr, "write").mockImplementation((text) => Boolean((complained += String(text))));
  try {
    return await runWorkspace(args, { DATABASE_URL: database.url });
  } finally {
    out.mockRestore();
    err.mockRestore();
  }
};

const findKey = async (key: string) => {
  const store = await openPostgresStore({
    url: database.url,
    clock: new SystemClock(),
    random: new SystemRandom(),
    connections: 1,
  });
  try {
    return await store.catalogue.findApiKey(hashOf(key));
  } finally {
    await store.close();
  }
};

test("a workspace is made with a key that works, shown once, and may be given another", async () => {
  expect(await order("create", "Acme GmbH")).toBe(0);
  const [, id = "", key = ""] = /^workspace=(\S+) api_key=(sk_\S+)\n$/.exec(said) ?? [];
  expect(await findKey(key)).toMatchObject({ workspaceId: id, kind: "secret" });

  said = "";
  expect(await order("key", id)).toBe(0);
  const second = /api_key=(sk_\S+)\n$/.exec(said)?.[1] ?? "";
  expect(second).not.toBe(key);
  expect(await findKey(second)).toMatchObject({ workspaceId: id, kind: "secret" });

  said = "";
  expect(await order("list")).toBe(0);
  expect(said).toMatch(new RegExp(`^${id}  \\d{4}-\\d\\d-\\d\\dT\\S+Z  2 keys  Acme GmbH$`, "m"));
  expect(said).not.toContain(second);
});

test("a key for a workspace that is not there is not made", async () => {
  for (const id of ["unknown", "\0"]) expect(await order("key", id)).toBe(1);
  expect(said).toBe("");
  expect(complained).toContain("There is no workspace with this id");
});

test.each([
  [],
  ["create"],
  ["create", " "],
  ["create", "a\nb"],
  ["create", "x".repeat(201)],
  ["create", "Acme", "GmbH"],
  ["list", "all"],
  ["key"],
  ["remove", "x"],
  ["create", "--force"],
])("%j %j %j is not understood, and changes nothing", async (...args) => {
  const before = await database.query("SELECT count(*) FROM workspace");
  expect(await order(...args)).toBe(2);
  expect(complained).toContain("Usage: call-engine workspace");
  expect(await database.query("SELECT count(*) FROM workspace")).toEqual(before);
});
