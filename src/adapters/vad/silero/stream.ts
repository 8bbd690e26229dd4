import type { VadListener, VadStream } from "../../../ports/vad.ts";
import { WINDOW_MS, WINDOW_SAMPLES } from "./protocol.ts";

/** Windows that may wait: one second of sound. A detector that is further behind cannot say when the caller speaks. */
const MOST_WAITING = 31;

/** What a stream tells its owner. */
export type StreamOwner = Readonly<{
  windowReady(stream: SileroStream): void;
  closed(stream: SileroStream): void;
}>;

/** One party's sound, cut into windows that wait for the worker. */
export class SileroStream implements VadStream {
  readonly id: number;
  readonly #listener: VadListener;
  readonly #owner: StreamOwner;
  readonly #windows: Int16Array[] = [];
  #filling = new Int16Array(WINDOW_SAMPLES);
  #filled = 0;
  #answered = 0;
  #closed = false;

  constructor(id: number, listener: VadListener, owner: StreamOwner) {
    this.id = id;
    this.#listener = listener;
    this.#owner = owner;
  }

  get hasWindow(): boolean {
    return this.#windows.length > 0;
  }

  push(samples: Int16Array): void {
    let read = 0;
    while (read < samples.length && !this.#closed) {
      const piece = samples.subarray(read, read + WINDOW_SAMPLES - this.#filled);
      this.#filling.set(piece, this.#filled);
      this.#filled += piece.length;
      read += piece.length;
      if (this.#filled === WINDOW_SAMPLES) this.#queueWindow();
    }
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#windows.length = 0;
    this.#owner.closed(this);
  }

  /** The oldest window that waits; the owner asks only a stream that has one. */
  takeWindow(): Int16Array {
    const window = this.#windows.shift();
    if (window === undefined) throw new RangeError("no window waits");
    return window;
  }

  deliver(probability: number): void {
    if (this.#closed) return;
    this.#answered += 1;
    this.#listener.probability(probability, this.#answered * WINDOW_MS);
  }

  fail(error: Error): void {
    if (this.#closed) return;
    this.close();
    this.#listener.failed(error);
  }

  #queueWindow(): void {
    if (this.#windows.length >= MOST_WAITING) {
      this.fail(new Error("the voice activity detector is more than a second behind; the machine is overloaded"));
      return;
    }
    this.#windows.push(this.#filling);
    this.#filling = new Int16Array(WINDOW_SAMPLES);
    this.#filled = 0;
    this.#owner.windowReady(this);
  }
}
