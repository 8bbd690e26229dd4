import { deferred } from "../kit/deferred.ts";
import { toError } from "../kit/errors.ts";
import type { CallPlan } from "../model/call-plan.ts";
import { withDeadline, type Timer } from "../ports/clock.ts";
import { HeldBack } from "../ports/workspace-limits.ts";
import type { DialQueue, QueueConsumer } from "../ports/queue.ts";
import { Admission, type AdmissionLimits, type Waiting } from "./admission.ts";
import { persist } from "./persist.ts";
import { DialRun, type RunDialDeps } from "./run-dial.ts";
import { StallWatch } from "./stall-watch.ts";

export type WorkerDeps = RunDialDeps &
  Readonly<{
    queue: DialQueue;
    /** A dial was held and is held no longer; what there is to do about it then is not waited for. */
    released?: (plan: CallPlan) => void;
    /** Tells other processes which dials are held here. */
    presence?: Readonly<{ holds(dialId: string): void; left(dialId: string): void }>;
  }>;

export type WorkerOptions = AdmissionLimits &
  Readonly<{
    /** Names this process in leases. */
    owner: string;
    /** How long a drain waits for calls to end by themselves, in milliseconds. */
    drainMs: number;
  }>;

/** Jobs that are looked at side by side; each takes one look-up of a dial. */
const JOBS_AT_ONCE = 10;

const CLAIM_MS = 5_000;

/** From the request to end until the terminal statement is in: a goodbye of seven seconds at most, and the end under three. */
const POLITE_END_MS = 15_000;

/** Giving waiting dials back to the queue; those that are not, the reaper finds. */
const HAND_BACK_MS = 1_000;

/**
 * Takes dials from the queue and holds their calls. A job only wakes it: the dial waits here for a slot, its workspace's limit
 * and the carrier's pace, and is then claimed in the store, by one worker only.
 */
export class Worker {
  readonly #deps: WorkerDeps;
  readonly #options: WorkerOptions;
  readonly #admission: Admission;
  readonly #stalls: StallWatch;
  readonly #runs = new Map<string, DialRun>();
  readonly #idle = new Set<() => void>();
  #consumer: QueueConsumer | undefined;
  #consuming = false;
  #draining: Promise<void> | undefined;
  readonly #hurry = deferred<void>();
  #cutting = false;
  #pump: Timer | undefined;

