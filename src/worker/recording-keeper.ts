import { toError } from "../kit/errors.ts";
import { withDeadline, type Clock, type Timer } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import type { Recorder } from "../ports/recorder.ts";
import type { RecordingRecords } from "../ports/recording-records.ts";

type KeeperDeps = Readonly<{
  clock: Clock;
  logger: Logger;
  dials: Pick<RecordingRecords, "findBrokenRecordings" | "saveRecording">;
  recorder: Pick<Recorder, "recover" | "tend">;
}>;

const EVERY_MS = 30_000;

/** An hour of uncompressed sound goes up within this, unless the line is very slow; the next round goes on. */
const TEND_MS = 600_000;

const BROKEN_AT_ONCE = 100;

/**
 * Looks after the recordings of this machine: those of a process that died get their length and are told, and those that wait for
 * another place are brought there.
 */
export class RecordingKeeper {
  readonly #deps: KeeperDeps;
  #timer: Timer | undefined;
  #round: Promise<void> | undefined;
  #stopped = false;

  constructor(deps: KeeperDeps) {
    this.#deps = deps;
  }

  /** Goes round from now on; for the first time after one interval. */
  start(): void {
    this.#timer = this.#deps.clock.setTimer(EVERY_MS, () => {
      void this.goRound().then(() => {
        if (!this.#stopped) this.start();
      });
    });
  }

  /** Stops; what is under way is left to the recorder, which closes after this. */
  stop(): void {
    this.#stopped = true;
    this.#timer?.cancel();
  }

  /** Once; never rejects. A second call joins the round under way. */
  goRound(): Promise<void> {
    this.#round ??= this.#goRound().finally(() => {
      this.#round = undefined;
    });
    return this.#round;
  }

  async #goRound(): Promise<void> {
    const { clock, recorder, logger } = this.#deps;
    try {
      await this.#recover();
      await withDeadline(clock, TEND_MS, "tending recordings", recorder.tend());
    } catch (error) {
      logger.warn("recordings were not looked after", { error: toError(error) });
    }
  }

  async #recover(): Promise<void> {
    const { dials, recorder, logger } = this.#deps;
    for (const { dialId, recording } of await dials.findBrokenRecordings(BROKEN_AT_ONCE)) {
      if (this.#stopped) return;
      const durationMs = await recorder.recover(dialId, recording.id);
      // It may lie on another machine.
      if (durationMs === undefined) continue;
      const { incomplete: _, ...whole } = recording;
      await dials.saveRecording(dialId, { ...whole, durationMs: Math.round(durationMs) });
      logger.info("a recording that was broken off is kept", { dialId });
    }
  }
}
