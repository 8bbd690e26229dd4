/** Words that a repetition has at least; fewer may well be meant ("no, no"). */
const FEWEST_WORDS = 2;

/**
 * Goes on from a text that broke off: leaves out what the continuation repeats of it, from its beginning or of its last words. Holds back
 * only what may still be a repetition.
 */
export class Continuation {
  readonly #said: string;
  /** It ended with a mark, which need not come again. */
  readonly #ended: boolean;
  #held = "";
  #decided: boolean;

  constructor(said: string) {
    this.#said = plain(said);
    this.#ended = /\p{P}\s*$/u.test(said);
    this.#decided = this.#said === "";
  }

  /** The part of the text that is certain to be new. */
  push(text: string): string {
    if (this.#decided) return text;
    this.#held += text;
    const held = plain(this.#held);
    const mayRepeat = held === "" || starts(this.#said).some((tail) => tail.startsWith(held));
    return mayRepeat ? "" : this.#release();
  }

  /** What was held back when the text ended. */
  end(): string {
    return this.#decided ? "" : this.#release();
  }

  #release(): string {
    this.#decided = true;
    const held = plain(this.#held);
    const repeated = starts(this.#said).find(
      (tail) => tail.split(" ").length >= FEWEST_WORDS && (held === tail || held.startsWith(`${tail} `)),
    );
    if (repeated === undefined) return /^[\s\p{P}]/u.test(this.#held) ? this.#held : ` ${this.#held}`;
    const rest = withoutWords(this.#held, repeated.split(" ").length);
    return this.#ended ? rest.replace(/^\p{P}+/u, "") : rest;
  }
}

/** Lower case, words only. */
const plain = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}']+/gu, " ")
    .trim();

/** What a repetition may begin with: the whole text, and each of its last words to its end; longest first. */
const starts = (said: string): readonly string[] => {
  const words = said.split(" ");
  return words.map((_, index) => words.slice(index).join(" "));
};

const withoutWords = (text: string, count: number): string => {
  let rest = text;
  for (let left = count; left > 0; left--) rest = rest.replace(/^[^\p{L}\p{M}\p{N}']*[\p{L}\p{M}\p{N}']+/u, "");
  return rest;
};
