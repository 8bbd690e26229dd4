import { MODEL_SERVER, type ModelServerConnection } from "../../../grpc/model-server.ts";
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

export type Offer = Readonly<{
  /** 0: unknown. */
  finalMs: number;
  /** Besides linear16 at 16 kHz. */
  formats: readonly AudioFormat[];
  supports(language: string): boolean;
}>;

type Deps = Pick<AdapterDeps, "clock" | "random" | "logger" | "metrics">;

/** Sound goes out as it comes from the line, since the server is near and asks no price by message. */
const STYLE = { chunkMs: 20, leastMs: 0, speechOnly: false };

/** What a server that does not say is expected to take for its final words, in milliseconds. */
const USUAL_FINAL_MS = 300;

/** A model server that hears: one stream for each party; after a break the sound of the unfinished turn is sent again. */
export class ModelServerTranscriber implements Transcriber {
  readonly name = MODEL_SERVER;
  readonly finalMs: number;
  readonly #connection: ModelServerConnection;
  readonly #deps: Deps;
  readonly #offer: Offer;
  readonly #streams = new Set<RemoteStream>();

  constructor(connection: ModelServerConnection, deps: Deps, offer: Offer) {
    this.#connection = connection;
    this.#deps = deps;
    this.#offer = offer;
    this.finalMs = offer.finalMs || USUAL_FINAL_MS;
  }

  supports(language: string): boolean {
    return this.#offer.supports(language);
  }

  open(hints: TranscriberHints, listener: TranscriberListener): TranscriberStream {
    if (this.#connection.closed) throw new ProviderError(this.name, "unavailable", "the transcriber is closed");
    const { logger, metrics } = this.#deps;
    let wire: ModelServerWire | undefined;
    const stream = new RemoteStream(
      {
        ...this.#deps,
        provider: this.name,
        style: STYLE,
        format: this.#formatFor(hints.lineFormat),
        openWire: (_, format, wireListener) =>
          (wire = new ModelServerWire(this.#connection, hints, format, wireListener)),
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
    this.#connection.close();
  }

  #formatFor(line: AudioFormat): AudioFormat {
    return this.#offer.formats.some((format) => sameFormat(format, line))
      ? line
      : { encoding: "linear16", sampleRate: HEARING_RATE };
  }
}
