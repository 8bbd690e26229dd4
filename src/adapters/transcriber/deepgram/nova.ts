import type { AudioFormat } from "../../../model/audio.ts";
import type { Descriptor } from "../../../ports/descriptor.ts";
import type { Transcriber, TranscriberHints } from "../../../ports/transcriber.ts";
import { baseLanguage, fitting, hears, languages } from "../remote/languages.ts";
import { numberOf, objectOf, objectsOf, textOf, type Message } from "../remote/message.ts";
import { TimedWire, type Dialect } from "../remote/timed-wire.ts";
import { below, vendorDescriptor, type VendorAccess } from "../remote/vendor-descriptor.ts";
import { DEEPGRAM_URL, deepgramSocket, KEYTERM_LIMITS, setFormat } from "./deepgram-socket.ts";

const NAME = "deepgram";

/** Languages with a model of their own, and those that only the multilingual one hears (developers.deepgram.com, November 2026). */
const OWN = languages(
  "bg ca cs da de el en es et fi fr hi hu id it ja ko lt lv ms nl no pl pt ro ru sk sv tr uk vi zh",
);
const MULTILINGUAL = languages("af ar be bn bs hr fa gl gu he kn mk mr sr sl tl ta te th xh zu");
const REGIONS = new Set(
  "en-US en-AU en-GB en-IN en-NZ es-419 fr-CA de-CH ko-KR nl-BE pt-BR pt-PT zh-CN zh-Hans zh-TW zh-Hant zh-HK sv-SE da-DK".split(
    " ",
  ),
);

/** A result may end a little before the sound that it was asked for, and the answer to a question some more. */
const ROUNDING_MS = 60;
const ANSWER_ROUNDING_MS = 300;

/** Deepgram's Nova models over `/v1/listen`: they are asked for the final text, and our own detector tells when. */
export default vendorDescriptor({
  name: NAME,
  prefix: "DEEPGRAM",
  modelVariable: "DEEPGRAM_MODEL",
  defaultUrl: DEEPGRAM_URL,
  defaultModel: "nova-3",
  make: (access) => ({
    name: NAME,
    finalMs: 300,
    style: { chunkMs: 20, leastMs: 1, speechOnly: false },
    supports: (language) => hears(OWN, language) || hears(MULTILINGUAL, language),
    takes: () => true,
    openWire: (hints, format, listener) =>
      new TimedWire(listener, nova(), (events) => deepgramSocket(access, NAME, address(access, hints, format), events)),
  }),
}) satisfies Descriptor<Transcriber>;

const nova = (): Dialect => {
  let segment = 1;
  return {
    finalize: { type: "Finalize" },
    endTurn: { type: "Finalize" },
    keepAlive: { type: "KeepAlive" },
    close: { type: "CloseStream" },
    opened: ({ listener }) => {
      listener.ready();
    },
    read: (message, wire) => {
      if (textOf(message, "type") === "Error") wire.fail("unavailable", "reported an error");
      if (textOf(message, "type") === "Results" && results(message, wire, segment)) segment += 1;
    },
  };
};

/** Passes a result on; answers whether it was the last of its segment. */
const results = (message: Message, wire: TimedWire, segment: number): boolean => {
  const { baseMs, listener } = wire;
  const start = numberOf(message, "start");
  const duration = numberOf(message, "duration");
  const alternative = objectsOf(objectOf(message, "channel"), "alternatives")[0];
  if (start === undefined || duration === undefined || alternative === undefined) {
    wire.fail("unavailable", "sent a result without times or text");
    return false;
  }
  const words = objectsOf(alternative, "words").map((word) => ({
    text: textOf(word, "punctuated_word") || textOf(word, "word"),
    startMs: baseMs + 1000 * (numberOf(word, "start") ?? start),
    endMs: baseMs + 1000 * (numberOf(word, "end") ?? start + duration),
  }));
  const endMs = baseMs + 1000 * (start + duration);
  const final = message["is_final"] === true;
  wire.underway = !final && words.length > 0;
  listener.heard({
    segment,
    text: textOf(alternative, "transcript"),
    final,
    startMs: words[0]?.startMs ?? baseMs + 1000 * start,
    endMs: words.at(-1)?.endMs ?? endMs,
    words,
  });
  if (!final) return false;
  listener.settled(endMs);
  // The answer to `Finalize` says so; where little sound was waiting there may be no answer but the result before it.
  wire.answer(endMs + (message["from_finalize"] === true ? ANSWER_ROUNDING_MS : ROUNDING_MS));
  return true;
};

const address = (access: VendorAccess, { language, keywords }: TranscriberHints, format: AudioFormat): URL => {
  const url = below(access.url, "/v1/listen");
  const query = url.searchParams;
  query.set("model", access.model);
  setFormat(url, format);
  query.set("channels", "1");
  query.set("interim_results", "true");
  query.set("punctuate", "true");
  query.set("endpointing", "false");
  if (hears(MULTILINGUAL, language)) {
    query.set("language", "multi");
    query.set("language_hint", baseLanguage(language));
  } else query.set("language", REGIONS.has(language) ? language : baseLanguage(language));
  const parameter = access.model.startsWith("nova-3") ? "keyterm" : "keywords";
  for (const keyword of fitting(keywords, KEYTERM_LIMITS)) query.append(parameter, keyword);
  return url;
};
