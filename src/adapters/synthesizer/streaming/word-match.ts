import type { WordTiming } from "../../../ports/synthesizer.ts";

/**
 * Times the words of a text by the words that a vendor reports, which may be cut, cased or punctuated differently, or left out. Each
 * reported word is looked for among the next few of the text; words that were passed over share the time between their neighbours.
 * One per piece; words come back once, in the text's order.
 */
export class WordMatch {
  readonly #words: readonly string[];
  #next = 0;
  #lastEndMs = 0;

  constructor(words: readonly string[]) {
    this.#words = words;
  }

  /** Whether anything was reported. */
  get timed(): boolean {
    return this.#next > 0;
  }

  /** Reported words, in order → words of the text that they time. */
  times(reported: readonly WordTiming[]): readonly WordTiming[] {
    return reported.flatMap((word) => this.#match(word));
  }

  /** The words that nothing was reported of, up to the end of the sound. */
  rest(endMs: number): readonly WordTiming[] {
    const words = this.#words.slice(this.#next);
    this.#next = this.#words.length;
    return sharedOut(words, this.#lastEndMs, Math.max(endMs, this.#lastEndMs));
  }

  #match({ text, startMs, endMs }: WordTiming): readonly WordTiming[] {
    const wanted = lettersOf(text);
    if (wanted === "") return [];
    const ahead = this.#words.slice(this.#next, this.#next + LOOK_AHEAD);
    const found = ahead.findIndex((word) => lettersOf(word).startsWith(wanted));
    const passed = ahead[found];
    if (passed === undefined) return [];
    const start = Math.max(this.#lastEndMs, startMs);
    const before = sharedOut(ahead.slice(0, found), this.#lastEndMs, start);
    this.#next += found + 1;
    this.#lastEndMs = Math.max(start, endMs);
    return [...before, { text: passed, startMs: start, endMs: this.#lastEndMs }];
  }
}

/** Words of the text that a vendor may leave out in a row, such as dashes. */
const LOOK_AHEAD = 4;

const lettersOf = (word: string): string => word.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");

/** Words over a stretch of sound, each as long as its share of the letters. */
export const sharedOut = (words: readonly string[], startMs: number, endMs: number): readonly WordTiming[] => {
  const letters = words.reduce((sum, word) => sum + word.length, 0);
  let at = startMs;
  return words.map((text) => {
    const from = at;
    at += letters === 0 ? 0 : ((endMs - startMs) * text.length) / letters;
    return { text, startMs: from, endMs: at };
  });
};
