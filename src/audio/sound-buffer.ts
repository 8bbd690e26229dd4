/**
 * The last seconds of a stream of sound as bytes, addressed by their position since the stream began, so that what a broken connection
 * swallowed can be sent again. Bounded: the oldest bytes give way.
 */
export class SoundBuffer {
  readonly #bytes: Uint8Array;
  #end = 0;

  /** `capacity` in bytes. */
  constructor(capacity: number) {
    this.#bytes = new Uint8Array(capacity);
  }

  /** Position after the newest byte, which is also how many ever came. */
  get end(): number {
    return this.#end;
  }

  /** Position of the oldest byte that is still there. */
  get start(): number {
    return Math.max(0, this.#end - this.#bytes.length);
  }

  /** Copies `payload` to the end. */
  append(payload: Uint8Array): void {
    const capacity = this.#bytes.length;
    const rest = payload.length > capacity ? payload.subarray(payload.length - capacity) : payload;
    this.#end += payload.length - rest.length;
    const at = this.#end % capacity;
    const first = rest.subarray(0, capacity - at);
    this.#bytes.set(first, at);
    this.#bytes.set(rest.subarray(first.length), 0);
    this.#end += rest.length;
  }

  /** A copy of [from, to), both of which have to be there. */
  read(from: number, to: number): Uint8Array {
    if (from < this.start || to > this.#end || from > to)
      throw new RangeError(`bytes ${from} to ${to} are not among ${this.start} to ${this.#end}`);
    const capacity = this.#bytes.length;
    const copy = new Uint8Array(to - from);
    const at = from % capacity;
    const first = this.#bytes.subarray(at, Math.min(capacity, at + copy.length));
    copy.set(first, 0);
    copy.set(this.#bytes.subarray(0, copy.length - first.length), first.length);
    return copy;
  }
}
