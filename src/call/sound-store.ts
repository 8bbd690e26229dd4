/**
 * Bytes of a reply's sound between being made and being heard, addressed by their offset from the reply's beginning. What has
 * been heard is let go; what was sent but not heard stays, because a false alarm plays it again.
 */
export class SoundStore {
  readonly #chunks: Readonly<{ start: number; bytes: Uint8Array }>[] = [];
  #end = 0;

  /** Offset of the first byte that is still there. */
  get start(): number {
    return this.#chunks[0]?.start ?? this.#end;
  }

  /** Offset behind the last byte. */
  get end(): number {
    return this.#end;
  }

  add(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#chunks.push({ start: this.#end, bytes });
    this.#end += bytes.length;
  }

  /** Bytes from `start` to `end`: a view where they lie together, a copy where they do not. */
  slice(start: number, end: number): Uint8Array {
    const first = this.#chunks.find((chunk) => chunk.start + chunk.bytes.length > start);
    if (first === undefined || end <= start) return EMPTY;
    if (first.start + first.bytes.length >= end) return first.bytes.subarray(start - first.start, end - first.start);
    const joined = new Uint8Array(Math.min(end, this.#end) - start);
    for (const chunk of this.#chunks) {
      const from = Math.max(start, chunk.start);
      const to = Math.min(end, chunk.start + chunk.bytes.length);
      if (from < to) joined.set(chunk.bytes.subarray(from - chunk.start, to - chunk.start), from - start);
    }
    return joined;
  }

  /** Lets go of whole chunks before `offset`. */
  release(offset: number): void {
    while (this.#chunks[0] !== undefined && this.#chunks[0].start + this.#chunks[0].bytes.length <= offset)
      this.#chunks.shift();
  }
}

const EMPTY = new Uint8Array(0);
