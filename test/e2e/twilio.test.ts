import { chmod, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import twilio from "twilio";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SystemClock } from "../../src/adapters/clock/system.ts";
import { simulator } from "../../src/adapters/carrier/twilio/simulator.ts";
import { SystemRandom } from "../../src/adapters/random/system.ts";
import { DEMO_AGENT_ID } from "../../src/app/demo-workspace.ts";
import type { Dial } from "../../src/model/dial.ts";
import type { RunningSimulator } from "../../src/ports/carrier-simulator.ts";
import { silentLogger } from "../kit/silent-logger.ts";
import { tone } from "../kit/tones.ts";
import { startService, type RunningService } from "./running-service.ts";

let dataDir: string;
let network: RunningSimulator;
let service: RunningService;
let numberId: string;

type News = Readonly<{ event: string; payload: Readonly<Record<string, unknown>> }>;
const news: News[] = [];
const customer = createServer((request, response) => {
  let body = "";
  request.on("data", (part) => (body += String(part)));
  request.on("end", () => {
    const said = JSON.parse(body) as News;
    news.push(said);
    response.end(
      said.event === "dial.inbound" ? '{"call_agent_input":{"name":"Ada"},"keywords":["lovelace"],"more":1}' : "",
    );
  });
});

const OUR_NUMBER = "+12025550100";

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "call-engine-twilio-"));
  await chmod(dataDir, 0o711);
  network = await simulator.start({
    port: 0,
    host: "127.0.0.1",
    settings: {},
    faults: { duplicate: 0.3, reorder: 0.3, breakMedia: 1 },
    deps: { clock: new SystemClock(), random: new SystemRandom(), logger: silentLogger() },
    speak: async () => ({ samples: tone(300, 300, 16_000), sampleRate: 16_000 }),
  });
  await new Promise<void>((resolve) => customer.listen(0, "127.0.0.1", resolve));
  service = await startService({ DATA_DIR: dataDir, ALLOW_PRIVATE_NETWORK: "true", ...network.environment });
  const { port } = customer.address() as AddressInfo;
  const webhookUrl = `http://127.0.0.1:${port}/`;
  const body = { number: "+12025550101", carrier: "twilio", agentId: DEMO_AGENT_ID, webhookUrl };
  ({ id: numberId } = await service.client.importPhoneNumber({ body }));
});

afterAll(async () => {
  expect(await service.end("SIGTERM")).toBe(0);
  await network.close();
  await new Promise((resolve) => customer.close(resolve));
  await rm(dataDir, { recursive: true, force: true });
});

const dial = async (toNumber: string, callAgentId = DEMO_AGENT_ID): Promise<Dial> => {
  const body = { callAgentId, fromNumberId: numberId, toNumber };
  const { dialId } = await service.client.createDial({ body });
  return service.until(dialId, ({ endedAt }) => endedAt !== undefined, 60_000);
};

test.concurrent.for([
  ["+12025550130", "busy", "BUSY", "busy"],
  ["+12025550133", "failed", "FAILED", "invalid_number"],
  ["+12025550134", "failed", "FAILED", "invalid_number"],
  ["+12025550135", "failed", "FAILED", "carrier_rejected"],
  ["+12025550137", "failed", "RATE_LIMITED", "rate_limited"],
  ["+12025550142", "completed", "COUNTERPARTY_HANGUP", "counterparty_hangup"],
] as const)("a call over Twilio to %s ends as %s, %s", async ([number, status, systemResultType, endReason]) => {
  expect(await dial(number)).toMatchObject({ status, systemResultType, endReason });
});

