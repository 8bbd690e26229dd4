import type { ClientDuplexStream } from "@grpc/grpc-js";
import type { SynthesizeRequest } from "../../../grpc/generated/callengine/models/v1/SynthesizeRequest.ts";
import type { SynthesizeResponse__Output } from "../../../grpc/generated/callengine/models/v1/SynthesizeResponse.ts";
import { cancelCall } from "../../../grpc/cancel-call.ts";
import { toWireFormat } from "../../../grpc/formats.ts";
import { MODEL_SERVER, type ModelServerConnection } from "../../../grpc/model-server.ts";
import { providerFailure } from "../../../grpc/provider-failure.ts";
import { written } from "../../../grpc/writing.ts";
import { toError } from "../../../kit/errors.ts";
import { sameFormat, type AudioFormat } from "../../../model/audio.ts";
import type { Voice } from "../../../model/voice.ts";
import { ProviderError } from "../../../ports/provider-error.ts";
import type { SpeechSynthesizer, SpokenChunk, VoiceSettings } from "../../../ports/synthesizer.ts";

export type Offer = Readonly<{
  voices: readonly Voice[];
  /** At least one. */
  formats: readonly AudioFormat[];
  supports(language: string): boolean;
  firstAudioDeadlineMs: number;
}>;

/** The voice that was asked for is not one of the server's. */
export class UnknownVoice extends Error {
  override readonly name = "UnknownVoice";
}

/** The longest answer of an agent; silence is noticed by deadlines of the call's own. */
const ANSWER_MS = 900_000;

type Stream = ClientDuplexStream<SynthesizeRequest, SynthesizeResponse__Output>;

/** The voices of a model server: one stream for each answer, pieces in and sound out at the same time. */
export class ModelServerSynthesizer implements SpeechSynthesizer {
  readonly name = MODEL_SERVER;
  readonly voices: readonly Voice[];
  readonly firstAudioDeadlineMs: number;
  readonly #connection: ModelServerConnection;
  readonly #offer: Offer;
  #closing: Promise<void> | undefined;

  constructor(connection: ModelServerConnection, offer: Offer) {
    this.#connection = connection;
    this.#offer = offer;
    this.voices = offer.voices;
    this.firstAudioDeadlineMs = offer.firstAudioDeadlineMs;
  }

  supports(language: string): boolean {
    return this.#offer.supports(language);
  }

  formatFor(line: AudioFormat): AudioFormat {
    const { formats } = this.#offer;
    return formats.find((format) => sameFormat(format, line)) ?? (formats[0] as AudioFormat);
  }

  async *synthesize(
    pieces: AsyncIterable<string>,
    voice: VoiceSettings,
    line: AudioFormat,
    signal: AbortSignal,
  ): AsyncGenerator<SpokenChunk, void, undefined> {
    const isOver = () => signal.aborted;
    const isClosed = () => this.#connection.closed;
    if (isOver()) return;
    if (isClosed()) throw new ProviderError(this.name, "unavailable", "the synthesizer is closed");
    if (!this.voices.some(({ id }) => id === voice.voiceId))
      throw new UnknownVoice(`${this.name} has no voice ${voice.voiceId}; GET /voices lists what it has`);
    const call = this.#open();
    const cancel = () => cancelCall(call);
    signal.addEventListener("abort", cancel, { once: true });
    const feeding = new Feeding(call, pieces);
    try {
      void feeding.run({ ...voice, format: this.formatFor(line) });
      for await (const answer of call) {
        yield chunkOf(answer as SynthesizeResponse__Output);
        if (isOver()) return;
      }
      if (feeding.failure !== undefined) throw feeding.failure;
    } catch (error) {
      if (feeding.failure !== undefined) throw feeding.failure;
      if (isOver()) return;
      throw isClosed()
        ? new ProviderError(this.name, "unavailable", "the synthesizer was closed", error)
        : providerFailure(this.name, error);
    } finally {
      signal.removeEventListener("abort", cancel);
      cancelCall(call);
      feeding.stop();
    }
  }

  close(): Promise<void> {
    this.#closing ??= Promise.resolve(this.#connection.close());
    return this.#closing;
  }

  #open(): Stream {
    const { client } = this.#connection;
    const call = client.Synthesize(this.#connection.metadata(), { deadline: this.#connection.deadline(ANSWER_MS) });
    return this.#connection.keep(call);
  }
}

/** Writes pieces as they come and as the server takes them; the sound tells whoever reads it how it went. */
class Feeding {
  /** What broke on the side of the text. */
  failure: Error | undefined;
  readonly #call: Stream;
  readonly #pieces: AsyncIterator<string>;
  #stopped = false;

  constructor(call: Stream, pieces: AsyncIterable<string>) {
    this.#call = call;
    this.#pieces = pieces[Symbol.asyncIterator]();
  }

  async run({ voiceId, language, options, format }: VoiceSettings & Readonly<{ format: AudioFormat }>): Promise<void> {
    try {
      const open = { voiceId, language, options: { ...options }, format: toWireFormat(format) };
      await written(this.#call, { open });
      for (let next = await this.#pieces.next(); next.done !== true; next = await this.#pieces.next()) {
        if (this.#stopped) return;
        await written(this.#call, { piece: next.value.toWellFormed() });
      }
      this.#call.end();
    } catch (error) {
      if (this.#stopped) return;
      this.failure = toError(error);
      cancelCall(this.#call);
    }
  }

  /** Nobody reads any more: lets go of the text, which may be waited for. */
  stop(): void {
    this.#stopped = true;
    void this.#pieces.return?.().catch(() => undefined);
  }
}

const chunkOf = ({ audio, words, endOfPiece }: SynthesizeResponse__Output): SpokenChunk => ({
  audio,
  ...(words.length === 0 ? {} : { words: words.map(({ text, startMs, endMs }) => ({ text, startMs, endMs })) }),
  ...(endOfPiece ? { endOfPiece } : {}),
});
