import { Converter } from "../../../audio/convert.ts";
import { bytesOf, type AudioFormat } from "../../../model/audio.ts";
import type { Descriptor } from "../../../ports/descriptor.ts";
import type { ProviderErrorKind } from "../../../ports/provider-error.ts";
import type { Transcriber, TranscriberHints } from "../../../ports/transcriber.ts";
import { baseLanguage, fitting, hears, languages } from "../remote/languages.ts";
import { objectOf, textOf, type Message } from "../remote/message.ts";
import { Socket } from "../remote/socket.ts";
import { below, vendorDescriptor, type VendorAccess } from "../remote/vendor-descriptor.ts";
import type { Wire, WireListener } from "../remote/wire.ts";
import { Stretches, type Stretch } from "../remote/stretches.ts";

const NAME = "openai";
const KEYWORD_LIMITS = { most: 100, longest: 100, together: 4000 } as const;

/** A commit of less sound than this is refused. */
const LEAST_COMMIT_MS = 100;

/** Its samples come at this rate when they are not telephone's. */
const LINEAR: AudioFormat = { encoding: "linear16", sampleRate: 24_000 };

/** What the vendor lists as heard well (its speech-to-text guide), of those with a code of two letters. */
const LANGUAGES = languages(
  "af ar az be bg bs ca cs cy da de el en es et fa fi fr gl he hi hr hu hy id is it ja kk kn ko lt lv mi mk mr ms ne nl no pl pt ro ru sk sl sr sv sw ta th tl tr uk ur vi zh",
);

/** OpenAI's realtime transcription: speech is sent stretch by stretch and committed when it ended; it tells no times of words. */
export default vendorDescriptor({
  name: NAME,
  prefix: "OPENAI",
  modelVariable: "OPENAI_TRANSCRIBE_MODEL",
  defaultUrl: "https://api.openai.com/v1",
  defaultModel: "gpt-live-transcribe",
  make: (access) => ({
    name: NAME,
    finalMs: 500,
    style: { chunkMs: 20, leastMs: 1, speechOnly: true },
    supports: (language) => hears(LANGUAGES, language),
    takes: ({ encoding, sampleRate }) => encoding !== "linear16" || sampleRate === LINEAR.sampleRate,
    openWire: (hints, format, listener) => new OpenAiWire(access, hints, format, listener),
  }),
}) satisfies Descriptor<Transcriber>;

class OpenAiWire implements Wire {
  readonly #socket: Socket;
  readonly #listener: WireListener;
  readonly #format: AudioFormat;
  readonly #converter: Converter | undefined;
  readonly #stretches = new Stretches();

