import { withDeadline, type Clock, type Timer } from "../ports/clock.ts";
import type { DialStore } from "../ports/store.ts";
import type { OpenDial } from "../ports/unattended-dials.ts";

type WatchDeps = Readonly<{ clock: Clock; dials: Pick<DialStore, "peek"> }>;

/**
 * Looks at a dial's row, where callbacks and other processes leave their word: every so often, and at once when nudged. A store
 * that does not answer is asked again at the next look.
 */
export class DialWatch {
  readonly #deps: WatchDeps;
  readonly #dialId: string;
  readonly #report: (dial: OpenDial) => void;
  #everyMs: number;
  #timer: Timer | undefined;
  #looking = false;
  #again = false;
  #stopped = false;

  constructor(deps: WatchDeps, dialId: string, everyMs: number, report: (dial: OpenDial) => void) {
    this.#deps = deps;
    this.#dialId = dialId;
    this.#everyMs = everyMs;
    this.#report = report;
  }

  /** Looks every `ms` milliseconds from now on. */
  every(ms: number): void {
    this.#everyMs = ms;
    this.#schedule();
  }

  /** Somebody knows that the row changed. */
  nudge(): void {
    if (this.#stopped) return;
    if (this.#looking) this.#again = true;
    else void this.#look();
  }

  stop(): void {
    this.#stopped = true;
    this.#timer?.cancel();
  }

  #schedule(): void {
    this.#timer?.cancel();
    if (!this.#stopped) this.#timer = this.#deps.clock.setTimer(this.#everyMs, () => void this.#look());
  }

  async #look(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    try {
      const dial = await withDeadline(
        this.#deps.clock,
        2_000,
        "looking at a dial",
        this.#deps.dials.peek(this.#dialId),
      );
      if (dial !== undefined && !this.#stopped) this.#report(dial);
    } catch {
      // Nothing learned; the lease's keeper reports a store that is away.
    }
    this.#looking = false;
    if (this.#again) {
      this.#again = false;
      void this.#look();
    } else {
      this.#schedule();
    }
  }
}
