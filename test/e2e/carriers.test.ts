import { chmod, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import twilio from "twilio";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { simulator as plivoSimulator } from "../../src/adapters/carrier/plivo/simulator.ts";
import { simulator as telnyxSimulator } from "../../src/adapters/carrier/telnyx/simulator.ts";
import { simulator as signalwireSimulator } from "../../src/adapters/carrier/twilio/signalwire-simulator.ts";
import { simulator as twilioSimulator } from "../../src/adapters/carrier/twilio/simulator.ts";
import { simulator as vonageSimulator } from "../../src/adapters/carrier/vonage/simulator.ts";
import { SystemClock } from "../../src/adapters/clock/system.ts";
import { SystemRandom } from "../../src/adapters/random/system.ts";
import { startApp, type App } from "../../src/app.ts";
import { DEMO_AGENT_ID } from "../../src/app/demo-workspace.ts";
import { WAV_HEADER_BYTES } from "../../src/audio/wav.ts";
import { createClient, type Client } from "../../src/client/client.ts";
import { readConfig } from "../../src/config.ts";
import { untilDial } from "../../src/demo/until-dial.ts";
import type { CreateAgent } from "../../src/model/agent.ts";
import type { Dial } from "../../src/model/dial.ts";
import type { CarrierFaults, RunningSimulator } from "../../src/ports/carrier-simulator.ts";
import { LETTER_MS, VOICE_HZ, lightEngines } from "../kit/light-engines.ts";
import { createTestDatabase, type TestDatabase } from "../kit/postgres.ts";
import { silentLogger } from "../kit/silent-logger.ts";
import { amplitudeAt, tone } from "../kit/tones.ts";

/** Every carrier that has a simulator, our number there, and how badly it behaves. Telnyx does not come back with a media socket that broke. */
const CARRIERS = [
  { simulator: twilioSimulator, number: "+12025550101", faults: { breakMedia: 1 } },
  { simulator: signalwireSimulator, number: "+12025550105", faults: {} },
  { simulator: telnyxSimulator, number: "+12025550102", faults: {} },
  { simulator: vonageSimulator, number: "+12025550103", faults: { breakMedia: 1 } },
  { simulator: plivoSimulator, number: "+12025550104", faults: { breakMedia: 1 } },
] as const;
const BREAKING: ReadonlySet<string> = new Set(
  CARRIERS.flatMap(({ simulator, faults }) => ("breakMedia" in faults ? [simulator.name] : [])),
);
const NAMES = CARRIERS.map(({ simulator: { name } }) => name);

/** What a menu says once its key was pressed, in Hz; all else that people say is deeper. */
const CONNECTING_HZ = 1200;

const clock = new SystemClock();
let dataDir: string;
let database: TestDatabase;
let service: App;
let client: Client;
const networks = new Map<string, RunningSimulator>();
const numberIds = new Map<string, string>();
/** For how long people heard the agent's voice, in milliseconds, by carrier and number. */
const agentHeardMs = new Map<string, number>();

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

const startNetwork = async (simulator: (typeof CARRIERS)[number]["simulator"], faults: CarrierFaults) => {
  const network = await simulator.start({
    port: 0,
    host: "127.0.0.1",
    settings: {},
    faults: { duplicate: 0.3, reorder: 0.3, ...faults },
    deps: { clock, random: new SystemRandom(), logger: silentLogger() },
    hears: (number, frame) => {
      const key = `${simulator.name} ${number}`;
      if (amplitudeAt(frame, VOICE_HZ, 8000) > 0.05) agentHeardMs.set(key, (agentHeardMs.get(key) ?? 0) + 20);
    },
    speak: async (text) => {
      const connects = text.includes("connect you");
      return { samples: tone(connects ? CONNECTING_HZ : 300, connects ? 2000 : 300, 16_000), sampleRate: 16_000 };
    },
  });
  networks.set(simulator.name, network);
};

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "call-engine-carriers-"));
  await chmod(dataDir, 0o711);
  await Promise.all(CARRIERS.map(({ simulator, faults }) => startNetwork(simulator, faults)));
  await new Promise<void>((resolve) => customer.listen(0, "127.0.0.1", resolve));
  const accounts = Object.assign({}, ...[...networks.values()].map(({ environment }) => environment)) as Readonly<
    Record<string, string>
  >;
  database = await createTestDatabase({ migrated: false });
  const settings = { PORT: "0", HOST: "127.0.0.1", LOG_LEVEL: "error", ALLOW_PRIVATE_NETWORK: "true" };
  const env = { ...settings, DATA_DIR: dataDir, DATABASE_URL: database.url, ...accounts };
  service = await startApp({ config: readConfig(env), env, role: "all", engines: lightEngines });
  client = createClient(service);
  const { port } = customer.address() as AddressInfo;
  const webhookUrl = `http://127.0.0.1:${port}/`;
  for (const { simulator, number } of CARRIERS) {
    const body = { number, carrier: simulator.name, agentId: DEMO_AGENT_ID, webhookUrl };
    const { id } = await client.importPhoneNumber({ body });
    numberIds.set(simulator.name, id);
  }
});

