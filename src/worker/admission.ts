/** A dial that waits for its turn. `waitsForUs`: somebody rings us, or has come with a browser, and hears nothing meanwhile. */
export type Waiting = Readonly<{ dialId: string; workspaceId: string; waitsForUs: boolean }>;

export type AdmissionLimits = Readonly<{
  /** Dials that this worker holds at once. */
  slots: number;
  /** Of the slots, and of a workspace's dials, those that are kept free for people who call us. */
  reserve: number;
  /** Dials that are started per second, evenly spaced, because carriers count requests per second. */
  perSecond: number;
  /** Dials of one workspace that are held at once. */
  perWorkspace: number;
}>;

/** Ids in memory; a dial that finds no room stays QUEUED and comes again by the reaper. */
const MOST_WAITING = 10_000;

/** Those of one workspace that are to be called, oldest first; the store wants none of them before `notBefore`. */
type Queue = { readonly dials: Map<string, Waiting>; notBefore: number };

/**
 * Who may start next. People who wait for us come first, in their order; then workspaces take turns, each with its oldest dial, and one
 * that is at its limit lets the others pass. Holds no timers: `next` is asked with the time and answers a dial, or how long to wait.
 */
export class Admission {
  readonly #limits: AdmissionLimits;
  /** By workspace; whose turn is next stands first. */
  readonly #queues = new Map<string, Queue>();
  readonly #people = new Map<string, Readonly<{ dial: Waiting; notBefore: number }>>();
  readonly #held = new Map<string, string>();
  readonly #perWorkspace = new Map<string, number>();
  #waiting = 0;
  #nextStartAt = 0;

  constructor(limits: AdmissionLimits) {
    this.#limits = limits;
  }

  /** Nobody at all could start. */
  get full(): boolean {
    return this.#held.size >= this.#limits.slots;
  }

  /** How many dials are started and not over. */
  get held(): number {
    return this.#held.size;
  }

  /** How many dials wait for their turn. */
  get waiting(): number {
    return this.#waiting + this.#people.size;
  }

  /** Queues a dial, unless it waits or runs already or there is no room. */
  offer(dial: Waiting): void {
    if (this.#held.has(dial.dialId) || this.waiting >= MOST_WAITING) return;
    if (dial.waitsForUs) {
      if (!this.#people.has(dial.dialId)) this.#people.set(dial.dialId, { dial, notBefore: 0 });
      return;
    }
    const { dials } = this.#queueOf(dial.workspaceId);
    if (dials.has(dial.dialId)) return;
    dials.set(dial.dialId, dial);
    this.#waiting += 1;
  }

  /**
   * The dial whose turn it is at `now` (monotonic milliseconds), which then counts as held; a number of milliseconds when it is
   * too early for the next start; `undefined` when somebody must leave or come first.
   */
  next(now: number): Waiting | number | undefined {
    if (this.full) return undefined;
    const person = this.#nextPerson(now);
    if (typeof person === "object") return person;
    const called = this.#nextCalled(now);
    if (typeof called === "object") return called;
    if (person === undefined || called === undefined) return person ?? called;
    return Math.min(person, called);
  }

  /**
   * The store does not let a dial start that `next` gave out: it waits again, before all others of its workspace, and is not given out
   * before `until` (monotonic milliseconds), or before a dial of its workspace is over.
   */
  holdBack(dial: Waiting, until: number): void {
    this.#leave(dial.dialId);
    if (dial.waitsForUs) {
      this.#people.set(dial.dialId, { dial, notBefore: until });
      return;
    }
    const queue = this.#queueOf(dial.workspaceId);
    const others = [...queue.dials];
    queue.dials.clear();
    for (const [id, one] of [[dial.dialId, dial] as const, ...others]) queue.dials.set(id, one);
    queue.notBefore = until;
    this.#waiting += 1;
  }

  /** A held dial is over. */
  release(dialId: string): void {
    const workspaceId = this.#leave(dialId);
    const queue = workspaceId === undefined ? undefined : this.#queues.get(workspaceId);
    if (queue !== undefined) queue.notBefore = 0;
  }

  /** A dial that waits waits no more; one that is held is not concerned. */
  withdraw(dialId: string): void {
    this.#people.delete(dialId);
    for (const [workspaceId, { dials }] of this.#queues)
      if (dials.delete(dialId)) {
        this.#waiting -= 1;
        if (dials.size === 0) this.#queues.delete(workspaceId);
      }
  }

  /** Everyone who still waits, who then waits no more. */
  dismiss(): readonly Waiting[] {
    const all = [
      ...[...this.#people.values()].map(({ dial }) => dial),
      ...[...this.#queues.values()].flatMap(({ dials }) => [...dials.values()]),
    ];
    this.#people.clear();
    this.#queues.clear();
    this.#waiting = 0;
    return all;
  }

  /** Whoever waits for us is not held up by the pace of requests to carriers: nobody is asked to ring. */
  #nextPerson(now: number): Waiting | number | undefined {
    let soonest: number | undefined;
    for (const { dial, notBefore } of this.#people.values()) {
      if (this.#running(dial.workspaceId) >= this.#limits.perWorkspace) continue;
      if (now < notBefore) {
        soonest = Math.min(soonest ?? Infinity, notBefore - now);
        continue;
      }
      this.#people.delete(dial.dialId);
      return this.#enter(dial);
    }
    return soonest;
  }

  #nextCalled(now: number): Waiting | number | undefined {
    const { slots, reserve, perSecond, perWorkspace } = this.#limits;
    if (this.#held.size >= slots - reserve) return undefined;
    let soonest: number | undefined;
    for (const [workspaceId, queue] of this.#queues) {
      const [dial] = queue.dials.values();
      if (dial === undefined || this.#running(workspaceId) >= perWorkspace - reserve) continue;
      const at = Math.max(this.#nextStartAt, queue.notBefore);
      if (now < at) {
        soonest = Math.min(soonest ?? Infinity, at - now);
        continue;
      }
      this.#nextStartAt = now + 1000 / perSecond;
      queue.dials.delete(dial.dialId);
      this.#waiting -= 1;
      // Its turn is over: it stands last, if it has more.
      this.#queues.delete(workspaceId);
      if (queue.dials.size > 0) this.#queues.set(workspaceId, queue);
      return this.#enter(dial);
    }
    return soonest;
  }

  #queueOf(workspaceId: string): Queue {
    const known = this.#queues.get(workspaceId);
    if (known !== undefined) return known;
    const queue = { dials: new Map<string, Waiting>(), notBefore: 0 };
    this.#queues.set(workspaceId, queue);
    return queue;
  }

  #running(workspaceId: string): number {
    return this.#perWorkspace.get(workspaceId) ?? 0;
  }

  #enter(dial: Waiting): Waiting {
    this.#held.set(dial.dialId, dial.workspaceId);
    this.#perWorkspace.set(dial.workspaceId, this.#running(dial.workspaceId) + 1);
    return dial;
  }

  #leave(dialId: string): string | undefined {
    const workspaceId = this.#held.get(dialId);
    if (workspaceId === undefined) return undefined;
    this.#held.delete(dialId);
    const left = this.#running(workspaceId) - 1;
    if (left > 0) this.#perWorkspace.set(workspaceId, left);
    else this.#perWorkspace.delete(workspaceId);
    return workspaceId;
  }
}
