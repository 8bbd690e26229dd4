import type { IncomingMessage, ServerResponse } from "node:http";
import { text as readText } from "node:stream/consumers";
import type { AudioFormat } from "../../../src/model/audio.ts";
import type { WordTiming } from "../../../src/ports/synthesizer.ts";
import { KEY, soundOf, type Asked, type Dialect, type SpeechServer } from "./speech-server.ts";

type Message = Readonly<Record<string, unknown>>;

const parse = (text: string): Message => JSON.parse(text) as Message;

/** Which voices a server has: of 103, so that a list has more than one page. */
export const VOICE_COUNT = 103;

const voiceIds = Array.from({ length: VOICE_COUNT }, (_, index) => `voice${index}`);

/** A page of ids, as vendors with cursors give them. */
const pageOf = (after: string | null, size: number) => {
  const from = after === null ? 0 : voiceIds.indexOf(after) + 1;
  return { ids: voiceIds.slice(from, from + size), more: from + size < voiceIds.length };
};

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");

/** Contexts on one connection; text, flush and close come one by one. */
export const elevenLabs: Dialect = {
  authorized: ({ headers }) => headers["xi-api-key"] === KEY,
  list: ({ pathname, searchParams }) => {
    if (pathname !== "/v2/voices") return undefined;
    const { ids, more } = pageOf(searchParams.get("next_page_token"), Number(searchParams.get("page_size")));
    const voices = ids.map((id) => ({ voice_id: id, name: `Eleven ${id}`, labels: { accent: "american" } }));
    return { voices, has_more: more, next_page_token: more ? ids.at(-1) : null };
  },
  connect: (url) => {
    if (!url.pathname.endsWith("/multi-stream-input")) throw new Error("not the address of the websocket");
    const wanted = url.searchParams.get("output_format") ?? "";
    const rate = Number(wanted.split("_")[1]);
    const encoding = ELEVEN_ENCODINGS[wanted.split("_")[0] ?? ""] ?? "linear16";
    let heard: Message = {};
    let text = "";
    return {
      take: (data) => {
        const message = parse(data);
        if (message["close_context"] === true)
          return {
            id: String(message["context_id"]),
            text: text.trim(),
            format: { encoding, sampleRate: rate },
            options: { ...Object.fromEntries(url.searchParams), ...heard, path: url.pathname },
          };
        if ("voice_settings" in message) heard = message["voice_settings"] as Message;
        const said = String(message["text"]);
        text = said === " " ? "" : text + said;
        return undefined;
      },
    };
  },
  chunk: ({ id, text }, audio, words) => [
    JSON.stringify({
      audio: base64(audio),
      contextId: id,
      alignment: words.length === 0 ? null : alignmentOf(text, words),
    }),
  ],
  done: ({ id }) => [JSON.stringify({ isFinal: true, contextId: id })],
  refusal: JSON.stringify({ error: "quota_exceeded", message: "You are out of credits", code: 1008 }),
  garbage: "{audio",
};

const alignmentOf = (text: string, words: readonly WordTiming[]) => {
  const letterMs = (words.at(-1)?.endMs ?? 0) / text.length;
  const chars = text.split("");
  return {
    chars,
    charStartTimesMs: chars.map((_, index) => Math.round(index * letterMs)),
    charDurationsMs: chars.map(() => Math.round(letterMs)),
  };
};

const ELEVEN_ENCODINGS: Readonly<Record<string, AudioFormat["encoding"]>> = { ulaw: "mulaw", alaw: "alaw" };

const ENCODINGS: Readonly<Record<string, AudioFormat["encoding"]>> = {
  pcm_mulaw: "mulaw",
  pcm_alaw: "alaw",
  pcm_s16le: "linear16",
};

/** Whole requests, answered under their context's id; what was cancelled goes on for a moment. */
export const cartesia: Dialect = {
  authorized: ({ headers }) => headers.authorization === `Bearer ${KEY}`,
  list: ({ pathname, searchParams }) => {
    if (pathname !== "/voices") return undefined;
    const { ids, more } = pageOf(searchParams.get("starting_after"), Number(searchParams.get("limit")));
    const data = ids.map((id, index) => ({
      id,
      name: `Cartesia ${id}`,
      description: "A voice.",
      language: index === 0 ? "en" : "de",
    }));
    return { data, has_more: more, next_page: ids.at(-1) };
  },
  connect: (url) => {
    if (url.pathname !== "/tts/websocket") throw new Error("not the address of the websocket");
    return {
      take: (data) => {
        const message = parse(data);
        if (message["cancel"] === true) return "cancel";
        const format = message["output_format"] as Readonly<{ encoding: string; sample_rate: number }>;
        return {
          id: String(message["context_id"]),
          text: String(message["transcript"]),
          format: { encoding: ENCODINGS[format.encoding] ?? "linear16", sampleRate: format.sample_rate },
          options: message,
        };
      },
    };
  },
  chunk: ({ id }, audio, words) => [
    JSON.stringify({
      type: "chunk",
      data: base64(audio),
      done: false,
      status_code: 206,
      step_time: 12,
      context_id: id,
    }),
    ...(words.length === 0
      ? []
      : [JSON.stringify({ type: "timestamps", done: false, context_id: id, word_timestamps: inSeconds(words) })]),
  ],
  done: ({ id }) => [JSON.stringify({ type: "done", done: true, status_code: 206, context_id: id })],
  cancelled: (asked) => {
    if (asked === undefined) return [];
    const late = { type: "chunk", data: base64(new Uint8Array(160)), done: false, context_id: asked.id };
    return [JSON.stringify(late), JSON.stringify({ type: "done", done: true, context_id: asked.id })];
  },
  refusal: JSON.stringify({ type: "error", done: true, title: "Too many requests", status_code: 429 }),
  garbage: "[]",
};