afterAll(async () => {
  await service.stop();
  await Promise.all([...networks.values()].map((network) => network.close()));
  await database.close();
  await new Promise((resolve) => customer.close(resolve));
  await rm(dataDir, { recursive: true, force: true });
});

const origin = () => service.baseUrl.replace(/\/api$/u, "");
const over = ({ endedAt }: Dial) => endedAt !== undefined;

const until = (dialId: string, condition: (dial: Dial) => boolean, limitMs: number): Promise<Dial> =>
  untilDial(client, clock, dialId, condition, limitMs);

const ask = async (carrier: string, toNumber: string, callAgentId = DEMO_AGENT_ID): Promise<string> => {
  const body = { callAgentId, fromNumberId: numberIds.get(carrier) ?? null, toNumber };
  const { dialId } = await client.createDial({ body });
  return dialId;
};

const dial = async (carrier: string, toNumber: string, callAgentId = DEMO_AGENT_ID): Promise<Dial> =>
  until(await ask(carrier, toNumber, callAgentId), over, 90_000);

type Rule = Readonly<{ conditionType: "always"; transitionNodeId: string }>;

const node = (id: string, type: string, nodeData: Readonly<Record<string, unknown>>, leadsTo?: string) => {
  const transitionRules: Rule[] = leadsTo === undefined ? [] : [{ conditionType: "always", transitionNodeId: leadsTo }];
  return { id, type, nodeData, transitionRules };
};

/** An agent that goes through these nodes. */
const agentOf = async (nodes: readonly object[], more: Partial<CreateAgent> = {}): Promise<string> => {
  const { id: agentId } = await client.createAgent({ body: { name: "Switchboard", language: "en", ...more } });
  const flowDefinition = { openingLineType: "INBOUND_OUTBOUND", nodes };
  const prompt = { name: "v1", agentType: "CUSTOM_FLOW", flowDefinition } as const;
  await client.createVersionedPrompt({ agentId, body: prompt as never });
  return agentId;
};

/** An agent that connects whoever is there to `number`, and says goodbye when that fails. */
const connecting = async (number: string): Promise<string> => {
  const { id: functionId } = await client.createFunction({
    body: { name: "connect", description: "Connects.", type: "transfer", allowedNumbers: [{ number }] },
  });
  const nodes = [
    node("away", "transfer", { functionId, number }, "bye"),
    node("bye", "end_call", { message: "Nobody is there. Goodbye." }),
  ];
  return agentOf(nodes, { linkedFunctionDefinitions: [{ functionDefinitionId: functionId }] });
};

test.concurrent.for(NAMES)(
  "a person who rings over %s is answered by the number's agent, who knows what the customer replied",
  async (carrier) => {
    const number = CARRIERS.find(({ simulator }) => simulator.name === carrier)?.number ?? "";
    const webhookUrl = `${origin()}/carriers/${carrier}/inbound`;
    const ringing = networks.get(carrier)?.ring({ from: "+12025550145", to: number, webhookUrl });
    const mine = ({ event, payload }: News) =>
      event === "dial.inbound" && payload["dest_number_id"] === numberIds.get(carrier);
    // The customer hears of the call before it is answered.
    let announced = news.find(mine);
    while (announced === undefined) {
      await new Promise((resolve) =>
        customer.once("request", (_request, response) => response.once("finish", resolve)),
      );
      announced = news.find(mine);
    }
    const ended = await until(String(announced.payload["dial_id"]), over, 60_000);
    expect(await ringing).toMatch(/\w/u);
    expect(ended).toMatchObject({
      direction: "inbound",
      toNumber: number,
      fromNumber: "+12025550145",
      fromNumberId: null,
      inputs: { name: "Ada" },
      status: "completed",
      endReason: "counterparty_hangup",
    });
    // Where media sockets break after two seconds, they came back.
    expect(ended.durationSeconds).toBeGreaterThanOrEqual(4);
    expect(announced.payload).toMatchObject({
      dial_id: ended.id,
      call_agent_id: DEMO_AGENT_ID,
      source_number: "+12025550145",
    });
  },
);

