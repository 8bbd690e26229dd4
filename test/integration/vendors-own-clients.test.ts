import { createRequire } from "node:module";
import type { Cartesia as CartesiaClient } from "@cartesia/cartesia-js";
import { DeepgramClient } from "@deepgram/sdk";
import { StreamingTranscriber } from "assemblyai";
import OpenAI from "openai";
import { OpenAIRealtimeWS } from "openai/realtime/ws";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { millisecondsOf, type AudioFormat } from "../../src/model/audio.ts";
import { answer, CompletionsServer, delta, DONE, finished } from "../adapters/language-model/completions-server.ts";
import {
  answerSpeech,
  cartesia as cartesiaWire,
  deepgram as deepgramWire,
  openAi as openAiWire,
  VOICE_COUNT,
} from "../kit/speech-servers/dialects.ts";
import { KEY as VOICE_KEY, LETTER_MS, SpeechServer, type Dialect } from "../kit/speech-servers/speech-server.ts";
import { serveAssembly } from "../kit/vendors/assemblyai-vendor.ts";
import { KEY } from "../kit/vendors/deepgram-vendors.ts";
import { serveRealtime } from "../kit/vendors/openai-vendor.ts";
import { quietBytes, sayBytes } from "../kit/vendors/spoken-bytes.ts";
import { tlsFront } from "../kit/tls-front.ts";

// As an ES module it takes Node for a browser, and sends its key in the address.
const { Cartesia } = createRequire(import.meta.url)("@cartesia/cartesia-js") as Readonly<{
  Cartesia: typeof CartesiaClient;
}>;

const TELEPHONE: AudioFormat = { encoding: "mulaw", sampleRate: 8000 };

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** Some clients speak nothing less than TLS. */
let tls: Awaited<ReturnType<typeof tlsFront>>;
beforeAll(async () => {
  tls = await tlsFront();
});
afterAll(() => {
  tls.close();
});

const speechServer = async (dialect: Dialect): Promise<SpeechServer> => {
  const server = await SpeechServer.start(dialect, dialect === openAiWire ? answerSpeech : undefined);
  closing.push(() => server.close());
  return server;
};

test("AssemblyAI's own client understands the server that stands in for it, and is understood", async () => {
  const vendor = await serveAssembly();
  closing.push(() => vendor.close());
  const client = new StreamingTranscriber({
    apiKey: KEY,
    websocketBaseUrl: `${(await tls.before(vendor.url)).replace("http", "ws")}/v3/ws`,
    sampleRate: 8000,
    encoding: "pcm_mulaw",
    speechModel: "universal-3-5-pro",
    keytermsPrompt: ["Lindqvist"],
    languageCodes: ["en"],
    acknowledgeSilence: true,
    maxConnectionRetries: 0,
  });
  const turns: Readonly<{ transcript: string; over: boolean; words: number }>[] = [];
  const [final, silent] = [Promise.withResolvers<void>(), Promise.withResolvers<number>()];
  client.on("turn", ({ transcript, end_of_turn: over, words }) => {
    turns.push({ transcript, over, words: words.length });
    if (over) final.resolve();
  });
  client.on("silence", ({ end_ms }) => silent.resolve(end_ms));
  client.on("error", (error) => final.reject(error));
  await client.connect();
  const say = (sound: Uint8Array) => {
    for (let at = 0; at < sound.length; at += 800)
      client.sendAudio(Uint8Array.from(sound.subarray(at, at + 800)).buffer);
  };
  say(sayBytes("book", "a", "table"));
  client.forceEndpoint();
  await final.promise;
  expect(turns.at(-1)).toEqual({ transcript: "book a table", over: true, words: 3 });
  expect(turns.length).toBeGreaterThan(1);
  say(quietBytes(2000));
  expect(await silent.promise).toBeGreaterThanOrEqual(1900);
  expect(vendor.record.opened[0]).toEqual({ keywords: ["Lindqvist"], language: "en", ...TELEPHONE });
  await client.close(false);
  await vendor.record.until(() => vendor.record.live === 0);
  vendor.record.check();
});

test("OpenAI's own client understands the server that stands in for its realtime transcription, and is understood", async () => {
  const vendor = await serveRealtime();
  closing.push(() => vendor.close());
  const client = new OpenAI({ apiKey: KEY, baseURL: await tls.before(vendor.url) });
  const socket = new OpenAIRealtimeWS({ intent: "transcription" }, client);
  const [updated, completed] = [Promise.withResolvers<void>(), Promise.withResolvers<string>()];
  const deltas: string[] = [];
  socket.on("session.updated", () => updated.resolve());
  socket.on("conversation.item.input_audio_transcription.delta", ({ delta: text = "" }) => deltas.push(text));
  socket.on("conversation.item.input_audio_transcription.completed", ({ transcript }) => completed.resolve(transcript));
  socket.on("error", (error) => completed.reject(error));
  await new Promise<void>((resolve) => {
    socket.socket.on("open", () => resolve());
  });
  socket.send({
    type: "session.update",
    session: {
      type: "transcription",
      audio: {
        input: {
          format: { type: "audio/pcmu" },
          turn_detection: null,
          transcription: { model: "gpt-live-transcribe", languages: ["en"], keywords: ["Lindqvist"] },
        },
      },
    },
  });
  await updated.promise;
  socket.send({ type: "input_audio_buffer.append", audio: Buffer.from(sayBytes("one", "two")).toString("base64") });
  socket.send({ type: "input_audio_buffer.append", audio: Buffer.from(quietBytes(100)).toString("base64") });
  socket.send({ type: "input_audio_buffer.commit" });
  expect(await completed.promise).toBe("one two");
  expect(deltas.join("").trim()).toBe("one two");
  expect(vendor.record.opened[0]).toEqual({ keywords: ["Lindqvist"], language: "en", ...TELEPHONE });
  socket.close();
  await vendor.record.until(() => vendor.record.live === 0);
  vendor.record.check();
});

