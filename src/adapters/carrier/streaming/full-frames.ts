/** Cuts sound into pieces of one length, for carriers that take no other. What is over waits for what follows it, or for `rest`. */
export class FullFrames {
  readonly #size: number;
  readonly #silence: number;
  /** Fewer bytes than a piece. */
  #over: Uint8Array = new Uint8Array(0);

  /** `size` in bytes; `silence` is the byte that an incomplete last piece is filled up with. */
  constructor(size: number, silence: number) {
    this.#size = size;
    this.#silence = silence;
  }

  /** The whole pieces that there are now; they share the memory of `sound` wherever nothing was over. */
  cut(sound: Uint8Array): readonly Uint8Array[] {
    if (sound.length === this.#size && this.#over.length === 0) return [sound];
    const all = this.#over.length === 0 ? sound : Buffer.concat([this.#over, sound]);
    const whole = all.length - (all.length % this.#size);
    this.#over = all.subarray(whole);
    return Array.from({ length: whole / this.#size }, (_, piece) =>
      all.subarray(piece * this.#size, (piece + 1) * this.#size),
    );
  }

  /** What is over, filled up with silence: nothing or one piece. */
  rest(): readonly Uint8Array[] {
    if (this.#over.length === 0) return [];
    const piece = Buffer.alloc(this.#size, this.#silence);
    piece.set(this.#over);
    this.drop();
    return [piece];
  }

  drop(): void {
    this.#over = new Uint8Array(0);
  }
}
