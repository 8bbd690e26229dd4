import type { ClientDuplexStream } from "@grpc/grpc-js";
import type { TranscribeRequest } from "../../../grpc/generated/callengine/models/v1/TranscribeRequest.ts";
import type { TranscribeResponse__Output } from "../../../grpc/generated/callengine/models/v1/TranscribeResponse.ts";
import type { Transcript__Output } from "../../../grpc/generated/callengine/models/v1/Transcript.ts";
import { cancelCall } from "../../../grpc/cancel-call.ts";
import { fromWireWords, toWireFormat } from "../../../grpc/formats.ts";
import { MODEL_SERVER, type ModelServerConnection } from "../../../grpc/model-server.ts";
import { providerFailure } from "../../../grpc/provider-failure.ts";
import type { AudioFormat } from "../../../model/audio.ts";
import { ProviderError } from "../../../ports/provider-error.ts";
import type { TranscriberHints } from "../../../ports/transcriber.ts";
import type { Wire, WireListener } from "../remote/wire.ts";

/** Longer than any call. */
const STREAM_MS = 25 * 3_600_000;

/** As many keywords as the protocol allows. */
const MOST_KEYWORDS = 500;

/** One Transcribe stream. Its times count from its own first sound, which after a break is not the first of the call. */
export class ModelServerWire implements Wire {
  readonly #call: ClientDuplexStream<TranscribeRequest, TranscribeResponse__Output>;
  readonly #listener: WireListener;
  readonly #finalizing: number[] = [];
  #fromMs: number | undefined;
  #waiting = 0;
  #closed = false;

  constructor(
    connection: ModelServerConnection,
    { language, keywords }: TranscriberHints,
    format: AudioFormat,
    listener: WireListener,
  ) {
    this.#listener = listener;
    this.#call = connection.keep(
      connection.client.Transcribe(connection.metadata(), { deadline: connection.deadline(STREAM_MS) }),
    );
    this.#call.on("data", (answer: TranscribeResponse__Output) => {
      if (!this.#closed) this.#read(answer);
    });
    this.#call.on("error", (error) => {
      this.#lost(providerFailure(MODEL_SERVER, error));
    });
    this.#call.on("end", () => {
      this.#lost(new ProviderError(MODEL_SERVER, "unavailable", "the model server ended a stream that was not over"));
    });
    const known = keywords.slice(0, MOST_KEYWORDS).map((keyword) => keyword.toWellFormed());
    this.#call.write({ open: { language, keywords: known, format: toWireFormat(format) } });
    // Servers need not say anything before they have heard something; what is written meanwhile waits in the stream.
    queueMicrotask(() => {
      if (!this.#closed) listener.ready();
    });
  }

  get waitingBytes(): number {
    return this.#waiting;
  }

  send(sound: Uint8Array, fromMs: number): void {
    this.#fromMs ??= fromMs;
    this.#waiting += sound.length;
    this.#write({ audio: sound }, () => {
      this.#waiting -= sound.length;
    });
  }

  /** The detector's word; of no use to a stream that has had no sound yet. */
  speech(change: "started" | "ended", atMs: number): void {
    if (this.#fromMs === undefined) return;
    this.#write({ speech: { speaking: change === "started", atMs: Math.max(0, Math.round(atMs - this.#fromMs)) } });
  }

  finalize(toMs: number): void {
    this.#finalizing.push(toMs);
    this.#write({ finalize: {} });
  }

  endTurn(): void {
    this.#write({ endTurn: {} });
  }

  /** The connection asks for the server's health while the stream is open. */
  keepAlive(): void {
    // Nothing is left to do.
  }

  close(): void {
    this.#closed = true;
    cancelCall(this.#call);
  }

  #write(request: TranscribeRequest, done?: () => void): void {
    if (!this.#closed) this.#call.write(request, done);
  }

  #lost(error: ProviderError): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#listener.lost(error);
  }

  #read({ transcript, flushed, turnJudged }: TranscribeResponse__Output): void {
    if (transcript) this.#heard(transcript);
    if (flushed) {
      const toMs = this.#finalizing.shift();
      if (toMs === undefined) {
        cancelCall(this.#call);
        this.#lost(new ProviderError(MODEL_SERVER, "unavailable", "the model server answered a question nobody asked"));
        return;
      }
      this.#listener.settled(toMs);
      this.#listener.flushed(toMs);
    }
    if (turnJudged && turnJudged.probability >= 0 && turnJudged.probability <= 1)
      this.#listener.turnJudged(turnJudged.probability);
  }

  #heard({ utterance, text, final, startMs, endMs, words }: Transcript__Output): void {
    const from = this.#fromMs ?? 0;
    const timed = fromWireWords(words, from);
    this.#listener.heard({
      segment: utterance,
      text,
      final,
      startMs: from + startMs,
      endMs: from + endMs,
      ...(timed === undefined ? {} : { words: timed }),
    });
  }
}
