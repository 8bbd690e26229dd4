import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { misspeltVariables } from "../../src/app/misspelt-variables.ts";

const meantBy = async (...names: readonly string[]) =>
  Object.fromEntries(
    (await misspeltVariables(Object.fromEntries(names.map((name) => [name, "1"])))).map(({ name, meant }) => [
      name,
      meant,
    ]),
  );

test("a name that is nearly one of ours is told, with the one that was meant", async () => {
  expect(await meantBy("WORKER_SLOT", "CONCURENCY_LIMIT", "worker_slots", "DIALS_PER_SCEOND", "LLM_BASEURL")).toEqual({
    WORKER_SLOT: "WORKER_SLOTS",
    CONCURENCY_LIMIT: "CONCURRENCY_LIMIT",
    worker_slots: "WORKER_SLOTS",
    DIALS_PER_SCEOND: "DIALS_PER_SECOND",
    LLM_BASEURL: "LLM_BASE_URL",
  });
  expect(await meantBy("SMART_TURN_MODELL", "KOKORO_THREAD", "LOOPBACK_LINE", "ACCOUNT_FILE")).toEqual({
    SMART_TURN_MODELL: "SMART_TURN_MODEL",
    KOKORO_THREAD: "KOKORO_THREADS",
    LOOPBACK_LINE: "LOOPBACK_LINES",
    ACCOUNT_FILE: "ACCOUNTS_FILE",
  });
});

test("variables of others are left alone", async () => {
  const others = [
    "PATH",
    "HOME",
    "POST",
    "HOSTNAME",
    "PORTS",
    "XDG_DATA_HOME",
    "XDG_CACHE_DIR",
    "npm_config_cache",
    "PGHOST",
  ];
  expect(
    await meantBy(...others, "DATABASE_NAME", "REDIS_HOST", "SSH_AUTH_SOCK", "NODE_OPTIONS", "AWS_API_KEY"),
  ).toEqual({});
});

test("every variable that operators are told of is known", async () => {
  const page = await readFile(new URL("../../docs/operations.md", import.meta.url), "utf8");
  const rows = page.split("\n").filter((line) => /^\| `[A-Z]/.test(line));
  const names = rows.flatMap((line) =>
    [...(line.split("|")[1] ?? "").matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, name]) => name ?? ""),
  );
  expect(names.length).toBeGreaterThan(20);
  expect(await meantBy(...names)).toEqual({});
});
