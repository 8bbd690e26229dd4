import type { Clock, Timer } from "../ports/clock.ts";

export type PlaybackListener = Readonly<{
  started(reply: number, atMs: number): void;
  progress(reply: number): void;
  drained(reply: number): void;
}>;

/** Milliseconds that a letter takes to be said: 15 letters a second, an even reading pace. */
export const LETTER_MS = 65;

/** How often it is told how much was heard, in milliseconds. */
const PROGRESS_MS = 400;

/** What the other party hears of a reply while it is "spoken": text instead of sound, at the pace of speech. */
export class TextPlayback {
  readonly #clock: Clock;
  readonly #listener: PlaybackListener;
  #reply: number | undefined;
  #text = "";
  /** Letters that were heard, and when that was counted. */
  #position = 0;
  #countedAt = 0;
  #started = false;
  #paused = false;
  #complete = false;
  #timer: Timer | undefined;

  constructor(clock: Clock, listener: PlaybackListener) {
    this.#clock = clock;
    this.#listener = listener;
  }

  begin(reply: number): void {
    this.cancel();
    this.#reply = reply;
    this.#text = "";
    this.#position = 0;
    this.#started = false;
    this.#paused = false;
    this.#complete = false;
  }

  add(text: string): void {
    this.#count();
    this.#text += text;
    this.#schedule();
  }

  /** Nothing is added any more. */
  complete(): void {
    this.#count();
    this.#complete = true;
    this.#schedule();
  }

  pause(): void {
    this.#count();
    this.#paused = true;
    this.#schedule();
  }

  resume(): void {
    this.#count();
    this.#paused = false;
    this.#schedule();
  }

  cancel(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#reply = undefined;
  }

  /** Whole words of the present reply that were heard by now. */
  heard(): Readonly<{ reply: number; text: string; endMs: number }> | undefined {
    if (this.#reply === undefined || !this.#started) return undefined;
    this.#count();
    const heard = this.#text.slice(0, this.#position);
    const whole = this.#position >= this.#text.length || /\s/u.test(this.#text[this.#position] ?? " ");
    return { reply: this.#reply, text: whole ? heard : heard.replace(/\S+$/u, ""), endMs: this.#clock.monotonic() };
  }

  #count(): void {
    const now = this.#clock.monotonic();
    if (this.#started && !this.#paused)
      this.#position = Math.min(this.#text.length, this.#position + (now - this.#countedAt) / LETTER_MS);
    this.#countedAt = now;
  }

  #schedule(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    if (this.#reply === undefined || this.#paused) return;
    const left = this.#text.length - this.#position;
    if (!this.#started && this.#text.trim() === "" && !this.#complete) return;
    if (left <= 0 && !this.#complete) return;
    this.#timer = this.#clock.setTimer(Math.min(left * LETTER_MS, this.#started ? PROGRESS_MS : 0), () => {
      this.#tick();
    });
  }

  #tick(): void {
    const reply = this.#reply;
    if (reply === undefined) return;
    this.#count();
    if (!this.#started && this.#text.trim() !== "") {
      this.#started = true;
      this.#listener.started(reply, this.#clock.monotonic());
    } else if (this.#started) this.#listener.progress(reply);
    if (this.#reply !== reply) return;
    // The last fraction of a letter is the clock's rounding.
    if (this.#complete && (this.#text.length - this.#position < 0.01 || !this.#started)) {
      this.#position = this.#text.length;
      this.#timer = undefined;
      this.#listener.drained(reply);
    } else this.#schedule();
  }
}
