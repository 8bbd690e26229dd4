/** How long a letter sounds at the usual pace of speech (about 170 words a minute), in milliseconds. */
const LETTER_MS = 65;

/** Two or three words, or one or two: shorter parts sound torn, and gain little. In letters. */
const SHORTEST_FIRST = 20;
const SHORTEST_NEXT = 12;

/** The first sound of a reply shall not take longer than this to make, in milliseconds, at the pace that was measured. */
const SOON_MS = 1000;

/**
 * How much may be made at a time so that no pause opens: the sound of a part has to be there when what was made before it has played. Counted in
 * letters, by what one takes, with the wait for other calls' sound. An engine that is slower than speech cannot avoid pauses; it makes many short ones, that sound
 * like somebody who speaks slowly, instead of a long one.
 */
export class Runway {
  /** Letters whose sound is made and has not played. */
  #ahead = 0;
  #begun = false;
  readonly #msPerLetter: () => number | undefined;
  readonly #speed: number;

  /** `speed` is how many times as fast as usual the voice speaks. */
  constructor(msPerLetter: () => number | undefined, speed: number) {
    this.#msPerLetter = msPerLetter;
    this.#speed = speed;
  }

  /** The most letters of the next part; infinite while the engine's pace is not known. */
  get limit(): number {
    const letterMs = this.#msPerLetter();
    if (letterMs === undefined) return Infinity;
    if (!this.#begun) return Math.max(SHORTEST_FIRST, SOON_MS / letterMs);
    return Math.max(SHORTEST_NEXT, this.#ahead * this.#gain(letterMs));
  }

  /** So many letters are made next, while what is ahead plays. */
  make(letters: number): void {
    const played = this.#begun ? letters / this.#gain(this.#msPerLetter() ?? 1) : 0;
    this.#ahead = Math.max(0, this.#ahead - played) + letters;
    this.#begun = true;
  }

  /** Letters that play while one is made. */
  #gain(letterMs: number): number {
    return LETTER_MS / this.#speed / letterMs;
  }
}
