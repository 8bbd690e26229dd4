import { afterClosing, boundaryAt } from "./sentence-end.ts";

/** Characters after which a sentence without an end is cut, so that no piece keeps a voice busy for much more than ten seconds. */
export const MAX_PIECE_LENGTH = 200;

/** The same for the first pieces, for whose sound the caller waits. */
export const MAX_FIRST_LENGTH = 90;

/**
 * Until so many characters went out, pieces stay short: a "Hello!" is over before a long sentence after it could be spoken, and
 * the voice would fall silent.
 */
const EARLY_LENGTH = 40;

/** Words that a first clause must have: "Well," alone would sound cut off, and gains no time. */
const MIN_FIRST_WORDS = 3;

/**
 * Cuts streamed text into pieces to be spoken: at first, as early as can be, clauses; then whole sentences. Decides at the mark that
 * ends a sentence, without waiting for what comes next, except where the mark may mean something else (after a number, an
 * initial or an abbreviation). Joined together, the pieces are the text that was pushed, unchanged.
 */
export class ClauseSplitter {
  #rest = "";
  /** Characters that went out already. */
  #cutLength = 0;

  /** The pieces that this text completes. */
  push(text: string): string[] {
    this.#rest += text;
    return this.#cutAll(false);
  }

  /** What is left when the text has ended. The splitter can then be used for another text. */
  flush(): string[] {
    const pieces = this.#cutAll(true);
    if (this.#rest !== "") pieces.push(this.#rest);
    this.#rest = "";
    this.#cutLength = 0;
    return pieces;
  }

  #cutAll(ended: boolean): string[] {
    const pieces: string[] = [];
    for (;;) {
      const cut = cutOf(this.#rest, this.#cutLength < EARLY_LENGTH, ended);
      if (cut === 0) return pieces;
      pieces.push(this.#rest.slice(0, cut));
      this.#rest = this.#rest.slice(cut);
      this.#cutLength += cut;
    }
  }
}

/** Length of the piece at the beginning of a text; 0 while it has no end yet. */
const cutOf = (text: string, early: boolean, ended: boolean): number => {
  let lastClause = 0;
  let words = 0;
  for (let at = 0; at < Math.min(text.length, MAX_PIECE_LENGTH); at++) {
    if (isWordStart(text, at)) words += 1;
    const boundary = words === 0 ? "none" : boundaryAt(text, at, ended);
    if (boundary === "undecided") return 0;
    const end = boundary === "none" ? 0 : afterClosing(text, at + 1);
    if (boundary === "sentence") return end;
    if (boundary === "clause" && words >= MIN_FIRST_WORDS) {
      if (early) return end;
      lastClause = end;
    }
    if (early && at >= MAX_FIRST_LENGTH) {
      const phrase = phraseStart(text.slice(0, at));
      if (phrase > 0) return phrase;
    }
  }
  if (text.length <= MAX_PIECE_LENGTH) return 0;
  return lastClause > 0 ? lastClause : wordCut(text);
};

const isWordStart = (text: string, at: number): boolean =>
  /[\p{L}\p{N}]/u.test(text[at] ?? "") && (at === 0 || !/[\p{L}\p{N}'’]/u.test(text[at - 1] ?? ""));

/** The last place before a word that begins a new phrase, where a speaker may breathe; 0 when there is none after a few words. */
const phraseStart = (text: string): number => {
  const places = [
    ...text.matchAll(/\s(?=(?:and|but|or|so|because|which|who|where|when|while|if|then|with|after|before|until)\s)/gu),
  ];
  const last = places.findLast(({ index }) => index > MAX_FIRST_LENGTH / 3);
  return last === undefined ? 0 : last.index;
};

/** After the last whole word that fits; inside a word only when there is no other way, and never inside a character. */
const wordCut = (text: string): number => {
  const space = text.slice(0, MAX_PIECE_LENGTH).search(/\s\S*$/u);
  if (space > 0) return space;
  const splitsPair = /[\uD800-\uDBFF]/u.test(text[MAX_PIECE_LENGTH - 1] ?? "");
  return splitsPair ? MAX_PIECE_LENGTH - 1 : MAX_PIECE_LENGTH;
};
