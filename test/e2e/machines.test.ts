import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { levelDbfs } from "../../src/audio/level.ts";
import { Resampler } from "../../src/audio/resampler.ts";
import { ToneFinder } from "../../src/audio/tone-finder.ts";
import { WAV_HEADER_BYTES } from "../../src/audio/wav.ts";
import type { CreateAgent } from "../../src/model/agent.ts";
import { HEARING_RATE } from "../../src/ports/vad.ts";
import { DEMO_NUMBER_ID } from "../../src/app/demo-workspace.ts";
import { delta, DONE, finished } from "../adapters/language-model/completions-server.ts";
import { startService, type RunningService } from "./running-service.ts";

type Ask = Readonly<{
  messages: readonly Readonly<{ role: string; content?: string }>[];
  tools?: readonly Readonly<{ function: Readonly<{ name: string }> }>[];
}>;

let dataDir: string;
let service: RunningService;
let model: Server;
/** What each prompt's model was asked last. */
const asked: { menu?: Ask; main?: Ask } = {};

const toolCall = (name: string, args: unknown): string =>
  delta({ tool_calls: [{ index: 0, id: "c", type: "function", function: { name, arguments: JSON.stringify(args) } }] });

/** Waits until the menu offers support and presses its key; with the person it talks. */
const think = (ask: Ask): readonly string[] => {
  const { messages } = ask;
  const heard = messages.findLast(({ role }) => role === "user")?.content ?? "";
  if (messages[0]?.content?.includes("Reach support.") === true) {
    asked.menu = ask;
    const offered = /support,? press (?:two|2)/iu.test(heard);
    if (!offered) return [toolCall("wait", {}), finished("tool_calls")];
    return [delta({ content: "I press two." }), toolCall("press_digits", { digits: "2" }), finished("tool_calls")];
  }
  if (messages[0]?.content?.includes("An assistant that screens calls is on the line") === true)
    return [delta({ content: "This is Robin of Acme, about your order." }), finished()];
  if (messages[0]?.content?.includes("Order desk.") === true)
    return [delta({ content: "Hello Anna, your order is ready." }), finished()];
  asked.main = ask;
  return [delta({ content: "Hello, this is Robin. My router is broken." }), finished()];
};

beforeAll(async () => {
  model = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end([...think(JSON.parse(Buffer.concat(parts).toString()) as Ask), DONE].join(""));
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
});

afterAll(async () => {
  expect(await service.end("SIGTERM")).toBe(0);
  model.close();
  await rm(dataDir, { recursive: true, force: true });
});

test.concurrent("a menu is heard, its key is pressed as tones, a person is reached, and the main prompt speaks again", async () => {
  const { client } = service;
  const { id: agentId } = await client.createAgent({
    body: { name: "Caller", language: "en", openingLine: "Hello.", ivrNavigationEnabled: true },
  });
  const { id: main } = await client.createVersionedPrompt({ agentId, body: { name: "main", prompt: "Talk." } });
  const { id: menu } = await client.createVersionedPrompt({
    agentId,
    body: { name: "menu", prompt: "Reach support." },
  });
  const { dialId } = await client.createDial({
    body: {
      callAgentId: agentId,
      fromNumberId: DEMO_NUMBER_ID,
      toNumber: "+12025550152",
      versionedModelId: main,
      ivrVersionedPromptId: menu,
    },
  });
  const dial = await service.until(dialId, ({ endReason }) => endReason !== null, 90_000);
  expect(dial).toMatchObject({ status: "completed", endReason: "counterparty_hangup", warnings: [] });
  const transcript = dial.transcript ?? [];
  const told = transcript.map(({ speaker, text, functionCalls }) => {
    const call = functionCalls?.[0];
    return call === undefined ? `${speaker}: ${text.toLowerCase()}` : `${call.name} ${call.args}`;
  });
  const pressed = told.indexOf('press_digits {"digits":"2"}');
  expect(told.filter((line) => line.startsWith("press_digits"))).toHaveLength(1);
  const before = told.slice(0, pressed).filter((line) => !line.startsWith("AI: "));
  const after = told.slice(pressed + 1).filter((line) => !line.startsWith("AI: "));
  expect(before.every((line) => line.startsWith("IVR: "))).toBe(true);
  expect(before.join(" ")).toContain("support");
  expect(after[0]).toMatch(/^IVR: .*hold/u);
  expect(after.slice(1).map((line) => line.split(":")[0])).toEqual(["HUMAN", "HUMAN", "HUMAN"]);
  expect(told.filter((line) => line.startsWith("AI: hello, this is robin")).length).toBeGreaterThanOrEqual(2);
  expect(told.join(" ")).not.toContain("i press two");
  const offered = ({ tools = [] }: Ask) => tools.map((tool) => tool.function.name);
  expect(asked.menu && offered(asked.menu)).toEqual(["press_digits", "wait", "end_call"]);
  expect(asked.main && offered(asked.main)).toEqual(["collect_digits", "mark_do_not_call", "end_call"]);
  expect(JSON.stringify(asked.main?.messages)).not.toContain("press");
}, 150_000);

