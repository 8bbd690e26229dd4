import { afterEach, expect, test } from "vitest";
import type { RawData, WebSocket } from "ws";
import assemblyai from "../../../../src/adapters/transcriber/assemblyai/assemblyai.ts";
import { SystemClock } from "../../../../src/adapters/clock/system.ts";
import flux from "../../../../src/adapters/transcriber/deepgram/flux.ts";
import nova from "../../../../src/adapters/transcriber/deepgram/nova.ts";
import openai from "../../../../src/adapters/transcriber/openai/openai.ts";
import type { AudioFormat } from "../../../../src/model/audio.ts";
import type { Clock } from "../../../../src/ports/clock.ts";
import type { Descriptor } from "../../../../src/ports/descriptor.ts";
import type { Transcriber } from "../../../../src/ports/transcriber.ts";
import { adapterDeps } from "../../../kit/adapter-deps.ts";
import { servePlainly } from "../../../kit/vendors/plain-socket.ts";
import { until } from "../../../kit/vendors/vendor-listener.ts";
import { VirtualClock } from "../../../kit/virtual-clock.ts";

const MULAW: AudioFormat = { encoding: "mulaw", sampleRate: 8000 };
const ALAW: AudioFormat = { encoding: "alaw", sampleRate: 8000 };
const BROWSER: AudioFormat = { encoding: "linear16", sampleRate: 48_000 };
const HEARING: AudioFormat = { encoding: "linear16", sampleRate: 16_000 };

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

const make = async (descriptor: Descriptor<Transcriber>, url: string, clock: Clock = new SystemClock()) => {
  const prefix = descriptor.name.startsWith("deepgram") ? "DEEPGRAM" : descriptor.name.toUpperCase();
  const env = { [`${prefix}_API_KEY`]: "key", [`${prefix}_BASE_URL`]: url };
  const transcriber = await descriptor.create(env, adapterDeps({ clock }));
  closing.push(() => transcriber.close());
  return transcriber;
};

const serve = async (connected: (socket: WebSocket) => void, options = {}) => {
  const server = await servePlainly(connected, options);
  closing.push(server.close);
  return server;
};

const nothing = () => undefined;
const textOf = (data: RawData) => Buffer.from(data as Buffer).toString("utf8");
const failureOf = (transcriber: Transcriber, lineFormat = MULAW) =>
  new Promise<Error>((resolve) => {
    const listener = { transcript: nothing, flushed: nothing, failed: resolve };
    const stream = transcriber.open({ language: "en", keywords: [], lineFormat }, listener);
    stream.push(new Uint8Array(1600));
    stream.finalize();
  });

test.each([
  [nova, "en-GB", { language: "en-GB" }],
  [nova, "de-AT", { language: "de" }],
  [nova, "ar-EG", { language: "multi", language_hint: "ar" }],
  [flux, "en-US", { model: "flux-general-en" }],
  [flux, "pt-BR", { model: "flux-general-multi", language_hint: "pt" }],
  [assemblyai, "fr-CA", { language_codes: '["fr"]' }],
] as const)("%#: a language is asked for as the vendor wants it", async (descriptor, language, query) => {
  const server = await serve(nothing);
  const transcriber = await make(descriptor, server.url);
  expect(transcriber.supports(language)).toBe(true);
  expect(transcriber.supports("tlh")).toBe(false);
  transcriber.open(
    { language, keywords: ["a", "b"], lineFormat: MULAW },
    { transcript: nothing, flushed: nothing, failed: nothing },
  );
  while (server.asked.length === 0) await new Promise((resolve) => setImmediate(resolve));
  expect(Object.fromEntries(server.asked[0]?.searchParams ?? [])).toMatchObject(query);
});

test.each([
  [nova, [MULAW, ALAW, BROWSER]],
  [flux, [MULAW, ALAW, BROWSER]],
  [assemblyai, [MULAW, HEARING, BROWSER]],
  [openai, [MULAW, ALAW, HEARING]],
] as const)("%#: a line's own sound is taken where the vendor takes it", async (descriptor, wanted) => {
  const server = await serve(nothing);
  const transcriber = await make(descriptor, server.url);
  const formats = [MULAW, ALAW, BROWSER].map(
    (lineFormat) =>
      transcriber.open(
        { language: "en", keywords: [], lineFormat },
        { transcript: nothing, flushed: nothing, failed: nothing },
      ).format,
  );
  expect(formats).toEqual(wanted);
});

