/** A dial that waits for its turn. */
export type Waiting = Readonly<{ dialId: string; workspaceId: string }>;

export type AdmissionLimits = Readonly<{
  /** Dials that this worker holds at once. */
  slots: number;
  /** Dials that are started per second, evenly spaced, because carriers count requests per second. */
  perSecond: number;
  /** Dials of one workspace that this worker holds at once. */
  perWorkspace: number;
}>;

/** Ids in memory; a dial that finds no room stays QUEUED and comes again by the reaper. */
const MOST_WAITING = 10_000;

/**
 * Who may start next: first come, first served, except that a workspace at its limit lets others pass. Holds no timers: `next`
 * is asked with the time and answers a dial, or how long to wait.
 */
export class Admission {
  readonly #limits: AdmissionLimits;
  readonly #waiting = new Map<string, Waiting>();
  readonly #held = new Map<string, string>();
  readonly #perWorkspace = new Map<string, number>();
  #nextStartAt = 0;

  constructor(limits: AdmissionLimits) {
    this.#limits = limits;
  }

  get full(): boolean {
    return this.#held.size >= this.#limits.slots;
  }

  /** How many dials are started and not over. */
  get held(): number {
    return this.#held.size;
  }

  /** How many dials wait for their turn. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Queues a dial, unless it waits or runs already or there is no room. */
  offer(dial: Waiting): void {
    if (this.#held.has(dial.dialId) || this.#waiting.size >= MOST_WAITING) return;
    if (!this.#waiting.has(dial.dialId)) this.#waiting.set(dial.dialId, dial);
  }

  /**
   * The dial whose turn it is at `now` (monotonic milliseconds), which then counts as held; a number of milliseconds when it is
   * too early for the next start; `undefined` when somebody must leave or come first.
   */
  next(now: number): Waiting | number | undefined {
    if (this.full) return undefined;
    for (const dial of this.#waiting.values()) {
      const running = this.#perWorkspace.get(dial.workspaceId) ?? 0;
      if (running >= this.#limits.perWorkspace) continue;
      if (now < this.#nextStartAt) return this.#nextStartAt - now;
      this.#nextStartAt = now + 1000 / this.#limits.perSecond;
      this.#waiting.delete(dial.dialId);
      this.#held.set(dial.dialId, dial.workspaceId);
      this.#perWorkspace.set(dial.workspaceId, running + 1);
      return dial;
    }
    return undefined;
  }

  /** A held dial is over. */
  release(dialId: string): void {
    const workspaceId = this.#held.get(dialId);
    if (workspaceId === undefined) return;
    this.#held.delete(dialId);
    const left = (this.#perWorkspace.get(workspaceId) ?? 1) - 1;
    if (left > 0) this.#perWorkspace.set(workspaceId, left);
    else this.#perWorkspace.delete(workspaceId);
  }

  /** A dial that waits waits no more; one that is held is not concerned. */
  withdraw(dialId: string): void {
    this.#waiting.delete(dialId);
  }

  /** Everyone who still waits, who then waits no more. */
  dismiss(): readonly Waiting[] {
    const all = [...this.#waiting.values()];
    this.#waiting.clear();
    return all;
  }
}
