/**
 * Where playback stands, by time: sound that is sent into an empty queue plays at once, what follows plays behind it. Positions
 * and times in milliseconds, time from the monotonic clock.
 */
export class Playout {
  /** The last stretch without a gap: which position began to sound when. */
  #run: Readonly<{ positionMs: number; atMs: number }> | undefined;
  #queueEndMs = 0;
  #sentMs = 0;
  /** How much later than this model the far end plays, by its marks; they come back over the same network. */
  #latencyMs = 0;

  /** Position up to which sound was sent. */
  get sentMs(): number {
    return this.#sentMs;
  }

  /** When the far end will have played everything that was sent. */
  get queueEndMs(): number {
    return this.#queueEndMs;
  }

  get latencyMs(): number {
    return this.#latencyMs;
  }

  /** Notes that `ms` of sound were sent now; answers when they begin to play. */
  sent(ms: number, nowMs: number): number {
    const gap = this.#run === undefined || this.#queueEndMs <= nowMs;
    const startMs = gap ? nowMs : this.#queueEndMs;
    if (gap) this.#run = { positionMs: this.#sentMs, atMs: nowMs };
    this.#sentMs += ms;
    this.#queueEndMs = startMs + ms;
    return startMs;
  }

  /** The position that plays at `nowMs`, as if the far end played without delay. */
  playing(nowMs: number): number {
    if (this.#run === undefined) return this.#sentMs;
    const { positionMs, atMs } = this.#run;
    return Math.min(this.#sentMs, positionMs + Math.max(0, nowMs - atMs));
  }

  /** The position that the other party has heard at `nowMs`, delay included. */
  heard(nowMs: number): number {
    return this.playing(nowMs - this.#latencyMs);
  }

  /** When a position began, or will begin, to play; only within the present run. */
  timeOf(positionMs: number): number {
    return this.#run === undefined ? 0 : this.#run.atMs + (positionMs - this.#run.positionMs);
  }

  /**
   * A mark behind `positionMs` came back now. Corrects the delay, smoothed, at most a quarter of a second. Of a mark's lateness, half
   * is its own way back.
   */
  acknowledged(positionMs: number, nowMs: number): void {
    if (this.#run === undefined || positionMs < this.#run.positionMs) return;
    const late = Math.min(MAX_LATENCY_MS, Math.max(0, (nowMs - this.timeOf(positionMs)) / 2));
    this.#latencyMs += (late - this.#latencyMs) * SMOOTHING;
  }

  /** Playback was emptied; the next sound sent is the one at `positionMs`. */
  rewind(positionMs: number, nowMs: number): void {
    this.#run = undefined;
    this.#sentMs = positionMs;
    this.#queueEndMs = nowMs;
  }

  /** A new reply: positions start at 0 again; what was learnt of the delay stays. */
  restart(nowMs: number): void {
    this.rewind(0, Math.max(this.#queueEndMs, nowMs));
  }
}

const MAX_LATENCY_MS = 250;
const SMOOTHING = 0.3;
