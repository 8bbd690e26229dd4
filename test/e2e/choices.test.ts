import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import { DEMO_NUMBER_ID } from "../../src/app/demo-workspace.ts";
import { levelDbfs } from "../../src/audio/level.ts";
import { decodeLinear16 } from "../../src/audio/linear16.ts";
import { WAV_HEADER_BYTES, writeWav } from "../../src/audio/wav.ts";
import type { Dial } from "../../src/client/client.ts";
import { BROWSER_SUBPROTOCOL, SOUND_HEADER_BYTES } from "../../src/model/browser-protocol.ts";
import { delta, DONE, finished } from "../adapters/language-model/completions-server.ts";
import { amplitudeAt, concat, tone } from "../kit/tones.ts";
import { startService, type RunningService } from "./running-service.ts";

const OPENING = "Hello {{title}} Miller, this is the front desk of the clinic on the main road.";
const SPOKEN = "Hello Miller, this is the front desk of the clinic on the main road.";

let dataDir: string;
let service: RunningService;
let model: Server;
let agentId: string;
const asked: Readonly<Record<string, unknown>>[] = [];

const bodyOf = async (request: IncomingMessage): Promise<Readonly<Record<string, unknown>>> => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return JSON.parse(Buffer.concat(parts).toString()) as Record<string, unknown>;
};

beforeAll(async () => {
  model = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      asked.push(body);
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end([delta({ content: "I see." }), finished(), DONE].join(""));
    });
  });
  model.listen(0, "127.0.0.1");
  await once(model, "listening");
  dataDir = await mkdtemp(join(tmpdir(), "call-engine-e2e-"));
  await chmod(dataDir, 0o711);
  service = await startService({
    DATA_DIR: dataDir,
    ALLOW_PRIVATE_NETWORK: "true",
    LLM_BASE_URL: `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`,
    LLM_MODEL: "thinker",
  });
  agentId = await agentSpeaking("en");
});

afterAll(async () => {
  expect(await service.end("SIGTERM")).toBe(0);
  model.close();
  await rm(dataDir, { recursive: true, force: true });
});

const agentSpeaking = async (language: string): Promise<string> => {
  const { id } = await service.client.createAgent({
    body: {
      name: "Front desk",
      language,
      openingLine: OPENING,
      fillEmptyStringVariables: true,
      defaultVoiceId: "flite-slt",
      transcriberParams: { type: "deepgram", keywords: ["Sara Millar"] },
      metadata: { team: "sales" },
    },
  });
  await service.client.createVersionedPrompt({
    agentId: id,
    body: {
      name: "v1",
      agentType: "STANDARD",
      prompt: "Be kind to {{title}} Miller.",
      aiModelId: "thinker",
      modelOptionValues: [{ optionId: "temperature", value: "0.3" }],
    },
  });
  return id;
};

type Choices = Readonly<{
  aiVoiceId?: string;
  voiceVolumeLevel?: number;
  voiceOptionValues?: { optionId: string; value: string }[];
}>;

const dialled = async (choices: Choices): Promise<string> => {
  const { dialId } = await service.client.createDial({
    body: { callAgentId: agentId, fromNumberId: DEMO_NUMBER_ID, toNumber: "+12025550123", ...choices },
  });
  return dialId;
};

/** The agent's side of the recording of a dial that is over. */
const agentSide = async (dial: Dial): Promise<Readonly<{ samples: Int16Array; sampleRate: number }>> => {
  const url = dial.recordings?.[0]?.url ?? expect.fail("no recording");
  const response = await fetch(url, { headers: { authorization: `Bearer ${service.apiKey}` } });
  const file = Buffer.from(await response.arrayBuffer());
  const both = decodeLinear16(file.subarray(WAV_HEADER_BYTES));
  const samples = Int16Array.from({ length: both.length / 2 }, (_, index) => both[index * 2 + 1] ?? 0);
  return { samples, sampleRate: file.readUInt32LE(24) };
};

/** How long the opening of a call was, and how loud, after hanging up behind it. */
const openingOf = async (choices: Choices) => {
  const dialId = await dialled(choices);
  const answered = await service.until(
    dialId,
    ({ transcript, endedAt }) => (transcript?.length ?? 0) > 1 || endedAt !== undefined,
    60_000,
  );
  expect(answered.status, answered.endReason ?? "").toBe("in-progress");
  await service.client.hangUpDial({ id: dialId });
  const dial = await service.until(dialId, ({ recordings }) => (recordings?.[0]?.durationMs ?? 0) > 0, 30_000);
  const entry = dial.transcript?.[0] ?? expect.fail("nothing was said");
  const { samples, sampleRate } = await agentSide(dial);
  const opening = samples.subarray((entry.startTimeMs * sampleRate) / 1000, (entry.endTimeMs * sampleRate) / 1000);
  return {
    text: entry.text,
    voiceId: dial.voiceId,
    ms: entry.endTimeMs - entry.startTimeMs,
    db: levelDbfs(opening),
    warnings: dial.warnings,
    metadata: dial.agent?.metadata,
  };
};