test("OpenAI gets samples at the rate that it takes", async () => {
  const bytes: number[] = [];
  let asked: unknown;
  const server = await serve((socket) => {
    socket.on("message", (data) => {
      const message = JSON.parse(textOf(data)) as Record<string, unknown>;
      if (message["type"] === "session.update") {
        asked = message["session"];
        socket.send('{"type":"session.updated"}');
      } else if (message["type"] === "input_audio_buffer.append")
        bytes.push(Buffer.from(String(message["audio"]), "base64").length);
    });
  });
  const transcriber = await make(openai, server.url);
  const stream = transcriber.open(
    { language: "en", keywords: [], lineFormat: BROWSER },
    { transcript: nothing, flushed: nothing, failed: nothing },
  );
  stream.speech("started", 0);
  stream.push(new Uint8Array(32_000));
  const sent = () => bytes.reduce((sum, one) => sum + one, 0);
  while (sent() < 47_000) await new Promise((resolve) => setImmediate(resolve));
  expect(sent()).toBeLessThanOrEqual(48_000);
  expect(asked).toMatchObject({ audio: { input: { format: { type: "audio/pcm", rate: 24_000 } } } });
});

test.each([
  [openai, '{"type":"error","error":{"type":"invalid_request_error","code":"invalid_api_key"}}', "auth"],
  [openai, '{"type":"error","error":{"type":"invalid_request_error","code":"invalid_value"}}', "rejected"],
  [openai, '{"type":"error","error":{"type":"server_error","code":"insufficient_quota"}}', "rate-limited"],
  [openai, '{"type":"error"}', "unavailable"],
  [assemblyai, '{"type":"Error","error_code":1008,"error":"Unauthorized"}', "auth"],
  [assemblyai, '{"type":"Error","error_code":3006,"error":"Input"}', "rejected"],
  [assemblyai, '{"type":"Error","error_code":3009,"error":"Too many"}', "rate-limited"],
  [assemblyai, '{"type":"Turn"}', "unavailable"],
  [nova, '{"type":"Results"}', "unavailable"],
  [nova, "[]", "unavailable"],
  [flux, '{"type":"Error","code":"INTERNAL","description":"secret words"}', "unavailable"],
  [flux, '{"type":"TurnInfo","event":"Update"}', "unavailable"],
] as const)("%#: an error is told by its kind and without the vendor's words", async (descriptor, message, kind) => {
  const server = await serve((socket) => socket.send(message));
  const failure = await failureOf(await make(descriptor, server.url));
  expect(failure).toMatchObject({ kind, provider: descriptor.name });
  expect(failure.message).not.toContain("secret");
  expect(server.asked).toHaveLength(kind === "auth" || kind === "rejected" ? 1 : 4);
});

test.each([
  [assemblyai, 4001, "auth"],
  [assemblyai, 3007, "rejected"],
  [nova, 1008, "rejected"],
  [nova, 1011, "unavailable"],
] as const)("%#: the code of a goodbye tells its kind", async (descriptor, code, kind) => {
  const server = await serve((socket) => {
    socket.close(code);
  });
  expect(await failureOf(await make(descriptor, server.url))).toMatchObject({ kind });
});

test("a quiet connection is kept alive, and one that does not answer any more is opened anew", async () => {
  const clock = new VirtualClock();
  const messages: string[] = [];
  const server = await serve(
    (socket) => socket.on("message", (data, binary) => messages.push(binary ? "sound" : textOf(data))),
    { autoPong: false },
  );
  const transcriber = await make(nova, server.url, clock);
  transcriber.open(
    { language: "en", keywords: [], lineFormat: MULAW },
    { transcript: nothing, flushed: nothing, failed: nothing },
  );
  while (server.asked.length === 0) await new Promise((resolve) => setImmediate(resolve));
  await until(clock, () => messages.length > 0);
  expect(messages[0]).toBe('{"type":"KeepAlive"}');
  await until(clock, () => server.asked.length === 2);
  expect(clock.monotonic()).toBeGreaterThanOrEqual(8000);
});