/** An agent that calls a number of the loopback network, and what became of it. */
const called = async (agent: CreateAgent, prompt: string, toNumber: string) => {
  const { client } = service;
  const { id: agentId } = await client.createAgent({ body: agent });
  const { id: versionedModelId } = await client.createVersionedPrompt({ agentId, body: { name: "main", prompt } });
  const { dialId } = await client.createDial({
    body: { callAgentId: agentId, fromNumberId: DEMO_NUMBER_ID, toNumber, versionedModelId },
  });
  return service.until(dialId, ({ endReason }) => endReason !== null, 90_000);
};

/** When each beep ended in what was heard, and when the agent spoke: stretches of 20 ms and more, in milliseconds. */
const soundsOf = (wav: ArrayBuffer) => {
  const sampleRate = new DataView(wav).getUint32(24, true);
  const both = new Int16Array(wav.slice(WAV_HEADER_BYTES));
  const [caller, agent] = [both.filter((_, index) => index % 2 === 0), both.filter((_, index) => index % 2 === 1)];
  const beeps: number[] = [];
  const resampler = new Resampler(sampleRate, HEARING_RATE);
  new ToneFinder((tone, endMs) => {
    if (tone === "beep") beeps.push(endMs);
  }).push(resampler.process(caller));
  resampler.close();
  const frame = sampleRate / 50;
  const spoken = Array.from({ length: Math.floor(agent.length / frame) }, (_, index) => index)
    .filter((index) => levelDbfs(agent.subarray(index * frame, (index + 1) * frame)) > -45)
    .map((index) => index * 20);
  return { beeps, spoken };
};

test.concurrent("an assistant that screens calls hears who calls, and the person is greeted anew", async () => {
  const dial = await called({ name: "Orders", language: "en", openingLine: "Hello." }, "Order desk.", "+12025550146");
  expect(dial).toMatchObject({ status: "completed", endReason: "counterparty_hangup" });
  const told = (dial.transcript ?? []).map(({ speaker, text }) => `${speaker}: ${text}`);
  const says = (words: string) => told.findIndex((line) => line.startsWith("AI: ") && line.includes(words));
  expect(told.find((line) => !line.startsWith("AI: "))).toMatch(/^IVR: .*reason/iu);
  expect(says("This is Robin of Acme")).toBeGreaterThanOrEqual(0);
  expect(says("Hello Anna")).toBeGreaterThan(says("This is Robin of Acme"));
  const person = told.findIndex((line) => line.startsWith("HUMAN: "));
  expect(person).toBeLessThan(says("Hello Anna"));
  expect(told.slice(0, person).filter((line) => line.startsWith("IVR: ")).length).toBeGreaterThanOrEqual(2);
}, 150_000);

test("a message is left on a voicemail after its beep, as the recording shows", async () => {
  const message = "Hello Sarah, this is Robin from Acme. Please call us back tomorrow.";
  const dial = await called(
    { name: "Messages", language: "en", openingLine: "Hello.", voicemailConfig: { action: "leave_message", message } },
    "Talk.",
    "+12025550125",
  );
  expect(dial).toMatchObject({ status: "completed", endReason: "voicemail" });
  const transcript = dial.transcript ?? [];
  expect(transcript.at(-1)).toMatchObject({ speaker: "AI", text: message });
  expect(transcript.some(({ speaker }) => speaker === "IVR")).toBe(true);
  const sound = await service.client.getRecording({ id: dial.id, recordingId: dial.recordings?.[0]?.id ?? "" });
  const { beeps, spoken } = soundsOf(await sound.arrayBuffer());
  expect(beeps).toHaveLength(1);
  const [beep = 0] = beeps;
  const after = spoken.filter((atMs) => atMs > beep - 100);
  expect((after[0] ?? 0) - beep).toBeGreaterThan(200);
  expect((after[0] ?? Infinity) - beep).toBeLessThan(6000);
  // The message takes more than two seconds of voice.
  expect(after.length * 20).toBeGreaterThan(1500);
}, 150_000);
