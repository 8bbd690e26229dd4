import type { AudioFrame } from "../../model/audio.ts";
import type { Clock, Timer } from "../../ports/clock.ts";
import type { LineEnd, LineListener, Transport } from "../../ports/transport.ts";
import { BROWSER_FORMAT } from "./browser-format.ts";
import type { MediaPath, PathListener } from "./media-path.ts";

type Held = (listener: LineListener) => void;

/**
 * The line of a browser call. Its sound takes one path at a time and none while the browser is away; then the agent's sound waits, and
 * the caller's timeline goes on by the clock.
 */
export class BrowserLine implements Transport {
  readonly format = BROWSER_FORMAT;
  readonly carrierCallId: string;
  readonly #clock: Clock;
  readonly #onSilent: () => void;
  readonly #onClose: () => void;
  readonly #startedAt: number;
  #path: MediaPath | undefined;
  #muted = false;
  #listener: LineListener | undefined;
  /** What happened before `listen`, the oldest lost first. */
  #held: Held[] = [];
  #lastFrameAt = 0;
  #watch: Timer | undefined;
  #gone = false;

  /** `onSilent`: no sound has come for 3 s though the visitor is not muted. `onClose`: our side has closed the line. */
  constructor(dialId: string, clock: Clock, on: Readonly<{ silent(): void; close(): void }>) {
    this.carrierCallId = dialId;
    this.#clock = clock;
    this.#onSilent = on.silent;
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
    const held = this.#held;
    this.#held = [];
    this.#listener = listener;
    for (const event of held) event(listener);
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
        if (current()) this.#emit((listener) => listener.mark(name));
      },
      lost: () => {
        if (current()) lost();
      },
    };
  }

  digit(digit: string): void {
    this.#emit((listener) => listener.digit(digit));
  }

  /** A muted visitor need not send any sound. */
  mute(muted: boolean): void {
    this.#muted = muted;
    this.#watchForSilence();
  }

  /** The line is over; its path is closed. */
  end(why: LineEnd): void {
    if (this.#gone) return;
    this.#emit((listener) => listener.gone(why));
    this.#gone = true;
    this.#watch?.cancel();
    this.use(undefined);
  }

  #frame(frame: AudioFrame): void {
    this.#lastFrameAt = this.#clock.monotonic();
    if (this.#listener !== undefined) this.#listener.frame(frame);
    else this.#emit((listener) => listener.frame(frame));
  }

  #emit(event: Held): void {
    if (this.#gone) return;
    if (this.#listener !== undefined) event(this.#listener);
    else {
      this.#held.push(event);
      if (this.#held.length > MOST_HELD) this.#held.shift();
    }
  }

  /** One timer per line; one per frame would cost more than the frame. */
  #watchForSilence(): void {
    this.#watch?.cancel();
    this.#watch = undefined;
    if (this.#path === undefined || this.#muted || this.#gone) return;
    this.#lastFrameAt = this.#clock.monotonic();
    const look = () => {
      const silentMs = this.#clock.monotonic() - this.#lastFrameAt;
      if (silentMs >= SILENT_MS) this.#onSilent();
      else this.#watch = this.#clock.setTimer(SILENT_MS - silentMs, look);
    };
    this.#watch = this.#clock.setTimer(SILENT_MS, look);
  }
}

/** Microphones send all the time, so that a peer that has gone without a word shows by its silence. */
const SILENT_MS = 3000;
const MOST_HELD = 200;