test.concurrent("a person who rings is answered by the number's agent, who knows what the customer replied", async () => {
  const webhookUrl = `${service.baseUrl.replace(/\/api$/u, "")}/carriers/twilio/inbound`;
  const ringing = network.ring({ from: "+12025550145", to: "+12025550101", webhookUrl });
  // The customer hears of the call before it is answered.
  let announced: News | undefined;
  while (announced === undefined) {
    await new Promise((resolve) => customer.once("request", (_request, response) => response.once("finish", resolve)));
    announced = news.find(({ event }) => event === "dial.inbound");
  }
  const ended = await service.until(
    String(announced.payload["dial_id"]),
    ({ endedAt }) => endedAt !== undefined,
    60_000,
  );
  expect(await ringing).toMatch(/^CA/u);
  expect(ended).toMatchObject({
    direction: "inbound",
    toNumber: "+12025550101",
    fromNumber: "+12025550145",
    fromNumberId: null,
    inputs: { name: "Ada" },
    status: "completed",
    endReason: "counterparty_hangup",
  });
  // The media socket broke after two seconds, and came back.
  expect(ended.durationSeconds).toBeGreaterThanOrEqual(4);
  expect(announced.payload).toMatchObject({
    dial_id: ended.id,
    dest_number_id: numberId,
    call_agent_id: DEMO_AGENT_ID,
    source_number: "+12025550145",
  });
});

/** An agent that connects whoever is there to `number`, and says goodbye when that fails. */
const connecting = async (number: string): Promise<string> => {
  const { client } = service;
  const { id: functionId } = await client.createFunction({
    body: { name: "connect", description: "Connects.", type: "transfer", allowedNumbers: [{ number }] },
  });
  const body = {
    name: "Switchboard",
    language: "en",
    linkedFunctionDefinitions: [{ functionDefinitionId: functionId }],
  };
  const { id: agentId } = await client.createAgent({ body });
  const node = (
    id: string,
    type: string,
    nodeData: Readonly<Record<string, unknown>>,
    transitionRules: object[] = [],
  ) => ({
    id,
    type,
    nodeData,
    transitionRules,
  });
  const nodes = [
    node("away", "transfer", { functionId, number }, [{ conditionType: "always", transitionNodeId: "bye" }]),
    node("bye", "end_call", { message: "Nobody is there. Goodbye." }),
  ];
  const flowDefinition = { openingLineType: "INBOUND_OUTBOUND", nodes };
  const prompt = { name: "v1", agentType: "CUSTOM_FLOW", flowDefinition } as const;
  await client.createVersionedPrompt({ agentId, body: prompt as never });
  return agentId;
};

test.concurrent("a stranger is not believed to be the carrier", async () => {
  const url = `${service.baseUrl.replace(/\/api$/u, "")}/carriers/twilio/inbound`;
  const fields = {
    CallSid: `CA${"1".repeat(32)}`,
    CallStatus: "ringing",
    Direction: "inbound",
    From: "+1",
    To: OUR_NUMBER,
  };
  const post = (signature: string) =>
    fetch(url, { method: "POST", headers: { "x-twilio-signature": signature }, body: new URLSearchParams(fields) });
  expect((await post("nonsense")).status).toBe(403);
  const token = network.environment["TWILIO_AUTH_TOKEN"] ?? "";
  const genuine = await post(twilio.getExpectedTwilioSignature(token, url, fields));
  expect(genuine.status).toBe(200);
  // Nobody has this number at this account.
  expect(await genuine.text()).toContain("<Reject");
});

// After the others, since each of them holds a line for some time.
describe("transfers", () => {
  test.concurrent("somebody who is connected elsewhere talks there without us", async () => {
    const agentId = await connecting("+12025550123");
    const ended = await dial("+12025550126", agentId);
    expect(ended).toMatchObject({ status: "completed", endReason: "transferred" });
  });

  test.concurrent("somebody who was not reached elsewhere comes back to the agent", async () => {
    const agentId = await connecting("+12025550130");
    const ended = await dial("+12025550126", agentId);
    expect(ended).toMatchObject({ status: "completed", endReason: "agent_hangup" });
    expect(JSON.stringify(ended.transcript)).toContain("Nobody is there.");
  });
});
