import { millisecondsOf, type AudioFormat } from "../../../model/audio.ts";

/** Sound from one commit to the next, with what was heard in it. Times in milliseconds of the stream. */
export type Stretch = {
  readonly number: number;
  readonly fromMs: number;
  /** Absent until it is committed. */
  toMs: number | undefined;
  /** The vendor's name of it, once it is known. */
  item: string | undefined;
  text: string;
  done: boolean;
};

/** Which of the vendor's items is which stretch of sound: items come to light in the order of their sound, though they may be done in any. */
export class Stretches {
  readonly #stretches: Stretch[] = [];
  #asked: number[] = [];
  #last = 0;
  #open: Stretch | undefined;
  #openBytes = 0;

  /** Bytes that were sent and not committed. */
  get openBytes(): number {
    return this.#openBytes;
  }

  /** The stretch that sound is added to, which begins here if there is none. */
  begin(fromMs: number): Stretch {
    if (this.#open !== undefined) return this.#open;
    this.#last += 1;
    this.#open = { number: this.#last, fromMs, toMs: undefined, item: undefined, text: "", done: false };
    this.#stretches.push(this.#open);
    return this.#open;
  }

  sent(fromMs: number, bytes: number): void {
    this.begin(fromMs);
    this.#openBytes += bytes;
  }

  /** Where the sound of the open stretch ends by now. */
  sentMs(format: AudioFormat): number {
    return (this.#open?.fromMs ?? 0) + millisecondsOf(format, this.#openBytes);
  }

  committed(toMs: number): void {
    if (this.#open !== undefined) this.#open.toMs = toMs;
    this.#open = undefined;
    this.#openBytes = 0;
  }

  /** A final text was asked for of everything before this moment. */
  asked(toMs: number): void {
    this.#asked.push(toMs);
  }

  /** The stretch that an item is; the first one without a name when the item is new. */
  named(item: string): Stretch | undefined {
    if (item === "") return undefined;
    const known = this.#stretches.find((one) => one.item === item);
    if (known !== undefined) return known;
    const next = this.#stretches.find((one) => one.item === undefined);
    if (next !== undefined) next.item = item;
    return next;
  }

  /** Takes away the stretches that are done and that no earlier one stands before; until when that settles and answers. */
  takeDone(): Readonly<{ settledMs?: number; answeredMs?: number }> {
    let settledMs: number | undefined;
    while (this.#stretches[0]?.done === true) settledMs = this.#stretches.shift()?.toMs;
    const waiting = this.#stretches.find(({ toMs }) => toMs !== undefined)?.toMs ?? Infinity;
    const answeredMs = this.#asked.findLast((asked) => asked < waiting);
    if (answeredMs !== undefined) this.#asked = this.#asked.filter((asked) => asked > answeredMs);
    return {
      ...(settledMs === undefined ? {} : { settledMs }),
      ...(answeredMs === undefined ? {} : { answeredMs }),
    };
  }
}
