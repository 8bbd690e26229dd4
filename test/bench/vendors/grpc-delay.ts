import { once } from "node:events";
import { Metadata, credentials } from "@grpc/grpc-js";
import { SystemClock } from "../../../src/adapters/clock/system.ts";
import languageModel from "../../../src/adapters/language-model/model-server/model-server.ts";
import synthesizer from "../../../src/adapters/synthesizer/model-server/model-server.ts";
import google from "../../../src/adapters/transcriber/google/google.ts";
import { SpeechChannel, type RecognizeCall } from "../../../src/adapters/transcriber/google/recognize.ts";
import modelServer from "../../../src/adapters/transcriber/model-server/model-server.ts";
import turnDetector from "../../../src/adapters/turn-detector/model-server/model-server.ts";
import { modelServerProtocol } from "../../../src/grpc/protocols.ts";
import { sleep } from "../../../src/ports/clock.ts";
import { adapterDeps } from "../../kit/adapter-deps.ts";
import { KEY } from "../../kit/vendors/deepgram-vendors.ts";
import { serveGoogle } from "../../kit/vendors/google-vendor.ts";
import { serveModelVendor } from "../../kit/vendors/model-vendor.ts";
import { quietBytes, sayBytes } from "../../kit/vendors/spoken-bytes.ts";
import { HeardRounds, SETTLE_MS } from "./heard-rounds.ts";
import { pair, type Paired, type Way } from "./paired.ts";

const LINE = { encoding: "mulaw", sampleRate: 8000 } as const;
const WIRE_FORMAT = { encoding: "ENCODING_MULAW", sampleRate: 8000 } as const;
const PIECE_MS = 20;
const forever = new AbortController().signal;
const clock = new SystemClock();
const deps = adapterDeps({ clock });

/** What adapters over gRPC take until their first answer, from servers on loopback, beside the bare client of the same protocol. */
export async function* measureStreams(rounds: number): AsyncGenerator<Paired> {
  yield await measureGoogle(rounds);
  const server = await serveModelVendor();
  const { host } = new URL(server.url);
  const client = new (modelServerProtocol())(host, credentials.createInsecure());
  const env = { MODEL_SERVER_URL: server.url, MODEL_SERVER_TOKEN: KEY };
  const token = tokenOf("authorization", `Bearer ${KEY}`);

  const ears = await modelServer.create(env, deps);
  const heard = new HeardRounds(ears, PIECE_MS);
  await heard.prepare();
  const stream = client.Transcribe(token);
  stream.write({ open: { language: "en-US", keywords: [], format: WIRE_FORMAT } });
  const say = (sound: Uint8Array) => stream.write({ audio: sound });
  const bare = spoken(say, stream, () => {
    stream.write({ finalize: {} });
    stream.write({ endTurn: {} });
  });
  await bare.prepare();
  yield await pair("transcriber model-server", rounds, heard.next, bare.next);
  leave(stream);
  await ears.close();

  const voice = await synthesizer.create(env, deps);
  const settings = { voiceId: "v", language: "en", options: {} };
  const speak = firstOf(() => voice.synthesize(pieces(), settings, LINE, forever));
  yield await pair(
    "voice model-server",
    rounds,
    speak,
    firstOf(() => {
      const call = client.Synthesize(token);
      call.write({ open: { ...settings, format: WIRE_FORMAT } });
      call.write({ piece: TEXT });
      call.end();
      return call;
    }),
  );
  await voice.close();

  const model = await languageModel.create(env, deps);
  const request = { model: "m", messages: [{ role: "user", text: "Yes, please." } as const], tools: [], options: {} };
  const think = firstOf(() => model.generate(request, forever));
  yield await pair(
    "model model-server",
    rounds,
    think,
    firstOf(() => client.Generate({ model: "m", messages: [{ role: "ROLE_USER", text: "Yes, please." }] }, token)),
  );
  await model.close();

  const judge = await turnDetector.create(env, deps);
  const turn = new Int16Array(32_000);
  const nothing = () => Promise.resolve();
  yield await pair(
    "turn detector model-server",
    rounds,
    async () => {
      await judge.judge(turn);
      return nothing;
    },
    firstOf(() => {
      const call = client.DetectTurn(token);
      const bytes = Buffer.from(turn.buffer);
      for (let at = 0; at < bytes.length; at += PART_BYTES) call.write({ audio: bytes.subarray(at, at + PART_BYTES) });
      call.write({ judge: true });
      call.end();
      return call;
    }),
  );
  await judge.close();
  client.close();
  await server.close();
}