  constructor(deps: WorkerDeps, options: WorkerOptions) {
    this.#deps = deps;
    this.#options = options;
    this.#admission = new Admission(options);
    this.#stalls = new StallWatch(deps.clock, (stalled) => {
      if (stalled) deps.logger.warn("the event loop stood still; no new dials until it runs again");
      this.#settle();
    });
  }

  /** Dials that are started and not over. */
  get held(): number {
    return this.#admission.held;
  }

  /** Room of this worker, for whoever decides how many workers there are. */
  get load(): Readonly<{ slots: number; held: number; waiting: number }> {
    return { slots: this.#options.slots, held: this.#admission.held, waiting: this.#admission.waiting };
  }

  /** Calls with somebody on the line. */
  get connected(): number {
    return [...this.#runs.values()].filter((run) => run.connected).length;
  }

  /** The dials that are held, by id, for whoever asks about one of them. */
  get runs(): ReadonlyMap<string, DialRun> {
    return this.#runs;
  }

  /** Starts taking jobs. */
  async start(): Promise<void> {
    this.#stalls.start();
    this.#consuming = true;
    this.#consumer = await this.#deps.queue.consume((dialId) => this.#onJob(dialId), JOBS_AT_ONCE);
    this.#settle();
  }

  /**
   * Takes up a dial whose party is here already, without a job: it is claimed as soon as there is room. Answers false, and does nothing,
   * when this worker takes no more dials.
   */
  take(dialId: string): boolean {
    if (this.#draining !== undefined || this.#consumer === undefined) return false;
    void this.#onJob(dialId);
    return true;
  }

  /**
   * A dial that was made in this process: it needs no job where there is room for it now. Answers false, and does nothing, where there
   * is none.
   */
  offer(dial: Readonly<{ dialId: string; workspaceId: string }>): boolean {
    const open = this.#consumer !== undefined && this.#draining === undefined && !this.#stalls.stalled;
    if (!open || this.#admission.held + this.#admission.waiting >= this.#options.slots) return false;
    this.#admission.offer({ ...dial, waitsForUs: false });
    this.#settle();
    return true;
  }

  /** The party has gone; a dial that was not begun yet is left to whoever takes it next. */
  withdraw(dialId: string): void {
    this.#admission.withdraw(dialId);
  }

  /** The row of a dial has changed; does nothing for dials that are held elsewhere. */
  nudge(dialId: string): void {
    this.#runs.get(dialId)?.nudge();
  }

  /**
   * Stops taking dials at once, and waits for those that ring and those that talk to end, `drainMs` at most; then, or when called a second
   * time, says goodbye and ends them too (`worker_lost`, because that is what happened to the caller). Resolves when all is over, and
   * fifteen seconds after the request to end at the latest: the leases of what is left lapse, and the reaper takes over.
   */
  drain(): Promise<void> {
    if (this.#draining === undefined) this.#draining = this.#drain();
    else this.#hurry.resolve();
    return this.#draining;
  }

  async #onJob(dialId: string): Promise<void> {
    if (this.#admission.knows(dialId)) return;
    try {
      const dial = await persist(
        this.#deps,
        { forMs: 10_000, attemptMs: 2_000, maxPauseMs: 1_000 },
        "looking up a dial",
        () => this.#deps.dials.peek(dialId),
      );
      if (dial === undefined) this.#deps.logger.warn("a job names no dial", { dialId });
      else if (dial.state === "QUEUED")
        this.#admission.offer({
          dialId,
          workspaceId: dial.workspaceId,
          waitsForUs: dial.direction !== "outbound",
        });
      this.#settle();
    } catch (error) {
      this.#deps.logger.warn("a job was dropped; its dial comes again", { dialId, error: toError(error) });
    }
  }

  /** Starts whoever may start, and takes jobs exactly while there is room. */
  #settle(): void {
    this.#pump?.cancel();
    const open = this.#draining === undefined && !this.#stalls.stalled;
    const waitMs = open ? this.#beginAll() : undefined;
    if (waitMs !== undefined)
      this.#pump = this.#deps.clock.setTimer(waitMs, () => {
        this.#settle();
      });
    this.#consume(open && !this.#admission.full);
  }

  /** Begins every dial whose turn it is; answers how long to wait for the next one, if time is all that it waits for. */
  #beginAll(): number | undefined {
    for (;;) {
      const next = this.#admission.next(this.#deps.clock.monotonic());
      if (next === undefined || typeof next === "number") return next;
      void this.#begin(next);
    }
  }

  #consume(wanted: boolean): void {
    if (this.#consumer === undefined || this.#consuming === wanted) return;
    this.#consuming = wanted;
    if (wanted) this.#consumer.resume();
    else
      this.#consumer.pause().catch((error: unknown) => {
        this.#deps.logger.warn("the queue could not be paused", { error: toError(error) });
      });
  }

  async #begin(dial: Waiting): Promise<void> {
    const { dialId } = dial;
    const { clock, dials, logger } = this.#deps;
    const { perWorkspace: concurrency, reserve, perSecond } = this.#options;
    try {
      // Before the claim leaves: if that is what takes long, the dial must not be placed late.
      const claimedAt = clock.monotonic();
      const claim = await withDeadline(
        clock,
        CLAIM_MS,
        "claiming a dial",
        dials.claim(dialId, this.#options.owner, { concurrency, reserve, perSecond }),
      );
      if (claim !== undefined) {
        this.#admission.begun(dialId);
        this.#settle();
        this.#deps.traces?.claimed(claim);
        const run = new DialRun(this.#deps, claim, claimedAt);
        this.#runs.set(dialId, run);
        this.#deps.presence?.holds(dialId);
        const running = run.run();
        if (this.#cutting) run.cut();
        await running;
        this.#deps.released?.(claim.plan);
      }
    } catch (error) {
      if (error instanceof HeldBack) {
        if (this.#draining === undefined) this.#admission.holdBack(dial, clock.monotonic() + error.waitMs);
        return;
      }
      // Claimed or not, nobody was rung; the reaper sees which.
      logger.warn("a dial could not be claimed", { dialId, error: toError(error) });
    } finally {
      if (this.#runs.delete(dialId)) this.#deps.presence?.left(dialId);
      this.#admission.release(dialId);
      if (this.#admission.held === 0) for (const wake of this.#idle) wake();
      this.#settle();
    }
  }

  async #drain(): Promise<void> {
    const { clock, logger } = this.#deps;
    this.#settleForDrain();
    await this.#handBack(this.#admission.dismiss());
    await this.#within(this.#options.drainMs, this.#hurry.promise);
    if (this.#admission.held > 0) {
      this.#cutting = true;
      for (const run of this.#runs.values()) run.cut();
      await this.#within(POLITE_END_MS);
    }
    if (this.#admission.held > 0) {
      logger.error("dials are left to the reaper", { left: this.#admission.held });
      for (const run of this.#runs.values()) run.abandon();
    }
    this.#pump?.cancel();
    try {
      await withDeadline(clock, HAND_BACK_MS, "closing the queue's consumer", Promise.resolve(this.#consumer?.close()));
    } catch (error) {
      logger.warn("the queue's consumer did not close", { error: toError(error) });
    }
  }

  #settleForDrain(): void {
    this.#stalls.stop();
    this.#pump?.cancel();
    this.#consume(false);
  }

  /** Waits until nothing is held, `ms` at most, or until `sooner`. */
  async #within(ms: number, sooner?: Promise<void>): Promise<void> {
    if (this.#admission.held === 0) return;
    const idle = deferred<void>();
    const wake = () => {
      idle.resolve();
    };
    this.#idle.add(wake);
    try {
      const first = sooner === undefined ? idle.promise : Promise.race([idle.promise, sooner]);
      await withDeadline(this.#deps.clock, ms, "draining", first);
    } catch {
      // The time is up; the caller looks at what is left.
    } finally {
      this.#idle.delete(wake);
    }
  }

  /** Other workers may take them at once. */
  async #handBack(waiting: readonly Waiting[]): Promise<void> {
    const { clock, queue, dials, logger } = this.#deps;
    const stop = new AbortController();
    const handing = async () => {
      for (const { dialId } of waiting) {
        if (stop.signal.aborted) return;
        await dials.enqueued(dialId, await queue.add(dialId));
      }
    };
    try {
      await withDeadline(clock, HAND_BACK_MS, "handing dials back", handing());
    } catch (error) {
      logger.info("waiting dials are left to the reaper", { error: toError(error) });
    } finally {
      stop.abort();
    }
  }
}
