import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import cartesia from "../../../../src/adapters/synthesizer/cartesia/cartesia.ts";
import deepgram from "../../../../src/adapters/synthesizer/deepgram/deepgram.ts";
import elevenlabs from "../../../../src/adapters/synthesizer/elevenlabs/elevenlabs.ts";
import { VoiceList } from "../../../../src/adapters/synthesizer/streaming/voice-list.ts";
import { toError } from "../../../../src/kit/errors.ts";
import type { Voice } from "../../../../src/model/voice.ts";
import { ProviderError } from "../../../../src/ports/provider-error.ts";
import { adapterDeps } from "../../../kit/adapter-deps.ts";
import {
  cartesia as cartesiaWire,
  deepgram as deepgramWire,
  elevenLabs,
  VOICE_COUNT,
} from "../../../kit/speech-servers/dialects.ts";
import { KEY, SpeechServer } from "../../../kit/speech-servers/speech-server.ts";
import { VirtualClock } from "../../../kit/virtual-clock.ts";

const voice = (id: string): Voice => ({ id, name: id, voiceType: "x", voiceTier: "PREMIUM", description: "" });

let clock: VirtualClock;
let servers: SpeechServer[];
beforeEach(() => {
  clock = new VirtualClock();
  servers = [];
});
afterEach(async () => {
  for (const server of servers) await server.close();
});

test("a list is read page by page, to its end", async () => {
  const wires = [
    [elevenlabs, elevenLabs, "ELEVENLABS"],
    [cartesia, cartesiaWire, "CARTESIA"],
  ] as const;
  for (const [descriptor, dialect, prefix] of wires) {
    const server = await SpeechServer.start(dialect);
    servers.push(server);
    const env = { [`${prefix}_API_KEY`]: KEY, [`${prefix}_BASE_URL`]: server.url };
    const made = await descriptor.create(env, adapterDeps({ clock }));
    expect(made.voices.map(({ id }) => id)).toEqual(
      Array.from({ length: VOICE_COUNT }, (_, index) => `${descriptor.name}-voice${index}`),
    );
    expect(server.lists).toBe(2);
    await made.close();
  }
});

test("which languages are spoken is said by voice", async () => {
  const server = await SpeechServer.start(deepgramWire);
  servers.push(server);
  const made = await deepgram.create({ DEEPGRAM_API_KEY: KEY, DEEPGRAM_BASE_URL: server.url }, adapterDeps({ clock }));
  // The newest family first; what its websocket does not have is left out.
  expect(made.voices.map(({ id }) => id)).toEqual([
    "deepgram-aura-2-thalia-en",
    "deepgram-aura-2-celeste-es",
    "deepgram-aura-zeus-en",
  ]);
  expect(made.supports("es-MX")).toBe(true);
  expect(made.supports("es-MX", "deepgram-aura-2-celeste-es")).toBe(true);
  expect(made.supports("es-MX", "deepgram-aura-2-thalia-en")).toBe(false);
  expect(made.supports("fr")).toBe(false);
  await made.close();
});

test("a connection of Deepgram's carries as many pieces a minute as it may, and the next one goes over another", async () => {
  const server = await SpeechServer.start(deepgramWire);
  servers.push(server);
  const made = await deepgram.create({ DEEPGRAM_API_KEY: KEY, DEEPGRAM_BASE_URL: server.url }, adapterDeps({ clock }));
  const pieces = async function* () {
    for (let piece = 0; piece < 20; piece += 1) yield await Promise.resolve("Yes.");
  };
  const settings = { voiceId: "deepgram-aura-2-thalia-en", language: "en", options: { speed: "1.2" } };
  const line = { encoding: "mulaw", sampleRate: 8000 } as const;
  let ends = 0;
  for await (const { endOfPiece } of made.synthesize(pieces(), settings, line, new AbortController().signal))
    if (endOfPiece === true) ends += 1;
  expect(ends).toBe(20);
  expect(server.connections).toBe(2);
  expect(server.asked[0]?.options["speed"]).toBe("1.2");
  await made.close();
});

test("what is known stays when the vendor does not answer, and a new list takes its place", async () => {
  let answer: () => Promise<readonly Voice[]> = () => Promise.resolve([voice("a")]);
  const list = await VoiceList.open({ name: "x", otherwise: [], fetch: () => answer() }, adapterDeps({ clock }));
  expect(list.voices.map(({ id }) => id)).toEqual(["a"]);
  answer = () => Promise.reject(new ProviderError("x", "unavailable", "is away"));
  await clock.advance(11 * 60_000);
  expect(list.voices.map(({ id }) => id)).toEqual(["a"]);
  answer = () => Promise.resolve([voice("a"), voice("b")]);
  await clock.advance(60_000);
  expect(list.voices.map(({ id }) => id)).toEqual(["a", "b"]);
  list.close();
  expect(clock.pending).toBe(0);
});

test("a list is kept from one run to the next, for a vendor that is away when the service starts", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "call-engine-voices-"));
  const away = () => Promise.reject(new ProviderError("x", "unavailable", "is away"));
  const open = async (fetch: () => Promise<readonly Voice[]>) => {
    const list = await VoiceList.open(
      { name: "x", otherwise: [voice("known")], fetch },
      adapterDeps({ clock, dataDir }),
    );
    list.close();
    return list.voices.map(({ id }) => id);
  };
  expect(await open(away)).toEqual(["known"]);
  expect(await open(() => Promise.resolve([voice("mine")]))).toEqual(["mine"]);
  expect(await open(away)).toEqual(["mine"]);
  await writeFile(join(dataDir, "voices", "x.json"), '[{"id":7}]');
  expect(await open(away)).toEqual(["known"]);
  await rm(dataDir, { recursive: true });
});

test("a vendor that does not answer holds a start up for five seconds at most, and one that refuses the key stops it", async () => {
  let gaveUp = false;
  const fetch = (signal: AbortSignal) =>
    new Promise<readonly Voice[]>(() => {
      signal.addEventListener("abort", () => {
        gaveUp = true;
      });
    });
  const opening = VoiceList.open({ name: "x", otherwise: [voice("known")], fetch }, adapterDeps({ clock }));
  await clock.advance(5001);
  const list = await opening;
  expect(list.voices.map(({ id }) => id)).toEqual(["known"]);
  expect(gaveUp).toBe(true);
  list.close();
  const refusing = () => Promise.reject(new ProviderError("x", "auth", "no"));
  const refused = VoiceList.open({ name: "x", otherwise: [], fetch: refusing }, adapterDeps({ clock }));
  expect(await refused.then(() => undefined, toError)).toMatchObject({ kind: "auth" });
});
