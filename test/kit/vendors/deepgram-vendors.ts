import type { Fault, Opened, ScriptedVendor } from "./scripted-vendor.ts";
import { serveDialect, type Dialect, type Session } from "./socket-vendor.ts";
import type { HeardWord } from "./spoken-bytes.ts";

export const KEY = "key-of-tests";

const openedBy = (query: URLSearchParams): Opened => ({
  keywords: query.getAll("keyterm"),
  language: query.get("language") ?? query.get("language_hint") ?? "",
  encoding: query.get("encoding") ?? "",
  sampleRate: Number(query.get("sample_rate")),
});

const seconds = (ms: number) => ms / 1000;
const textOf = (words: readonly HeardWord[]) => words.map(({ text }) => text).join(" ");

/** `/v1/listen` of Deepgram: interim results as words come, final ones when they are asked for. */
const nova = (): Dialect => {
  let finalMs = 0;
  let told = 0;
  const results = (session: Session, final: boolean) => {
    const words = session.ears.words.filter(({ startMs }) => startMs >= finalMs);
    told = session.ears.words.length;
    session.send({
      type: "Results",
      channel_index: [0, 1],
      start: seconds(finalMs),
      duration: seconds(session.ears.heardMs - finalMs),
      is_final: final,
      speech_final: false,
      from_finalize: final,
      channel: {
        alternatives: [
          {
            transcript: textOf(words),
            confidence: 0.98,
            words: words.map(({ text, startMs, endMs }) => ({
              word: text.toLowerCase(),
              punctuated_word: text,
              start: seconds(startMs),
              end: seconds(endMs),
              confidence: 0.98,
            })),
          },
        ],
      },
      metadata: { request_id: "r", model_uuid: "m", model_info: { name: "nova", version: "1", arch: "nova-3" } },
    });
    if (final) finalMs = session.ears.heardMs;
  };
  return {
    admits: ({ headers, url }) => headers.authorization === `Token ${KEY}` && (url ?? "").startsWith("/v1/listen?"),
    opened: (_session, { searchParams }) => openedBy(searchParams),
    message: (session, { type }) => {
      if (type === "Finalize") {
        session.record.finals += 1;
        results(session, true);
      } else if (type === "CloseStream") session.bye();
      else if (type !== "KeepAlive") session.mistake(`unknown message ${String(type)}`, 1008);
    },
    sound: (session, sound) => {
      if (session.hear(sound) && session.ears.words.length > told) results(session, false);
    },
  };
};

/** `/v2/listen` of Deepgram: reads along in steps of 80 ms and judges turns by how long nothing was said. */
const flux = (): Dialect => {
  let turn = 0;
  let turnFromMs = 0;
  let readMs = 0;
  let state: "waiting" | "speaking" | "eager" = "waiting";
  let sequence = 0;
  const tell = (session: Session, event: string, sure: number, trigger?: string) => {
    const words = session.ears.words.filter(({ startMs }) => startMs >= turnFromMs);
    session.send({
      type: "TurnInfo",
      request_id: "r",
      sequence_id: (sequence += 1),
      event,
      turn_index: turn,
      audio_window_start: seconds(turnFromMs),
      audio_window_end: seconds(readMs),
      transcript: textOf(words),
      words: words.map(({ text, startMs, endMs }) => ({
        word: text,
        confidence: 0.9,
        start: seconds(startMs),
        end: seconds(endMs),
      })),
      end_of_turn_confidence: sure,
      ...(trigger === undefined ? {} : { trigger }),
    });
  };
  const end = (session: Session, trigger: string) => {
    tell(session, "EndOfTurn", 0.9, trigger);
    turn += 1;
    turnFromMs = readMs;
    state = "waiting";
  };
  const read = (session: Session) => {
    const { ears } = session;
    const spoke = ears.words.some(({ startMs }) => startMs >= turnFromMs);
    if (spoke && state === "waiting") {
      state = "speaking";
      tell(session, "StartOfTurn", 0.1);
    } else if (state === "speaking" && ears.silentMs >= 400) {
      state = "eager";
      tell(session, "EagerEndOfTurn", 0.6);
    } else if (state === "eager" && ears.silentMs >= 1200) end(session, "model");
    else if (state === "eager" && ears.silentMs < 400) {
      state = "speaking";
      tell(session, "TurnResumed", 0.2);
    } else tell(session, "Update", ears.silentMs > 0 ? 0.3 : 0.1);
  };
  return {
    admits: ({ headers, url }) => headers.authorization === `Token ${KEY}` && (url ?? "").startsWith("/v2/listen?"),
    opened: (session, { searchParams }) => {
      session.greet({ type: "Connected", request_id: "r", sequence_id: 0 });
      return openedBy(searchParams);
    },
    message: (session, { type }) => {
      if (type === "ForceEndTurn") {
        if (state !== "waiting") end(session, "manual");
      } else if (type === "CloseStream") session.bye();
      else session.mistake(`unknown message ${String(type)}`, 1008);
    },
    sound: (session, sound) => {
      for (let at = 0; at < sound.length; at += 640) {
        if (!session.hear(sound.subarray(at, at + 640))) return;
        const { heardMs } = session.ears;
        if (heardMs - (heardMs % 80) <= readMs) continue;
        readMs = heardMs - (heardMs % 80);
        read(session);
      }
    },
  };
};

export const serveNova = (script: readonly Fault[] = []): Promise<ScriptedVendor> => serveDialect(nova, script);
export const serveFlux = (script: readonly Fault[] = []): Promise<ScriptedVendor> => serveDialect(flux, script);
