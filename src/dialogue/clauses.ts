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

type Boundary = "sentence" | "clause" | "none" | "undecided";

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

const boundaryAt = (text: string, at: number, ended: boolean): Boundary => {
  switch (text[at]) {
    case "\n":
    case "。":
    case "！":
    case "？":
      return "sentence";
    case "!":
    case "?":
    case "…":
      return between(text, at) ? "none" : "sentence";
    case ".":
      return fullStop(text, at, ended);
    case ",":
    case ";":
    case ":":
      return clauseMark(text, at, ended);
    case "—":
      return "clause";
    case "-":
    case "–":
      return text[at - 1] === " " && text[at + 1] === " " ? "clause" : "none";
    default:
      return "none";
  }
};

/** Inside a word or an address, or before more of the same marks. */
const between = (text: string, at: number): boolean => /[\p{L}\p{N}!?.…/=&]/u.test(text[at + 1] ?? "");

/** Never the end of a sentence. */
const TITLES =
  /(?:^|[^\p{L}])(?:Mr|Mrs|Ms|Dr|Prof|St|Mt|Ft|Gen|Sen|Rep|Rev|No|vs|e\.g|i\.e|approx|appt|Jan|Feb|Mar|Apr|Aug|Sept?|Oct|Nov|Dec)$/u;

/** Perhaps the end of a sentence: it is, when a capital follows. */
const SHORT_FORMS =
  /(?:^|[^\p{L}])(?:[a-z]\.m|etc|Inc|Ltd|Co|Corp|Jr|Sr|Ave|Blvd|Rd|Apt|Dept|dept|min|hrs?|\p{L}(?:\.\p{L})*)$/iu;

const fullStop = (text: string, at: number, ended: boolean): Boundary => {
  const next = text[at + 1];
  const known = text.slice(Math.max(0, at - 24), at);
  if (next === undefined && ended) return "sentence";
  // Within "3.14", "example.com" and "...", and wherever the next character is more of the same word.
  if (next !== undefined && /[\p{L}\p{N}._@/]/u.test(next)) return "none";
  if (TITLES.test(known)) return "none";
  if (SHORT_FORMS.test(known)) return afterShortForm(text, at + 1, ended);
  if (/\d$/u.test(known)) return afterNumber(text, at, ended);
  // An address that goes on ("www.example." + "com") is the only word that may.
  if (next === undefined && /(?:^|\s)(?:www|\S*(?:www\.|[@/])\S*)$/u.test(known)) return "undecided";
  return "sentence";
};

const afterShortForm = (text: string, start: number, ended: boolean): Boundary => {
  const next = /^[\s"'”’)\]*_]*(\S)/u.exec(text.slice(start, start + 8))?.[1];
  if (next === undefined) return ended || text.length >= start + 8 ? "sentence" : "undecided";
  return /\p{Lu}/u.test(next) && !/[\p{Lu}]\.$/u.test(text.slice(start - 2, start)) ? "sentence" : "none";
};

/** "It costs 3." ends; "3.14" does not, and "1. First" numbers a list. */
const afterNumber = (text: string, at: number, ended: boolean): Boundary => {
  if (text[at + 1] === undefined) return ended ? "sentence" : "undecided";
  return /(?:^|\n)\s*\d{1,3}$/u.test(text.slice(0, at)) ? "none" : "sentence";
};

const clauseMark = (text: string, at: number, ended: boolean): Boundary => {
  const next = text[at + 1];
  if (next === undefined) return /\d$/u.test(text.slice(0, at)) && !ended ? "undecided" : "clause";
  return /[\s"'”’)\]*_]/u.test(next) ? "clause" : "none";
};

/** Closing quotes, brackets and emphasis belong to what they close. */
const afterClosing = (text: string, start: number): number => {
  const closing = /^(?:["”’')\]]|\*+(?=\s|$)|_+(?=\s|$))+/u.exec(text.slice(start, start + 8));
  return start + (closing?.[0].length ?? 0);
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
