import { tryErasing, type EraseDeps } from "../dials/erase.ts";
import { toError } from "../kit/errors.ts";
import { withDeadline, type Timer } from "../ports/clock.ts";
import type { DueErasure } from "../ports/erasures.ts";

type HousekeeperOptions = Readonly<{
  /** How long dials are kept whose agents do not say, in days; absent: for ever. */
  retentionDays?: number | undefined;
}>;

/** Well within a day, which is what is promised. */
const EVERY_MS = 60_000;

const ERASED_AT_ONCE = 100;
const DELETED_AT_ONCE = 500;

/** In one round; what is left waits a minute, so that no round keeps a database busy. */
const MOST_BATCHES = 20;

const STATEMENT_MS = 10_000;

/**
 * Takes out what may no longer be kept, once a minute, in small batches, by any number of processes at once: dials that are to be
 * erased or whose time is over, and rows that only the service needs.
 */
export class Housekeeper {
  readonly #deps: EraseDeps;
  readonly #options: HousekeeperOptions;
  #timer: Timer | undefined;
  #sweeping: Promise<void> | undefined;
  #stopped = false;

  constructor(deps: EraseDeps, options: HousekeeperOptions) {
    this.#deps = deps;
    this.#options = options;
  }

  /** Sweeps from now on; for the first time after one interval. */
  start(): void {
    this.#timer = this.#deps.clock.setTimer(EVERY_MS, () => {
      void this.sweep().then(() => {
        if (!this.#stopped) this.start();
      });
    });
  }

  /** Stops, and resolves when the sweep under way is over. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#timer?.cancel();
    await this.#sweeping;
  }

  /** Goes through everything once; never rejects. A second call joins the sweep under way. */
  sweep(): Promise<void> {
    this.#sweeping ??= this.#sweep().finally(() => {
      this.#sweeping = undefined;
    });
    return this.#sweeping;
  }

  async #sweep(): Promise<void> {
    const { erasures } = this.#deps;
    await this.#erase("erasing marked dials", () => erasures.findMarked(ERASED_AT_ONCE));
    await this.#erase("erasing old dials", () => erasures.findExpired(ERASED_AT_ONCE, this.#options.retentionDays));
    await this.#step("deleting old rows", async () => (await erasures.tidy(DELETED_AT_ONCE)) > 0);
  }

  /** Until nothing is due, or something could not be erased, which would be found again at once. */
  #erase(what: string, find: () => Promise<readonly DueErasure[]>): Promise<void> {
    return this.#step(what, async () => {
      const found = await withDeadline(this.#deps.clock, STATEMENT_MS, what, find());
      let erased = 0;
      for (const due of found) {
        if (this.#stopped) return false;
        if (await tryErasing(this.#deps, due)) erased += 1;
      }
      return erased === ERASED_AT_ONCE;
    });
  }

  /** Does `batch` again for as long as it says that there is more. */
  async #step(what: string, batch: () => Promise<boolean>): Promise<void> {
    try {
      for (let count = 0; count < MOST_BATCHES && !this.#stopped; count++)
        if (!(await withDeadline(this.#deps.clock, EVERY_MS * MOST_BATCHES, what, batch()))) return;
    } catch (error) {
      this.#deps.logger.warn("a part of the housekeeping failed", { what, error: toError(error) });
    }
  }
}
