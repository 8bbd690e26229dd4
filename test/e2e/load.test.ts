import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import type { LoadReport } from "../../src/cli/load/report.ts";
import { startService } from "./running-service.ts";

const MAIN = fileURLToPath(new URL("../../src/main.ts", import.meta.url));

/** Runs the command to its end. */
const load = async (apiKey: string, ...options: readonly string[]) => {
  const child = spawn(process.execPath, [MAIN, "load", ...options], {
    env: { ...process.env, API_KEY: apiKey },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let [out, err] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, out, err };
};

test("load places calls with a running service, reports them, and fails where they are worse than they may be", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "call-engine-e2e-"));
  await chmod(dataDir, 0o711);
  const service = await startService({ DATA_DIR: dataDir });
  const common = ["--url", service.baseUrl, "--calls", "2", "--rate", "5", "--json", "--longest", "90"];
  // Somebody answers and hangs up; the other number is busy.
  const [answered, busy, refused] = await Promise.all([
    load(service.apiKey, ...common, "--to", "+12025550142", "--curve", "poisson", "--max-answer", "60000"),
    load(service.apiKey, ...common, "--to", "+12025550130"),
    load("sk_this-key-is-known-to-nobody-here", ...common),
  ]);
  const report = JSON.parse(answered.out) as LoadReport;
  expect(report).toMatchObject({ calls: 2, completed: 2, failedShare: 0, answerMs: { count: 2 } });
  expect([answered.code, answered.err]).toEqual([0, ""]);
  expect(JSON.parse(busy.out)).toMatchObject({ completed: 0, failedShare: 1 });
  expect(busy.code).toBe(1);
  expect(busy.err).toMatch(/share of calls that failed is 1/u);
  expect(JSON.parse(refused.out)).toMatchObject({ ends: { refused: 2 } });
  expect((await load(service.apiKey, "--calls", "none")).code).toBe(2);
  expect(await service.end("SIGTERM")).toBe(0);
  await rm(dataDir, { recursive: true, force: true });
});
