/**
 * Places pieces of sound that carry no time of their own by the time of their arrival. Pieces follow one another without a gap;
 * only when all pieces of a fifth of a second came late does the timeline move on, because a carrier leaves frames out while a key is
 * pressed or a call is held. A network that stalls makes pieces late as well, and then brings them all at once.
 */
export class ArrivalTimeline {
  #zeroMs: number | undefined;
  #positionMs = 0;
  /** Since when every piece has come late, and by how much the least late of them. */
  #late: { sinceMs: number; leastMs: number } | undefined;

  /** Where a piece of `lengthMs` that ended at `nowMs` (monotonic) begins, in milliseconds since the first one began. */
  place(nowMs: number, lengthMs: number): number {
    this.#zeroMs ??= nowMs - lengthMs;
    const lateMs = nowMs - this.#zeroMs - (this.#positionMs + lengthMs);
    // Nothing is heard before it was said: the pieces before came late.
    if (lateMs < 0) this.#zeroMs += lateMs;
    this.#positionMs += this.#gapMs(nowMs, lateMs);
    const atMs = this.#positionMs;
    this.#positionMs += lengthMs;
    return atMs;
  }

  /** How much sound is missing before this piece, as far as is certain. */
  #gapMs(nowMs: number, lateMs: number): number {
    if (lateMs <= GAP_MS) {
      this.#late = undefined;
      return 0;
    }
    this.#late ??= { sinceMs: nowMs, leastMs: lateMs };
    this.#late.leastMs = Math.min(this.#late.leastMs, lateMs);
    if (nowMs - this.#late.sinceMs < CERTAIN_MS) return 0;
    const { leastMs } = this.#late;
    this.#late = undefined;
    return leastMs;
  }
}

/** Timers and networks are late by less, pressed keys by more (120 to 458 ms were seen). */
const GAP_MS = 60;
const CERTAIN_MS = 200;
