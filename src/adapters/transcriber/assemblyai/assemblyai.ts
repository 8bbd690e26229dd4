import type { AudioFormat } from "../../../model/audio.ts";
import type { Descriptor } from "../../../ports/descriptor.ts";
import type { ProviderErrorKind } from "../../../ports/provider-error.ts";
import type { Transcriber, TranscriberHints } from "../../../ports/transcriber.ts";
import { baseLanguage, fitting, hears, languages } from "../remote/languages.ts";
import { numberOf, objectsOf, textOf, type Message } from "../remote/message.ts";
import { Socket } from "../remote/socket.ts";
import { below, vendorDescriptor, type VendorAccess } from "../remote/vendor-descriptor.ts";
import type { Wire, WireListener } from "../remote/wire.ts";

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
    openWire: (hints, format, listener) => new AssemblyWire(access, hints, format, listener),
  }),
}) satisfies Descriptor<Transcriber>;

class AssemblyWire implements Wire {
  readonly #socket: Socket;
  readonly #listener: WireListener;
  #baseMs: number | undefined;
  #asked: number[] = [];
  /** A turn has words and is not ended. */
  #underway = false;

  constructor(access: VendorAccess, hints: TranscriberHints, format: AudioFormat, listener: WireListener) {
    this.#listener = listener;
    this.#socket = new Socket({
      provider: NAME,
      url: address(access, hints, format),
      headers: { authorization: access.apiKey },
      advice: access.advice,
      kindOfClose: (code) => KINDS.get(code),
      opened: () => undefined,
      message: (message) => {
        this.#read(message);
      },
      lost: listener.lost,
    });
  }

  get waitingBytes(): number {
    return this.#socket.waitingBytes;
  }

  send(sound: Uint8Array, fromMs: number): void {
    this.#baseMs ??= fromMs;
    this.#socket.send(sound);
  }

  finalize(toMs: number): void {
    if (this.#baseMs === undefined) {
      this.#listener.flushed(toMs);
      return;
    }
    this.#asked.push(toMs);
    this.#socket.sendMessage({ type: "ForceEndpoint" });
  }

  endTurn(): void {
    if (this.#underway) this.#socket.sendMessage({ type: "ForceEndpoint" });
  }

  keepAlive(): void {
    this.#socket.ping();
  }

  /** Sessions are billed until they are terminated. */
  close(): void {
    this.#socket.close({ type: "Terminate" });
  }

  #read(message: Message): void {
    switch (textOf(message, "type")) {
      case "Begin":
        this.#listener.ready();
        break;
      case "Turn":
        this.#turn(message);
        break;
      case "Silence":
        this.#silence(message);
        break;
      case "Error": {
        const code = numberOf(message, "error_code") ?? 0;
        this.#socket.fail(KINDS.get(code) ?? "unavailable", `reported error ${code}`);
        break;
      }
    }
  }

  #turn(message: Message): void {
    const turn = numberOf(message, "turn_order");
    if (turn === undefined) {
      this.#socket.fail("unavailable", "sent a turn without its number");
      return;
    }
    const baseMs = this.#baseMs ?? 0;
    const words = objectsOf(message, "words").map((word) => ({
      text: textOf(word, "text"),
      startMs: baseMs + (numberOf(word, "start") ?? 0),
      endMs: baseMs + (numberOf(word, "end") ?? 0),
    }));
    const over = message["end_of_turn"] === true;
    const endMs = words.at(-1)?.endMs ?? baseMs;
    this.#underway = !over && words.length > 0;
    this.#listener.heard({
      segment: turn,
      text: textOf(message, "transcript"),
      final: over,
      startMs: words[0]?.startMs ?? baseMs,
      endMs,
      words,
    });
    if (!over) return;
    this.#listener.settled(endMs);
    this.#answer(Infinity);
  }

  /** Told about once a second while nothing is said: what was asked for until then has no words. */
  #silence(message: Message): void {
    const end = numberOf(message, "end_ms");
    if (end === undefined || this.#underway) return;
    const endMs = (this.#baseMs ?? 0) + end;
    this.#listener.settled(endMs - 2 * SILENT_MS);
    this.#answer(endMs + SILENT_MS);
  }

  #answer(untilMs: number): void {
    const answered = this.#asked.findLast((asked) => asked <= untilMs);
    if (answered === undefined) return;
    this.#asked = this.#asked.filter((asked) => asked > answered);
    this.#listener.flushed(answered);
  }
}

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
