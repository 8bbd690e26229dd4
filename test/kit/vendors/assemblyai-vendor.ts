import { KEY } from "./deepgram-vendors.ts";
import type { Fault, ScriptedVendor } from "./scripted-vendor.ts";
import { serveDialect, type Dialect, type Session } from "./socket-vendor.ts";

/** `/v3/ws` of AssemblyAI: turns end when that is forced; silence is told of once a second. */
const assembly = (): Dialect => {
  let turn = 0;
  let turnFromMs = 0;
  let told = 0;
  let silenceFromMs = 0;
  const tell = (session: Session, over: boolean) => {
    const words = session.ears.words.filter(({ startMs }) => startMs >= turnFromMs);
    told = session.ears.words.length;
    session.send({
      type: "Turn",
      turn_order: turn,
      turn_is_formatted: true,
      end_of_turn: over,
      end_of_turn_confidence: over ? 1 : 0.1,
      transcript: words.map(({ text }) => text).join(" "),
      words: words.map(({ text, startMs, endMs }) => ({
        text,
        start: startMs,
        end: endMs,
        confidence: 0.9,
        word_is_final: over,
      })),
    });
    silenceFromMs = session.ears.heardMs;
    if (!over) return;
    turn += 1;
    turnFromMs = session.ears.heardMs;
  };
  const underway = (session: Session) => session.ears.words.some(({ startMs }) => startMs >= turnFromMs);
  return {
    admits: ({ headers, url }) => headers.authorization === KEY && (url ?? "").startsWith("/v3/ws?"),
    opened: (session, { searchParams: query }) => {
      session.greet({ type: "Begin", id: "s", expires_at: 1 });
      const [language = ""] = JSON.parse(query.get("language_codes") ?? "[]") as string[];
      return {
        keywords: JSON.parse(query.get("keyterms_prompt") ?? "[]") as string[],
        language,
        encoding: query.get("encoding") === "pcm_mulaw" ? "mulaw" : (query.get("encoding") ?? ""),
        sampleRate: Number(query.get("sample_rate")),
      };
    },
    message: (session, { type }) => {
      if (type === "ForceEndpoint") {
        session.record.finals += 1;
        if (underway(session)) tell(session, true);
      } else if (type === "Terminate") session.bye();
      else session.mistake(`unknown message ${String(type)}`, 3006);
    },
    sound: (session, sound) => {
      const ms = sound.length / 8;
      if (ms < 50 || ms > 1000) {
        session.send({ type: "Error", error_code: 3007, error: "Audio chunk duration violation" });
        session.mistake(`a piece of ${ms} ms`, 3007);
        return;
      }
      if (!session.hear(sound)) return;
      if (session.ears.words.length > told) tell(session, false);
      else if (!underway(session) && session.ears.heardMs - silenceFromMs >= 1000) {
        session.send({ type: "Silence", start_ms: silenceFromMs, end_ms: session.ears.heardMs });
        silenceFromMs = session.ears.heardMs;
      }
    },
  };
};

export const serveAssembly = (script: readonly Fault[] = []): Promise<ScriptedVendor> => serveDialect(assembly, script);
