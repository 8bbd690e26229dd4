import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DEMO_NUMBER_ID } from "../../src/app/demo-workspace.ts";
import { cartesia, elevenLabs, VOICE_COUNT } from "../kit/speech-servers/dialects.ts";
import { KEY, SpeechServer } from "../kit/speech-servers/speech-server.ts";
import { startService, type RunningService } from "./running-service.ts";

const OPENING = "Hello, this is the front desk.";

let dataDir: string;
let service: RunningService;
let eleven: SpeechServer;
let sonic: SpeechServer;

beforeAll(async () => {
  eleven = await SpeechServer.start(elevenLabs);
  sonic = await SpeechServer.start(cartesia);
  dataDir = await mkdtemp(join(tmpdir(), "call-engine-e2e-"));
  await chmod(dataDir, 0o711);
  service = await startService({
    DATA_DIR: dataDir,
    ELEVENLABS_API_KEY: KEY,
    ELEVENLABS_BASE_URL: eleven.url,
    CARTESIA_API_KEY: KEY,
    CARTESIA_BASE_URL: sonic.url,
    VOICE_FALLBACKS: "cartesia-voice0",
  });
});

afterAll(async () => {
  expect(await service.end("SIGTERM")).toBe(0);
  await eleven.close();
  await sonic.close();
  await rm(dataDir, { recursive: true, force: true });
});

const agentSaying = async (openingLine: string): Promise<string> => {
  const { id } = await service.client.createAgent({
    body: { name: "Front desk", language: "en", openingLine, defaultVoiceId: "elevenlabs-voice3" },
  });
  await service.client.createVersionedPrompt({
    agentId: id,
    body: { name: "v1", agentType: "STANDARD", prompt: "Be kind." },
  });
  return id;
};

/** What was said first in a call, which is hung up behind it. */
const openingOf = async (callAgentId: string, values: { optionId: string; value: string }[] = []) => {
  const { dialId } = await service.client.createDial({
    body: {
      callAgentId,
      fromNumberId: DEMO_NUMBER_ID,
      toNumber: "+12025550123",
      voiceOptionValues: values,
    },
  });
  const begun = ({ transcript, endedAt }: Awaited<ReturnType<typeof service.until>>) =>
    (transcript?.length ?? 0) > 0 || endedAt !== undefined;
  await service.until(dialId, begun, 60_000);
  await service.client.hangUpDial({ id: dialId });
  const dial = await service.until(dialId, ({ endedAt }) => endedAt !== undefined, 30_000);
  return dial.transcript?.[0]?.text ?? "";
};

const metrics = async (): Promise<string> => {
  const response = await fetch(new URL("/metrics", service.baseUrl));
  return response.text();
};

test("vendors' voices are listed beside our own, page by page and by vendor, with what each can be told", async () => {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await service.client.listVoices({
      voiceType: "elevenlabs",
      ...(cursor === undefined ? {} : { cursor }),
    });
    ids.push(...page.voices.map(({ id }) => id));
    cursor = page.cursor ?? undefined;
  } while (cursor !== undefined);
  expect(ids.length).toBe(VOICE_COUNT);
  const { voices } = await service.client.listVoices({ voiceType: "cartesia", name: "voice0" });
  expect(voices[0]).toMatchObject({ id: "cartesia-voice0", languages: ["en"] });
  const agent = await agentSaying(OPENING);
  const refused = openingOf(agent, [{ optionId: "stability", value: "1.5" }]);
  await expect(refused).rejects.toMatchObject({ code: "invalid_voice_option" });
}, 60_000);

test("the agent's voice speaks in the carrier's own sound, and a greeting that was said once is not made again", async () => {
  const agent = await agentSaying(OPENING);
  expect(await openingOf(agent, [{ optionId: "stability", value: "0.9" }])).toContain("Hello");
  const [asked] = eleven.asked;
  expect(asked).toMatchObject({ text: OPENING, format: { encoding: "mulaw", sampleRate: 8000 } });
  expect(asked?.options["path"]).toContain("voice3");
  expect(asked?.options).toMatchObject({ stability: 0.9 });
  expect(await openingOf(agent, [{ optionId: "stability", value: "0.9" }])).toContain("Hello");
  expect(eleven.asked.filter(({ text }) => text === OPENING).length).toBe(1);
  expect(await metrics()).toMatch(/call_engine_phrases_total\{found="hit"\} [1-9]/u);
}, 150_000);

test("when the vendor is silent the deployment's next voice says it", async () => {
  const agent = await agentSaying("Good day, how can I help you?");
  eleven.fates.push("silent");
  expect(await openingOf(agent)).toContain("Good day");
  expect(sonic.asked.map(({ text }) => text)).toContain("Good day, how can I help you?");
  expect(await metrics()).toMatch(
    /call_engine_fallbacks_total\{port="synthesizer",from="elevenlabs",to="cartesia"\} [1-9]/u,
  );
}, 60_000);
