import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import { simulator as plivoSimulator } from "../../src/adapters/carrier/plivo/simulator.ts";
import { simulator as telnyxSimulator } from "../../src/adapters/carrier/telnyx/simulator.ts";
import { simulator as signalwireSimulator } from "../../src/adapters/carrier/twilio/signalwire-simulator.ts";
import { simulator as twilioSimulator } from "../../src/adapters/carrier/twilio/simulator.ts";
import { simulator as vonageSimulator } from "../../src/adapters/carrier/vonage/simulator.ts";
import { SystemClock } from "../../src/adapters/clock/system.ts";
import { SystemRandom } from "../../src/adapters/random/system.ts";
import { startApp, type App } from "../../src/app.ts";
import { decodeLinear16 } from "../../src/audio/linear16.ts";
import { OpusDecoder } from "../../src/audio/opus.ts";
import { createClient, type Client } from "../../src/client/client.ts";
import { readConfig } from "../../src/config.ts";
import { untilDial } from "../../src/demo/until-dial.ts";
import type { Dial } from "../../src/model/dial.ts";
import type { RunningSimulator } from "../../src/ports/carrier-simulator.ts";
import { answering, freePort, openTrunk, type Trunk } from "../adapters/carrier/sip/trunk-rig.ts";
import { Visitor } from "../kit/browser-rig.ts";
import { LETTER_MS, VOICE_HZ, lightEngines } from "../kit/light-engines.ts";
import { createTestDatabase, type TestDatabase } from "../kit/postgres.ts";
import { silentLogger } from "../kit/silent-logger.ts";
import { amplitudeAt, concat, silence } from "../kit/tones.ts";
import { WebRtcClient } from "../kit/webrtc-client.ts";

const SIMULATORS = [twilioSimulator, signalwireSimulator, telnyxSimulator, vonageSimulator, plivoSimulator];

/** All that the agent says, as its opening. Every letter takes its time, so that a word that is missing shows. */
const GREETING = "Hello, this is the front desk.";
const GOODBYE = "Nobody is here at present, so goodbye.";
const SAID_MS = (GREETING.length + GOODBYE.length) * LETTER_MS;

/** Less than the shortest word: codecs blur where a tone begins and ends. */
const BLUR_MS = 45;

/** What a page's sound is, both ways. */
const RATE = 24_000;

const clock = new SystemClock();
let dataDir: string;
let database: TestDatabase;
let service: App;
let client: Client;
let trunk: Trunk;
let agentId: string;
const networks: RunningSimulator[] = [];
const numberIds = new Map<string, string>();
/** For how long the people of the simulated networks heard the agent's voice, in milliseconds, by carrier. */
const heardMs = new Map<string, number>();

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "call-engine-words-"));
  await chmod(dataDir, 0o711);
  for (const simulator of SIMULATORS) {
    const { name } = simulator;
    const hears = (_number: string, frame: Int16Array) =>
      heardMs.set(name, (heardMs.get(name) ?? 0) + voiceMs(frame, 8000));
    const deps = { clock, random: new SystemRandom(), logger: silentLogger() };
    networks.push(await simulator.start({ port: 0, host: "127.0.0.1", settings: {}, faults: {}, deps, hears }));
  }
  const sipPort = await freePort();
  trunk = await openTrunk(await freePort(), sipPort);
  answering(trunk);
  database = await createTestDatabase({ migrated: false });
  const env = {
    ...Object.assign({}, ...networks.map(({ environment }) => environment)),
    PORT: "0",
    HOST: "127.0.0.1",
    LOG_LEVEL: "error",
    ALLOW_PRIVATE_NETWORK: "true",
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    SIP_SERVER: `127.0.0.1:${trunk.port}`,
    SIP_LISTEN: `127.0.0.1:${sipPort}`,
  };
  service = await startApp({ config: readConfig(env), env, role: "all", engines: lightEngines });
  client = createClient(service);
  for (const [index, carrier] of [...SIMULATORS.map(({ name }) => name), "sip"].entries()) {
    const body = { number: `+1202555017${index}`, carrier };
    numberIds.set(carrier, (await client.importPhoneNumber({ body })).id);
  }
  agentId = (await client.createAgent({ body: { name: "Brief", language: "en" } })).id;
  const nodes = [{ id: "bye", type: "end_call", nodeData: { message: `${GREETING} ${GOODBYE}` }, transitionRules: [] }];
  const prompt = {
    name: "v1",
    agentType: "CUSTOM_FLOW",
    flowDefinition: { openingLineType: "INBOUND_OUTBOUND", nodes },
  };
  await client.createVersionedPrompt({ agentId, body: prompt as never });
});

afterAll(async () => {
  await service.stop();
  await trunk.carrier.close();
  await Promise.all(networks.map((network) => network.close()));
  await database.close();
  await rm(dataDir, { recursive: true, force: true });
});

