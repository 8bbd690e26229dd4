import { toError } from "../kit/errors.ts";
import { withDeadline, type Clock, type Timer } from "../ports/clock.ts";
import type { Lineage, MarkKeeper, StoreMark } from "../ports/lineage.ts";
import type { Logger } from "../ports/logger.ts";

export type LineageWatchDeps = Readonly<{
  clock: Clock;
  logger: Logger;
  lineage: Pick<Lineage, "look">;
  keepers: readonly MarkKeeper[];
}>;

/** A mark that is kept is at most this old, and a loss is noted at most this long after the database is back. */
const EVERY_MS = 2_000;

const LOOK_MS = 5_000;
const KEEP_MS = 2_500;

/**
 * Looks every two seconds whether the database is still the one that acknowledged what it acknowledged, and keeps outside of it how far it
 * has come. While it is away nothing is learned, and nothing can be claimed.
 */
export class LineageWatch {
  readonly #deps: LineageWatchDeps;
  #timer: Timer | undefined;
  #looking: Promise<void> | undefined;
  #stopped = false;
  /** Told once for each time that the database is away. */
  #failing = false;

  constructor(deps: LineageWatchDeps) {
    this.#deps = deps;
  }

  /** Looks for the first time, with what was kept, and goes on from there. @throws what the look throws. */
  async start(): Promise<void> {
    const kept = await Promise.all(this.#deps.keepers.map((keeper) => this.#within(keeper.read())));
    const mark = await this.#look(kept.filter((one) => one !== undefined));
    // A place that does not answer now has held up the start once.
    this.#looking = this.#keep(mark).then(() => this.#schedule());
  }

  /** Stops, and resolves when the look under way is over. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#timer?.cancel();
    await this.#looking;
  }

  #schedule(): void {
    if (this.#stopped) return;
    this.#timer = this.#deps.clock.setTimer(EVERY_MS, () => {
      this.#looking = this.#look([])
        .then((mark) => this.#keep(mark))
        .catch((error: unknown) => {
          if (!this.#failing) this.#deps.logger.warn("the database cannot be looked at", { error: toError(error) });
          this.#failing = true;
        })
        .finally(() => {
          this.#schedule();
        });
    });
  }

  async #look(seen: readonly StoreMark[]): Promise<StoreMark> {
    const { clock, lineage, logger } = this.#deps;
    const { mark, quarantined } = await withDeadline(clock, LOOK_MS, "a look at the database", lineage.look(seen));
    this.#failing = false;
    if (quarantined !== undefined && quarantined > 0)
      logger.error(
        "the database is not what it was; dials that waited are not placed until call-engine quarantine release",
        {
          count: quarantined,
        },
      );
    return mark;
  }

  async #keep(mark: StoreMark): Promise<void> {
    await Promise.all(this.#deps.keepers.map((keeper) => this.#within(keeper.keep(mark))));
  }

  /** A place that does not answer is done without: there are others, and the database has its own notes. */
  async #within<T>(work: Promise<T>): Promise<T | undefined> {
    try {
      return await withDeadline(this.#deps.clock, KEEP_MS, "a mark of the database", work);
    } catch {
      return undefined;
    }
  }
}
