/**
 * The least of what was seen lately: over one to two windows of a length, so that it follows what grows for good and not what is
 * larger for a moment. Pure: time is given by the caller, in milliseconds of one monotonic clock.
 */
export class RecentLeast {
  readonly #windowMs: number;
  #sinceMs = 0;
  #least = Infinity;
  #before = Infinity;

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  /** `Infinity` before anything was seen. */
  get value(): number {
    return Math.min(this.#least, this.#before);
  }

  see(value: number, nowMs: number): void {
    if (nowMs - this.#sinceMs > this.#windowMs) {
      this.#sinceMs = nowMs;
      this.#before = this.#least;
      this.#least = value;
    } else this.#least = Math.min(this.#least, value);
  }

  /** Forgets what was seen, and begins with `value`. */
  restart(value: number, nowMs: number): void {
    this.#sinceMs = nowMs;
    this.#least = value;
    this.#before = Infinity;
  }
}
