import { Converter, encodeSamples } from "../audio/convert.ts";
import { encodeLinear16 } from "../audio/linear16.ts";
import { sameFormat, type AudioFormat } from "../model/audio.ts";
import type { Transcriber, TranscriberHints, TranscriptEvent } from "../ports/transcriber.ts";
import { HEARING_RATE } from "../ports/vad.ts";
import { eventLater } from "./later.ts";

export type EarDeps = Readonly<{
  transcriber: Transcriber;
  hints: TranscriberHints;
  /** How much of the line's sound was taken in before, in milliseconds. */
  openedMs: number;
  /** The highest utterance before: engines count anew in every stream, and for the call the numbers go on. */
  utterancesBefore: number;
  /** Times are milliseconds of the line's sound. */
  transcript(event: TranscriptEvent): void;
  flushed(): void;
  /** The transcriber's own judgement of whether the turn is over, 0 to 1, where it has one. */
  turnJudged(probability: number): void;
  failed(error: Error): void;
}>;

/** A transcriber's stream on the line's own timeline. Nothing is reported after `close`. */
export class Ear {
  readonly #deps: EarDeps;
  readonly #stream: ReturnType<Transcriber["open"]>;
  readonly #feed: Feeding;
  #open = true;
  #asked = false;

  constructor(deps: EarDeps) {
    const { transcriber, hints, openedMs, utterancesBefore } = deps;
    this.#deps = deps;
    this.#stream = transcriber.open(hints, {
      transcript: (event) => {
        if (!this.#open) return;
        deps.transcript({ ...eventLater(event, openedMs), utterance: utterancesBefore + event.utterance });
      },
      flushed: () => {
        if (!this.#open) return;
        this.#asked = false;
        deps.flushed();
      },
      turnJudged: (probability) => {
        if (this.#open) deps.turnJudged(probability);
      },
      failed: (error) => {
        if (this.#open) deps.failed(error);
      },
    });
    this.#feed = feeding(hints.lineFormat, this.#stream.format);
  }

  /** Whether final words were asked for that have not come. */
  get asked(): boolean {
    return this.#asked;
  }

  /** The same sound thrice: at the line's rate, at the detector's, and as it came, when it came. */
  push(samples: Int16Array, resampled: Int16Array, payload: Uint8Array | undefined): void {
    const feed = this.#feed;
    if (feed.wants === "line") this.#stream.push(payload ?? encodeSamples(feed.format.encoding, samples));
    else if (feed.wants === "hearing") this.#stream.push(encodeLinear16(resampled));
    else this.#stream.push(feed.converter.convert(encodeLinear16(samples)));
  }

  speech(change: "started" | "ended", lineMs: number): void {
    this.#stream.speech(change, Math.max(0, lineMs - this.#deps.openedMs));
  }

  finalize(): void {
    this.#asked = true;
    this.#stream.finalize();
  }

  endTurn(): void {
    this.#stream.endTurn();
  }

  close(): void {
    this.#open = false;
    this.#stream.close();
    if (this.#feed.wants === "other") this.#feed.converter.close();
  }
}

/** What the transcriber is given: the line's own bytes, what the detector gets, or something made for it. */
type Feeding =
  | Readonly<{ wants: "line"; format: AudioFormat }>
  | Readonly<{ wants: "hearing" }>
  | Readonly<{ wants: "other"; converter: Converter }>;

const feeding = (line: AudioFormat, wanted: AudioFormat): Feeding => {
  if (sameFormat(line, wanted)) return { wants: "line", format: line };
  if (wanted.encoding === "linear16" && wanted.sampleRate === HEARING_RATE) return { wants: "hearing" };
  return {
    wants: "other",
    converter: new Converter({ encoding: "linear16", sampleRate: line.sampleRate }, wanted),
  };
};
