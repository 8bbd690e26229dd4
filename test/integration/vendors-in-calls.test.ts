import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterAll, expect, test } from "vitest";
import { SystemClock } from "../../src/adapters/clock/system.ts";
import { memoryPhrases } from "../../src/adapters/phrases/memory.ts";
import { startEngines } from "../../src/app/engines.ts";
import { callFactory } from "../../src/app/prepare.ts";
import { readConfig } from "../../src/config.ts";
import type { TranscriptEntry } from "../../src/model/transcript.ts";
import type { TurnRecord } from "../../src/model/turn-record.ts";
import { sleep } from "../../src/ports/clock.ts";
import { answer } from "../adapters/language-model/completions-server.ts";
import { adapterDeps } from "../kit/adapter-deps.ts";
import { testPlan } from "../kit/dial-plans.ts";
import { ScriptedVad } from "../kit/scripted-engines.ts";
import { ScriptedLine } from "../kit/scripted-line.ts";
import {
  answerSpeech,
  cartesia,
  deepgram as deepgramVoices,
  elevenLabs,
  openAi,
} from "../kit/speech-servers/dialects.ts";
import { KEY as VOICE_KEY, LETTER_MS, SpeechServer, type Dialect } from "../kit/speech-servers/speech-server.ts";
import { VirtualClock } from "../kit/virtual-clock.ts";
import { serveAssembly } from "../kit/vendors/assemblyai-vendor.ts";
import { KEY, serveFlux, serveNova } from "../kit/vendors/deepgram-vendors.ts";
import { serveGoogle } from "../kit/vendors/google-vendor.ts";
import { serveRealtime } from "../kit/vendors/openai-vendor.ts";
import type { ScriptedVendor } from "../kit/vendors/scripted-vendor.ts";
import { quietBytes, sayBytes } from "../kit/vendors/spoken-bytes.ts";

const OPENING = "Hello.";
const REPLY = "Which day?";
const real = new SystemClock();

/** The calls' time goes on in small steps, and the network does its work in between: a machine that is busy makes nothing late. */
const clock = new VirtualClock(real.now());

const STEP_MS = 20;
const LONGEST_MS = 60_000;

const inTime = async <T>(work: Promise<T>): Promise<T> => {
  const state = { over: false };
  const done = work.finally(() => {
    state.over = true;
  });
  done.catch(() => undefined);
  for (let ms = 0; ms < LONGEST_MS && !state.over; ms += STEP_MS) {
    await clock.advance(STEP_MS);
    for (let turn = 0; turn < 3; turn += 1) await sleep(real, 1);
  }
  expect(state.over, "the calls came to their end").toBe(true);
  return done;
};

const closing: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

const vendor = async (serve: () => Promise<ScriptedVendor>): Promise<ScriptedVendor> => {
  const server = await serve();
  closing.push(() => server.close());
  return server;
};

const voices = async (dialect: Dialect): Promise<SpeechServer> => {
  const server = await SpeechServer.start(dialect, dialect === openAi ? answerSpeech : undefined);
  closing.push(() => server.close());
  return server;
};

/** Chat completions that always answer the same. */
const completions = async (): Promise<string> => {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(answer(REPLY).chunks.map(String).join(""));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
};

/** The engines of a service with this environment, and calls over them as a worker makes them. */
const startService = async (vendors: Readonly<Record<string, string>>) => {
  const env = { LLM_BASE_URL: await completions(), LLM_MODEL: "small", VAD: "energy", ...vendors };
  const deps = adapterDeps({ clock });
  const engines = await startEngines(readConfig(env), env, deps);
  closing.push(() => engines.close());
  const prepare = callFactory(
    {
      ...deps,
      http: { post: () => Promise.reject(new Error("not asked")), close: async () => undefined },
      doNotCall: { addDoNotCall: () => Promise.reject(new Error("not asked")) },
      live: { command: async () => true },
      phrases: memoryPhrases(1_000_000),
      voiceFallbacks: [],
    },
    // The words of the scripted vendors are no voice to a detector that knows one.
    { ...engines, vad: new ScriptedVad() },
    400,
  );
  return (transcriber: string, voice: string) => converse(prepare, transcriber, voice);
};