const inSeconds = (words: readonly WordTiming[]) => ({
  words: words.map(({ text }) => text),
  start: words.map(({ startMs }) => startMs / 1000),
  end: words.map(({ endMs }) => endMs / 1000),
});

/** Text and flushes, answered with bare sound. */
export const deepgram: Dialect = {
  authorized: ({ headers }) => headers.authorization === `Token ${KEY}`,
  list: ({ pathname }) =>
    pathname === "/v1/models"
      ? {
          stt: [],
          tts: [
            { name: "zeus", canonical_name: "aura-zeus-en", languages: ["en"] },
            {
              name: "thalia",
              canonical_name: "aura-2-thalia-en",
              languages: ["en", "en-US"],
              metadata: { accent: "American", display_name: "Thalia", tags: ["clear", "confident"] },
            },
            { name: "celeste", canonical_name: "aura-2-celeste-es", languages: ["es"], metadata: {} },
            { name: "haley", canonical_name: "flux-haley-en", languages: ["en"] },
          ],
        }
      : undefined,
  connect: (url) => {
    if (url.pathname !== "/v1/speak") throw new Error("not the address of the websocket");
    const encoding = (url.searchParams.get("encoding") ?? "linear16") as AudioFormat["encoding"];
    const format = { encoding, sampleRate: Number(url.searchParams.get("sample_rate")) };
    const options = Object.fromEntries(url.searchParams);
    let text = "";
    let count = 0;
    return {
      take: (data) => {
        const message = parse(data);
        if (message["type"] === "Clear") return "cancel";
        if (message["type"] === "Speak") text += String(message["text"]);
        if (message["type"] !== "Flush") return undefined;
        const asked: Asked = { id: String((count += 1)), text, format, options };
        text = "";
        return asked;
      },
    };
  },
  chunk: (_asked, audio) => [audio],
  done: ({ id }) => [JSON.stringify({ type: "Flushed", sequence_id: Number(id) })],
  cancelled: () => [
    JSON.stringify({ type: "Flushed", sequence_id: 0 }),
    JSON.stringify({ type: "Cleared", sequence_id: 0 }),
  ],
  refusal: JSON.stringify({ type: "Error", code: "RATE_LIMIT", description: "Slow down" }),
  garbage: "Flushed",
};

/** One request for each piece. */
export const openAi: Dialect = {
  authorized: ({ headers }) => headers.authorization === `Bearer ${KEY}`,
  list: ({ pathname }) => (pathname === "/v1/models/gpt-4o-mini-tts" ? { id: "gpt-4o-mini-tts" } : undefined),
  connect: () => {
    throw new Error("there is no websocket here");
  },
  chunk: () => [],
  done: () => [],
  refusal: "",
  garbage: "",
};

/** How the server of {@link openAi} speaks. */
export const answerSpeech = async (
  server: SpeechServer,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const message = parse(await readText(request));
  const format: AudioFormat = { encoding: "linear16", sampleRate: 24_000 };
  const fate = server.ask({ id: "", text: String(message["input"]), format, options: message });
  const { sound } = soundOf(String(message["input"]), format);
  const half = Math.floor(sound.length / 4) * 2;
  response.once("close", () => {
    if (!response.writableFinished) server.note("cancelled");
  });
  if (fate === "silent") return server.hold();
  if (fate === "lost") return void response.socket?.destroy();
  if (fate === "half-closed") return void response.socket?.end();
  if (fate === "refused") return void response.writeHead(429).end();
  if (fate === "garbage") return void response.socket?.end("HTTP/9.9 garbage\r\n\r\n");
  response.writeHead(200, { "content-type": "audio/pcm" });
  response.write(sound.subarray(0, half));
  if (fate === "held") await server.hold();
  else await new Promise((resolve) => setImmediate(resolve));
  if (fate === "broken") response.socket?.destroy();
  else response.end(sound.subarray(half));
};
