import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DEMO_AGENT_ID, DEMO_NUMBER_ID } from "../../src/app/demo-workspace.ts";
import type { Dial } from "../../src/model/dial.ts";
import { startService, type RunningService } from "./running-service.ts";

let dataDir: string;
let service: RunningService;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "call-engine-e2e-"));
  await chmod(dataDir, 0o711);
  service = await startService({ DATA_DIR: dataDir });
});

afterAll(async () => {
  expect(await service.end("SIGTERM")).toBe(0);
  await rm(dataDir, { recursive: true, force: true });
});

const dial = async (
  toNumber: string,
  more: Readonly<Record<string, unknown>> = {},
  limitMs = 110_000,
): Promise<Dial> => {
  const body = { callAgentId: DEMO_AGENT_ID, fromNumberId: DEMO_NUMBER_ID, toNumber, ...more };
  const { dialId } = await service.client.createDial({ body });
  return service.until(dialId, ({ endedAt }) => endedAt !== undefined, limitMs);
};

test.concurrent.for([
  ["+12025550130", "busy", "BUSY", "busy", "remote"],
  ["+12025550131", "no-answer", "NO_ANSWER", "no_answer", undefined],
  ["+12025550132", "failed", "FAILED", "carrier_rejected", undefined],
  ["+12025550133", "failed", "FAILED", "invalid_number", undefined],
  ["+12025550134", "failed", "FAILED", "invalid_number", undefined],
  ["+12025550135", "failed", "FAILED", "carrier_rejected", undefined],
  ["+12025550137", "failed", "RATE_LIMITED", "rate_limited", undefined],
  ["+12025550129", "completed", "COUNTERPARTY_HANGUP", "counterparty_hangup", "remote"],
  ["+12025550142", "completed", "COUNTERPARTY_HANGUP", "counterparty_hangup", "remote"],
] as const)("%s ends as %s, %s", async ([number, status, systemResultType, endReason]) => {
  const ended = await dial(number);
  expect(ended).toMatchObject({ status, systemResultType, endReason });
  expect(ended.durationSeconds === undefined).toBe(status !== "completed");
});

test.concurrent("a call that nobody ends is ended by the maximum duration", async () => {
  const { client } = service;
  const { id } = await client.createAgent({ body: { name: "Patient", language: "en", openingLine: "Hello." } });
  await client.createVersionedPrompt({ agentId: id, body: { name: "v1", agentType: "STANDARD", prompt: "Wait." } });
  const ended = await dial("+12025550126", { callAgentId: id, timeoutMinutes: 1 });
  expect(ended).toMatchObject({
    status: "completed",
    systemResultType: "TIMEOUT",
    endReason: "max_duration",
    endedBy: "system",
  });
  expect(ended.durationSeconds).toBeGreaterThanOrEqual(59);
  expect(ended.durationSeconds).toBeLessThanOrEqual(62);
});

test.concurrent("a person who never speaks is asked, and then left", async () => {
  const ended = await dial("+12025550126");
  expect(ended).toMatchObject({ status: "completed", systemResultType: null, endReason: "idle", endedBy: "agent" });
  const said = (ended.transcript ?? []).map(({ text }) => text);
  expect(said.slice(1)).toEqual(["Are you still there?", "Hello, can you hear me?"]);
});

test.concurrent("an operator's hang-up ends a live call", async () => {
  const body = { callAgentId: DEMO_AGENT_ID, fromNumberId: DEMO_NUMBER_ID, toNumber: "+12025550126" };
  const { dialId } = await service.client.createDial({ body });
  await service.until(dialId, ({ status }) => status === "in-progress", 30_000);
  await service.client.hangUpDial({ id: dialId });
  const ended = await service.until(dialId, ({ endedAt }) => endedAt !== undefined, 15_000);
  expect(ended).toMatchObject({
    status: "completed",
    systemResultType: "USER_HANGUP",
    endReason: "operator_hangup",
    endedBy: "api",
  });
});

test.concurrent("a hang-up before the answer cancels the dial", async () => {
  const body = { callAgentId: DEMO_AGENT_ID, fromNumberId: DEMO_NUMBER_ID, toNumber: "+12025550124" };
  const { dialId } = await service.client.createDial({ body });
  await service.until(dialId, ({ status }) => status === "ringing", 15_000);
  await service.client.hangUpDial({ id: dialId });
  const ended = await service.until(dialId, ({ endedAt }) => endedAt !== undefined, 15_000);
  expect(ended).toMatchObject({ status: "canceled", systemResultType: "CANCELLED", endReason: "canceled" });
  expect(ended.transcript ?? []).toEqual([]);
});
