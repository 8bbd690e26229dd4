import { once } from "node:events";
import { WebSocket } from "ws";
import { SystemClock } from "../../../src/adapters/clock/system.ts";
import cartesia from "../../../src/adapters/synthesizer/cartesia/cartesia.ts";
import deepgram from "../../../src/adapters/synthesizer/deepgram/deepgram.ts";
import elevenlabs from "../../../src/adapters/synthesizer/elevenlabs/elevenlabs.ts";
import openai from "../../../src/adapters/synthesizer/openai/openai.ts";
import type { Descriptor } from "../../../src/ports/descriptor.ts";
import type { SpeechSynthesizer } from "../../../src/ports/synthesizer.ts";
import { adapterDeps } from "../../kit/adapter-deps.ts";
import {
  answerSpeech,
  cartesia as cartesiaWire,
  deepgram as deepgramWire,
  elevenLabs,
  openAi,
} from "../../kit/speech-servers/dialects.ts";
import { KEY, SpeechServer, type Dialect } from "../../kit/speech-servers/speech-server.ts";
import { pair, type Paired, type Way } from "./paired.ts";

const LINE = { encoding: "mulaw", sampleRate: 8000 } as const;
const TEXT = "Certainly.";
const forever = new AbortController().signal;

type Vendor = Readonly<{
  descriptor: Descriptor<SpeechSynthesizer>;
  dialect: Dialect;
  prefix: string;
  voiceId: string;
  /** The address of the websocket, what opens it and what asks for the text; absent for a vendor that is asked by HTTP. */
  socket?: Readonly<{
    path: string;
    headers: Readonly<Record<string, string>>;
    ask: readonly object[];
    isLast(message: string): boolean;
  }>;
}>;

const VENDORS: readonly Vendor[] = [
  {
    descriptor: elevenlabs,
    dialect: elevenLabs,
    prefix: "ELEVENLABS",
    voiceId: "elevenlabs-voice0",
    socket: {
      path: "/v1/text-to-speech/voice0/multi-stream-input?output_format=ulaw_8000",
      headers: { "xi-api-key": KEY },
      ask: [
        { text: " ", context_id: "c", voice_settings: {} },
        { text: `${TEXT} `, context_id: "c", flush: true },
        { context_id: "c", close_context: true },
      ],
      isLast: (message) => message.includes("isFinal"),
    },
  },
  {
    descriptor: cartesia,
    dialect: cartesiaWire,
    prefix: "CARTESIA",
    voiceId: "cartesia-voice0",
    socket: {
      path: "/tts/websocket",
      headers: { authorization: `Bearer ${KEY}` },
      ask: [{ context_id: "c", transcript: TEXT, output_format: { encoding: "pcm_mulaw", sample_rate: 8000 } }],
      isLast: (message) => message.includes('"done":true'),
    },
  },
  {
    descriptor: deepgram,
    dialect: deepgramWire,
    prefix: "DEEPGRAM",
    voiceId: "deepgram-aura-2-thalia-en",
    socket: {
      path: "/v1/speak?encoding=mulaw&sample_rate=8000",
      headers: { authorization: `Token ${KEY}` },
      ask: [{ type: "Speak", text: TEXT }, { type: "Flush" }],
      isLast: (message) => message.includes("Flushed"),
    },
  },
  { descriptor: openai, dialect: openAi, prefix: "OPENAI", voiceId: "openai-marin" },
];

/** What each vendor's voices take until their first sound, from servers on loopback that speak at once. */
export async function* measureVoices(rounds: number): AsyncGenerator<Paired> {
  for (const { descriptor, dialect, prefix, voiceId, socket } of VENDORS) {
    const server = await SpeechServer.start(dialect, dialect === openAi ? answerSpeech : undefined);
    const base = `${server.url}${dialect === openAi ? "/v1" : ""}`;
    const env = { [`${prefix}_API_KEY`]: KEY, [`${prefix}_BASE_URL`]: base };
    const made = await descriptor.create(env, adapterDeps({ clock: new SystemClock() }));
    const speak = async () => {
      const voice = { voiceId, language: "en", options: {} };
      const spoken = made.synthesize(pieces(), voice, LINE, forever)[Symbol.asyncIterator]();
      await spoken.next();
      return async () => {
        for (let next = await spoken.next(); next.done !== true; next = await spoken.next());
      };
    };
    // What comes after the first sound would be counted to it.
    const held =
      (way: Way): Way =>
      async () => {
        server.fates.push("held");
        const rest = await way();
        return async () => {
          server.release();
          await rest();
        };
      };
    const bare = socket === undefined ? undefined : await openSocket(server.url, socket);
    yield await pair(`voice ${descriptor.name}`, rounds, held(speak), held(bare?.ask ?? (() => post(base))));
    bare?.close();
    await made.close();
    await server.close();
  }
}

async function* pieces(): AsyncGenerator<string> {
  yield await Promise.resolve(TEXT);
}

const openSocket = async (url: string, { path, headers, ask, isLast }: NonNullable<Vendor["socket"]>) => {
  const socket = new WebSocket(`${url.replace("http", "ws")}${path}`, { headers, perMessageDeflate: false });
  await once(socket, "open");
  return {
    ask: async () => {
      const last = Promise.withResolvers<void>();
      socket.on("message", (data: Buffer, binary) => {
        if (!binary && isLast(data.toString())) last.resolve();
      });
      const first = once(socket, "message");
      for (const message of ask) socket.send(JSON.stringify(message));
      await first;
      return async () => {
        await last.promise;
        socket.removeAllListeners("message");
      };
    },
    close: () => socket.close(),
  };
};

const post = async (base: string) => {
  const body = JSON.stringify({ model: "gpt-4o-mini-tts", voice: "marin", input: TEXT, response_format: "pcm" });
  const headers = { authorization: `Bearer ${KEY}`, "content-type": "application/json" };
  const response = await fetch(`${base}/audio/speech`, { method: "POST", headers, body });
  return toEnd(response);
};

/** Waits for the first bytes of a body; the function that it answers reads the rest. */
export const toEnd = async ({ body }: Response): Promise<() => Promise<void>> => {
  if (body === null) throw new Error("an answer without a body");
  const reader = body.getReader();
  await reader.read();
  return async () => {
    for (let next = await reader.read(); !next.done; next = await reader.read());
  };
};
