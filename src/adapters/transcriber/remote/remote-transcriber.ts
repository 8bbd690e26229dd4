import type { AudioFormat } from "../../../model/audio.ts";
import type { AdapterDeps } from "../../../ports/descriptor.ts";
import type {
  Transcriber,
  TranscriberHints,
  TranscriberListener,
  TranscriberStream,
} from "../../../ports/transcriber.ts";
import { HEARING_RATE } from "../../../ports/vad.ts";
import { RemoteStream } from "./remote-stream.ts";
import type { OpenWire, WireStyle } from "./wire.ts";

export type RemoteVendor = Readonly<{
  name: string;
  /** See {@link Transcriber.finalMs}. */
  finalMs: number;
  style: WireStyle;
  supports(language: string): boolean;
  /** Whether the vendor takes a line's own format. */
  takes(format: AudioFormat): boolean;
  openWire: OpenWire;
  /** Lets go of what the connections share. */
  close?(): void;
}>;

/** A vendor as a transcriber: one connection for each stream. */
export class RemoteTranscriber implements Transcriber {
  readonly name: string;
  readonly finalMs: number;
  readonly #vendor: RemoteVendor;
  readonly #deps: Pick<AdapterDeps, "clock" | "random" | "logger" | "metrics">;
  readonly #streams = new Set<RemoteStream>();
  #closed = false;

  constructor(vendor: RemoteVendor, deps: Pick<AdapterDeps, "clock" | "random" | "logger" | "metrics">) {
    this.name = vendor.name;
    this.finalMs = vendor.finalMs;
    this.#vendor = vendor;
    this.#deps = deps;
  }

  supports(language: string): boolean {
    return this.#vendor.supports(language);
  }

  open(hints: TranscriberHints, listener: TranscriberListener): TranscriberStream {
    const { clock, random, logger, metrics } = this.#deps;
    const { name: provider, style, openWire, takes } = this.#vendor;
    const stream = new RemoteStream(
      {
        provider,
        clock,
        random,
        style,
        format: takes(hints.lineFormat) ? hints.lineFormat : { encoding: "linear16", sampleRate: HEARING_RATE },
        openWire,
        broke: (error) => {
          logger.warn("a transcriber's connection broke; its sound is sent again", { provider, error });
          metrics.providerError("transcriber", provider);
        },
        closed: (one) => {
          this.#streams.delete(one);
        },
      },
      hints,
      listener,
    );
    if (this.#closed) stream.close();
    else this.#streams.add(stream);
    return stream;
  }

  close(): Promise<void> {
    this.#closed = true;
    for (const stream of this.#streams) stream.close();
    this.#vendor.close?.();
    return Promise.resolve();
  }
}
