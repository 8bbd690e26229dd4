import { spawnSync } from "node:child_process";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SystemClock } from "../../../src/adapters/clock/system.ts";
import { fileMarkKeeper } from "../../../src/adapters/store-mark/file.ts";
import { redisMarkKeeper } from "../../../src/adapters/store-mark/redis.ts";
import { countingMetrics } from "../../kit/counting-metrics.ts";
import { startTestRedis } from "../../kit/redis.ts";

const mark = { generation: "0199-abc_D", position: "1A/FFFFFFF0" };

test("a file keeps the last mark of each deployment, and any other text is none", async () => {
  const folder = join(await mkdtemp(join(tmpdir(), "call-engine-mark-")), "data");
  const keeper = fileMarkKeeper(folder, "ours");
  expect(await keeper.read()).toBeUndefined();
  await keeper.keep({ ...mark, position: "0/1" });
  await Promise.all(Array.from({ length: 5 }, () => keeper.keep(mark).catch(() => undefined)));
  expect(await keeper.read()).toEqual(mark);
  expect(await fileMarkKeeper(folder, "theirs").read()).toBeUndefined();
  for (const text of ["", "one", "g 0/G", "g 1/2 3", `${"g".repeat(65)} 0/1`, "g 0/123456789"]) {
    await writeFile(join(folder, "store-mark-ours"), text);
    expect(await keeper.read()).toBeUndefined();
  }
  await keeper.close();
  await rm(join(folder, ".."), { recursive: true });
});

test("what a process left that was killed while it wrote is gone at the next start; a draft of one that lives stays", async () => {
  const folder = await mkdtemp(join(tmpdir(), "call-engine-mark-"));
  const gone = spawnSync(process.execPath, ["--version"]).pid;
  const names = [`store-mark-ours.${gone}`, `store-mark-ours.${process.ppid}`, `store-mark-theirs.${gone}`, "other"];
  for (const name of names) await writeFile(join(folder, name), "half a ma");
  const keeper = fileMarkKeeper(folder, "ours");
  expect(await keeper.read()).toBeUndefined();
  expect((await readdir(folder)).toSorted()).toEqual(names.slice(1).toSorted());
  await keeper.keep(mark);
  expect(await keeper.read()).toEqual(mark);
  await rm(folder, { recursive: true });
});

test("Redis keeps a mark for other machines, and one that is gone is told by an error", async () => {
  const server = await startTestRedis();
  const { metrics } = countingMetrics();
  const open = () => redisMarkKeeper({ url: server.url, clock: new SystemClock(), metrics }, "ours");
  const [one, other, late] = [open(), open(), open()];
  expect(await one.read()).toBeUndefined();
  await one.keep(mark);
  expect(await other.read()).toEqual(mark);
  await server.close();
  await expect(other.keep(mark)).rejects.toThrow();
  await expect(late.read()).rejects.toThrow();
  await Promise.all([one.close(), other.close(), late.close()]);
});
