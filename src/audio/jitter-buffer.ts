import { RecentLeast } from "../kit/recent-least.ts";
import { FRAME_MS } from "../model/audio.ts";

/** A packet as the network brought it. */
export type Arrival = Readonly<{
  /** 16 bits, one more with every packet that was sent. */
  sequence: number;
  /** 32 bits, where the sound begins on the sender's clock; of no meaning without `payload`. */
  timestamp: number;
  /** How long the sound lasts, in milliseconds. */
  ms: number;
  /** Absent, or of no length: the packet has its place in the order but holds no sound, such as a pressed key. */
  payload?: Uint8Array | undefined;
}>;

/** What the ear is to do next, in the order of time. */
export type Piece = Readonly<{ ms: number }> &
  (
    | Readonly<{ kind: "sound"; payload: Uint8Array }>
    /** Sound that is missing; `next` is the packet right behind it, which may hold a copy. */
    | Readonly<{ kind: "lost"; next: Uint8Array | undefined }>
    /** Nothing was sent for so long. */
    | Readonly<{ kind: "pause" }>
    /** To be decoded, for the sake of what follows, and not heard. */
    | Readonly<{ kind: "skipped"; payload: Uint8Array }>
  );

export type JitterCounts = Readonly<{ received: number; lost: number; late: number; duplicate: number }>;

/** How late a packet may be before its place is filled, in milliseconds; at first, and the limits of what is learnt. */
const FIRST_PATIENCE_MS = 80;
const LEAST_PATIENCE_MS = 40;
const MOST_PATIENCE_MS = 200;

/** What was learnt of lateness fades by this much a packet, which is 10 ms a second. */
const FORGET_MS = 0.2;
const MARGIN_MS = 10;

/** When nothing at all comes, pauses are taken up this much later than single packets are given up. */
const ABSENCE_MS = 40;

/** The loss of so much in a row is filled from what came before; behind it there is silence. */
const MADE_UP_MS = 60;

/** More packets are not held; the missing one is given up instead. Two seconds of sound. */
const MOST_HELD = 100;

/** A jump in sequence beyond this is a stray packet, or a new stream if the next one follows it (RFC 3550, appendix A.1). */
const MOST_DROPOUT = 1000;

/** A clock of the sender that jumps further is a new clock. */
const CLOCK_JUMP_MS = 10_000;

/** The timeline is corrected when it is off by a frame and it is quiet; whatever is said, when it is off by this much. */
const INTOLERABLE_MS = 1000;

/** The window of the least transit. */
const WINDOW_MS = 5000;

/** So long after the first packet, a lower transit moves the beginning of the timeline instead of the sound on it. */
const SETTLING_MS = 3000;

type Next = { sequence: number; atMs: number };

type Held = Readonly<{ ms: number; atMs: number; payload: Uint8Array | undefined }>;

/**
 * Puts packets of sound from a network in order for an ear that has no loudspeaker to feed: what comes in order goes on at once, and
 * only behind a missing packet the others wait, as long as packets have been late before. Then the place is filled. The timeline
 * follows the sender's timestamps; that the sender's clock runs faster or slower than ours is made good frame by frame while it
 * is quiet. Pure: time is given by the caller, in milliseconds of one monotonic clock.
 */
export class JitterBuffer {
  readonly #clockRate: number;
  readonly #held = new Map<number, Held>();
  readonly #counts = { received: 0, lost: 0, late: 0, duplicate: 0 };
  /** What is to come next: its number, and its time on the sender's clock. */
  #next: Next | undefined;
  #newest = { sequence: 0, timestamp: 0, atMs: 0 };
  #stray: number | undefined;
  /** Sound given out so far, corrections included. */
  #outMs = 0;
  /** Arrival less time on the sender's clock, for the present stream. */
  readonly #transit = new RecentLeast(WINDOW_MS);
  /** Where the present stream began on the timeline given out. */
  #origin = { sinceMs: 0, offsetMs: 0 };
  #lateness = FIRST_PATIENCE_MS - MARGIN_MS;
  #madeUpMs = 0;
  /** When a packet came last. */
  #cameMs = 0;
  /** Length of the last packet that was heard. */
  #packetMs = FRAME_MS;

