import { afterAll, beforeAll, expect, test } from "vitest";
import { SystemClock } from "../../src/adapters/clock/system.ts";
import model from "../../src/adapters/language-model/model-server/model-server.ts";
import synthesizer from "../../src/adapters/synthesizer/model-server/model-server.ts";
import transcriber from "../../src/adapters/transcriber/model-server/model-server.ts";
import turnDetector from "../../src/adapters/turn-detector/model-server/model-server.ts";
import { decodeSamples } from "../../src/audio/convert.ts";
import { levelDbfs } from "../../src/audio/level.ts";
import { encodeLinear16 } from "../../src/audio/linear16.ts";
import { readEndpoint } from "../../src/grpc/endpoint.ts";
import { ModelServerConnection } from "../../src/grpc/model-server.ts";
import { sleep, withDeadline } from "../../src/ports/clock.ts";
import type { TranscriptEvent } from "../../src/ports/transcriber.ts";
import { adapterDeps } from "../kit/adapter-deps.ts";
import { runPythonModelServer, type RunningModelServer } from "../model-server/running-model-server.ts";

const TOKEN = "a token that Python asks for";
const LINE = { encoding: "mulaw", sampleRate: 8000 } as const;

let server: RunningModelServer;
const deps = adapterDeps({ clock: new SystemClock() });
const env = () => ({ MODEL_SERVER_URL: server.url, MODEL_SERVER_TOKEN: TOKEN });
const tone = (ms: number) => Int16Array.from({ length: ms * 16 }, (_, index) => 8000 * Math.sin(index * 0.3));

beforeAll(async () => {
  server = await runPythonModelServer(TOKEN);
});
afterAll(() => server.kill());

test("a server in Python hears, and its words and times come back", async () => {
  const made = await transcriber.create(env(), deps);
  expect([made.supports("en-US"), made.supports("de"), made.supports("fr"), made.finalMs]).toEqual([
    true,
    true,
    false,
    20,
  ]);
  const said: TranscriptEvent[] = [];
  let flushed = Promise.withResolvers<void>();
  const stream = made.open(
    { language: "en-US", keywords: ["Szymański"], lineFormat: LINE },
    {
      transcript: (event) => said.push(event),
      flushed: () => flushed.resolve(),
      failed: (error) => flushed.reject(error),
    },
  );
  const hear = async (samples: Int16Array) => {
    flushed = Promise.withResolvers();
    for (let at = 0; at < samples.length; at += 320) stream.push(encodeLinear16(samples.subarray(at, at + 320)));
    stream.finalize();
    await flushed.promise;
  };
  await hear(tone(500));
  stream.endTurn();
  await hear(new Int16Array(3200));
  await hear(tone(300));
  stream.close();
  await made.close();
  expect(said.map(({ utterance, text, final, endMs }) => ({ utterance, text, final, endMs }))).toEqual([
    { utterance: 1, text: "500 milliseconds", final: true, endMs: 500 },
    { utterance: 2, text: "300 milliseconds", final: true, endMs: 1000 },
  ]);
  expect(said[0]?.words).toEqual([{ text: "500", startMs: 0, endMs: 500 }]);
});

test("a server in Python speaks in its own format, ends every piece, and stops when it is cancelled", async () => {
  const made = await synthesizer.create(env(), deps);
  expect(made.formatFor(LINE)).toEqual({ encoding: "linear16", sampleRate: 16_000 });
  const voice = { voiceId: "tone", language: "en", options: {} };
  const pieces = async function* () {
    yield "Good morning.";
    yield "";
    yield "Grüße, 🎉!";
  };
  const chunks = [];
  for await (const chunk of made.synthesize(pieces(), voice, LINE, new AbortController().signal)) chunks.push(chunk);
  expect(chunks.filter(({ endOfPiece }) => endOfPiece === true)).toHaveLength(3);
  expect(chunks.flatMap(({ words = [] }) => words.map(({ text }) => text))).toEqual([
    "Good",
    "morning.",
    "Grüße,",
    "🎉!",
  ]);
  expect(levelDbfs(decodeSamples("linear16", chunks[0]?.audio ?? new Uint8Array()))).toBeGreaterThan(-20);
  const abort = new AbortController();
  let heard = 0;
  for await (const _ of made.synthesize(pieces(), voice, LINE, abort.signal)) {
    heard += 1;
    abort.abort();
  }
  expect(heard).toBe(1);
  await made.close();
});

