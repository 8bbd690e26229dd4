import type { AudioFormat } from "../../../model/audio.ts";
import type { Descriptor } from "../../../ports/descriptor.ts";
import type { Transcriber, TranscriberHints } from "../../../ports/transcriber.ts";
import { baseLanguage, fitting, hears, languages } from "../remote/languages.ts";
import { numberOf, objectsOf, textOf, type Message } from "../remote/message.ts";
import { TimedWire, type Dialect } from "../remote/timed-wire.ts";
import { below, vendorDescriptor, type VendorAccess } from "../remote/vendor-descriptor.ts";
import { DEEPGRAM_URL, deepgramSocket, KEYTERM_LIMITS, setFormat } from "./deepgram-socket.ts";

const NAME = "deepgram-flux";
const ENGLISH = "flux-general-en";
const MULTILINGUAL = "flux-general-multi";
const LANGUAGES = languages("en es fr de hi ru pt ja it nl");

/** Flux is sure of a turn's end from 0.7 on unless it is told otherwise, and says from here on that it might be over. */
const EAGER_THRESHOLD = "0.5";

/** Speech counts as ended after this long without voice, so that the words before it are known when the sound until here is. */
const SILENT_MS = 160;

/** What Flux says of a turn's end; other events only bring text. */
const JUDGEMENTS = new Set(["EagerEndOfTurn", "TurnResumed", "EndOfTurn"]);

/**
 * Deepgram's Flux over `/v2/listen`: it reads along and judges by itself when turns end, which is passed on as evidence. Its turns are
 * only ended by us when the call has taken them.
 */
export default vendorDescriptor({
  name: NAME,
  prefix: "DEEPGRAM",
  modelVariable: "DEEPGRAM_FLUX_MODEL",
  defaultUrl: DEEPGRAM_URL,
  defaultModel: ENGLISH,
  make: (access) => ({
    name: NAME,
    finalMs: 350,
    style: { chunkMs: 80, leastMs: 1, speechOnly: false },
    supports: (language) => hears(LANGUAGES, language),
    takes: () => true,
    openWire: (hints, format, listener) =>
      new TimedWire(listener, flux(), (events) => deepgramSocket(access, NAME, address(access, hints, format), events)),
  }),
}) satisfies Descriptor<Transcriber>;

/** Flux reads along with the sound, so that final texts are only waited for. */
const flux = (): Dialect => {
  // What was told last as final, by turn and text: Flux repeats itself four times a second.
  let told: string | undefined;
  return {
    endTurn: { type: "ForceEndTurn" },
    close: { type: "CloseStream" },
    read: (message, wire) => {
      switch (textOf(message, "type")) {
        case "Connected":
          wire.listener.ready();
          break;
        case "TurnInfo":
          told = turnInfo(message, wire, told) ?? told;
          break;
        case "Error":
          wire.fail("unavailable", "reported an error");
          break;
      }
    },
  };
};

/** Passes word of a turn on, unless it is what was `told` as final; answers that where it is final. */
const turnInfo = (message: Message, wire: TimedWire, told: string | undefined): string | undefined => {
  const { baseMs, listener } = wire;
  const turn = numberOf(message, "turn_index");
  const start = numberOf(message, "audio_window_start");
  const end = numberOf(message, "audio_window_end");
  if (turn === undefined || start === undefined || end === undefined) {
    wire.fail("unavailable", "sent word of a turn without its number or times");
    return undefined;
  }
  const endMs = baseMs + 1000 * end;
  const event = textOf(message, "event");
  const over = event === "EndOfTurn";
  const text = textOf(message, "transcript");
  const words = objectsOf(message, "words").map((word) => ({
    text: textOf(word, "word"),
    startMs: baseMs + 1000 * (numberOf(word, "start") ?? start),
    endMs: baseMs + 1000 * (numberOf(word, "end") ?? end),
  }));
  const final = over || wire.isAsked(endMs + SILENT_MS);
  const tells = `${turn} ${text}`;
  wire.underway = !over && text !== "";
  if (tells !== told)
    listener.heard({
      segment: turn,
      text,
      final,
      startMs: words[0]?.startMs ?? baseMs + 1000 * start,
      endMs: words.at(-1)?.endMs ?? endMs,
      words,
    });
  if (JUDGEMENTS.has(event)) listener.turnJudged(numberOf(message, "end_of_turn_confidence") ?? 0);
  if (over) listener.settled(endMs);
  wire.answer(endMs + SILENT_MS);
  return final ? tells : undefined;
};

const address = (access: VendorAccess, { language, keywords }: TranscriberHints, format: AudioFormat): URL => {
  const url = below(access.url, "/v2/listen");
  const query = url.searchParams;
  const english = baseLanguage(language) === "en";
  const model = access.model === ENGLISH && !english ? MULTILINGUAL : access.model;
  query.set("model", model);
  setFormat(url, format);
  query.set("eager_eot_threshold", EAGER_THRESHOLD);
  if (model === MULTILINGUAL) query.set("language_hint", baseLanguage(language));
  for (const keyword of fitting(keywords, KEYTERM_LIMITS)) query.append("keyterm", keyword);
  return url;
};
