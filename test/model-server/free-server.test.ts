import { Server, type ServerDuplexStream, type ServerWritableStream } from "@grpc/grpc-js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SystemClock } from "../../src/adapters/clock/system.ts";
import languageModel from "../../src/adapters/language-model/model-server/model-server.ts";
import synthesizer from "../../src/adapters/synthesizer/model-server/model-server.ts";
import transcriber from "../../src/adapters/transcriber/model-server/model-server.ts";
import turnDetector from "../../src/adapters/turn-detector/model-server/model-server.ts";
import { modelServerProtocol } from "../../src/grpc/protocols.ts";
import type { TranscriptEvent } from "../../src/ports/transcriber.ts";
import { adapterDeps } from "../kit/adapter-deps.ts";
import { startVendor } from "../kit/vendors/grpc-vendor.ts";
import { VendorRecord } from "../kit/vendors/scripted-vendor.ts";

// A server that keeps to the protocol, and does otherwise than ours wherever it leaves that free: no service of health, formats and options
// of a later version, messages in which nothing is set, words without sound, no end that somebody would wait for.

type Stream = ServerDuplexStream<Request, object>;
type Request = Readonly<{
  open?: unknown;
  piece?: string;
  audio?: Uint8Array;
  judge?: boolean;
  finalize?: unknown;
}>;

const LINE = { encoding: "mulaw", sampleRate: 8000 } as const;
const LINEAR = 3;

const handlers = {
  Describe: (_: unknown, answer: (error: null, offers: object) => void) => {
    answer(null, {
      transcriber: { languages: ["en-US", "en-GB"], formats: [{ encoding: 9, sampleRate: 8000 }], finalMs: 4e9 },
      synthesizer: {
        languages: ["en-US"],
        voices: [{ id: "hum", options: [{ id: "colour", type: 9, default: "red" }] }],
        formats: [44_100, 24_000, 16_000].map((sampleRate) => ({ encoding: LINEAR, sampleRate })),
        firstAudioDeadlineMs: 4e9,
      },
      turnDetector: {},
      generator: { models: [{ id: "parrot" }] },
    });
  },
  Transcribe: (call: Stream) => {
    call.write({});
    let utterance = 0;
    call.on("data", ({ audio, finalize }: Request) => {
      if (audio !== undefined && audio.length > 0) call.write({ transcript: { utterance: 1, text: "Book" } });
      if (!finalize) return;
      // Ends utterances by itself, with words that have no times to speak of.
      for (const text of ["Book", "a table."])
        call.write({ transcript: { utterance: (utterance += 1), text, final: true, words: [{ text, startMs: -1 }] } });
      call.write({ turnJudged: { probability: 7 } });
      call.write({ flushed: {} });
    });
  },
  Synthesize: (call: Stream) => {
    call.on("data", ({ open, piece }: Request) => {
      if (open) call.write({});
      if (piece === undefined || piece === "") return;
      call.write({ audio: Buffer.alloc(2) });
      call.write({ audio: Buffer.alloc(48_000) });
      call.write({ words: [{ text: piece, startMs: 0, endMs: 400 }], endOfPiece: true });
    });
    call.on("end", () => call.end());
  },
  DetectTurn: (call: Stream) => {
    let heard = 0;
    call.on("data", ({ audio, judge }: Request) => {
      heard += audio?.length ?? 0;
      if (judge === true) call.write({ probability: heard / 1_000_000 });
    });
  },
  Generate: (call: ServerWritableStream<unknown, object>) => {
    for (const message of [{}, { text: "" }, { text: "Good" }, { text: "bye." }, { call: { name: "end_call" } }])
      call.write(message);
    call.write({ done: {} });
  },
};

const server = new Server();
const deps = adapterDeps({ clock: new SystemClock() });
let env: Readonly<Record<string, string>> = {};

beforeAll(async () => {
  server.addService(modelServerProtocol().service, handlers);
  env = { MODEL_SERVER_URL: (await startVendor(server, "grpc", new VendorRecord([]))).url };
});
afterAll(() => {
  server.forceShutdown();
});

test("such a server hears", async () => {
  const made = await transcriber.create(env, deps);
  expect([made.supports("en"), made.supports("en-GB"), made.supports("en-AU")]).toEqual([true, true, false]);
  const said: TranscriptEvent[] = [];
  const judged: number[] = [];
  const flushed = Promise.withResolvers<void>();
  const stream = made.open(
    { language: "en", keywords: [], lineFormat: LINE },
    {
      transcript: (event) => said.push(event),
      flushed: flushed.resolve,
      turnJudged: (probability) => judged.push(probability),
      failed: flushed.reject,
    },
  );
  expect(stream.format).toEqual({ encoding: "linear16", sampleRate: 16_000 });
  stream.push(new Uint8Array(640));
  stream.finalize();
  await flushed.promise;
  expect(said.map(({ utterance, text, final, words }) => ({ utterance, text, final, words }))).toEqual([
    { utterance: 1, text: "Book", final: false, words: undefined },
    { utterance: 1, text: "Book", final: true, words: undefined },
    { utterance: 2, text: "a table.", final: true, words: undefined },
  ]);
  expect(judged).toEqual([]);
  stream.close();
  await made.close();
});

test("such a server speaks, in a rate that the protocol has and with the words behind their sound", async () => {
  const made = await synthesizer.create(env, deps);
  expect(made.formatFor(LINE)).toEqual({ encoding: "linear16", sampleRate: 24_000 });
  expect(made.firstAudioDeadlineMs).toBe(10_000);
  expect(made.voices).toMatchObject([{ id: "hum", name: "hum", voiceOptions: [] }]);
  const pieces = async function* () {
    yield await Promise.resolve("Good morning.");
  };
  const voice = { voiceId: "hum", language: "en", options: {} };
  const chunks = [];
  for await (const chunk of made.synthesize(pieces(), voice, LINE, new AbortController().signal)) chunks.push(chunk);
  expect(chunks.map(({ audio, words, endOfPiece }) => [audio.length, words?.length, endOfPiece])).toEqual([
    [0, undefined, undefined],
    [2, undefined, undefined],
    [48_000, undefined, undefined],
    [0, 1, true],
  ]);
  await made.close();
});

test("such a server judges turns, of which it is sent eight seconds when it does not say how much it wants", async () => {
  const made = await turnDetector.create(env, deps);
  expect(made.windowMs).toBe(8000);
  expect(await made.judge(new Int16Array(16_000 * 20))).toBeCloseTo(0.256);
  await made.close();
});

test("such a server thinks, and is not waited for behind its last word", async () => {
  const made = await languageModel.create(env, deps);
  const request = { model: "parrot", messages: [], tools: [], options: {} };
  const events = [];
  for await (const event of made.generate(request, new AbortController().signal)) events.push(event);
  expect(events).toEqual([
    { type: "text", text: "Good" },
    { type: "text", text: "bye." },
    { type: "call", call: { id: "end_call", name: "end_call", args: "{}" } },
    { type: "done" },
  ]);
  await made.close();
});
