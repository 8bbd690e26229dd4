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

type Numbered = Readonly<{ dial: Waiting; order: number }>;

/**
 * Those of one workspace that are to be called, oldest first: those that were held back, and those that were not given out yet, all of
 * which came later. The store wants none of them before `notBefore`.
 */
type Queue = { readonly back: Numbered[]; readonly dials: Map<string, Numbered>; notBefore: number };

/**
 * Who may start next. People who wait for us come first, in their order; then workspaces take turns, each with its oldest dial, and one
 * that is at its limit lets the others pass. Holds no timers: `next` is asked with the time and answers a dial, or how long to wait.
 */
export class Admission {
  readonly #limits: AdmissionLimits;
  /** By workspace; whose turn is next stands first. */
  readonly #queues = new Map<string, Queue>();
  readonly #people = new Map<string, Readonly<{ dial: Waiting; notBefore: number }>>();
  readonly #held = new Map<string, Numbered>();
  readonly #perWorkspace = new Map<string, number>();
  /** Everyone in those queues. */
  readonly #called = new Set<string>();
  #offered = 0;
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
    return this.#called.size + this.#people.size;
  }

  /** Whether a dial waits here, or is held. */
  knows(dialId: string): boolean {
    return this.#held.has(dialId) || this.#people.has(dialId) || this.#called.has(dialId);
  }

  /** Queues a dial, unless it waits or runs already or there is no room. */
  offer(dial: Waiting): void {
    if (this.knows(dial.dialId) || this.waiting >= MOST_WAITING) return;
    if (dial.waitsForUs) {
      this.#people.set(dial.dialId, { dial, notBefore: 0 });
      return;
    }
    this.#offered += 1;
    this.#queueOf(dial.workspaceId).dials.set(dial.dialId, { dial, order: this.#offered });
    this.#called.add(dial.dialId);
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
   * The store does not let a dial start that `next` gave out: it waits again, in its old place. When it is the first of its workspace, none
   * is given out before `until` (monotonic milliseconds), or before one of the workspace has begun or is over.
   */
  holdBack(dial: Waiting, until: number): void {
    const order = this.#leave(dial.dialId)?.order ?? 0;
    if (dial.waitsForUs) {
      this.#people.set(dial.dialId, { dial, notBefore: until });
      return;
    }
    const queue = this.#queueOf(dial.workspaceId);
    const younger = queue.back.findIndex((one) => one.order > order);
    const at = younger === -1 ? queue.back.length : younger;
    queue.back.splice(at, 0, { dial, order });
    if (at === 0) queue.notBefore = until;
    this.#called.add(dial.dialId);
  }

  /** A dial that was given out has begun: those of its workspace that were behind it are looked at again. */
  begun(dialId: string): void {
    this.#hurry(this.#held.get(dialId));
  }

  /** A held dial is over. */
  release(dialId: string): void {
    this.#hurry(this.#leave(dialId));
  }

  /** A dial that waits waits no more; one that is held is not concerned. */
  withdraw(dialId: string): void {
    this.#people.delete(dialId);
    if (!this.#called.delete(dialId)) return;
    for (const [workspaceId, queue] of this.#queues) {
      const at = queue.back.findIndex(({ dial }) => dial.dialId === dialId);
      if (at !== -1) queue.back.splice(at, 1);
      else queue.dials.delete(dialId);
      if (isEmpty(queue)) this.#queues.delete(workspaceId);
    }
  }

  /** Everyone who still waits, who then waits no more. */
  dismiss(): readonly Waiting[] {
    const all = [
      ...[...this.#people.values()].map(({ dial }) => dial),
      ...[...this.#queues.values()].flatMap(({ back, dials }) => [...back, ...dials.values()].map(({ dial }) => dial)),
    ];
    this.#people.clear();
    this.#queues.clear();
    this.#called.clear();
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
      return this.#enter({ dial, order: 0 });
    }
    return soonest;
  }

  #nextCalled(now: number): Waiting | number | undefined {
    const { slots, reserve, perSecond, perWorkspace } = this.#limits;
    if (this.#held.size >= slots - reserve) return undefined;
    let soonest: number | undefined;
    for (const [workspaceId, queue] of this.#queues) {
      const [first] = queue.back.length > 0 ? queue.back : queue.dials.values();
      if (first === undefined || this.#running(workspaceId) >= perWorkspace - reserve) continue;
      const at = Math.max(this.#nextStartAt, queue.notBefore);
      if (now < at) {
        soonest = Math.min(soonest ?? Infinity, at - now);
        continue;
      }
      this.#nextStartAt = now + 1000 / perSecond;
      if (!queue.dials.delete(first.dial.dialId)) queue.back.shift();
      this.#called.delete(first.dial.dialId);
      // Its turn is over: it stands last, if it has more.
      this.#queues.delete(workspaceId);
      if (!isEmpty(queue)) this.#queues.set(workspaceId, queue);
      return this.#enter(first);
    }
    return soonest;
  }

  #queueOf(workspaceId: string): Queue {
    const known = this.#queues.get(workspaceId);
    if (known !== undefined) return known;
    const queue: Queue = { back: [], dials: new Map(), notBefore: 0 };
    this.#queues.set(workspaceId, queue);
    return queue;
  }

  #running(workspaceId: string): number {
    return this.#perWorkspace.get(workspaceId) ?? 0;
  }

  #enter(numbered: Numbered): Waiting {
    const { dial } = numbered;
    this.#held.set(dial.dialId, numbered);
    this.#perWorkspace.set(dial.workspaceId, this.#running(dial.workspaceId) + 1);
    return dial;
  }

  #leave(dialId: string): Numbered | undefined {
    const numbered = this.#held.get(dialId);
    if (numbered === undefined) return undefined;
    this.#held.delete(dialId);
    const { workspaceId } = numbered.dial;
    const left = this.#running(workspaceId) - 1;
    if (left > 0) this.#perWorkspace.set(workspaceId, left);
    else this.#perWorkspace.delete(workspaceId);
    return numbered;
  }

  #hurry(numbered: Numbered | undefined): void {
    const queue = numbered === undefined ? undefined : this.#queues.get(numbered.dial.workspaceId);
    if (queue !== undefined) queue.notBefore = 0;
  }
}

const isEmpty = ({ back, dials }: Queue): boolean => back.length === 0 && dials.size === 0;