test.concurrent("a stranger is not believed to be the carrier", async () => {
  const url = `${origin()}/carriers/twilio/inbound`;
  const fields = {
    CallSid: `CA${"1".repeat(32)}`,
    CallStatus: "ringing",
    Direction: "inbound",
    From: "+1",
    To: "+12025550100",
  };
  const post = (signature: string) =>
    fetch(url, { method: "POST", headers: { "x-twilio-signature": signature }, body: new URLSearchParams(fields) });
  expect((await post("nonsense")).status).toBe(403);
  const token = networks.get("twilio")?.environment["TWILIO_AUTH_TOKEN"] ?? "";
  const genuine = await post(twilio.getExpectedTwilioSignature(token, url, fields));
  expect(genuine.status).toBe(200);
  // Nobody has this number at this account.
  expect(await genuine.text()).toContain("<Reject");
  for (const name of NAMES.filter((each) => each !== "twilio")) {
    const forged = await fetch(`${origin()}/carriers/${name}/inbound`, { method: "POST", body: "{}" });
    expect([name, forged.status]).toEqual([name, 403]);
  }
});

// After the others, since each of them holds a line for some time.
describe("conversations", () => {
  test.concurrent.for(NAMES)(
    "over %s keys that a person presses are heard, and the agent says goodbye",
    async (carrier) => {
      const agentId = await agentOf([
        node("code", "question", { question: "What is your code?", questionType: "numeric" }, "bye"),
        node("bye", "end_call", { message: "Thank you. Goodbye." }),
      ]);
      const ended = await dial(carrier, "+12025550122", agentId);
      expect(ended).toMatchObject({ status: "completed", systemResultType: null, endReason: "agent_hangup" });
      expect(JSON.stringify(ended.transcript)).toMatch(/1 ?2 ?3 ?4/u);
      // From the first word to the last one, where the carrier's queue is not lost with its socket.
      const saidMs = "What is your code?Thank you.Goodbye.".length * LETTER_MS;
      const heardMs = agentHeardMs.get(`${carrier} +12025550122`) ?? 0;
      expect(heardMs).toBeGreaterThanOrEqual(BREAKING.has(carrier) ? LETTER_MS : saidMs - 40);
    },
  );

  test.concurrent.for(NAMES)("over %s keys that the agent presses lead through a menu", async (carrier) => {
    const agentId = await agentOf([
      node("press", "press_digits", { digits: "2" }, "bye"),
      node("bye", "end_call", { message: "That was all that I wanted to try. Goodbye." }),
    ]);
    const ended = await dial(carrier, "+12025550152", agentId);
    expect(ended).toMatchObject({ status: "completed", endReason: "agent_hangup" });
    const recordingId = ended.recordings?.[0]?.id ?? "";
    const sound = await client.getRecording({ id: ended.id, recordingId });
    const wav = await sound.arrayBuffer();
    const rate = new DataView(wav).getUint32(24, true);
    const caller = new Int16Array(wav.slice(WAV_HEADER_BYTES)).filter((_, index) => index % 2 === 0);
    expect(amplitudeAt(caller, CONNECTING_HZ, rate)).toBeGreaterThan(0.02);
  });

  test.concurrent.for(NAMES)("over %s a machine that the carrier heard is left", async (carrier) => {
    const nodes = [node("bye", "freeform", { prompt: "Talk." })];
    const voicemailConfig = { action: "hangup", carrierDetection: true } as const;
    const agentId = await agentOf(nodes, { openingLine: "Hello.", voicemailConfig });
    expect(await dial(carrier, "+12025550125", agentId)).toMatchObject({ status: "completed", endReason: "voicemail" });
  });

  test.concurrent.for(NAMES)("over %s somebody who is connected elsewhere talks there without us", async (carrier) => {
    const agentId = await connecting("+12025550123");
    const ended = await dial(carrier, "+12025550126", agentId);
    expect(ended).toMatchObject({ status: "completed", endReason: "transferred" });
  });

  test.concurrent.for(NAMES)(
    "over %s somebody who was not reached elsewhere comes back to the agent",
    async (carrier) => {
      const agentId = await connecting("+12025550130");
      const ended = await dial(carrier, "+12025550126", agentId);
      expect(ended).toMatchObject({ status: "completed", endReason: "agent_hangup" });
      expect(JSON.stringify(ended.transcript)).toContain("Nobody is there.");
    },
  );
});
