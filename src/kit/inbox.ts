/** More was put in than the reader could ever take; the owner of the inbox must give up. */
export class InboxOverflow extends Error {
  override readonly name = "InboxOverflow";
}

/**
 * Many writers, one reader, in order of arrival. Bounded: a writer that finds it full learns it by an exception, because an
 * event that decides a call may not be dropped in silence.
 */
export class Inbox<T> {
  readonly #items: T[] = [];
  #wake: (() => void) | undefined;
  #closed = false;
  readonly #bound: number;

  constructor(bound: number) {
    this.#bound = bound;
  }

  get size(): number {
    return this.#items.length;
  }

  /** Puts an item in; after `close` it is ignored, since there is nobody left to tell. */
  put(item: T): void {
    if (this.#closed) return;
    if (this.#items.length >= this.#bound) throw new InboxOverflow(`more than ${this.#bound} events wait`);
    this.#items.push(item);
    this.#wake?.();
  }

  /** The next item; `undefined` once closed and empty. Only one reader may wait. */
  async take(): Promise<T | undefined> {
    while (this.#items.length === 0) {
      if (this.#closed) return undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
    return this.#items.shift();
  }

  /** No more items are taken in; those inside can still be read. */
  close(): void {
    this.#closed = true;
    this.#wake?.();
  }
}
