import { SystemClock } from "../../../src/adapters/clock/system.ts";
import { sleep } from "../../../src/ports/clock.ts";
import { ProviderError } from "../../../src/ports/provider-error.ts";
import type { TranscriptEvent, Transcriber, TranscriberStream } from "../../../src/ports/transcriber.ts";
import type { VirtualClock } from "../virtual-clock.ts";
import { quietBytes, sayBytes } from "./spoken-bytes.ts";

const LINE = { encoding: "mulaw", sampleRate: 8000 } as const;

/** Lets time pass in small steps, and the network do its work in between. */
export const until = async (clock: VirtualClock, condition: () => boolean): Promise<void> => {
  while (!condition()) {
    await clock.advance(50);
    await sleep(new SystemClock(), 1);
  }
};

/** A stream and what it said. */
export class VendorListener {
  readonly events: TranscriptEvent[] = [];
  readonly failures: Error[] = [];
  readonly stream: TranscriberStream;
  pushedMs = 0;
  #flushes = 0;
  #news = Promise.withResolvers<void>();

  constructor(transcriber: Transcriber, keywords: readonly string[]) {
    const tell = () => {
      this.#news.resolve();
      this.#news = Promise.withResolvers();
    };
    this.stream = transcriber.open(
      { language: "en-US", keywords, lineFormat: LINE },
      {
        transcript: (event) => {
          this.events.push(event);
          tell();
        },
        flushed: () => {
          this.#flushes += 1;
          tell();
        },
        failed: (error) => {
          this.failures.push(error);
          tell();
        },
      },
    );
  }

  /** The utterances as they stand, in the order of their numbers. */
  get text(): string {
    const texts = new Map(this.events.map(({ utterance, text }) => [utterance, text]));
    return [...texts]
      .toSorted(([a], [b]) => a - b)
      .map(([, text]) => text)
      .join(" ");
  }

  get last(): TranscriptEvent {
    const event = this.events.at(-1);
    if (event === undefined) throw new Error("nothing was said");
    return event;
  }

  get failure(): ProviderError {
    const [failure] = this.failures;
    if (failure instanceof ProviderError) return failure;
    throw failure ?? new Error("nothing failed");
  }

  push(sound: Uint8Array): void {
    for (let at = 0; at < sound.length; at += 160) this.stream.push(sound.subarray(at, at + 160));
    this.pushedMs += sound.length / 8;
  }

  /** Silence, and the beginning of speech, which a detector notices 120 ms late. */
  begin(before: Uint8Array, ...words: readonly string[]): void {
    this.push(before);
    const onsetMs = this.pushedMs;
    const sound = sayBytes(...words);
    this.push(sound.subarray(0, 120 * 8));
    this.stream.speech("started", onsetMs);
    this.push(sound.subarray(120 * 8));
  }

  go(...words: readonly string[]): void {
    this.push(sayBytes(...words));
  }

  /** The end of speech, which a detector is sure of 160 ms later. */
  end(): void {
    const lastMs = this.pushedMs;
    this.push(quietBytes(160));
    this.stream.speech("ended", lastMs);
  }

  say(before: Uint8Array, ...words: readonly string[]): void {
    this.begin(before, ...words);
    this.end();
  }

  async finalize(): Promise<void> {
    const answered = this.#flushes + 1;
    this.stream.finalize();
    await this.until(() => this.#flushes >= answered);
  }

  async until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      if (this.failures.length > 0) throw this.failure;
      await this.#news.promise;
    }
  }
}