test("what agent and dial choose is heard: voice, pace, loudness, and variables without a value", async () => {
  // One after another, so that a busy machine makes none of them late.
  const plain = await openingOf({});
  const fast = await openingOf({ voiceOptionValues: [{ optionId: "speed", value: "1.6" }] });
  const soft = await openingOf({ voiceVolumeLevel: -120 });
  const other = await openingOf({ aiVoiceId: "flite-rms" });
  expect([plain, fast, soft, other].map(({ text }) => text.replaceAll(/\s+/gu, " "))).toEqual(Array(4).fill(SPOKEN));
  expect([plain.voiceId, other.voiceId]).toEqual(["flite-slt", "flite-rms"]);
  expect(Math.abs(other.ms - plain.ms)).toBeGreaterThan(100);
  expect(fast.ms / plain.ms).toBeGreaterThan(0.5);
  expect(fast.ms / plain.ms).toBeLessThan(0.8);
  expect(soft.ms / plain.ms).toBeCloseTo(1, 1);
  expect(soft.db - plain.db).toBeGreaterThan(-13.5);
  expect(soft.db - plain.db).toBeLessThan(-10.5);
  expect(plain.metadata).toEqual({ team: "sales" });
  expect(plain.warnings).toEqual([expect.stringContaining('"deepgram" is not configured here; "local" is used')]);
}, 150_000);

test("a keyword is written where it was heard, and the model is asked with its options and the filled prompt", async () => {
  const dialId = await dialled({});
  const dial = await service.until(dialId, ({ endedAt }) => endedAt !== undefined, 120_000);
  const heard = (dial.transcript ?? []).filter(({ speaker }) => speaker === "HUMAN").map(({ text }) => text);
  expect(heard.join(" ")).toContain("Sara Millar");
  expect(asked.length).toBeGreaterThan(0);
  expect(asked.every((body) => body["temperature"] === 0.3 && body["model"] === "thinker")).toBe(true);
  expect(JSON.stringify(asked[0]?.["messages"])).toContain("Be kind to  Miller.");
}, 150_000);

test("a language that nothing hears or speaks is refused when the agent is saved", async () => {
  await expect(agentSpeaking("de")).rejects.toMatchObject({ status: 422, code: "language_not_supported" });
  expect(await agentSpeaking("en-GB")).not.toBe("");
});

/** What a visitor hears in the first `seconds` of a call with the agent, 16 kHz. */
const heardByVisitor = async (seconds: number): Promise<Int16Array> => {
  const { dialId, dialToken } = await service.client.createDial({ body: { callAgentId: agentId, browserCall: true } });
  const url = new URL(`/browser/${dialId}`, service.baseUrl);
  url.protocol = "ws:";
  const socket = new WebSocket(url, BROWSER_SUBPROTOCOL);
  const format = { format: "pcm16", sampleRate: 16_000 };
  const pieces: Int16Array[] = [];
  try {
    await once(socket, "open");
    socket.send(JSON.stringify({ type: "auth", token: dialToken }));
    await new Promise<void>((resolve, reject) => {
      let samples = 0;
      socket.on("close", () => reject(new Error("the socket was closed")));
      socket.on("message", (data: Buffer, isBinary) => {
        if (isBinary) {
          const piece = decodeLinear16(Uint8Array.from(data.subarray(SOUND_HEADER_BYTES)));
          pieces.push(piece);
          samples += piece.length;
          if (samples >= seconds * 16_000) resolve();
        } else if ((JSON.parse(data.toString()) as { type: string }).type === "ready")
          socket.send(JSON.stringify({ type: "start", input: format, output: format }));
      });
    });
    socket.send(JSON.stringify({ type: "hang_up" }));
  } finally {
    socket.close();
  }
  return concat(...pieces);
};

test("a sound that was uploaded is heard behind the agent", async () => {
  const upload = await fetch(`${service.baseUrl}/audio?name=Hum`, {
    method: "POST",
    headers: { authorization: `Bearer ${service.apiKey}`, "content-type": "audio/wav" },
    body: writeWav({ samples: tone(700, 1000, 16_000, 0.3), sampleRate: 16_000 }),
  });
  const { id: audioId } = (await upload.json()) as { id: string };
  const backgroundSound = { type: "custom", audioId, volumeLevel: 150 } as const;
  await service.client.updateAgent({ id: agentId, body: { backgroundSound } });
  const behind = await heardByVisitor(2);
  await service.client.updateAgent({ id: agentId, body: { backgroundSound: { type: "none" } } });
  const without = await heardByVisitor(2);
  expect(amplitudeAt(behind.subarray(0, 32_000), 700, 16_000)).toBeGreaterThan(0.03);
  expect(amplitudeAt(without.subarray(0, 32_000), 700, 16_000)).toBeLessThan(0.01);
});