  /** `clockRate` is that of the timestamps: 48 000 for Opus whatever it holds, 8000 for G.711. */
  constructor(clockRate: number) {
    this.#clockRate = clockRate;
  }

  get counts(): JitterCounts {
    return this.#counts;
  }

  /** Packets that wait; never more than 100. */
  get held(): number {
    return this.#held.size;
  }

  /** How long a missing packet is waited for at present, in milliseconds. */
  get patienceMs(): number {
    return Math.min(MOST_PATIENCE_MS, Math.max(LEAST_PATIENCE_MS, this.#lateness + MARGIN_MS));
  }

  /** Takes a packet in. */
  push(arrival: Arrival, nowMs: number): void {
    this.#cameMs = nowMs;
    const sequence = this.#place(arrival, nowMs);
    if (sequence === undefined || this.#next === undefined) return;
    this.#counts.received += 1;
    const payload = arrival.ms > 0 ? arrival.payload : undefined;
    const atMs = payload === undefined ? 0 : this.#time(arrival.timestamp);
    if (payload !== undefined) this.#observe(nowMs - atMs, nowMs);
    if (sequence > this.#newest.sequence && payload !== undefined)
      this.#newest = { sequence, timestamp: arrival.timestamp, atMs };
    if (sequence < this.#next.sequence) this.#counts.late += 1;
    else if (this.#held.has(sequence)) this.#counts.duplicate += 1;
    else this.#held.set(sequence, { ms: arrival.ms, atMs, payload });
  }

  /** What comes next, if it can be told by now; call again until there is nothing. `quiet`: nobody speaks at this point. */
  pull(nowMs: number, quiet: boolean): Piece | undefined {
    while (this.#next !== undefined) {
      const held = this.#held.get(this.#next.sequence);
      if (held === undefined) {
        if (nowMs < (this.dueMs as number) && this.#held.size < MOST_HELD) return undefined;
        if (this.#held.size === 0) return this.#beAbsent(this.#next);
        const piece = this.#giveUp(this.#next);
        if (piece !== undefined) return piece;
      } else if (held.payload === undefined) {
        this.#held.delete(this.#next.sequence);
        this.#next.sequence += 1;
      } else return this.#give(this.#next, held, held.payload, nowMs, quiet);
    }
    return undefined;
  }

  /** When {@link JitterBuffer.pull} has something to say even if no packet comes; `undefined` before the first packet. */
  get dueMs(): number | undefined {
    if (this.#next === undefined) return undefined;
    const playMs = this.#next.atMs + this.#transit.value + this.patienceMs;
    // After a standstill packets come in a heap; while they do, nothing is missing.
    return this.#held.size > 0 ? playMs : Math.max(playMs, this.#cameMs + this.#packetMs) + ABSENCE_MS;
  }

  /** The number without wrap-around; `undefined` for a packet that belongs to no stream so far. */
  #place(arrival: Arrival, nowMs: number): number | undefined {
    if (this.#next === undefined) {
      if (arrival.payload === undefined) return undefined;
      this.#restart(arrival, nowMs);
      return arrival.sequence;
    }
    const from = Math.max(this.#newest.sequence, this.#next.sequence);
    const step = ((arrival.sequence - from) << 16) >> 16;
    if (Math.abs(step) <= MOST_DROPOUT) {
      this.#stray = undefined;
      return from + step;
    }
    if (arrival.payload !== undefined && this.#stray === arrival.sequence) {
      this.#restart(arrival, nowMs);
      return arrival.sequence;
    }
    this.#stray = (arrival.sequence + 1) & 0xffff;
    return undefined;
  }

  /** A stream begins here, at the end of what was given out. */
  #restart({ sequence, timestamp }: Arrival, nowMs: number): void {
    this.#stray = undefined;
    this.#held.clear();
    this.#next = { sequence, atMs: 0 };
    this.#newest = { sequence, timestamp, atMs: 0 };
    this.#begin(nowMs, nowMs);
  }

  #begin(transit: number, nowMs: number): void {
    this.#transit.restart(transit, nowMs);
    this.#origin = { sinceMs: nowMs, offsetMs: this.#outMs - (this.#next?.atMs ?? 0) - transit };
  }

  #time(timestamp: number): number {
    return this.#newest.atMs + (((timestamp - this.#newest.timestamp) | 0) / this.#clockRate) * 1000;
  }

  #observe(transit: number, nowMs: number): void {
    if (Math.abs(transit - this.#transit.value) > CLOCK_JUMP_MS) return;
    const leastBefore = this.#transit.value;
    this.#transit.see(transit, nowMs);
    if (nowMs - this.#origin.sinceMs < SETTLING_MS) this.#origin.offsetMs += leastBefore - this.#transit.value;
    this.#lateness = Math.max(
      Math.min(transit - this.#transit.value, MOST_PATIENCE_MS),
      this.#lateness - FORGET_MS,
      LEAST_PATIENCE_MS - MARGIN_MS,
    );
  }

  /** How much more was given out than time has passed, in milliseconds. */
  #aheadMs(atMs: number): number {
    return this.#outMs - (atMs + this.#transit.value + this.#origin.offsetMs);
  }

  #give(next: Next, held: Held, payload: Uint8Array, nowMs: number, quiet: boolean): Piece {
    const gapMs = held.atMs - next.atMs;
    if (Math.abs(gapMs) > CLOCK_JUMP_MS) {
      next.atMs = held.atMs;
      this.#begin(nowMs - held.atMs, nowMs);
    } else if (gapMs >= 1) {
      next.atMs = held.atMs;
      return this.#out({ kind: "pause", ms: gapMs });
    }
    const aheadMs = this.#aheadMs(held.atMs);
    if (aheadMs <= -FRAME_MS && (quiet || aheadMs <= -INTOLERABLE_MS))
      return this.#out({ kind: "pause", ms: FRAME_MS });
    this.#held.delete(next.sequence);
    this.#madeUpMs = 0;
    this.#packetMs = held.ms;
    next.sequence += 1;
    // Sound that came after its place had been filled is heard nevertheless: late words are better than none.
    next.atMs = held.atMs + held.ms;
    if (aheadMs >= held.ms && (quiet || aheadMs >= INTOLERABLE_MS)) return { kind: "skipped", payload, ms: held.ms };
    return this.#out({ kind: "sound", payload, ms: held.ms });
  }

  /** Fills the place of a packet that is missing while others wait behind it; `undefined` when it had none. */
  #giveUp(next: Next): Piece | undefined {
    const first = Math.min(...this.#held.keys());
    const behind = this.#held.get(first) as Held;
    const ms = this.#packetMs;
    const places = behind.payload === undefined ? 0 : Math.floor((behind.atMs - next.atMs + 1) / ms);
    const missing = first - next.sequence;
    // Packets held no sound, or their places were filled while nothing came.
    const placeless = Math.max(0, missing - places);
    this.#counts.lost += placeless;
    next.sequence += placeless;
    if (next.sequence === first) return undefined;
    this.#counts.lost += 1;
    next.sequence += 1;
    next.atMs += ms;
    const adjoins = next.sequence === first && behind.atMs - next.atMs < 1;
    return adjoins ? this.#out({ kind: "lost", next: behind.payload, ms }) : this.#makeUp(ms);
  }

  /** Nothing is there at all: the sender is silent, or the network stands still. */
  #beAbsent(next: Next): Piece {
    next.atMs += this.#packetMs;
    return this.#makeUp(this.#packetMs);
  }

  #makeUp(ms: number): Piece {
    this.#madeUpMs += ms;
    return this.#out(this.#madeUpMs > MADE_UP_MS ? { kind: "pause", ms } : { kind: "lost", next: undefined, ms });
  }

  #out(piece: Piece): Piece {
    this.#outMs += piece.ms;
    return piece;
  }
}
