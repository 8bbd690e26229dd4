import { FRAME_MS, millisecondsOf, type AudioFormat } from "../../src/model/audio.ts";
import type { Clock, Timer } from "../../src/ports/clock.ts";
import type { LineEnd, LineListener, Transport } from "../../src/ports/transport.ts";

/** A stretch of sound as the other party heard it. */
export type HeardSound = Readonly<{ fromMs: number; untilMs: number; payload: Uint8Array }>;

export type LineOptions = Readonly<{
  format?: AudioFormat;
  queue?: "far-end" | "none";
  marks?: boolean;
  delayMs?: number;
  carrierCallId?: string | undefined;
}>;

/**
 * The far end of a line in virtual time: it queues and plays sound like a carrier, answers marks when they are reached, drops
 * its queue on `clear`, and sends a frame every 20 ms while the caller's microphone is open.
 */
export class ScriptedLine implements Transport {
  readonly format: AudioFormat;
  readonly queue: "far-end" | "none";
  readonly carrierCallId: string;
  readonly bufferedAmount = 0;
  readonly heard: HeardSound[] = [];
  closed = false;
  /** While it is, the line's own time goes on and no frames come. */
  muted = false;
  readonly #clock: Clock;
  readonly #marks: boolean;
  readonly #delayMs: number;
  #listener: LineListener | undefined;
  #queueEnd = 0;
  readonly #pendingMarks = new Map<string, Timer>();
  #microphone: Timer | undefined;
  #frames = 0;
  #voice: (frame: number) => Uint8Array;

  constructor(clock: Clock, options: LineOptions = {}) {
    this.#clock = clock;
    this.format = options.format ?? { encoding: "mulaw", sampleRate: 8000 };
    this.queue = options.queue ?? "far-end";
    this.carrierCallId = options.carrierCallId ?? "CA-test";
    this.#marks = options.marks ?? true;
    this.#delayMs = options.delayMs ?? 0;
    const silence = new Uint8Array(160).fill(0xff);
    this.#voice = () => silence;
  }

  listen(listener: LineListener): void {
    this.#listener = listener;
  }

  send(payload: Uint8Array): void {
    const now = this.#clock.monotonic() + this.#delayMs;
    const fromMs = Math.max(now, this.#queueEnd);
    this.#queueEnd = fromMs + millisecondsOf(this.format, payload.length);
    this.heard.push({ fromMs, untilMs: this.#queueEnd, payload });
  }

  mark(name: string): void {
    if (!this.#marks) return;
    const wait = Math.max(0, this.#queueEnd - this.#clock.monotonic()) + this.#delayMs;
    this.#pendingMarks.set(
      name,
      this.#clock.setTimer(wait, () => {
        this.#pendingMarks.delete(name);
        this.#listener?.mark(name);
      }),
    );
  }

  clear(): void {
    const now = this.#clock.monotonic() + this.#delayMs;
    for (const timer of this.#pendingMarks.values()) timer.cancel();
    this.#pendingMarks.clear();
    while ((this.heard.at(-1)?.fromMs ?? -1) >= now) this.heard.pop();
    const last = this.heard.at(-1);
    if (last !== undefined && last.untilMs > now) this.heard[this.heard.length - 1] = { ...last, untilMs: now };
    this.#queueEnd = Math.min(this.#queueEnd, now);
  }

  close(): void {
    this.closed = true;
    this.#microphone?.cancel();
    for (const timer of this.#pendingMarks.values()) timer.cancel();
    this.#pendingMarks.clear();
  }

  /** Opens the microphone; `voice` makes the payload of each 20 ms frame. */
  openMicrophone(voice: (frame: number) => Uint8Array): void {
    this.#voice = voice;
    const tick = () => {
      if (!this.muted) this.#listener?.frame({ payload: this.#voice(this.#frames), atMs: this.#frames * FRAME_MS });
      this.#frames += 1;
      this.#microphone = this.#clock.setTimer(FRAME_MS, tick);
    };
    this.#microphone = this.#clock.setTimer(FRAME_MS, tick);
  }

  press(digit: string): void {
    this.#listener?.digit(digit);
  }

  end(why: LineEnd): void {
    this.close();
    this.#listener?.gone(why);
  }

  /** Milliseconds of sound that were really played. */
  get playedMs(): number {
    return this.heard.reduce((sum, { fromMs, untilMs }) => sum + untilMs - fromMs, 0);
  }
}
