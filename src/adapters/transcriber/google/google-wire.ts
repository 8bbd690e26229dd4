import { Metadata, status, type ServiceError } from "@grpc/grpc-js";
import type { AudioFormat } from "../../../model/audio.ts";
import { toError } from "../../../kit/errors.ts";
import { ProviderError, type ProviderErrorKind } from "../../../ports/provider-error.ts";
import type { TranscriberHints } from "../../../ports/transcriber.ts";
import { fitting } from "../remote/languages.ts";
import { Stretches, type Stretch } from "../remote/stretches.ts";
import type { Wire, WireListener } from "../remote/wire.ts";
import type { GoogleAccess } from "./google-access.ts";
import { languageCode } from "./language-codes.ts";
import type { Duration, RecognizeCall, RecognizeRequest, RecognizeResponse, SpeechChannel } from "./recognize.ts";

export type GoogleParts = Readonly<{
  access: GoogleAccess;
  channel: SpeechChannel;
  request: Readonly<{
    recognizer: string;
    model: string;
    advice: Readonly<Record<ProviderErrorKind, string>>;
  }>;
}>;

const PHRASE_LIMITS = { most: 500, longest: 100, together: 10_000 } as const;

/** A stream lives for five minutes; another one takes over before. In milliseconds of sound. */
const LONGEST_CALL_MS = 270_000;

/** Names for results: a thousand of them in one stretch of speech. */
const RESULTS_OF_A_STRETCH = 1000;

/** `unsure`: words were told that no final text has taken up yet. */
type Open = { readonly call: RecognizeCall; readonly stretch: Stretch; finals: number; unsure: boolean };

/** Google's streams for one party: one for each stretch of speech. */
export class GoogleWire implements Wire {
  readonly #parts: GoogleParts;
  readonly #config: RecognizeRequest;
  readonly #listener: WireListener;
  readonly #stretches = new Stretches();
  readonly #calls = new Set<Open>();
  #metadata = new Metadata();
  #open: Open | undefined;
  #waitingBytes = 0;
  #answeredOnce = false;
  #over = false;

