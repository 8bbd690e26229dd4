import { SoundBuffer } from "../audio/sound-buffer.ts";
import { bytesOf, FRAME_MS, millisecondsOf, type AudioFormat } from "../model/audio.ts";
import type { TranscriberStream } from "../ports/transcriber.ts";

/** A turn that is longer than this is replayed from so far back; in milliseconds. */
const MEMORY_MS = 30_000;

/** A detector's word on speech is late by up to 300 ms; soft consonants before it need some more. */
const PRE_ROLL_MS = 500;

/** Words of a detector in one turn that are kept; a turn has one or two for each pause. */
const MOST_MARKS = 200;

type Mark = Readonly<{ at: number; change: "started" | "ended"; atMs: number }>;

/**
 * The sound of the present turn with what a detector said of it, so that another transcriber can hear it from its beginning. Times are
 * milliseconds of all sound that was pushed.
 */
export class TurnReplay {
  readonly #format: AudioFormat;
  readonly #sound: SoundBuffer;
  #marks: Mark[] = [];
  /** Where the turn begins, in bytes. */
  #from = 0;

  constructor(format: AudioFormat) {
    this.#format = format;
    this.#sound = new SoundBuffer(bytesOf(format, MEMORY_MS));
  }

  /** How much was pushed, in milliseconds. */
  get pushedMs(): number {
    return millisecondsOf(this.#format, this.#sound.end);
  }

  /** Where a replay would begin, in milliseconds of all that was pushed. */
  get fromMs(): number {
    return millisecondsOf(this.#format, Math.max(this.#from, this.#sound.start));
  }

  push(payload: Uint8Array): void {
    this.#sound.append(payload);
  }

  speech(change: "started" | "ended", atMs: number): void {
    if (change === "started" && this.#marks.length === 0) this.startAt(atMs - PRE_ROLL_MS);
    if (this.#marks.length < MOST_MARKS) this.#marks.push({ at: this.#sound.end, change, atMs });
  }

  /** The turn begins here, or later; what a final text tells already, or nobody spoke in, need not be heard again. */
  startAt(ms: number): void {
    const at = this.#aligned(bytesOf(this.#format, Math.max(0, ms)));
    this.#from = Math.min(this.#sound.end, Math.max(this.#from, at));
    const before = this.#marks.filter((mark) => mark.at <= this.#from);
    const after = this.#marks.filter((mark) => mark.at > this.#from);
    // Somebody who was speaking there still is.
    const last = before.at(-1);
    this.#marks = last?.change === "started" ? [{ ...last, at: this.#from }, ...after] : after;
  }

  /** The turn was taken: the next one begins now, or where the speech began that is under way. */
  turnTaken(): void {
    const last = this.#marks.at(-1);
    const speaking = last?.change === "started" ? last.atMs - PRE_ROLL_MS : Infinity;
    this.startAt(Math.min(this.pushedMs, speaking));
  }

  /** Pushes the turn into a stream that is fed by `push`, with the detector's words at their places. */
  into(stream: Pick<TranscriberStream, "speech">, push: (payload: Uint8Array) => void): void {
    const { fromMs } = this;
    const frame = bytesOf(this.#format, FRAME_MS);
    let at = Math.max(this.#from, this.#sound.start);
    const pushTo = (to: number) => {
      while (at < to) {
        const end = Math.min(to, at + frame);
        push(this.#sound.read(at, end));
        at = end;
      }
    };
    for (const mark of this.#marks) {
      pushTo(mark.at);
      stream.speech(mark.change, Math.max(0, mark.atMs - fromMs));
    }
    pushTo(this.#sound.end);
  }

  #aligned(position: number): number {
    return this.#format.encoding === "linear16" ? position - (position % 2) : position;
  }
}
