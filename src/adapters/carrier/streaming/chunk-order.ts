/** A piece of a stream, by its place in it. */
export type Piece = Readonly<{ chunk: number; atMs: number; payload: Uint8Array }>;

/**
 * Puts the pieces of a stream in order again. A piece that comes early waits for those before it, at most until
 * {@link MOST_EARLY} wait; then what is missing counts as lost. What comes after its place was given up, or twice, is left out.
 */
export class ChunkOrder {
  readonly #out: (piece: Piece) => void;
  #next: number | undefined;
  /** In order, at most MOST_EARLY. */
  #early: Piece[] = [];
  #late = 0;

  constructor(out: (piece: Piece) => void) {
    this.#out = out;
  }

  take(piece: Piece): void {
    this.#next ??= piece.chunk;
    if (piece.chunk < this.#next) {
      // A stream that goes on behind its place has begun to count anew.
      this.#late += 1;
      if (this.#late <= MOST_LATE) return;
      this.flush();
      this.#next = piece.chunk;
    }
    this.#late = 0;
    if (piece.chunk === this.#next && this.#early.length === 0) this.#give(piece);
    else this.#wait(piece);
  }

  /** Gives out what waits, since nothing more will come. */
  flush(): void {
    const early = this.#early;
    this.#early = [];
    for (const piece of early) this.#give(piece);
  }

  #wait(piece: Piece): void {
    const place = this.#early.findLastIndex(({ chunk }) => chunk <= piece.chunk);
    if (this.#early[place]?.chunk === piece.chunk) return;
    this.#early.splice(place + 1, 0, piece);
    if (this.#early.length > MOST_EARLY) this.#next = this.#early[0]?.chunk;
    for (let first = this.#early[0]; first !== undefined && first.chunk === this.#next; first = this.#early[0]) {
      this.#early.shift();
      this.#give(first);
    }
  }

  #give(piece: Piece): void {
    this.#next = piece.chunk + 1;
    this.#out(piece);
  }
}

/** 80 ms of sound: longer than pieces overtake one another on one connection, shorter than a listener would notice. */
const MOST_EARLY = 4;

/** A second of sound behind its place. */
const MOST_LATE = 50;
