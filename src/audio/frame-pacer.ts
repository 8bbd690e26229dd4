import { FRAME_MS } from "../model/audio.ts";
import type { Clock, Timer } from "../ports/clock.ts";

/** A frame of speech may be late by so many turns; its place is kept free, since silence would tear the word. */
const MOST_LATE = 3;

/** Once the process stood still for longer, what was not sent is left out instead of sent in a heap. */
const MOST_LAG_MS = 200;

/** Speech that is given far ahead of its time is not kept: half a second. */
const MOST_QUEUED = 25;

export type FramePacerParts<Frame> = Readonly<{
  clock: Clock;
  /** A frame of silence, as long as all others. */
  silence: Frame;
  /** Sends a frame. `place` counts frames of 20 ms since the start; `fresh` says that sound begins behind silence. */
  put(frame: Frame, place: number, fresh: boolean): void;
  /**
   * Asked before each turn with the frame that it would take: true when the turn was used for something else. The next sound is a
   * new beginning then.
   */
  instead?: ((frame: Frame | undefined, turn: number) => boolean) | undefined;
}>;

/**
 * Sound in any pieces, let out as one frame every 20 ms for peers that play what arrives when it arrives. There is a frame whether there
 * is sound or not: far ends take every unevenness for the network's, and routers close ways on which nothing goes. Turns go by
 * the clock, never by counting timers.
 */
export class FramePacer<Frame extends Uint8Array | Int16Array> {
  readonly #parts: FramePacerParts<Frame>;
  #queue: Frame[] = [];
  /** A frame that is not complete, and whether it has waited for the rest. */
  #part: Frame;
  #filled = 0;
  #waited = false;
  #state: "new" | "open" | "closed" = "new";
  #startMs = 0;
  /** Which frame's time it is, and for which time the last sound was sent; counted from the start. */
  #turn = 0;
  #place = -1;
  #speaking = false;
  #timer: Timer | undefined;

  constructor(parts: FramePacerParts<Frame>) {
    this.#parts = parts;
    this.#part = this.#blank();
  }

  /** Lets out the first frame. Only the first call counts. */
  start(): void {
    if (this.#state !== "new") return;
    this.#state = "open";
    this.#startMs = this.#parts.clock.monotonic();
    this.#tick();
  }

  /** Sound of any length; what comes before the start or after the end is not sent. */
  add(sound: Frame): void {
    if (this.#state !== "open") return;
    for (let at = 0; at < sound.length;) {
      const piece = sound.subarray(at, at + this.#part.length - this.#filled);
      this.#part.set(piece, this.#filled);
      this.#filled += piece.length;
      at += piece.length;
      if (this.#filled === this.#part.length) this.#enqueue();
    }
  }

  /** Drops what was not sent yet. */
  clear(): void {
    this.#queue = [];
    this.#filled = 0;
  }

  /** Idempotent. */
  close(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#state = "closed";
  }

  #blank(): Frame {
    return this.#parts.silence.slice() as Frame;
  }

  #enqueue(): void {
    this.#queue.push(this.#part);
    if (this.#queue.length > MOST_QUEUED) this.#queue.shift();
    this.#part = this.#blank();
    this.#filled = 0;
    this.#waited = false;
  }

  #tick(): void {
    const { clock } = this.#parts;
    const due = (clock.monotonic() - this.#startMs) / FRAME_MS;
    if ((due - this.#turn) * FRAME_MS > MOST_LAG_MS) this.#turn = Math.floor(due);
    for (; this.#turn <= due; this.#turn++) this.#take();
    if (this.#state !== "open") return;
    const waitMs = this.#startMs + this.#turn * FRAME_MS - clock.monotonic();
    this.#timer = clock.setTimer(Math.max(1, waitMs), () => this.#tick());
  }

  /** Sends what this turn is for. */
  #take(): void {
    const frame = this.#next();
    if (this.#parts.instead?.(frame, this.#turn) === true) {
      this.#speaking = false;
      this.#place = this.#turn;
    } else if (frame !== undefined) {
      // Late frames follow each other; only behind silence is there a new beginning.
      const fresh = !this.#speaking;
      this.#put(frame, fresh ? this.#turn : this.#place + 1, fresh);
      this.#speaking = true;
    } else if (!this.#speaking || this.#turn - this.#place > MOST_LATE) {
      this.#speaking = false;
      this.#put(this.#parts.silence, this.#turn, false);
    }
  }

  #next(): Frame | undefined {
    if (this.#queue.length === 0 && this.#filled > 0) {
      // The end of a reply fills no frame; anything else is complete by the next turn.
      if (this.#waited) {
        this.#part.set(this.#parts.silence.subarray(this.#filled), this.#filled);
        this.#enqueue();
      } else this.#waited = true;
    }
    return this.#queue.shift();
  }

  #put(frame: Frame, place: number, fresh: boolean): void {
    this.#place = place;
    this.#parts.put(frame, place, fresh);
  }
}
