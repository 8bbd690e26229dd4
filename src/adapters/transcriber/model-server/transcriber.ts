import { commonFormats, coversLanguage, offersFormat } from "../../../grpc/formats.ts";
import { MODEL_SERVER } from "../../../grpc/model-server.ts";
import type { ModelServers, OfferOf } from "../../../grpc/model-servers.ts";
import { sameFormat, type AudioFormat } from "../../../model/audio.ts";
import type { AdapterDeps } from "../../../ports/descriptor.ts";
import { ProviderError } from "../../../ports/provider-error.ts";
import type {
  Transcriber,
  TranscriberHints,
  TranscriberListener,
  TranscriberStream,
} from "../../../ports/transcriber.ts";
import { HEARING_RATE } from "../../../ports/vad.ts";
import { RemoteStream } from "../remote/remote-stream.ts";
import { ModelServerWire } from "./grpc-wire.ts";

type Deps = Pick<AdapterDeps, "clock" | "random" | "logger" | "metrics">;

/** Sound goes out as it comes from the line, since the server is near and asks no price by message. */
const STYLE = { chunkMs: 20, leastMs: 0, speechOnly: false };

/** What a server that does not say is expected to take for its final words, in milliseconds. */
const USUAL_FINAL_MS = 300;

/** What every server takes. */
const USUAL_FORMAT: AudioFormat = { encoding: "linear16", sampleRate: HEARING_RATE };

type Servers = ModelServers<"transcriber">;

/**
 * Model servers that hear: one stream for each party; after a break the sound of the unfinished turn is sent again, to another server where
 * there is one.
 */
export class ModelServerTranscriber implements Transcriber {
  readonly name = MODEL_SERVER;
  readonly finalMs: number;
  readonly #servers: Servers;
  readonly #deps: Deps;
  /** Besides the usual one. */
  readonly #formats: readonly AudioFormat[];
  readonly #streams = new Set<RemoteStream>();

  constructor(servers: Servers, deps: Deps) {
    this.#servers = servers;
    this.#deps = deps;
    this.#formats = commonFormats(servers.offers.map(({ formats }) => formats));
    this.finalMs = Math.max(...servers.offers.map(({ finalMs }) => finalMs)) || USUAL_FINAL_MS;
  }

  supports(language: string): boolean {
    return this.#servers.offers.some((offer) => hears(offer, language));
  }

  open(hints: TranscriberHints, listener: TranscriberListener): TranscriberStream {
    if (this.#servers.closed) throw new ProviderError(this.name, "unavailable", "the transcriber is closed");
    const { logger, metrics } = this.#deps;
    let wire: ModelServerWire | undefined;
    const format = this.#formatFor(hints.lineFormat);
    const can = (offer: OfferOf<"transcriber">) =>
      hears(offer, hints.language) && (sameFormat(format, USUAL_FORMAT) || offersFormat(offer.formats, format));
    const stream = new RemoteStream(
      {
        ...this.#deps,
        provider: this.name,
        style: STYLE,
        format,
        openWire: (_hints, _format, wireListener) =>
          (wire = new ModelServerWire(this.#servers.candidates(can)[0], hints, format, wireListener)),
        broke: (error) => {
          logger.warn("a transcriber's connection broke; its sound is sent again", { provider: this.name, error });
          metrics.providerError("transcriber", this.name);
        },
        closed: (one) => {
          this.#streams.delete(one);
        },
      },
      hints,
      listener,
    );
    this.#streams.add(stream);
    return {
      format: stream.format,
      push: (payload) => stream.push(payload),
      speech: (change, atMs) => {
        stream.speech(change, atMs);
        wire?.speech(change, atMs);
      },
      finalize: () => stream.finalize(),
      endTurn: () => stream.endTurn(),
      close: () => stream.close(),
    };
  }

  async close(): Promise<void> {
    for (const stream of this.#streams) stream.close();
    this.#servers.close();
  }

  #formatFor(line: AudioFormat): AudioFormat {
    return this.#formats.some((format) => sameFormat(format, line)) ? line : USUAL_FORMAT;
  }
}

const hears = ({ languages }: OfferOf<"transcriber">, language: string): boolean => coversLanguage(languages, language);