const TEXT = "Certainly.";

/** As much as the protocol lets one message hold. */
const PART_BYTES = 32 * 1024;

const tokenOf = (name: string, value: string): Metadata => {
  const metadata = new Metadata();
  metadata.set(name, value);
  return metadata;
};

async function* pieces(): AsyncGenerator<string> {
  yield await Promise.resolve(TEXT);
}

/** Until the first of what comes; the rest of it is read afterwards. */
const firstOf =
  (ask: () => AsyncIterable<unknown>): Way =>
  async () => {
    const answers = ask()[Symbol.asyncIterator]();
    await answers.next();
    return async () => {
      for (let next = await answers.next(); next.done !== true; next = await answers.next());
    };
  };

const measureGoogle = async (rounds: number): Promise<Paired> => {
  const server = await serveGoogle();
  const env = { GOOGLE_SPEECH_PROJECT: "p", GOOGLE_SPEECH_API_KEY: KEY, GOOGLE_SPEECH_BASE_URL: server.url };
  const made = await google.create(env, deps);
  const heard = new HeardRounds(made, PIECE_MS);
  await heard.prepare();
  const channel = new SpeechChannel(new URL(server.url));
  const access = tokenOf("x-goog-api-key", KEY);
  const explicitDecodingConfig = { encoding: "MULAW", sampleRateHertz: 8000, audioChannelCount: 1 };
  const config = { explicitDecodingConfig, languageCodes: ["en-US"], model: "long" };
  const begin = () => {
    const begun = channel.open(access);
    begun.write({
      recognizer: "projects/p/locations/global/recognizers/_",
      streamingConfig: { config, streamingFeatures: { interimResults: true } },
    });
    return begun;
  };
  let call: RecognizeCall = begin();
  const prepare = async () => {
    call.write({ audio: sayBytes("book").subarray(0, WORD_BYTES) });
    await sleep(clock, SETTLE_MS);
  };
  await prepare();
  const bare: Way = async () => {
    const first = once(call, "data");
    call.write({ audio: quietBytes(PIECE_MS) });
    await first;
    return async () => {
      const over = once(call, "end");
      call.resume();
      call.end();
      await over;
      call = begin();
      await prepare();
    };
  };
  const paired = await pair("transcriber google", rounds, heard.next, bare);
  leave(call);
  channel.close();
  await made.close();
  await server.close();
  return paired;
};

const WORD_BYTES = 240 * 8;

/** Gives a stream up, which it tells as an error. */
const leave = (call: Readonly<{ cancel(): void; on(event: "error", listener: () => void): unknown }>): void => {
  call.on("error", () => undefined);
  call.cancel();
};

/** A word said again and again over a stream that stays open. */
const spoken = (
  say: (sound: Uint8Array) => void,
  answers: Readonly<{ on(event: "data", listener: (answer: { flushed?: unknown }) => void): unknown }>,
  end: () => void,
) => {
  let heard = Promise.withResolvers<void>();
  let flushed = Promise.withResolvers<void>();
  answers.on("data", (answer) => {
    if (answer.flushed) flushed.resolve();
    else heard.resolve();
  });
  const prepare = async () => {
    say(sayBytes("book").subarray(0, WORD_BYTES));
    await sleep(clock, SETTLE_MS);
  };
  const next: Way = async () => {
    heard = Promise.withResolvers();
    say(quietBytes(PIECE_MS));
    await heard.promise;
    return async () => {
      flushed = Promise.withResolvers();
      end();
      await flushed.promise;
      await prepare();
    };
  };
  return { prepare, next };
};