  constructor(parts: GoogleParts, hints: TranscriberHints, format: AudioFormat, listener: WireListener) {
    this.#parts = parts;
    this.#listener = listener;
    this.#config = configOf(parts, hints, format);
    parts.access.metadata().then(
      (metadata) => {
        this.#metadata = metadata;
        if (!this.#over) listener.ready();
      },
      (error: unknown) => {
        this.#fail("auth", "the account's key signs nothing", toError(error));
      },
    );
  }

  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  send(sound: Uint8Array, fromMs: number): void {
    if (this.#open !== undefined && fromMs - this.#open.stretch.fromMs > LONGEST_CALL_MS) this.#commit(fromMs);
    const open = this.#open ?? this.#begin(fromMs);
    this.#stretches.sent(fromMs, sound.length);
    this.#waitingBytes += sound.length;
    open.call.write({ audio: sound }, () => {
      this.#waitingBytes -= sound.length;
    });
  }

  finalize(toMs: number): void {
    this.#commit(toMs);
    this.#stretches.asked(toMs);
    this.#answer();
  }

  endTurn(toMs: number): void {
    this.#commit(toMs);
  }

  close(): void {
    this.#over = true;
    for (const { call } of this.#calls) call.cancel();
    this.#calls.clear();
  }

  #begin(fromMs: number): Open {
    const call = this.#parts.channel.open(this.#metadata);
    const open: Open = { call, stretch: this.#stretches.begin(fromMs), finals: 0, unsure: false };
    this.#open = open;
    this.#calls.add(open);
    call.on("data", (response: RecognizeResponse) => {
      if (!this.#over) this.#read(open, response);
    });
    call.on("error", (error: ServiceError) => {
      this.#lost(error);
    });
    call.on("end", () => {
      if (!this.#over) this.#ended(open);
    });
    call.write(this.#config);
    return open;
  }

  #commit(toMs: number): void {
    this.#stretches.committed(toMs);
    this.#open?.call.end();
    this.#open = undefined;
  }

  #read(open: Open, { results = [] }: RecognizeResponse): void {
    this.#answeredOnce = true;
    const { fromMs } = open.stretch;
    let interim = "";
    let endMs = fromMs;
    for (const { alternatives = [], isFinal = false, resultEndOffset = null } of results) {
      const { transcript = "", words = [] } = alternatives[0] ?? {};
      endMs = fromMs + millisecondsIn(resultEndOffset);
      if (!isFinal) {
        interim += transcript;
        continue;
      }
      const timed = words.map(({ word = "", startOffset = null, endOffset = null }) => ({
        text: word,
        startMs: fromMs + millisecondsIn(startOffset),
        endMs: fromMs + millisecondsIn(endOffset),
      }));
      this.#tell(open, transcript.trim(), true, timed[0]?.startMs ?? fromMs, timed.at(-1)?.endMs ?? endMs, timed);
      open.finals += 1;
      open.unsure = false;
      this.#listener.settled(endMs);
    }
    if (interim === "") return;
    open.unsure = true;
    this.#tell(open, interim.trim(), false, fromMs, endMs, undefined);
  }

  #tell(
    { stretch, finals }: Open,
    text: string,
    final: boolean,
    startMs: number,
    endMs: number,
    words: readonly Readonly<{ text: string; startMs: number; endMs: number }>[] | undefined,
  ): void {
    const segment = stretch.number * RESULTS_OF_A_STRETCH + finals;
    this.#listener.heard({ segment, text, final, startMs, endMs, ...(words === undefined ? {} : { words }) });
  }

  /** Everything of a stretch is out; one that Google ended by itself goes on in another stream. */
  #ended(open: Open): void {
    this.#calls.delete(open);
    if (this.#open === open || open.unsure) {
      this.#lost(undefined);
      return;
    }
    open.stretch.done = true;
    this.#answer();
  }

  #answer(): void {
    const { settledMs, answeredMs } = this.#stretches.takeDone();
    if (settledMs !== undefined) this.#listener.settled(settledMs);
    if (answeredMs !== undefined) this.#listener.flushed(answeredMs);
  }

  #lost(error: ServiceError | undefined): void {
    const kind = KINDS.get(error?.code ?? status.UNAVAILABLE) ?? "unavailable";
    // A token that was taken before has run out, and the next connection brings another.
    const lapsed = error?.code === status.UNAUTHENTICATED && this.#answeredOnce;
    this.#fail(lapsed ? "unavailable" : kind, `ended the stream (${error?.code ?? "early"})`);
  }

  #fail(kind: ProviderErrorKind, what: string, cause?: Error): void {
    if (this.#over) return;
    this.close();
    this.#listener.lost(new ProviderError("google", kind, `${what} (${this.#parts.request.advice[kind]})`, cause));
  }
}

/** Only what an operator has to mend is told apart; the rest may be better a moment later. */
const KINDS: ReadonlyMap<number, ProviderErrorKind> = new Map([
  [status.UNAUTHENTICATED, "auth"],
  [status.PERMISSION_DENIED, "auth"],
  [status.RESOURCE_EXHAUSTED, "rate-limited"],
  [status.INVALID_ARGUMENT, "rejected"],
  [status.NOT_FOUND, "rejected"],
  [status.FAILED_PRECONDITION, "rejected"],
  [status.UNIMPLEMENTED, "rejected"],
  [status.DEADLINE_EXCEEDED, "timeout"],
]);

const ENCODINGS = { mulaw: "MULAW", alaw: "ALAW", linear16: "LINEAR16" } as const;

const configOf = (
  { request: { recognizer, model } }: GoogleParts,
  { language, keywords }: TranscriberHints,
  { encoding, sampleRate }: AudioFormat,
): RecognizeRequest => {
  const phrases = fitting(keywords, PHRASE_LIMITS).map((value) => ({ value }));
  return {
    recognizer,
    streamingConfig: {
      config: {
        explicitDecodingConfig: {
          encoding: ENCODINGS[encoding],
          sampleRateHertz: sampleRate,
          audioChannelCount: 1,
        },
        model,
        languageCodes: [languageCode(language)],
        features: { enableWordTimeOffsets: true, enableAutomaticPunctuation: true },
        ...(phrases.length === 0 ? {} : { adaptation: { phraseSets: [{ inlinePhraseSet: { phrases } }] } }),
      },
      streamingFeatures: { interimResults: true },
    },
  };
};

const millisecondsIn = (duration: Duration): number =>
  (duration?.seconds ?? 0) * 1000 + (duration?.nanos ?? 0) / 1_000_000;
