import { LineReports } from "../../kit/line-reports.ts";
import { SOUND_LOST_MS, SilenceWatch } from "../../kit/silence-watch.ts";
import type { AudioFrame } from "../../model/audio.ts";
import type { Clock } from "../../ports/clock.ts";
import type { LineEnd, LineListener, Transport } from "../../ports/transport.ts";
import { BROWSER_FORMAT } from "./browser-format.ts";
import type { MediaPath, PathListener } from "./media-path.ts";

/**
 * The line of a browser call. Its sound takes one path at a time and none while the browser is away; then the agent's sound waits, and
 * the caller's timeline goes on by the clock.
 */
export class BrowserLine implements Transport {
  readonly format = BROWSER_FORMAT;
  readonly carrierCallId: string;
  readonly #clock: Clock;
  readonly #onClose: () => void;
  readonly #startedAt: number;
  #path: MediaPath | undefined;
  #muted = false;
  readonly #reports = new LineReports(MOST_HELD);
  readonly #watch: SilenceWatch;
  #lastFrameAt = 0;
  #gone = false;

  /** `onSilent`: no sound has come for 3 s though the visitor is not muted. `onClose`: our side has closed the line. */
  constructor(dialId: string, clock: Clock, on: Readonly<{ silent(): void; close(): void }>) {
    this.carrierCallId = dialId;
    this.#clock = clock;
    this.#watch = new SilenceWatch(clock, () => this.#lastFrameAt + SOUND_LOST_MS, on.silent);
    this.#onClose = on.close;
    this.#startedAt = clock.monotonic();
  }

  get queue(): "far-end" | "none" {
    return this.#path?.queue ?? "far-end";
  }

  /** Without a path the line takes nothing, so that what the agent says waits for the browser to come back. */
  get bufferedAmount(): number {
    return this.#path?.bufferedAmount ?? Number.POSITIVE_INFINITY;
  }

  get open(): boolean {
    return !this.#gone;
  }

  listen(listener: LineListener): void {
    this.#reports.listen(listener);
  }

  send(payload: Uint8Array): void {
    this.#path?.send(payload);
  }

  mark(name: string): void {
    this.#path?.mark(name);
  }

  clear(): void {
    this.#path?.clear();
  }

  close(): void {
    if (this.#gone) return;
    this.end("closed-by-us");
    this.#onClose();
  }

  /** Sound goes by this path from now on, or by none. The path before it is closed. */
  use(path: MediaPath | undefined): void {
    if (path === this.#path) return;
    const before = this.#path;
    this.#path = this.#gone ? undefined : path;
    before?.close();
    if (this.#gone) path?.close();
    this.#watchForSilence();
  }

  /** What a path has to report, on the line's own time; ignored once another path has taken its place. */
  listenerFor(path: () => MediaPath | undefined, lost: () => void): PathListener {
    let offsetMs: number | undefined;
    const current = () => this.#path !== undefined && this.#path === path();
    return {
      frame: (frame) => {
        if (!current()) return;
        offsetMs ??= this.#clock.monotonic() - this.#startedAt - frame.atMs;
        this.#frame({ payload: frame.payload, atMs: frame.atMs + offsetMs });
      },
      digit: (digit) => {
        if (current()) this.digit(digit);
      },
      mark: (name) => {
        if (current()) this.#reports.mark(name);
      },
      lost: () => {
        if (current()) lost();
      },
    };
  }

  digit(digit: string): void {
    this.#reports.digit(digit);
  }

  /** A muted visitor need not send any sound. */
  mute(muted: boolean): void {
    this.#muted = muted;
    this.#watchForSilence();
  }

  /** The line is over; its path is closed. */
  end(why: LineEnd): void {
    if (this.#gone) return;
    this.#reports.gone(why);
    this.#gone = true;
    this.#watch.stop();
    this.use(undefined);
  }

  #frame(frame: AudioFrame): void {
    this.#lastFrameAt = this.#clock.monotonic();
    this.#reports.frame(frame);
  }

  #watchForSilence(): void {
    this.#watch.stop();
    if (this.#path === undefined || this.#muted || this.#gone) return;
    this.#lastFrameAt = this.#clock.monotonic();
    this.#watch.start();
  }
}

const MOST_HELD = 200;
