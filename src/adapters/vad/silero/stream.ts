import type { VadListener, VadStream } from "../../../ports/vad.ts";
import { WINDOW_MS, WINDOW_SAMPLES } from "./protocol.ts";

/** Windows that may wait: one second of sound. A detector that is further behind cannot say when the caller speaks. */
const MOST_WAITING = 31;

/** Softer than this, as root mean square of 32 768, nobody speaks: −64 dBFS, 10 dB below the noise of a quiet line. */
const STILL = 20;

/** So many still windows that the network itself found no voice in, and it is not asked about the next one: a quarter of a second. */
const STILL_WINDOWS = 8;
const NO_VOICE = 0.1;

/** What a stream tells its owner. */
export type StreamOwner = Readonly<{
  windowReady(stream: SileroStream): void;
  closed(stream: SileroStream): void;
}>;

/**
 * One party's sound, cut into windows that wait for the worker. In lasting stillness, which is half of most calls, windows are answered
 * here: the network has forgotten what was before, and would say the same of each.
 */
export class SileroStream implements VadStream {
  readonly id: number;
  readonly #listener: VadListener;
  readonly #owner: StreamOwner;
  readonly #windows: Int16Array[] = [];
  #filling = new Int16Array(WINDOW_SAMPLES);
  #filled = 0;
  #answered = 0;
  /** Windows that wait or are being looked at. */
  #open = 0;
  #stillWindows = 0;
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
    this.#open -= 1;
    if (probability > NO_VOICE) this.#stillWindows = 0;
    this.#tell(probability);
  }

  fail(error: Error): void {
    if (this.#closed) return;
    this.close();
    this.#listener.failed(error);
  }

  #tell(probability: number): void {
    if (this.#closed) return;
    this.#answered += 1;
    this.#listener.probability(probability, this.#answered * WINDOW_MS);
  }

  #queueWindow(): void {
    this.#stillWindows = isStill(this.#filling) ? this.#stillWindows + 1 : 0;
    if (this.#stillWindows > STILL_WINDOWS && this.#open === 0) {
      this.#filled = 0;
      // After the sound: a listener may rely on `push` having returned.
      queueMicrotask(() => this.#tell(0));
      return;
    }
    if (this.#windows.length >= MOST_WAITING) {
      this.fail(new Error("the voice activity detector is more than a second behind; the machine is overloaded"));
      return;
    }
    this.#open += 1;
    this.#windows.push(this.#filling);
    this.#filling = new Int16Array(WINDOW_SAMPLES);
    this.#filled = 0;
    this.#owner.windowReady(this);
  }
}

const isStill = (window: Int16Array): boolean => {
  const most = STILL * STILL * window.length;
  let energy = 0;
  // A sample out of four tells as much: sound that is there at all is there below 2 kHz.
  for (let at = 0; at < window.length; at += 4) energy += 4 * (window[at] as number) * (window[at] as number);
  return energy < most;
};