/** One call: the agent greets, the caller says three words, the agent answers. */
const converse = async (prepare: ReturnType<typeof callFactory>, transcriber: string, voice: string) => {
  const transcript: TranscriptEntry[] = [];
  const turns: TurnRecord[] = [];
  const plan = testPlan({
    dialId: `${transcriber}-${voice}`,
    openingLine: OPENING,
    transcriber: { type: transcriber, keywords: ["Zürich"] },
    voice: { id: voice, options: [], volumeDb: 0 },
    endpoint: { type: "SIMPLE", mode: "AGGRESSIVE" },
  });
  const journal = {
    transcript: (index: number, entry: TranscriptEntry) => {
      transcript[index] = entry;
    },
    interim: () => undefined,
    turn: (turn: TurnRecord) => {
      turns.push(turn);
    },
  };
  const call = prepare(plan, journal, () => Promise.resolve("failed"));
  const line = new ScriptedLine(clock);
  call.answer(line);
  const sound = Buffer.concat([quietBytes(1500), sayBytes("book", "a", "table")]);
  const silence = quietBytes(20);
  line.openMicrophone((frame) => {
    const payload = sound.subarray(frame * 160, (frame + 1) * 160);
    return payload.length === 160 ? payload : silence;
  });
  // A turn is written when its answer was heard to its end.
  while (turns.length < 2) await sleep(clock, STEP_MS);
  line.close();
  await call.discard();
  const heardMs = line.heard.reduce((sum, { fromMs, untilMs }) => sum + untilMs - fromMs, 0);
  return { transcript, turns, heardMs };
};

test("every vendor hears and speaks a whole call of a service that its variables configure", async () => {
  const [nova, flux, assembly, google, realtime] = await Promise.all(
    [serveNova, serveFlux, serveAssembly, serveGoogle, serveRealtime].map((serve) => vendor(() => serve())),
  );
  const [eleven, sonic, aura, marin] = await Promise.all(
    [elevenLabs, cartesia, deepgramVoices, openAi].map((dialect) => voices(dialect)),
  );
  // One address serves all that a vendor has, so that its ears and its voices are tried in services of their own.
  const shared = {
    ASSEMBLYAI_API_KEY: KEY,
    ASSEMBLYAI_BASE_URL: assembly?.url ?? "",
    CARTESIA_API_KEY: VOICE_KEY,
    CARTESIA_BASE_URL: sonic?.url ?? "",
    ELEVENLABS_API_KEY: VOICE_KEY,
    ELEVENLABS_BASE_URL: eleven?.url ?? "",
    GOOGLE_SPEECH_PROJECT: "a-project",
    GOOGLE_SPEECH_API_KEY: KEY,
    GOOGLE_SPEECH_BASE_URL: google?.url ?? "",
  };
  const [first, second, third] = await Promise.all([
    startService({
      ...shared,
      DEEPGRAM_API_KEY: KEY,
      DEEPGRAM_BASE_URL: nova?.url ?? "",
      OPENAI_API_KEY: KEY,
      OPENAI_BASE_URL: realtime?.url ?? "",
    }),
    startService({
      ...shared,
      DEEPGRAM_API_KEY: KEY,
      DEEPGRAM_BASE_URL: flux?.url ?? "",
      OPENAI_API_KEY: VOICE_KEY,
      OPENAI_BASE_URL: `${marin?.url}/v1`,
    }),
    startService({ ...shared, DEEPGRAM_API_KEY: VOICE_KEY, DEEPGRAM_BASE_URL: aura?.url ?? "" }),
  ]);
  const calls = await inTime(
    Promise.all([
      first("deepgram", "elevenlabs-voice0"),
      first("openai", "cartesia-voice0"),
      second("deepgram-flux", "openai-marin"),
      third("assemblyai", "deepgram-aura-2-thalia-en"),
      third("google", "elevenlabs-voice1"),
    ]),
  );
  const wordTimes: boolean[] = [];
  for (const { transcript, turns, heardMs } of calls) {
    expect(transcript.map(({ speaker, text }) => `${speaker}: ${text}`)).toEqual([
      `AI: ${OPENING}`,
      "HUMAN: book a table",
      `AI: ${REPLY}`,
    ]);
    // Nobody took over from anybody: what was heard is the vendor's own work.
    expect(turns.flatMap(({ fallbacks }) => fallbacks ?? [])).toEqual([]);
    expect(Math.abs(heardMs - (OPENING.length + REPLY.length) * LETTER_MS)).toBeLessThan(60);
    const words = transcript[1]?.words ?? [];
    wordTimes.push(words.length === 3);
    for (const [index, { startTimeMs }] of words.entries())
      expect(Math.abs(startTimeMs - (1500 + 300 * index))).toBeLessThan(150);
  }
  // OpenAI tells no times.
  expect(wordTimes).toEqual([true, false, true, true, true]);
  for (const server of [nova, flux, assembly, google, realtime]) {
    expect(server?.record.opened[0]).toMatchObject({ encoding: "mulaw", sampleRate: 8000, keywords: ["Zürich"] });
    expect(server?.record.mistakes).toEqual([]);
  }
  for (const server of [eleven, sonic, aura])
    expect(server?.asked[0]?.format).toEqual({ encoding: "mulaw", sampleRate: 8000 });
});