test("a server in Python judges turns by their sound", async () => {
  const made = await turnDetector.create(env(), deps);
  expect(made.windowMs).toBe(2000);
  expect(await made.judge(tone(3000))).toBeCloseTo(0.1);
  expect(await made.judge(Int16Array.from([...tone(500), ...new Int16Array(8000)]))).toBeCloseTo(0.9);
  await made.close();
});

test("a server in Python thinks, calls functions, and refuses models that it does not have", async () => {
  const made = await model.create(env(), deps);
  const ask = async (id: string) => {
    const tools = [{ name: "end_call", description: "", parameters: { type: "object" } }];
    const request = { model: id, messages: [{ role: "user", text: "Guten Tag ü" } as const], tools, options: {} };
    const events = [];
    for await (const event of made.generate(request, new AbortController().signal)) events.push(event);
    return events;
  };
  expect(await ask("echo")).toEqual([
    { type: "text", text: "Guten " },
    { type: "text", text: "Tag " },
    { type: "text", text: "ü " },
    { type: "call", call: { id: "1", name: "end_call", args: "{}" } },
    { type: "done", outputTokens: 1 },
  ]);
  await expect(ask("another")).rejects.toMatchObject({ kind: "rejected", retryable: false });
  await made.close();
});

test("a server in Python sees at once that its client has left, whatever it was doing", async () => {
  const [ears, voice, mind] = await Promise.all([
    transcriber.create(env(), deps),
    synthesizer.create(env(), deps),
    model.create(env(), deps),
  ]);
  const stream = ears.open(
    { language: "en-US", keywords: [], lineFormat: LINE },
    { transcript: () => undefined, flushed: () => undefined, failed: () => undefined },
  );
  stream.push(encodeLinear16(tone(100)));
  const abort = new AbortController();
  const endless = async function* () {
    yield "Good morning.";
    await new Promise(() => undefined);
  };
  const speaking = voice.synthesize(endless(), { voiceId: "tone", language: "en", options: {} }, LINE, abort.signal);
  await speaking[Symbol.asyncIterator]().next();
  const request = { model: "endless", messages: [], tools: [], options: {} };
  const thinking = mind.generate(request, abort.signal)[Symbol.asyncIterator]();
  await thinking.next();
  await until((open) => open === STREAMS.length);
  stream.close();
  abort.abort();
  expect((await thinking.next()).done).toBe(true);
  await until((open) => open === 0);
  await Promise.all([ears.close(), voice.close(), mind.close()]);
});

const STREAMS = ["Generate", "Synthesize", "Transcribe"];

/** Waits for a number of those methods that have streams open at the server, as it tells in its name. */
const until = async (wanted: (open: number) => boolean): Promise<void> => {
  const endpoint = await readEndpoint({ url: server.url, token: TOKEN });
  const connection = new ModelServerConnection(endpoint, deps, false);
  const open = async () => {
    const { name } = await connection.describe(true);
    return STREAMS.filter((method) => !name.includes(`${method}:0`) && name.includes(method)).length;
  };
  const waiting = async () => {
    while (!wanted(await open())) await sleep(deps.clock, 10);
  };
  await withDeadline(deps.clock, 10_000, "the server's streams", waiting()).finally(() => {
    connection.close();
  });
};

test("a wrong token is told as such", async () => {
  expect(await model.available({ ...env(), MODEL_SERVER_TOKEN: "no" }, deps)).toMatch(/MODEL_SERVER_TOKEN/);
});
