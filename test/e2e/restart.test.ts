import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DEMO_AGENT_ID, DEMO_NUMBER_ID } from "../../src/app/demo-workspace.ts";
import { startService } from "./running-service.ts";

test("after kill -9 in the middle of a call the dial ends as failed, with its transcript so far, and nobody is called again", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "call-engine-e2e-"));
  await chmod(dataDir, 0o711);
  const first = await startService({ DATA_DIR: dataDir });
  const body = { callAgentId: DEMO_AGENT_ID, fromNumberId: DEMO_NUMBER_ID, toNumber: "+12025550126" };
  const { dialId } = await first.client.createDial({ body });
  const live = await first.until(dialId, ({ transcript }) => (transcript ?? []).length > 0, 60_000);
  expect(live.status).toBe("in-progress");
  expect(await first.end("SIGKILL")).toBe("SIGKILL");

  const second = await startService({ DATA_DIR: dataDir });
  expect(second.apiKey).toBe(first.apiKey);
  const ended = await second.until(dialId, ({ endedAt }) => endedAt !== undefined, 60_000);
  expect(ended).toMatchObject({ status: "failed", systemResultType: "FAILED", endReason: "worker_lost" });
  expect(ended.transcript?.[0]).toMatchObject({ speaker: "AI", text: live.transcript?.[0]?.text });
  const metrics = await fetch(new URL("/metrics", second.baseUrl)).then((response) => response.text());
  expect(metrics).not.toMatch(/^call_engine_turn_latency_seconds_count\{[^}]*\} [1-9]/mu);
  expect(metrics).toMatch(/^call_engine_active_calls 0$/mu);
  expect(metrics).toMatch(/^call_engine_leases_lapsed_total 1$/mu);
  expect(metrics).toMatch(/^call_engine_worker_slots 10$/mu);
  expect(metrics).toMatch(/^call_engine_queue_dials 0$/mu);
  expect(metrics).toMatch(/^call_engine_breaker_state\{port="transcriber",provider="local"\} 0$/mu);
  expect(await second.end("SIGTERM")).toBe(0);
  await rm(dataDir, { recursive: true, force: true });
});

test("a bad environment is told whole, and nothing starts", async () => {
  const failed = startService({ DATA_DIR: "/dev/null/x", PORT: "nonsense", API_KEY: "short", PACE_LEAD_MS: "-1" });
  await expect(failed).rejects.toThrow(/PORT(.|\n)*API_KEY|API_KEY(.|\n)*PORT/u);
  await expect(failed).rejects.toThrow(/PACE_LEAD_MS/u);
});
