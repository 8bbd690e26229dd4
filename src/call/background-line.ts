import type { Background } from "../audio/background.ts";
import { decodeSamples, encodeSamples } from "../audio/convert.ts";
import { FRAME_MS, millisecondsOf, type AudioFormat } from "../model/audio.ts";
import type { Clock, Timer } from "../ports/clock.ts";
import type { LineListener, Transport } from "../ports/transport.ts";

/** So far ahead of time the background is sent where the far end queues it: what the agent says waits behind it. */
const LEAD_MS = 40;

/** A line that plays at once may get a frame of speech this late; silence between its frames is left to it until then. */
const LATE_MS = 80;

/** A line that does not take its sound is given no background, in bytes. */
const MOST_BACKLOG = 4096;

/**
 * A line with a sound behind the agent's voice, also while the agent is silent. The voice is mixed with it and goes on at once; marks,
 * `clear` and everything that comes from the line pass through, so that what was heard stays as true as on the line itself. Until
 * the background is there, and for good if there is none, all sound passes through untouched. Never rejects: `background` does not.
 */
export const withBackground = (line: Transport, background: Promise<Background | undefined>, clock: Clock): Transport =>
  new BackgroundLine(line, background, clock);

class BackgroundLine implements Transport {
  readonly #line: Transport;
  readonly #clock: Clock;
  /** Until when the far end has sound, by the monotonic clock. */
  #untilMs: number;
  #spoke = false;
  #background: Background | undefined;
  #timer: Timer | undefined;
  #listening = false;
  #over = false;

  constructor(line: Transport, background: Promise<Background | undefined>, clock: Clock) {
    this.#line = line;
    this.#clock = clock;
    this.#untilMs = clock.monotonic();
    void background.then((ready) => {
      this.#background = ready;
      if (this.#listening) this.#fill();
    });
  }

  get format(): AudioFormat {
    return this.#line.format;
  }

  get queue(): "far-end" | "none" {
    return this.#line.queue;
  }

  get carrierCallId(): string | undefined {
    return this.#line.carrierCallId;
  }

  get bufferedAmount(): number {
    return this.#line.bufferedAmount;
  }

  listen(listener: LineListener): void {
    this.#line.listen({
      frame: (frame) => listener.frame(frame),
      digit: (digit) => listener.digit(digit),
      mark: (name) => listener.mark(name),
      gone: (why) => {
        this.#stop();
        listener.gone(why);
      },
    });
    this.#listening = true;
    this.#fill();
  }

  send(payload: Uint8Array): void {
    if (payload.length === 0) return;
    this.#spoke = true;
    const { encoding } = this.format;
    const background = this.#background;
    if (background === undefined) this.#give(payload);
    else this.#give(encodeSamples(encoding, background.mix(decodeSamples(encoding, payload))));
  }

  mark(name: string): void {
    this.#line.mark(name);
  }

  clear(): void {
    this.#line.clear();
    this.#untilMs = this.#clock.monotonic();
    this.#spoke = false;
    if (this.#timer === undefined || this.#over) return;
    // The far end is silent sooner than it was to be.
    this.#timer.cancel();
    this.#timer = this.#clock.setTimer(FRAME_MS / 2, () => this.#fill());
  }

  close(): void {
    this.#stop();
    this.#line.close();
  }

  #give(payload: Uint8Array): void {
    this.#line.send(payload);
    this.#untilMs = Math.max(this.#untilMs, this.#clock.monotonic()) + millisecondsOf(this.format, payload.length);
  }

  #fill(): void {
    const background = this.#background;
    if (background === undefined || this.#over) return;
    const now = this.#clock.monotonic();
    if (now - this.#untilMs >= this.#lagMs) {
      this.#spoke = false;
      // After a standstill the far end has been without sound; it is not made up for.
      this.#untilMs = Math.max(this.#untilMs, now - FRAME_MS);
      const frame = (this.format.sampleRate * FRAME_MS) / 1000;
      while (now - this.#untilMs >= this.#lagMs && this.#line.bufferedAmount < MOST_BACKLOG)
        this.#give(encodeSamples(this.format.encoding, background.take(frame)));
    }
    const waitMs = Math.max(FRAME_MS / 2, this.#untilMs + this.#lagMs - this.#clock.monotonic());
    this.#timer = this.#clock.setTimer(waitMs, () => this.#fill());
  }

  /** How long after the end of what was sent the background is due; before it, where there is a queue. */
  get #lagMs(): number {
    if (this.queue === "far-end") return -LEAD_MS;
    return this.#spoke ? LATE_MS : 0;
  }

  #stop(): void {
    this.#over = true;
    this.#timer?.cancel();
  }
}
