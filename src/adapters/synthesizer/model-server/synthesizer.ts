import type { ClientDuplexStream } from "@grpc/grpc-js";
import { cancelCall } from "../../../grpc/cancel-call.ts";
import { commonFormats, coversLanguage, fromWireWords, offersFormat, toWireFormat } from "../../../grpc/formats.ts";
import type { SynthesizeRequest } from "../../../grpc/generated/callengine/models/v1/SynthesizeRequest.ts";
import type { SynthesizeResponse__Output } from "../../../grpc/generated/callengine/models/v1/SynthesizeResponse.ts";
import { MODEL_SERVER, type ModelServerConnection } from "../../../grpc/model-server.ts";
import { fromFirst, type ModelServers } from "../../../grpc/model-servers.ts";
import { fromWireOptions } from "../../../grpc/options.ts";
import { providerFailure } from "../../../grpc/provider-failure.ts";
import { written } from "../../../grpc/writing.ts";
import { toError } from "../../../kit/errors.ts";
import { sameFormat, type AudioFormat } from "../../../model/audio.ts";
import type { Voice } from "../../../model/voice.ts";
import { ProviderError } from "../../../ports/provider-error.ts";
import type { SpeechSynthesizer, SpokenChunk, VoiceSettings } from "../../../ports/synthesizer.ts";
import { PiecesAgain } from "./pieces-again.ts";

/** The voice that was asked for is not one of the server's. */
export class UnknownVoice extends Error {
  override readonly name = "UnknownVoice";
}

/** The longest answer of an agent; silence is noticed by deadlines of the call's own. */
const ANSWER_MS = 900_000;

/** Servers that name no deadline are given what local voices without a network take at most, in milliseconds. */
const USUAL_DEADLINE_MS = 800;

/** As long as a call waits for any voice. */
const LONGEST_DEADLINE_MS = 10_000;

type Stream = ClientDuplexStream<SynthesizeRequest, SynthesizeResponse__Output>;
type Order = VoiceSettings & Readonly<{ format: AudioFormat }>;

/** The voices of model servers: one stream for each answer, pieces in and sound out at the same time. */
export class ModelServerSynthesizer implements SpeechSynthesizer {
  readonly name = MODEL_SERVER;
  readonly voices: readonly Voice[];
  readonly firstAudioDeadlineMs: number;
  readonly #servers: ModelServers<"synthesizer">;
  readonly #formats: readonly AudioFormat[];
  #closing: Promise<void> | undefined;

  constructor(servers: ModelServers<"synthesizer">) {
    const { offers } = servers;
    this.#servers = servers;
    this.#formats = commonFormats(offers.map(({ formats }) => formats));
    this.voices = voicesOf(servers);
    const deadlineMs = Math.max(...offers.map((offer) => offer.firstAudioDeadlineMs)) || USUAL_DEADLINE_MS;
    this.firstAudioDeadlineMs = Math.min(LONGEST_DEADLINE_MS, deadlineMs);
  }

  supports(language: string): boolean {
    return this.#servers.offers.some(({ languages }) => coversLanguage(languages, language));
  }

  formatFor(line: AudioFormat): AudioFormat {
    return this.#formats.find((format) => sameFormat(format, line)) ?? (this.#formats[0] as AudioFormat);
  }

  async *synthesize(
    pieces: AsyncIterable<string>,
    voice: VoiceSettings,
    line: AudioFormat,
    signal: AbortSignal,
  ): AsyncGenerator<SpokenChunk, void, undefined> {
    if (signal.aborted) return;
    if (this.#servers.closed) throw new ProviderError(this.name, "unavailable", "the synthesizer is closed");
    if (!this.voices.some(({ id }) => id === voice.voiceId))
      throw new UnknownVoice(`${this.name} has no voice ${voice.voiceId}; GET /voices lists what it has`);
    const order = { ...voice, format: this.formatFor(line) };
    const able = this.#servers.candidates(
      ({ voices, formats }) => voices.some(({ id }) => id === voice.voiceId) && offersFormat(formats, order.format),
    );
    const again = new PiecesAgain(pieces);
    try {
      yield* fromFirst(able, (server) => this.#speak(server, again, order, signal));
    } finally {
      again.stop();
    }
  }

  close(): Promise<void> {
    this.#closing ??= Promise.resolve(this.#servers.close());
    return this.#closing;
  }

  async *#speak(
    server: ModelServerConnection,
    pieces: PiecesAgain,
    order: Order,
    signal: AbortSignal,
  ): AsyncGenerator<SpokenChunk, void, undefined> {
    const isOver = () => signal.aborted;
    const isClosed = () => this.#servers.closed;
    const call: Stream = server.keep(
      server.client.Synthesize(server.metadata(), { deadline: server.deadline(ANSWER_MS) }),
    );
    const cancel = () => cancelCall(call);
    signal.addEventListener("abort", cancel, { once: true });
    const feeding = new Feeding(call, pieces);
    try {
      void feeding.run(order);
      for await (const answer of call) {
        const chunk = chunkOf(answer as SynthesizeResponse__Output);
        if (chunk.endOfPiece === true) feeding.owed -= 1;
        yield chunk;
        if (isOver()) return;
      }
      if (feeding.failure !== undefined) throw feeding.failure;
      if (!feeding.over || feeding.owed > 0)
        throw new ProviderError(this.name, "unavailable", "the model server ended a stream that was not over");
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
}

/** Writes pieces as they come and as the server takes them; the sound tells whoever reads it how it went. */
class Feeding {
  /** What broke on the side of the text. */
  failure: Error | undefined;
  /** Pieces whose end was not answered yet. */
  owed = 0;
  /** Nothing more will be written. */
  over = false;
  readonly #call: Stream;
  readonly #pieces: PiecesAgain;
  #stopped = false;

  constructor(call: Stream, pieces: PiecesAgain) {
    this.#call = call;
    this.#pieces = pieces;
  }

  async run({ voiceId, language, options, format }: Order): Promise<void> {
    try {
      const open = { voiceId, language, options: { ...options }, format: toWireFormat(format) };
      await written(this.#call, { open });
      for await (const piece of this.#pieces.read()) {
        if (this.#stopped) return;
        this.owed += 1;
        await written(this.#call, { piece: piece.toWellFormed() });
      }
      this.over = true;
      this.#call.end();
    } catch (error) {
      if (this.#stopped) return;
      this.failure = toError(error);
      cancelCall(this.#call);
    }
  }

  /** Nobody reads any more. */
  stop(): void {
    this.#stopped = true;
  }
}

/** Every voice once, as the first server tells it. */
const voicesOf = ({ offers }: ModelServers<"synthesizer">): readonly Voice[] => {
  const offered = offers.flatMap(({ voices }) => voices);
  const byId = new Map(offered.toReversed().map((voice) => [voice.id, voice]));
  return [...new Set(offered.map(({ id }) => id))].flatMap((id) => {
    const voice = byId.get(id);
    if (voice === undefined) return [];
    const { name, description, options } = voice;
    return {
      id,
      name: name === "" ? id : name,
      voiceType: MODEL_SERVER,
      voiceTier: "STANDARD" as const,
      description,
      voiceOptions: fromWireOptions(options),
    };
  });
};

const chunkOf = ({ audio, words, endOfPiece }: SynthesizeResponse__Output): SpokenChunk => {
  const timed = fromWireWords(words);
  return {
    audio,
    ...(timed === undefined ? {} : { words: timed }),
    ...(endOfPiece ? { endOfPiece } : {}),
  };
};
