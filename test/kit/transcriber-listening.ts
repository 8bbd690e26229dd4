import { Converter } from "../../src/audio/convert.ts";
import { encodeLinear16 } from "../../src/audio/linear16.ts";
import type { AudioFormat } from "../../src/model/audio.ts";
import type { Clock } from "../../src/ports/clock.ts";
import { withDeadline } from "../../src/ports/clock.ts";
import type { TranscriptEvent, Transcriber, TranscriberStream } from "../../src/ports/transcriber.ts";
import { HEARING_RATE } from "../../src/ports/vad.ts";

/** Everything that a stream said, in order. */
export type Said = Readonly<{ type: "transcript" } & TranscriptEvent> | Readonly<{ type: "flushed" }>;

const TELEPHONE: AudioFormat = { encoding: "mulaw", sampleRate: 8000 };

/** A stream of a transcriber, with what it said so far and means to feed it and to wait for it. */
export class Ear {
  readonly said: Said[] = [];
  readonly failures: Error[] = [];
  readonly stream: TranscriberStream;
  readonly #clock: Clock;
  readonly #converter: Converter;
  #pushedMs = 0;
  #news = Promise.withResolvers<void>();

  constructor(
    transcriber: Transcriber,
    clock: Clock,
    lineFormat: AudioFormat = TELEPHONE,
    keywords: readonly string[] = [],
  ) {
    this.#clock = clock;
    const tell = () => {
      this.#news.resolve();
      this.#news = Promise.withResolvers();
    };
    this.stream = transcriber.open(
      { language: "en-US", keywords, lineFormat },
      {
        transcript: (event) => {
          this.said.push({ type: "transcript", ...event });
          tell();
        },
        flushed: () => {
          this.said.push({ type: "flushed" });
          tell();
        },
        failed: (error) => {
          this.failures.push(error);
          tell();
        },
      },
    );
    this.#converter = new Converter({ encoding: "linear16", sampleRate: HEARING_RATE }, this.stream.format);
  }

  get pushedMs(): number {
    return this.#pushedMs;
  }

  /** Texts by utterance as they stand now, in the order of their numbers. */
  get texts(): readonly string[] {
    const texts = new Map<number, string>();
    for (const each of this.said) if (each.type === "transcript") texts.set(each.utterance, each.text);
    return [...texts].toSorted(([a], [b]) => a - b).map(([, text]) => text);
  }

  /** Pushes sound of 16 kHz in frames of 20 ms, at once. */
  hear(sound: Int16Array): void {
    const frame = HEARING_RATE / 50;
    for (let at = 0; at < sound.length; at += frame) {
      const piece = sound.slice(at, at + frame);
      this.stream.push(this.#converter.convert(encodeLinear16(piece)));
      this.#pushedMs += piece.length / (HEARING_RATE / 1000);
    }
  }

  /** Pushes speech with the word of a detector that is 120 ms late at its begin and 200 ms at its end. */
  hearSpeech(speech: Int16Array, silenceAfter: Int16Array): void {
    const onsetMs = this.#pushedMs;
    const late = 120 * (HEARING_RATE / 1000);
    this.hear(speech.subarray(0, late));
    this.stream.speech("started", onsetMs + 100);
    this.hear(speech.subarray(late));
    const endMs = this.#pushedMs;
    this.hear(silenceAfter.subarray(0, 200 * (HEARING_RATE / 1000)));
    this.stream.speech("ended", endMs);
    this.hear(silenceAfter.subarray(200 * (HEARING_RATE / 1000)));
  }

  /** Waits until what was said so far satisfies `condition`; rejects when the stream fails or after ten seconds. */
  async until(condition: (said: readonly Said[]) => boolean): Promise<void> {
    for (;;) {
      const [failure] = this.failures;
      if (failure !== undefined) throw failure;
      if (condition(this.said)) return;
      await withDeadline(this.#clock, 10_000, "waiting for the transcriber", this.#news.promise);
    }
  }

  /** Asks for the final text and waits for the answer. */
  async finalize(): Promise<void> {
    const answered = this.#flushes() + 1;
    this.stream.finalize();
    await this.until(() => this.#flushes() >= answered);
  }

  close(): void {
    this.stream.close();
    this.#converter.close();
  }

  #flushes(): number {
    return this.said.filter((each) => each.type === "flushed").length;
  }
}
