import type { CallJournal } from "../call/call.ts";
import { backoff } from "../kit/backoff.ts";
import { toError } from "../kit/errors.ts";
import type { TranscriptEntry } from "../model/transcript.ts";
import type { TurnRecord } from "../model/turn-record.ts";
import { sleep, withDeadline, type Clock, type Timer } from "../ports/clock.ts";
import type { LiveState } from "../ports/live.ts";
import type { Logger } from "../ports/logger.ts";
import type { Random } from "../ports/random.ts";
import type { DialStore } from "../ports/store.ts";

type JournalDeps = Readonly<{
  clock: Clock;
  random: Random;
  logger: Logger;
  live: Pick<LiveState, "publish">;
  dials: Pick<DialStore, "saveTranscript" | "saveTurns" | "transcriptComplete">;
}>;

/** The first of a batch waits this long for others, in milliseconds. */
const BATCH_MS = 250;

const WRITE_MS = 5_000;

/** As long as somebody who is being hung up on may be kept. */
const SETTLE_MS = 300;

const LONGEST_PAUSE_MS = 2_000;

/** What one call may keep in memory while the store is away; an hour of talk is about 0.2 MB. */
export const SPOOL_BYTES = 5_000_000;

type Pending<T> = Readonly<{ value: T; bytes: number }>;

/**
 * Writes down what happens in a call: to followers at once, to the store in batches. While the store is away everything waits in
 * memory up to {@link SPOOL_BYTES}; what does not fit beside what waits already is dropped and counted.
 */
export class Journal implements CallJournal {
  readonly #deps: JournalDeps;
  readonly #dialId: string;
  readonly #entries = new Map<number, Pending<TranscriptEntry>>();
  readonly #turns = new Map<number, Pending<TurnRecord>>();
  #bytes = 0;
  #dropped = 0;
  #timer: Timer | undefined;
  #writing: Promise<void> | undefined;
  #failures = 0;
  #closed = false;

  constructor(deps: JournalDeps, dialId: string) {
    this.#deps = deps;
    this.#dialId = dialId;
  }

  /** How many entries and turns found no room. */
  get dropped(): number {
    return this.#dropped;
  }

  transcript(index: number, entry: TranscriptEntry): void {
    if (this.#closed) return;
    this.#deps.live.publish(this.#dialId, { type: "transcript", entry });
    this.#keep(this.#entries, index, entry);
  }

  interim(text: string): void {
    if (!this.#closed) this.#deps.live.publish(this.#dialId, { type: "interim", text });
  }

  turn(turn: TurnRecord): void {
    if (this.#closed) return;
    this.#deps.live.publish(this.#dialId, { type: "turn", turn });
    this.#keep(this.#turns, turn.index, turn);
  }

  /** Writes what is pending, trying for up to `deadlineMs`. Answers whether everything that was kept is in the store. */
  async flush(deadlineMs: number): Promise<boolean> {
    const until = this.#deps.clock.monotonic() + deadlineMs;
    while (this.#bytes > 0 && !this.#closed) {
      const left = until - this.#deps.clock.monotonic();
      if (left <= 0) return false;
      const writing = this.#write();
      try {
        await withDeadline(this.#deps.clock, left, "writing a journal", writing);
      } catch {
        return false;
      }
      if (this.#failures > 0) await sleep(this.#deps.clock, Math.min(left, BATCH_MS));
    }
    return this.#bytes === 0;
  }

  /** Writes what is pending unless the store is slow, which holds nobody up for long. */
  async settle(): Promise<void> {
    await this.flush(SETTLE_MS);
  }

  /** Drops what is pending and writes nothing more: the dial is somebody else's. */
  abandon(): void {
    this.#closed = true;
    this.#timer?.cancel();
    this.#entries.clear();
    this.#turns.clear();
    this.#bytes = 0;
  }

  /**
   * Takes nothing more and stops trying; what is still pending is lost, which is logged. If nothing is, the store is told that the
   * transcript is whole. Idempotent.
   */
  async close(): Promise<void> {
    const whole = !this.#closed && this.#bytes === 0 && this.#dropped === 0;
    if (!this.#closed && !whole)
      this.#deps.logger.error("part of a call was not written down", {
        dialId: this.#dialId,
        unwritten: this.#entries.size + this.#turns.size,
        dropped: this.#dropped,
      });
    this.abandon();
    await this.#writing;
    if (whole) await this.#complete();
  }

  /** Nothing is lost without this word: who waits for it waits for a fixed time at most. */
  async #complete(): Promise<void> {
    const { clock, dials, logger } = this.#deps;
    try {
      await withDeadline(clock, WRITE_MS, "completing a journal", dials.transcriptComplete(this.#dialId));
    } catch (error) {
      logger.warn("a transcript was not said to be complete", { dialId: this.#dialId, error: toError(error) });
    }
  }

  #keep<T>(kept: Map<number, Pending<T>>, index: number, value: T): void {
    const bytes = JSON.stringify(value).length;
    const before = kept.get(index)?.bytes ?? 0;
    if (this.#bytes - before + bytes > SPOOL_BYTES) {
      if (this.#dropped === 0)
        this.#deps.logger.error("a call's journal is full; what follows is not kept", { dialId: this.#dialId });
      this.#dropped += 1;
      return;
    }
    kept.set(index, { value, bytes });
    this.#bytes += bytes - before;
    this.#schedule(BATCH_MS);
  }

  #schedule(ms: number): void {
    if (this.#timer !== undefined || this.#writing !== undefined || this.#closed) return;
    this.#timer = this.#deps.clock.setTimer(ms, () => {
      this.#timer = undefined;
      void this.#write();
    });
  }

  /** Writes what is pending, unless a write is under way; resolves when that has been tried. */
  #write(): Promise<void> {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#writing ??= this.#writeOnce().finally(() => {
      this.#writing = undefined;
      if (this.#bytes === 0) return;
      const { random } = this.#deps;
      this.#schedule(
        BATCH_MS + (this.#failures === 0 ? 0 : backoff(random, this.#failures, BATCH_MS, LONGEST_PAUSE_MS)),
      );
    });
    return this.#writing;
  }

  async #writeOnce(): Promise<void> {
    const entries = [...this.#entries];
    const turns = [...this.#turns];
    const { clock, dials, logger } = this.#deps;
    const said = entries.map(([index, { value }]) => ({ index, entry: value }));
    const told = turns.map(([, { value }]) => value);
    // Both at once, so that a store may write them together.
    const write = () =>
      Promise.all([
        said.length > 0 && dials.saveTranscript(this.#dialId, said).then(() => this.#written(this.#entries, entries)),
        told.length > 0 && dials.saveTurns(this.#dialId, told).then(() => this.#written(this.#turns, turns)),
      ]);
    try {
      await withDeadline(clock, WRITE_MS, "writing a journal", write());
      this.#failures = 0;
    } catch (error) {
      if (this.#failures === 0)
        logger.warn("a call's journal waits in memory", { dialId: this.#dialId, error: toError(error) });
      this.#failures += 1;
    }
  }

  /** Forgets what was written, unless it was changed meanwhile. */
  #written<T>(kept: Map<number, Pending<T>>, batch: readonly (readonly [number, Pending<T>])[]): void {
    for (const [index, pending] of batch) {
      if (kept.get(index) !== pending) continue;
      kept.delete(index);
      this.#bytes -= pending.bytes;
    }
  }
}
