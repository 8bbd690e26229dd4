/** Cuts sound that comes in pieces of any length into windows of one. */
export class Windows {
  readonly #window: Int16Array;
  readonly #bytes: Uint8Array;
  readonly #full: (bytes: Uint8Array) => void;
  #filled = 0;

  /** `full` gets each window as 16-bit samples in the machine's order; they are valid during the call. */
  constructor(samples: number, full: (bytes: Uint8Array) => void) {
    this.#window = new Int16Array(samples);
    this.#bytes = new Uint8Array(this.#window.buffer);
    this.#full = full;
  }

  push(samples: Int16Array): void {
    for (let from = 0; from < samples.length;) {
      const part = samples.subarray(from, from + this.#window.length - this.#filled);
      this.#window.set(part, this.#filled);
      from += part.length;
      this.#filled += part.length;
      if (this.#filled < this.#window.length) return;
      this.#filled = 0;
      this.#full(this.#bytes);
    }
  }
}
