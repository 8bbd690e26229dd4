import { millisecondsOf, type AudioFormat } from "../model/audio.ts";
import type { Clock } from "../ports/clock.ts";
import type { SpokenChunk } from "../ports/synthesizer.ts";

export type Speaking = "preferred" | "stand-in";

/** Which pieces have sounded, so that another voice can take over in the right place. */
export class VoiceProgress {
  readonly format: AudioFormat;
  spokenMs = 0;
  readonly #clock: Clock;
  readonly #source: AsyncIterator<string>;
  #next: Promise<IteratorResult<string>> | undefined;
  #speaking: Speaking = "preferred";
  /** Given to the preferred voice and not complete; the first of them may have sounded in part. */
  readonly #open: string[] = [];
  #openMs = 0;
  /** When the voice last gave sound that it owed, or began to owe some. */
  #owedSince = 0;
  #firstSoundAt: number | undefined;
  #whenOwed: (() => void) | undefined;
  /** No more pieces come. */
  #ended = false;

  constructor(pieces: AsyncIterable<string>, format: AudioFormat, clock: Clock) {
    this.#clock = clock;
    this.#source = pieces[Symbol.asyncIterator]();
    this.format = format;
  }

  /** Whether a piece was given and has not sounded completely. */
  get owes(): boolean {
    return this.#open.length > 0;
  }

  /** Whether all pieces there were have sounded. */
  get complete(): boolean {
    return this.#ended && !this.owes;
  }

  /**
   * How long the listener has been waiting for sound that the voice owes, in milliseconds: from when the voice was given the text, and not
   * before the sound so far has played, if it was played as it came. Below 0 while there is some left to play.
   */
  get owedMs(): number {
    if (!this.owes) return 0;
    const playedAt = this.#firstSoundAt === undefined ? 0 : this.#firstSoundAt + this.spokenMs;
    return this.#clock.monotonic() - Math.max(this.#owedSince, playedAt);
  }

  /** The piece that nothing was heard of yet, and that is next. */
  get nextPiece(): string | undefined {
    return this.#openMs === 0 ? this.#open[0] : undefined;
  }

  /** Calls back whenever the preferred voice is given something to say while it owes nothing; for one listener, the last. */
  whenOwed(callback: () => void): void {
    this.#whenOwed = callback;
  }

  /** The next piece was spoken by somebody else; it is not asked of anybody any more. */
  spokenElsewhere(): void {
    this.#open.shift();
  }

  /** Pieces for one voice, until another one takes over; a wait for the next piece is shared, so that none gets lost between them. */
  async *piecesFor(who: Speaking): AsyncGenerator<string> {
    this.#speaking = who;
    if (who === "stand-in") yield* this.#open.splice(0);
    for (;;) {
      this.#next ??= this.#source.next();
      const next = await this.#next;
      if (this.#speaking !== who) return;
      this.#next = undefined;
      if (next.done === true) {
        this.#ended = true;
        return;
      }
      if (who === "preferred") this.#owe(next.value);
      yield next.value;
    }
  }

  async *follow(sound: AsyncIterable<SpokenChunk>): AsyncGenerator<SpokenChunk> {
    for await (const chunk of sound) {
      const ms = millisecondsOf(this.format, chunk.audio.length);
      this.spokenMs += ms;
      this.#openMs += ms;
      this.#owedSince = this.#clock.monotonic();
      if (ms > 0) this.#firstSoundAt ??= this.#owedSince;
      if (chunk.endOfPiece === true) {
        this.#open.shift();
        this.#openMs = 0;
      }
      yield chunk;
    }
  }

  /** Gives up the piece that sounded in part, which would otherwise be heard twice; answers whether there was one. */
  leaveBrokenPiece(): boolean {
    if (this.#openMs === 0) return false;
    this.#open.shift();
    this.#openMs = 0;
    return true;
  }

  #owe(piece: string): void {
    const owed = this.owes;
    if (!owed) this.#owedSince = this.#clock.monotonic();
    this.#open.push(piece);
    if (!owed) this.#whenOwed?.();
  }
}