/** For how long the agent's voice is there, by pieces of 20 ms, in milliseconds. */
const voiceMs = (sound: Int16Array, rate: number): number => {
  let ms = 0;
  for (let at = 0; at + rate / 50 <= sound.length; at += rate / 50)
    if (amplitudeAt(sound.subarray(at, at + rate / 50), VOICE_HZ, rate) > 0.05) ms += 20;
  return ms;
};

const ended = (dialId: string): Promise<Dial> =>
  untilDial(client, clock, dialId, ({ endedAt }) => endedAt !== undefined, 60_000);

const expectAllHeard = (dial: Dial, ms: number): void => {
  expect(dial).toMatchObject({ status: "completed", endReason: "agent_hangup" });
  expect(ms).toBeGreaterThan(SAID_MS - BLUR_MS);
  expect(ms).toBeLessThan(SAID_MS + BLUR_MS);
};

const call = async (carrier: string, toNumber: string): Promise<Dial> => {
  const body = { callAgentId: agentId, fromNumberId: numberIds.get(carrier) ?? null, toNumber };
  return ended((await client.createDial({ body })).dialId);
};

test.concurrent.for(SIMULATORS.map(({ name }) => name))(
  "over %s the person hears the greeting and the goodbye from the first word to the last",
  async (carrier) => {
    heardMs.delete(carrier);
    const dial = await call(carrier, "+12025550126");
    expectAllHeard(dial, heardMs.get(carrier) ?? 0);
  },
);

test.concurrent("over a SIP trunk the person hears the greeting and the goodbye from the first word to the last", async () => {
  const dial = await call("sip", "+12024561111");
  const line = trunk.host.lines.at(-1);
  expectAllHeard(dial, voiceMs(line?.sound ?? silence(0, 8000), 8000));
});

const visit = async () => {
  const { dialId, dialToken } = await client.createDial({ body: { callAgentId: agentId, browserCall: true } });
  const visitor = new Visitor(
    new WebSocket(`${service.baseUrl.replace(/^http/u, "ws").replace(/\/api$/u, "")}/browser/${dialId}`),
  );
  await once(visitor.socket, "open");
  visitor.say({ type: "auth", token: dialToken });
  await visitor.heard("ready");
  return { dialId, visitor };
};

/** Plays what comes as a page does, one piece behind the other in real time, and says when marks were reached. What was played stays. */
const playing = ({ socket }: Visitor, decode: (payload: Uint8Array) => Int16Array) => {
  const played: Int16Array[] = [];
  let busyUntil = 0;
  socket.on("message", (data: Buffer, isBinary) => {
    const now = clock.monotonic();
    const message = isBinary
      ? undefined
      : (JSON.parse(data.toString("utf8")) as Readonly<{ type: string; name?: string }>);
    if (message === undefined) {
      const sound = decode(data.subarray(8));
      busyUntil = Math.max(busyUntil, now) + (sound.length / RATE) * 1000;
      clock.setTimer(busyUntil - now, () => {
        if (socket.readyState === WebSocket.OPEN) played.push(sound);
      });
    } else if (message.type === "mark")
      clock.setTimer(Math.max(0, busyUntil - now), () =>
        socket.send(JSON.stringify({ type: "mark", name: message.name })),
      );
  });
  let sequence = 0;
  const speak = () => {
    if (socket.readyState !== WebSocket.OPEN) return;
    const frame = Buffer.alloc(8 + (2 * RATE) / 50);
    frame.writeUInt32BE(sequence, 0);
    frame.writeUInt32BE((sequence * RATE) / 50, 4);
    sequence += 1;
    socket.send(frame);
    clock.setTimer(20, speak);
  };
  speak();
  return { played: () => concat(...played) };
};

test.concurrent.for(["pcm16", "opus"] as const)(
  "a page hears the greeting and the goodbye over its socket as %s from the first word to the last",
  async (format) => {
    const { dialId, visitor } = await visit();
    const decoder = await OpusDecoder.create(RATE);
    const page = playing(visitor, (payload) =>
      format === "opus" ? (decoder.decode(payload) ?? silence(20, RATE)).slice() : decodeLinear16(payload),
    );
    const output = format === "opus" ? { format } : { format, sampleRate: RATE };
    visitor.say({ type: "start", input: { format: "pcm16", sampleRate: RATE }, output });
    await visitor.heard("started");
    const dial = await ended(dialId);
    await visitor.closed;
    decoder.close();
    expectAllHeard(dial, voiceMs(page.played(), RATE));
  },
);

test.concurrent("a page hears the greeting and the goodbye by WebRTC from the first word to the last", async () => {
  const { dialId, visitor } = await visit();
  const peer = await WebRtcClient.create(clock);
  visitor.say({ type: "offer", sdp: await peer.offer() });
  const { sdp } = await visitor.heard("answer");
  await peer.connection.setRemoteDescription({ type: "answer", sdp: String(sdp) });
  const speaking = peer.speak(silence(10_000, 16_000)).catch(() => undefined);
  const dial = await ended(dialId);
  expectAllHeard(dial, voiceMs(concat(...peer.heard), RATE));
  await peer.close();
  await speaking;
});
