import type { LineEnd, LineListener } from "../ports/transport.ts";

type Frame = Parameters<LineListener["frame"]>[0];

/**
 * What a line has to report, on its way to whoever listens. Until somebody does it is kept, the oldest lost first; behind `gone`
 * nothing is reported.
 */
export class LineReports implements LineListener {
  readonly #most: number;
  #listener: LineListener | undefined;
  #held: ((listener: LineListener) => void)[] = [];
  #gone = false;

  /** Keeps the last `most` reports for the listener to come. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Tells everything that was kept, and from here on what happens. */
  listen(listener: LineListener): void {
    const held = this.#held;
    this.#held = [];
    this.#listener = listener;
    for (const report of held) report(listener);
  }

  frame(frame: Frame): void {
    if (this.#gone) return;
    // Straight through, without a closure for every frame.
    if (this.#listener !== undefined) this.#listener.frame(frame);
    else this.#hold((listener) => listener.frame(frame));
  }

  digit(digit: string): void {
    this.#tell((listener) => listener.digit(digit));
  }

  mark(name: string): void {
    this.#tell((listener) => listener.mark(name));
  }

  /** For lines that play what they are given at once; not within the call that sets the mark, since the listener may set the next one. */
  markSoon(name: string): void {
    queueMicrotask(() => this.mark(name));
  }

  gone(why: LineEnd): void {
    this.#tell((listener) => listener.gone(why));
    this.#gone = true;
  }

  #tell(report: (listener: LineListener) => void): void {
    if (this.#gone) return;
    if (this.#listener !== undefined) report(this.#listener);
    else this.#hold(report);
  }

  #hold(report: (listener: LineListener) => void): void {
    this.#held.push(report);
    if (this.#held.length > this.#most) this.#held.shift();
  }
}
