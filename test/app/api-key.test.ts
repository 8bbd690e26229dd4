import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ensureApiKey } from "../../src/app/api-key.ts";
import { readConfig } from "../../src/config.ts";
import { SeededRandom } from "../kit/seeded-random.ts";

const inFolder = async (work: (dataDir: string) => Promise<void>) => {
  const dataDir = await mkdtemp(join(tmpdir(), "call-engine-key-"));
  try {
    await work(dataDir);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
};

const ensure = (dataDir: string, seed: number, env: Readonly<Record<string, string>> = {}) => {
  const hashes: string[] = [];
  const catalogue = {
    putApiKey: ({ sha256 }: Readonly<{ sha256: string }>) => {
      hashes.push(sha256);
      return Promise.resolve();
    },
  };
  return ensureApiKey(readConfig({ ...env, DATA_DIR: dataDir }), catalogue, new SeededRandom(seed), "workspace-1");
};

test("the key is made once, is kept for nobody else to read, and outlives a restart", () =>
  inFolder(async (dataDir) => {
    const key = await ensure(join(dataDir, "new"), 1);
    expect(key).toMatch(/^sk_.{40,}$/u);
    expect((await stat(join(dataDir, "new", "api-key"))).mode & 0o777).toBe(0o600);
    expect(await ensure(join(dataDir, "new"), 2)).toBe(key);
  }));

test("a start that was killed while it wrote the key does not leave an empty one", () =>
  inFolder(async (dataDir) => {
    await writeFile(join(dataDir, "api-key"), "");
    const key = await ensure(dataDir, 1);
    expect(key).toMatch(/^sk_/u);
    expect((await readFile(join(dataDir, "api-key"), "utf8")).trim()).toBe(key);
  }));

test("processes that start together agree on one key", () =>
  inFolder(async (dataDir) => {
    const keys = await Promise.all(Array.from({ length: 20 }, (_, seed) => ensure(dataDir, seed)));
    expect(new Set(keys).size).toBe(1);
    expect((await readFile(join(dataDir, "api-key"), "utf8")).trim()).toBe(keys[0]);
    expect(await readdir(dataDir)).toEqual(["api-key"]);
  }));

test("a key that is given is used and not written down", () =>
  inFolder(async (dataDir) => {
    const given = "sk_given_and_long_enough_to_be_taken_for_a_key";
    expect(await ensure(dataDir, 1, { API_KEY: given })).toBe(given);
    await expect(stat(join(dataDir, "api-key"))).rejects.toThrow("ENOENT");
  }));
