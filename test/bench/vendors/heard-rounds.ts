import { SystemClock } from "../../../src/adapters/clock/system.ts";
import { sleep } from "../../../src/ports/clock.ts";
import type { Transcriber, TranscriberStream } from "../../../src/ports/transcriber.ts";
import { quietBytes, sayBytes } from "../../kit/vendors/spoken-bytes.ts";

/** A word without the gap behind it: as long as three pieces of 80 ms, or four of 60. */
const WORD_BYTES = 240 * 8;

/** In which a vendor says what else it has to say of what it was sent, in milliseconds. */
export const SETTLE_MS = 4;

const LINE = { encoding: "mulaw", sampleRate: 8000 } as const;

/** One party that says a word again and again; the piece of sound that ends the word is what its text is waited for from. */
export class HeardRounds {
  readonly #clock = new SystemClock();
  readonly #stream: TranscriberStream;
  readonly #pieceMs: number;
  #heard = Promise.withResolvers<void>();
  #flushed = Promise.withResolvers<void>();
  #pushedMs = 0;

  constructor(transcriber: Transcriber, pieceMs: number) {
    this.#pieceMs = pieceMs;
    this.#stream = transcriber.open(
      { language: "en-US", keywords: [], lineFormat: LINE },
      {
        transcript: () => {
          this.#heard.resolve();
        },
        flushed: () => {
          this.#flushed.resolve();
        },
        failed: (error) => {
          this.#heard.reject(error);
          this.#flushed.reject(error);
        },
      },
    );
  }

  /** Says the word up to where it ends. */
  async prepare(): Promise<void> {
    if (this.#pushedMs === 0) await sleep(this.#clock, CONNECT_MS);
    this.#stream.speech("started", this.#pushedMs);
    this.#push(sayBytes("book").subarray(0, WORD_BYTES));
    await sleep(this.#clock, SETTLE_MS);
  }

  /** Ends the word, and waits for its text; what it answers ends the turn, and begins another one. */
  readonly next = async (): Promise<(again?: boolean) => Promise<void>> => {
    this.#heard = Promise.withResolvers();
    this.#stream.push(quietBytes(this.#pieceMs));
    this.#pushedMs += this.#pieceMs;
    await this.#heard.promise;
    return async (again = true) => {
      this.#flushed = Promise.withResolvers();
      this.#stream.speech("ended", this.#pushedMs);
      this.#push(quietBytes(WORD_BYTES / 8));
      this.#stream.finalize();
      await this.#flushed.promise;
      this.#stream.endTurn();
      await sleep(this.#clock, SETTLE_MS);
      if (again) await this.prepare();
    };
  };

  #push(sound: Uint8Array): void {
    for (let at = 0; at < sound.length; at += FRAME_BYTES) this.#stream.push(sound.subarray(at, at + FRAME_BYTES));
    this.#pushedMs += sound.length / 8;
  }
}

const FRAME_BYTES = 160;
const CONNECT_MS = 100;
