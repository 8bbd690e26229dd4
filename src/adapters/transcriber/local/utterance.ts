import { HEARING_RATE } from "../../../ports/vad.ts";
import type { SoundRing } from "../../../audio/sound-ring.ts";

/** A stretch of sound with speech in it, in sample positions; open while the caller speaks. */
export type Span = Readonly<{ from: number; to: number | undefined }>;

/** A text that was decoded with care, and the position up to which it took the utterance's speech in. */
export type Settled = Readonly<{ text: string; contentEnd: number }>;

export const samplesOf = (ms: number): number => Math.round((ms * HEARING_RATE) / 1000);

export const msOf = (samples: number): number => (samples * 1000) / HEARING_RATE;

/**
 * What a caller says until the turn is taken: the stretches of speech, without the long pauses between them, and the text that is
 * known of them. It grows as long as it is open.
 */
export class Utterance {
  readonly number: number;
  readonly startMs: number;
  /** Text of the last event about it; empty when there was none. */
  published = "";
  /** Text of the last quick look, to compare the next with. */
  glanced = "";
  /** How much speech the last quick look took in, in samples. */
  glancedLength = 0;
  settled: Settled | undefined;
  /** Nothing but its final text is wanted any more. */
  closed = false;
  /** Sound up to here has been asked for as final text. */
  finalizedTo: number | undefined;
  #spans: readonly Span[];
  #speechEndMs: number | undefined;

  constructor(number: number, startMs: number, spans: readonly Span[]) {
    this.number = number;
    this.startMs = startMs;
    this.#spans = spans;
  }

  speechStarted(from: number): void {
    const last = this.#spans.at(-1);
    if (last !== undefined && last.to === undefined) return;
    this.#spans = [...this.#spans, { from: Math.max(from, last?.to ?? 0), to: undefined }];
    this.#speechEndMs = undefined;
  }

  speechEnded(to: number, atMs: number | undefined): void {
    const last = this.#spans.at(-1);
    if (last === undefined) return;
    this.#spans = [...this.#spans.slice(0, -1), { from: last.from, to }];
    this.#speechEndMs = atMs;
  }

  /** When the speech ends as far as the sound up to `to` tells; milliseconds of pushed sound. */
  endMsAt(to: number): number {
    return Math.max(this.startMs, this.#speechEndMs ?? msOf(this.contentEndAt(to)));
  }

  /** Position after the last speech before `to`: two moments with the same answer have the same text. */
  contentEndAt(to: number): number {
    const last = this.#before(to).at(-1);
    return last === undefined ? 0 : Math.min(last.to ?? to, to);
  }

  /** Samples of speech up to `to`. */
  lengthAt(to: number): number {
    return this.#before(to).reduce((sum, span) => sum + Math.min(span.to ?? to, to) - span.from, 0);
  }

  /** The speech up to `to`, as far as the ring still has it. */
  soundAt(ring: SoundRing, to: number): Int16Array {
    const sound = new Int16Array(this.lengthAt(to));
    let filled = 0;
    for (const span of this.#before(to)) filled += ring.read(span.from, Math.min(span.to ?? to, to), sound, filled);
    return sound.subarray(0, filled);
  }

  /** The last stretch of speech. */
  get lastSpan(): Span | undefined {
    return this.#spans.at(-1);
  }

  get spanCount(): number {
    return this.#spans.length;
  }

  /** Takes off what lies after `position` and answers it. */
  splitAt(position: number): readonly Span[] {
    const rest = this.#spans
      .filter((span) => (span.to ?? Infinity) > position)
      .map((span) => ({ from: Math.max(span.from, position), to: span.to }));
    this.#spans = this.#before(position).map((span) => ({
      from: span.from,
      to: Math.min(span.to ?? position, position),
    }));
    return rest;
  }

  /** Position after the last stretch of speech that has ended; 0 when none has. */
  get speechEnd(): number {
    return this.#spans.findLast((span) => span.to !== undefined)?.to ?? 0;
  }

  #before(to: number): readonly Span[] {
    return this.#spans.filter((span) => span.from < to);
  }
}
