/**
 * Numbers for a stream's utterances out of the stretches that a vendor names anew in every connection. A stretch that was not final when a
 * connection broke goes on under its old number in the first stretch of the next one, since the same sound is sent again.
 */
export class UtteranceNumbers {
  readonly #numbers = new Map<number, number>();
  #last = 0;
  /** The newest utterance, while its text may still change. */
  #open: number | undefined;
  #inherited: number | undefined;

  /** Whether a text was told that is not final yet. */
  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /** The utterance of a stretch, or `undefined` when nothing was told of it yet. */
  known(segment: number): number | undefined {
    return this.#numbers.get(segment) ?? this.#inherited;
  }

  /** The utterance of a stretch, a new one if need be. */
  numberOf(segment: number, final: boolean): number {
    let number = this.#numbers.get(segment);
    if (number === undefined) {
      number = this.#inherited ?? this.#last + 1;
      this.#inherited = undefined;
      this.#last = Math.max(this.#last, number);
      this.#numbers.set(segment, number);
    }
    if (!final) this.#open = number;
    else if (this.#open === number) this.#open = undefined;
    return number;
  }

  /** The connection broke: stretches are named anew. */
  reconnected(): void {
    this.#numbers.clear();
    this.#inherited = this.#open;
  }

  /** The turn was taken: nothing that comes from a later connection belongs to it. */
  turnTaken(): void {
    this.#inherited = undefined;
  }
}
