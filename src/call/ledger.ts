import type { WordTiming } from "../ports/synthesizer.ts";

/**
 * What a reply's sound says when. Text comes in as pieces, each with the sound that speaks it; the ledger then tells which
 * words had been heard at any position of the sound. It knows nothing of wall time: whoever plays the sound knows the position.
 */
export class PlaybackLedger {
  readonly #pieces: Piece[] = [];
  readonly #ends: number[] = [];
  #totalMs = 0;

  /** Length of all sound so far, in milliseconds. */
  get totalMs(): number {
    return this.#totalMs;
  }

  /** Where the sound of each complete piece ends. */
  get pieceEnds(): readonly number[] {
    return this.#ends;
  }

  /**
   * Text that will be spoken next. `ends[i]` is the offset in `source` behind spoken word `i`, since what is spoken
   * ("twenty dollars") is not what is written ("$20").
   */
  addPiece(source: string, ends: readonly number[]): void {
    this.#pieces.push({ source, ends, startMs: 0, endMs: 0, words: [], begun: false });
  }

  /** Sound of the first incomplete piece, `ms` long. Word times count from the beginning of the reply. */
  addSound(ms: number, words: readonly WordTiming[] = []): void {
    const piece = this.#pieces[this.#ends.length];
    if (piece === undefined) return;
    if (!piece.begun) {
      piece.begun = true;
      piece.startMs = this.#totalMs;
    }
    piece.words.push(...words);
    this.#totalMs += ms;
    piece.endMs = this.#totalMs;
  }

  /** The first incomplete piece has all its sound. */
  endPiece(): void {
    const piece = this.#pieces[this.#ends.length];
    if (piece === undefined) return;
    if (!piece.begun) {
      piece.startMs = this.#totalMs;
      piece.endMs = this.#totalMs;
    }
    this.#ends.push(piece.endMs);
  }

  /** The source text that had been heard when playback stood at `positionMs`: whole words only. */
  heard(positionMs: number): string {
    let text = "";
    for (const [index, piece] of this.#pieces.entries()) {
      const complete = index < this.#ends.length;
      if (complete && positionMs >= piece.endMs) {
        text += piece.source;
        continue;
      }
      if (piece.begun && positionMs > piece.startMs) text += heardOf(piece, positionMs, complete);
      break;
    }
    return text;
  }

  /** Where speech ended that was heard at `positionMs`: behind its last word, as far as word times are known. */
  speechEnd(positionMs: number): number {
    let end = 0;
    for (const piece of this.#pieces) {
      if (!piece.begun || piece.startMs >= positionMs) break;
      const last = piece.words.findLast((word) => word.startMs < positionMs);
      end = Math.min(positionMs, last?.endMs ?? piece.endMs);
    }
    return end;
  }

  /** Where the word that sounds at `positionMs` began: the place to take up again after a false alarm. */
  wordStart(positionMs: number): number {
    let start = 0;
    for (const [index, piece] of this.#pieces.entries()) {
      if (!piece.begun || piece.startMs > positionMs) break;
      const word = piece.words.findLast(({ startMs }) => startMs <= positionMs);
      const estimated = piece.words.length === 0 ? estimate(piece, positionMs, index < this.#ends.length) : undefined;
      start = Math.max(start, piece.startMs, word?.startMs ?? 0, estimated?.wordStartMs ?? 0);
    }
    return start;
  }
}

type Piece = {
  readonly source: string;
  readonly ends: readonly number[];
  startMs: number;
  endMs: number;
  readonly words: WordTiming[];
  begun: boolean;
};

/**
 * A word counts as heard when more than half of it sounded. Where the engine gives no word times, words are taken to be as long
 * as their share of the letters; of a piece whose sound is still coming, 65 ms a letter (about 170 words a minute).
 */
const heardOf = (piece: Piece, positionMs: number, complete: boolean): string => {
  if (piece.words.length > 0) {
    const count = piece.words.filter((word) => (word.startMs + word.endMs) / 2 <= positionMs).length;
    return sourceUpTo(piece, count, piece.words.length, complete);
  }
  return piece.source.slice(0, estimate(piece, positionMs, complete).offset);
};

/** By letters alone: how far in the text the words are that were heard whole, and when the word behind them began. */
const estimate = (piece: Piece, positionMs: number, complete: boolean) => {
  const { source, ends, startMs } = piece;
  const known = piece.endMs - startMs;
  const expected = complete ? known : Math.max(known, source.length * MS_PER_LETTER);
  const share = expected === 0 ? 1 : Math.min(1, (positionMs - startMs) / expected);
  const limit = Math.floor(source.length * share);
  const offset = ends.findLast((end) => end <= limit) ?? 0;
  return { offset, wordStartMs: startMs + (source.length === 0 ? 0 : (offset / source.length) * expected) };
};

const MS_PER_LETTER = 65;

/**
 * Engines may count words a little differently than the text does; the share of words then decides. Of a piece that still comes, the words
 * may not all have been told yet, and those that were are the first.
 */
const sourceUpTo = (piece: Piece, heard: number, spoken: number, complete: boolean): string => {
  if (heard === 0) return "";
  const same = piece.ends.length === spoken || (!complete && spoken < piece.ends.length);
  const word = same ? heard : Math.round((heard / spoken) * piece.ends.length);
  return piece.source.slice(0, piece.ends[word - 1] ?? 0);
};
