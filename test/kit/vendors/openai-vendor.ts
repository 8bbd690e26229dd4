import { KEY } from "./deepgram-vendors.ts";
import type { Fault, ScriptedVendor } from "./scripted-vendor.ts";
import { serveDialect, type Dialect, type Session } from "./socket-vendor.ts";

type Configured = Readonly<{
  session: Readonly<{
    type: string;
    audio: Readonly<{
      input: Readonly<{
        format: Readonly<{ type: string }>;
        turn_detection: unknown;
        transcription: Readonly<{ model: string; languages?: readonly string[]; keywords?: readonly string[] }>;
      }>;
    }>;
  }>;
}>;

/** `/v1/realtime?intent=transcription` of OpenAI: one item for each commit, with deltas as words come. */
const realtime = (): Dialect => {
  let item = 1;
  let fromMs = 0;
  let told = 0;
  let configured = false;
  const wordsOf = (session: Session) => session.ears.words.filter(({ startMs }) => startMs >= fromMs);
  return {
    admits: ({ headers, url }) =>
      headers.authorization === `Bearer ${KEY}` && url === "/v1/realtime?intent=transcription",
    opened: (session) => {
      session.greet({ type: "session.created", event_id: "e", session: { type: "transcription" } });
      return undefined;
    },
    message: (session, message) => {
      const itemId = `item_${item}`;
      switch (message["type"]) {
        case "session.update": {
          const { session: asked } = message as unknown as Configured;
          const { format, transcription, turn_detection: detection } = asked.audio.input;
          if (asked.type !== "transcription" || detection !== null) session.mistake("a session of another kind", 1008);
          configured = true;
          session.record.opened.push({
            keywords: transcription.keywords ?? [],
            language: transcription.languages?.[0] ?? "",
            encoding: format.type === "audio/pcmu" ? "mulaw" : format.type,
            sampleRate: 8000,
          });
          session.greet({ type: "session.updated", event_id: "e", session: asked });
          break;
        }
        case "input_audio_buffer.append": {
          if (!configured) session.mistake("sound before the session was configured", 1008);
          if (!session.hear(Buffer.from(String(message["audio"]), "base64"))) return;
          const fresh = session.ears.words.slice(told).filter(({ startMs }) => startMs >= fromMs);
          told = session.ears.words.length;
          for (const { text } of fresh)
            session.send({
              type: "conversation.item.input_audio_transcription.delta",
              event_id: "e",
              item_id: itemId,
              content_index: 0,
              delta: ` ${text}`,
            });
          break;
        }
        case "input_audio_buffer.commit": {
          if (session.ears.heardMs - fromMs < 100) session.mistake("a commit of less than 100 ms", 1008);
          session.record.finals += 1;
          session.send({
            type: "input_audio_buffer.committed",
            event_id: "e",
            item_id: itemId,
            previous_item_id: null,
          });
          session.send({
            type: "conversation.item.input_audio_transcription.completed",
            event_id: "e",
            item_id: itemId,
            content_index: 0,
            transcript: wordsOf(session)
              .map(({ text }) => text)
              .join(" "),
            usage: { type: "duration", seconds: 1 },
          });
          item += 1;
          fromMs = session.ears.heardMs;
          break;
        }
        default:
          session.mistake(`unknown message ${String(message["type"])}`, 1008);
      }
    },
    sound: (session) => {
      session.mistake("a binary frame", 1003);
    },
  };
};

/** Its address has the path that the variable's default has too. */
export const serveRealtime = async (script: readonly Fault[] = []): Promise<ScriptedVendor> => {
  const vendor = await serveDialect(realtime, script);
  return { ...vendor, url: `${vendor.url}/v1` };
};
