import type { AudioFormat } from "../../../model/audio.ts";
import type { Descriptor } from "../../../ports/descriptor.ts";
import type { ProviderErrorKind } from "../../../ports/provider-error.ts";
import type { Transcriber, TranscriberHints } from "../../../ports/transcriber.ts";
import { baseLanguage, fitting, hears, languages } from "../remote/languages.ts";
import { numberOf, objectsOf, textOf, type Message } from "../remote/message.ts";
import { Socket } from "../remote/socket.ts";
import { TimedWire, type Dialect } from "../remote/timed-wire.ts";
import { below, vendorDescriptor, type VendorAccess } from "../remote/vendor-descriptor.ts";

const NAME = "assemblyai";

const KEYTERM_LIMITS = { most: 100, longest: 50, together: 5000 } as const;

/** Pieces are refused below 50 ms and above a second. */
const LEAST_MS = 50;

/** Speech counts as ended after this long without voice, so that the words before it are known when the sound until here is. */
const SILENT_MS = 160;

/** What AssemblyAI says in an error and closes with (its errors page and its SDK, November 2026). */
const KINDS: ReadonlyMap<number, ProviderErrorKind> = new Map([
  [1008, "auth"],
  [4001, "auth"],
  [4002, "rate-limited"],
  [4003, "rate-limited"],
  [4029, "rate-limited"],
  [4102, "rate-limited"],
  [3009, "rate-limited"],
  [3006, "rejected"],
  [3007, "rejected"],
  [4000, "rejected"],
  [4101, "rejected"],
]);

/** AssemblyAI's streaming over `/v3/ws`: turns are ended by us, since our own detector knows first. */
export default vendorDescriptor({
  name: NAME,
  prefix: "ASSEMBLYAI",
  modelVariable: "ASSEMBLYAI_MODEL",
  defaultUrl: "https://streaming.assemblyai.com",
  defaultModel: "universal-3-6-pro",
  make: (access) => ({
    name: NAME,
    finalMs: 350,
    style: { chunkMs: 60, leastMs: LEAST_MS, speechOnly: false },
    supports: (language) => hears(languagesOf(access.model), language),
    takes: ({ encoding }) => encoding !== "alaw",
    openWire: (hints, format, listener) =>
      new TimedWire(
        listener,
        ASSEMBLY,
        (events) =>
          new Socket({
            provider: NAME,
            url: address(access, hints, format),
            headers: { authorization: access.apiKey },
            advice: access.advice,
            kindOfClose: (code) => KINDS.get(code),
            ...events,
          }),
      ),
  }),
}) satisfies Descriptor<Transcriber>;

const ASSEMBLY: Dialect = {
  finalize: { type: "ForceEndpoint" },
  endTurn: { type: "ForceEndpoint" },
  // Sessions are billed until they are terminated.
  close: { type: "Terminate" },
  read: (message, wire) => {
    switch (textOf(message, "type")) {
      case "Begin":
        wire.listener.ready();
        break;
      case "Turn":
        turn(message, wire);
        break;
      case "Silence":
        silence(message, wire);
        break;
      case "Error": {
        const code = numberOf(message, "error_code") ?? 0;
        wire.fail(KINDS.get(code) ?? "unavailable", `reported error ${code}`);
        break;
      }
    }
  },
};

const turn = (message: Message, wire: TimedWire): void => {
  const { baseMs, listener } = wire;
  const segment = numberOf(message, "turn_order");
  if (segment === undefined) {
    wire.fail("unavailable", "sent a turn without its number");
    return;
  }
  const words = objectsOf(message, "words").map((word) => ({
    text: textOf(word, "text"),
    startMs: baseMs + (numberOf(word, "start") ?? 0),
    endMs: baseMs + (numberOf(word, "end") ?? 0),
  }));
  const over = message["end_of_turn"] === true;
  const endMs = words.at(-1)?.endMs ?? baseMs;
  wire.underway = !over && words.length > 0;
  listener.heard({
    segment,
    text: textOf(message, "transcript"),
    final: over,
    startMs: words[0]?.startMs ?? baseMs,
    endMs,
    words,
  });
  if (!over) return;
  listener.settled(endMs);
  wire.answer(Infinity);
};

/** Told about once a second while nothing is said: what was asked for until then has no words. */
const silence = (message: Message, wire: TimedWire): void => {
  const end = numberOf(message, "end_ms");
  if (end === undefined || wire.underway) return;
  const endMs = wire.baseMs + end;
  wire.listener.settled(endMs - 2 * SILENT_MS);
  wire.answer(endMs + SILENT_MS);
};

/** The Universal-3 family hears more languages, takes hints of them, and tells of silence. */
const isUniversal3 = (model: string): boolean => /^(universal-3|u3)/u.test(model);

/** As its language page lists them (November 2026); the newest models hear a few more, which the page does not name. */
const languagesOf = (model: string): ReadonlySet<string> => {
  if (model === "universal-streaming-english") return languages("en");
  if (/^universal-3-[5-9]/u.test(model)) return languages("en es de fr pt it tr nl sv no da fi hi vi ar he ja ur zh");
  return languages("en es de fr pt it");
};

const address = (
  access: VendorAccess,
  { language, keywords }: TranscriberHints,
  { encoding, sampleRate }: AudioFormat,
): URL => {
  const url = below(access.url, "/v3/ws");
  const query = url.searchParams;
  query.set("speech_model", access.model);
  query.set("sample_rate", String(sampleRate));
  query.set("encoding", encoding === "mulaw" ? "pcm_mulaw" : "pcm_s16le");
  if (isUniversal3(access.model)) {
    query.set("language_codes", JSON.stringify([baseLanguage(language)]));
    query.set("acknowledge_silence", "true");
  } else query.set("format_turns", "true");
  const terms = fitting(keywords, KEYTERM_LIMITS);
  if (terms.length > 0) query.set("keyterms_prompt", JSON.stringify(terms));
  return url;
};
