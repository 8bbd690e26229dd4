import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DEMO_AGENT_ID, DEMO_NUMBER_ID } from "../../src/app/demo-workspace.ts";
import { SystemClock } from "../../src/adapters/clock/system.ts";
import type { WebhookSecret } from "../../src/model/webhook-delivery.ts";
import { sleep } from "../../src/ports/clock.ts";
import { receiveWebhooks } from "../kit/webhook-receiver.ts";
import { startService } from "./running-service.ts";

test("a call tells its webhook from the first ring to the recording, signed, in order, and without a warning", async () => {
  const clock = new SystemClock();
  const dataDir = await mkdtemp(join(tmpdir(), "call-engine-e2e-"));
  await chmod(dataDir, 0o711);
  const service = await startService({ DATA_DIR: dataDir, ALLOW_PRIVATE_NETWORK: "true" });
  const authorization = { authorization: `Bearer ${service.apiKey}` };
  const { secret } = (await fetch(`${service.baseUrl}/webhook_secret`, { headers: authorization }).then((response) =>
    response.json(),
  )) as WebhookSecret;
  const receiver = await receiveWebhooks(() => secret);
  const body = {
    callAgentId: DEMO_AGENT_ID,
    fromNumberId: DEMO_NUMBER_ID,
    toNumber: "+12025550129",
    webhookUrl: `${receiver.url}/hook?customer=1`,
  };
  const { dialId } = await service.client.createDial({ body });
  const dial = await service.until(dialId, ({ endedAt }) => endedAt !== undefined, 110_000);
  expect(dial.warnings?.filter((warning) => /webhook/iu.test(warning))).toEqual([]);
  const giveUpAt = clock.monotonic() + 20_000;
  const isTold = (event: string) => receiver.received.some((webhook) => webhook.event === event);
  while (!(isTold("dial.transcript") && isTold("dial.recording_created")) && clock.monotonic() < giveUpAt)
    await sleep(clock, 50);

  expect(receiver.refused).toEqual([]);
  expect(receiver.received.map(({ sequence }) => sequence)).toEqual(receiver.received.map((_, index) => index + 1));
  const updates = receiver.received.map(({ event, payload }) => (event === "dial.updated" ? payload["status"] : event));
  expect(updates.slice(0, 3)).toEqual(["dial.created", "ringing", "in-progress"]);
  expect(
    updates
      .slice(3)
      .map(String)
      .toSorted((a, b) => (a < b ? -1 : 1)),
  ).toEqual(["completed", "dial.recording_created", "dial.transcript"]);
  const payloadOf = (wanted: string) => receiver.received.find(({ event }) => event === wanted)?.payload;
  const ended = await service.until(dialId, () => true, 5_000);
  const transcriptAt = receiver.received.find(({ event }) => event === "dial.transcript")?.at ?? Infinity;
  // Far less than it would wait for a worker that is gone.
  expect(transcriptAt - new Date(ended.endedAt ?? "").getTime()).toBeLessThan(10_000);
  expect(payloadOf("dial.transcript")).toEqual({ dial_id: dialId, transcript: ended.transcript });
  expect((ended.transcript ?? []).length).toBeGreaterThan(0);
  const url = String(payloadOf("dial.recording_created")?.["recording_url"]);
  expect(url).toBe(ended.recordings?.[0]?.url);
  const recording = await fetch(url, { headers: authorization });
  expect([recording.status, recording.headers.get("content-type")]).toEqual([200, "audio/wav"]);
  await recording.body?.cancel();
  const [created] = receiver.received;
  expect((created?.at ?? 0) - new Date(created?.created_at ?? "").getTime()).toBeLessThan(1_000);
  expect(receiver.received.every(({ path }) => path === "/hook?customer=1")).toBe(true);
  const metrics = await fetch(new URL("/metrics", service.baseUrl)).then((response) => response.text());
  expect(metrics).toMatch(/^call_engine_webhook_attempt_seconds_count\{outcome="delivered"\} 6$/mu);

  expect(await service.end("SIGTERM")).toBe(0);
  await receiver.close();
  await rm(dataDir, { recursive: true, force: true });
});
