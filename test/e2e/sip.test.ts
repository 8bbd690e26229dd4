import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DEMO_AGENT_ID } from "../../src/app/demo-workspace.ts";
import { levelDbfs } from "../../src/audio/level.ts";
import { readWav, writeWav } from "../../src/audio/wav.ts";
import { Baresip } from "../kit/baresip.ts";
import { answering, freePort, openTrunk, patience, type Trunk } from "../adapters/carrier/sip/trunk-rig.ts";
import { silence } from "../kit/tones.ts";
import { startService, type RunningService } from "./running-service.ts";

let dataDir: string;
let service: RunningService;
let trunk: Trunk;
let phone: Baresip;
let sipPort: number;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "call-engine-sip-"));
  await chmod(dataDir, 0o711);
  sipPort = await freePort();
  trunk = await openTrunk(await freePort(), sipPort);
  const speaks = writeWav({ samples: silence(60_000, 8000), sampleRate: 8000 });
  phone = await Baresip.start({ port: await freePort(), control: await freePort(), speaks, answers: false });
  service = await startService({
    DATA_DIR: dataDir,
    SIP_SERVER: `127.0.0.1:${trunk.port}`,
    SIP_LISTEN: `127.0.0.1:${sipPort}`,
  });
});

afterAll(async () => {
  // The telephone is a program that nobody else would end if the service had not come up.
  await phone.close();
  await trunk.carrier.close();
  expect(await service.end("SIGTERM")).toBe(0);
  await rm(dataDir, { recursive: true, force: true });
});

test("a telephone that rings a user's name is answered by that name's agent, whom it hears", async () => {
  const body = { number: "helpdesk", type: "SIP_USERNAME", carrier: "sip", agentId: DEMO_AGENT_ID } as const;
  await service.client.importPhoneNumber({ body });
  await phone.command("dial", `sip:helpdesk@127.0.0.1:${sipPort}`);
  await phone.event("CALL_ESTABLISHED");
  const { data } = await service.client.listDials();
  const dialId = data[0]?.id ?? "";
  await service.until(dialId, ({ transcript = [] }) => transcript.length > 0, 20_000);
  await phone.command("hangup");
  const ended = await service.until(dialId, ({ endedAt }) => endedAt !== undefined, 20_000);
  expect(ended).toMatchObject({
    direction: "inbound",
    toNumber: "helpdesk",
    fromNumber: "phone",
    endReason: "counterparty_hangup",
  });
  await phone.event("CALL_CLOSED");
  expect(levelDbfs(readWav(await phone.heard()).samples)).toBeGreaterThan(-45);
});

test("a dial goes out over the trunk, and ends as the trunk says", async () => {
  const number = await service.client.importPhoneNumber({ body: { number: "+12025550101", carrier: "sip" } });
  const dial = (toNumber: string) =>
    service.client.createDial({ body: { callAgentId: DEMO_AGENT_ID, fromNumberId: number.id, toNumber } });
  answering(trunk);
  const talking = await dial("+12024561111");
  const line = await trunk.host.aLine();
  expect(trunk.host.rings).toMatchObject([{ from: "+12025550101", to: "+12024561111", callId: talking.dialId }]);
  await service.until(talking.dialId, ({ transcript = [] }) => transcript.length > 0, 20_000);
  expect(levelDbfs(line.sound)).toBeGreaterThan(-45);
  line.line.close();
  const hungUp = await service.until(talking.dialId, ({ endedAt }) => endedAt !== undefined, 20_000);
  expect(hungUp).toMatchObject({ status: "completed", endReason: "counterparty_hangup" });
  trunk.host.onRing = (call) => void trunk.carrier.decline?.(call, "busy", patience());
  const { dialId } = await dial("+12024561414");
  const busy = await service.until(dialId, ({ endedAt }) => endedAt !== undefined, 20_000);
  expect(busy).toMatchObject({ status: "busy", systemResultType: "BUSY" });
});
