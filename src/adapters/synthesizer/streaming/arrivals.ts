/** What holds its source back while its reader is behind. */
export type Tap = Readonly<{ pause(): void; resume(): void }>;

/** Bytes that may wait for the reader before the source is told to pause: half a minute of telephone sound. */
const MOST_BYTES = 256 * 1024;

/**
 * Items on their way from a source that pushes to one reader that pulls. Bounded by stopping the source: beyond 256 KiB its tap is
 * closed, and opened again when half of that was read.
 */
export class Arrivals<T> {
  readonly #items: { item: T; bytes: number }[] = [];
  readonly #tap: Tap;
  #bytes = 0;
  #paused = false;
  #end: Readonly<{ error?: unknown }> | undefined;
  #wake: (() => void) | undefined;

  constructor(tap: Tap) {
    this.#tap = tap;
  }

  /** Whether the source is held back now. */
  get paused(): boolean {
    return this.#paused;
  }

  push(item: T, bytes: number): void {
    if (this.#end !== undefined) return;
    this.#items.push({ item, bytes });
    this.#bytes += bytes;
    if (!this.#paused && this.#bytes > MOST_BYTES) {
      this.#paused = true;
      this.#tap.pause();
    }
    this.#wake?.();
  }

  /** No more items come; those inside are still read. The first end counts. */
  finish(): void {
    this.#end ??= {};
    this.#wake?.();
  }

  /** The reader fails with `error`, behind the items that are inside. */
  fail(error: unknown): void {
    this.#end ??= { error };
    this.#wake?.();
  }

  /** The items, as they come; for one reader. */
  async *read(): AsyncGenerator<T, void, undefined> {
    for (;;) {
      const next = this.#items.shift();
      if (next !== undefined) {
        this.#bytes -= next.bytes;
        if (this.#paused && this.#bytes < MOST_BYTES / 2) {
          this.#paused = false;
          this.#tap.resume();
        }
        yield next.item;
      } else if (this.#end === undefined) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        this.#wake = undefined;
      } else {
        if ("error" in this.#end) throw this.#end.error;
        return;
      }
    }
  }
}
