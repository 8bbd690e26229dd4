/** Pieces of text that can be read from the beginning once more, by one reader after another: another server may have to say them. */
export class PiecesAgain {
  readonly #source: AsyncIterator<string>;
  readonly #kept: string[] = [];
  #pulling: Promise<boolean> | undefined;

  constructor(pieces: AsyncIterable<string>) {
    this.#source = pieces[Symbol.asyncIterator]();
  }

  /** All pieces, those that were read before first. */
  async *read(): AsyncGenerator<string, void, undefined> {
    for (let at = 0; ; at += 1) {
      if (at === this.#kept.length && !(await (this.#pulling ??= this.#pull()))) return;
      yield this.#kept[at] ?? "";
    }
  }

  /** Lets go of the source, which may be waited for. */
  stop(): void {
    void this.#source.return?.().catch(() => undefined);
  }

  /** A reader that was given up may still wait for the same piece as the next one. */
  async #pull(): Promise<boolean> {
    const next = await this.#source.next();
    if (next.done === true) return false;
    this.#kept.push(next.value);
    this.#pulling = undefined;
    return true;
  }
}