  constructor(access: VendorAccess, hints: TranscriberHints, format: AudioFormat, listener: WireListener) {
    this.#listener = listener;
    this.#format = format;
    if (format.encoding === "linear16" && format.sampleRate !== LINEAR.sampleRate)
      this.#converter = new Converter(format, LINEAR);
    const url = below(access.url, "/realtime");
    url.searchParams.set("intent", "transcription");
    this.#socket = new Socket({
      provider: NAME,
      url,
      headers: { authorization: `Bearer ${access.apiKey}` },
      advice: access.advice,
      opened: () => {
        this.#socket.sendMessage(sessionOf(access.model, hints, format));
      },
      message: (message) => {
        this.#read(message);
      },
      lost: (error) => {
        this.#converter?.close();
        listener.lost(error);
      },
    });
  }

  get waitingBytes(): number {
    return this.#socket.waitingBytes;
  }

  send(sound: Uint8Array, fromMs: number): void {
    this.#stretches.sent(fromMs, sound.length);
    const bytes = this.#converter?.convert(sound) ?? sound;
    const audio = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("base64");
    this.#socket.send(`{"type":"input_audio_buffer.append","audio":"${audio}"}`);
  }

  finalize(toMs: number): void {
    this.#commit(toMs);
    this.#stretches.asked(toMs);
    this.#answer();
  }

  endTurn(toMs: number): void {
    this.#commit(toMs);
  }

  keepAlive(): void {
    this.#socket.ping();
  }

  close(): void {
    this.#socket.close();
    this.#converter?.close();
  }

  #commit(toMs: number): void {
    if (this.#stretches.openBytes < bytesOf(this.#format, LEAST_COMMIT_MS)) return;
    this.#stretches.committed(toMs);
    this.#socket.sendMessage({ type: "input_audio_buffer.commit" });
  }

  #read(message: Message): void {
    const type = textOf(message, "type");
    const item = textOf(message, "item_id");
    switch (type) {
      case "session.updated":
      case "transcription_session.updated":
        this.#listener.ready();
        break;
      case "input_audio_buffer.committed":
        this.#stretches.named(item);
        break;
      case "conversation.item.input_audio_transcription.delta":
        this.#grown(this.#stretches.named(item), textOf(message, "delta"));
        break;
      case "conversation.item.input_audio_transcription.completed":
        this.#completed(this.#stretches.named(item), textOf(message, "transcript").trim());
        break;
      case "conversation.item.input_audio_transcription.failed":
        this.#socket.fail("unavailable", "could not transcribe what was said");
        break;
      case "error":
        this.#failed(objectOf(message, "error"));
        break;
    }
  }

  #grown(stretch: Stretch | undefined, delta: string): void {
    if (stretch === undefined || stretch.done) return;
    stretch.text += delta;
    this.#tell(stretch, stretch.text.trim(), false);
  }

  #completed(stretch: Stretch | undefined, text: string): void {
    if (stretch === undefined || stretch.done) {
      this.#socket.fail("unavailable", "completed something that was not sent");
      return;
    }
    stretch.done = true;
    this.#tell(stretch, text, true);
    this.#answer();
  }

  #tell({ number, fromMs, toMs }: Stretch, text: string, final: boolean): void {
    this.#listener.heard({
      segment: number,
      text,
      final,
      startMs: fromMs,
      endMs: toMs ?? this.#stretches.sentMs(this.#format),
    });
  }

  #answer(): void {
    const { settledMs, answeredMs } = this.#stretches.takeDone();
    if (settledMs !== undefined) this.#listener.settled(settledMs);
    if (answeredMs !== undefined) this.#listener.flushed(answeredMs);
  }

  #failed(error: Message | undefined): void {
    const kind = KIND_OF_CODE.get(textOf(error, "code")) ?? KIND_OF_TYPE.get(textOf(error, "type"));
    this.#socket.fail(kind ?? "unavailable", "reported an error");
  }
}

const KIND_OF_CODE: ReadonlyMap<string, ProviderErrorKind> = new Map([
  ["invalid_api_key", "auth"],
  ["rate_limit_exceeded", "rate-limited"],
  ["insufficient_quota", "rate-limited"],
  ["session_expired", "unavailable"],
  ["server_error", "unavailable"],
]);

const KIND_OF_TYPE: ReadonlyMap<string, ProviderErrorKind> = new Map([
  ["invalid_request_error", "rejected"],
  ["authentication_error", "auth"],
  ["rate_limit_error", "rate-limited"],
]);

const sessionOf = (model: string, { language, keywords }: TranscriberHints, format: AudioFormat): Message => {
  const hinted = /^gpt-(live-)?transcribe/u.test(model);
  const words = fitting(keywords, KEYWORD_LIMITS);
  return {
    type: "session.update",
    session: {
      type: "transcription",
      audio: {
        input: {
          format: formatOf(format),
          turn_detection: null,
          transcription: {
            model,
            ...(hinted ? { languages: [baseLanguage(language)] } : { language: baseLanguage(language) }),
            ...(hinted && words.length > 0 ? { keywords: words } : {}),
          },
        },
      },
    },
  };
};

const formatOf = ({ encoding }: AudioFormat): Message => {
  if (encoding === "mulaw") return { type: "audio/pcmu" };
  return encoding === "alaw" ? { type: "audio/pcma" } : { type: "audio/pcm", rate: LINEAR.sampleRate };
};
