/**
 * The last seconds of a stream of samples, addressed by their position since the stream began, so that a decoder can go back to
 * where an utterance started without anybody keeping whole utterances twice.
 */
export class SoundRing {
  readonly #samples: Int16Array;
  #end = 0;

  constructor(capacity: number) {
    this.#samples = new Int16Array(capacity);
  }

  /** Position after the newest sample, which is also how many ever came. */
  get end(): number {
    return this.#end;
  }

  /** Position of the oldest sample that is still there. */
  get start(): number {
    return Math.max(0, this.#end - this.#samples.length);
  }

  push(samples: Int16Array): void {
    const capacity = this.#samples.length;
    let rest = samples;
    if (rest.length > capacity) {
      this.#end += rest.length - capacity;
      rest = rest.subarray(rest.length - capacity);
    }
    const at = this.#end % capacity;
    const first = rest.subarray(0, capacity - at);
    this.#samples.set(first, at);
    this.#samples.set(rest.subarray(first.length), 0);
    this.#end += rest.length;
  }

  /** Copies [from, to) into `target` at `at`; the part that is no longer, or not yet, there is left out. Answers how many were copied. */
  read(from: number, to: number, target: Int16Array, at: number): number {
    const capacity = this.#samples.length;
    const begin = Math.max(from, this.start);
    const length = Math.max(0, Math.min(to, this.#end) - begin);
    const offset = begin % capacity;
    const first = this.#samples.subarray(offset, Math.min(capacity, offset + length));
    target.set(first, at);
    target.set(this.#samples.subarray(0, length - first.length), at + first.length);
    return length;
  }

  /** Middle of the quietest stretch of `length` samples within [from, to), looked for in steps of a quarter of it. */
  quietest(from: number, to: number, length: number): number {
    const window = new Int16Array(length);
    const step = Math.max(1, length >> 2);
    let [quietest, found] = [Infinity, to];
    for (let at = from; at + length <= to; at += step) {
      if (this.read(at, at + length, window, 0) < length) continue;
      const energy = window.reduce((sum, sample) => sum + sample * sample, 0);
      if (energy < quietest) [quietest, found] = [energy, at + (length >> 1)];
    }
    return found;
  }
}