test("OpenAI's own client understands the server that stands in for its voices, and is told why it is refused", async () => {
  const server = await speechServer(openAiWire);
  const client = new OpenAI({ apiKey: VOICE_KEY, baseURL: `${server.url}/v1`, maxRetries: 0 });
  const order = { model: "gpt-4o-mini-tts", voice: "marin", response_format: "pcm" } as const;
  const spoken = await client.audio.speech.create({ ...order, input: "Good day." });
  const ms = millisecondsOf({ encoding: "linear16", sampleRate: 24_000 }, (await spoken.arrayBuffer()).byteLength);
  expect(ms).toBeCloseTo("Good day.".length * LETTER_MS, -1);
  expect(server.asked[0]).toMatchObject({ text: "Good day.", options: order });
  server.statuses.push(429);
  await expect(client.audio.speech.create({ ...order, input: "Again." })).rejects.toBeInstanceOf(OpenAI.RateLimitError);
  expect((await client.models.retrieve("gpt-4o-mini-tts")).id).toBe("gpt-4o-mini-tts");
});

test("OpenAI's own client understands the server that stands in for chat completions, with words and with functions", async () => {
  const server = await CompletionsServer.start();
  closing.push(() => server.close());
  const client = new OpenAI({ apiKey: KEY, baseURL: server.baseUrl, maxRetries: 0 });
  const call = { index: 0, id: "c1", type: "function", function: { name: "look_up", arguments: "" } };
  server.play(answer("Hel", "lo."), {
    chunks: [
      delta({ role: "assistant", content: null, tool_calls: [call] }),
      delta({ tool_calls: [{ index: 0, function: { arguments: '{"id":7}' } }] }),
      finished("tool_calls"),
      DONE,
    ],
  });
  const ask = () =>
    client.chat.completions.stream({
      model: "small",
      messages: [{ role: "user", content: "hello" }],
      stream_options: { include_usage: true },
    });
  const said = ask();
  expect((await said.finalMessage()).content).toBe("Hello.");
  expect(await said.totalUsage()).toMatchObject({ prompt_tokens: 7, completion_tokens: 2 });
  const [called] = (await ask().finalMessage()).tool_calls ?? [];
  expect(called).toMatchObject({ id: "c1", function: { name: "look_up", arguments: '{"id":7}' } });
});

test("Cartesia's own client understands the server that stands in for it, its pages of voices and its word times", async () => {
  const server = await speechServer(cartesiaWire);
  const client = new Cartesia({ apiKey: VOICE_KEY, baseURL: await tls.before(server.url), maxRetries: 0 });
  const ids: string[] = [];
  for await (const { id } of client.voices.list({ limit: 100 })) ids.push(id);
  expect(new Set(ids).size).toBe(VOICE_COUNT);
  const socket = await client.tts.websocket();
  const request = {
    model_id: "sonic-3.5",
    transcript: "Good day to you.",
    voice: { mode: "id", id: ids[0] ?? "" },
    output_format: { container: "raw", encoding: "pcm_mulaw", sample_rate: 8000 },
    add_timestamps: true,
    language: "en",
  } as const;
  const words: string[] = [];
  let bytes = 0;
  for await (const event of socket.generate({ ...request, context_id: "one" })) {
    if (event.type === "chunk") bytes += Buffer.from(event.data, "base64").length;
    if (event.type === "timestamps") words.push(...(event.word_timestamps?.words ?? []));
  }
  expect(millisecondsOf(TELEPHONE, bytes)).toBeCloseTo(request.transcript.length * LETTER_MS, -1);
  expect(words).toEqual(["Good", "day", "to", "you."]);
  expect(server.asked[0]).toMatchObject({ id: "one", text: request.transcript, format: TELEPHONE });
  server.fates.push("refused");
  const refused = Promise.withResolvers<unknown>();
  socket.on("error", ({ error }) => refused.resolve(error));
  await socket.send({ ...request, context_id: "two" });
  expect(await refused.promise).toMatchObject({ status_code: 429 });
  socket.close();
});

test("Deepgram's own client understands the server that stands in for its voices, and is understood", async () => {
  const server = await speechServer(deepgramWire);
  const production = server.url.replace("http", "ws");
  const environment = { base: server.url, production, agent: production, agentRest: server.url };
  const client = new DeepgramClient({ apiKey: VOICE_KEY, environment });
  const socket = await client.speak.v1.connect({
    Authorization: `Token ${VOICE_KEY}`,
    model: "aura-2-thalia-en",
    encoding: "mulaw",
    sample_rate: "8000",
    reconnectAttempts: 0,
  });
  let bytes = 0;
  const flushed = Promise.withResolvers<void>();
  socket.on("message", (message) => {
    if (message instanceof Blob) bytes += message.size;
    else if (message instanceof ArrayBuffer) bytes += message.byteLength;
    else if (ArrayBuffer.isView(message)) bytes += message.byteLength;
    else if (typeof message !== "string" && message.type === "Flushed") flushed.resolve();
  });
  socket.connect();
  await socket.waitForOpen();
  socket.sendText({ type: "Speak", text: "Good day." });
  socket.sendFlush({ type: "Flush" });
  await flushed.promise;
  expect(millisecondsOf(TELEPHONE, bytes)).toBeCloseTo("Good day.".length * LETTER_MS, -1);
  expect(server.asked[0]).toMatchObject({ text: "Good day.", format: TELEPHONE });
  socket.close();
});
