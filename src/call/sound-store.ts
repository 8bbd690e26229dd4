/**
 * Bytes of a reply's sound between being made and being heard, addressed by their offset from the reply's beginning. What has
 * been heard is let go; what was sent but not heard stays, because a false alarm plays it again.
 */
export class SoundStore {
  readonly #chunks: Chunk[] = [];
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
    const index = this.#indexOf(start);
    const first = this.#chunks[index];
    if (first === undefined || end <= start) return EMPTY;
    if (first.start + first.bytes.length >= end) return first.bytes.subarray(start - first.start, end - first.start);
    const joined = new Uint8Array(Math.min(end, this.#end) - start);
    for (let at = index; at < this.#chunks.length; at++) {
      const chunk = this.#chunks[at] as Chunk;
      if (chunk.start >= end) break;
      const from = Math.max(start, chunk.start);
      const to = Math.min(end, chunk.start + chunk.bytes.length);
      joined.set(chunk.bytes.subarray(from - chunk.start, to - chunk.start), from - start);
    }
    return joined;
  }

  /** Lets go of whole chunks before `offset`. */
  release(offset: number): void {
    while (this.#chunks[0] !== undefined && this.#chunks[0].start + this.#chunks[0].bytes.length <= offset)
      this.#chunks.shift();
  }

  /** The first chunk that ends behind `offset`: by halving, since each frame is looked for in up to 15 s of chunks. */
  #indexOf(offset: number): number {
    let low = 0;
    let high = this.#chunks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const { start, bytes } = this.#chunks[middle] as Chunk;
      if (start + bytes.length > offset) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

type Chunk = Readonly<{ start: number; bytes: Uint8Array }>;

const EMPTY = new Uint8Array(0);
