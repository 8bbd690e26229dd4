import { backoff } from "../kit/backoff.ts";
import { toError } from "../kit/errors.ts";
import { callEnd, outcomeOf, type CallEnd } from "../model/call-end.ts";
import { withDeadline, type Timer } from "../ports/clock.ts";
import type { Metrics } from "../ports/metrics.ts";
import type { DialQueue } from "../ports/queue.ts";
import type { DialStore } from "../ports/store.ts";
import type { OpenDial } from "../ports/unattended-dials.ts";
import { confirm, lookAgain, settleOrphan, type ReconcileDeps } from "./reconcile.ts";

type ReaperDeps = ReconcileDeps &
  Readonly<{ dials: DialStore; queue: DialQueue; metrics: Pick<Metrics, "leasesLapsed"> }>;

type ReaperOptions = Readonly<{
  /** Names this process in the leases that it takes over. */
  owner: string;
  /** How long a dial may wait in the queue, in milliseconds. */
  queueMaxAgeMs: number;
}>;

const EVERY_MS = 5_000;

/** After an outage of the store every lease has lapsed, and their owners are about to renew them: one lease of grace. */
const GRACE_MS = 15_000;

/** How long a browser dial waits for its visitor. */
const VISITOR_MS = 120_000;

const ENQUEUED_AT_ONCE = 100;
const SETTLED_AT_ONCE = 20;

const STATEMENT_MS = 5_000;

/** A carrier that cannot be asked about a dial is asked less and less often. */
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 300_000;

/** Nobody holds this many dials in trouble for long; beyond it the oldest pauses are forgotten, which only asks sooner. */
const MOST_TROUBLES = 10_000;

type Trouble = Readonly<{ failures: number; notBefore: number }>;

/**
 * What is done about dials that nobody looks after, every five seconds, by any number of processes at once: jobs for QUEUED dials
 * that have none, ends for those that waited too long, a true end for those whose worker is gone, and, whoever holds them, a
 * question to the carrier about dials that it has not spoken of for a minute, and about ends that it has not confirmed.
 */
export class Reaper {
  readonly #deps: ReaperDeps;
  readonly #options: ReaperOptions;
  readonly #troubles = new Map<string, Trouble>();
  #timer: Timer | undefined;
  #sweeping: Promise<void> | undefined;
  #graceUntil = 0;
  #stopped = false;

  constructor(deps: ReaperDeps, options: ReaperOptions) {
    this.#deps = deps;
    this.#options = options;
  }

  /** Sweeps from now on; for the first time after one interval, so that workers that start with us can renew their leases. */
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
    await this.#step("expiring dials", () => this.#expire());
    await this.#step("ending dials without a visitor", () => this.#endClientless());
    await this.#step("queueing dials", () => this.#enqueue());
    await this.#step("taking over dials", () => this.#takeOver());
    await this.#step("confirming dials", () => this.#confirm());
    await this.#step("looking again at ended dials", () => this.#lookAgain());
  }

  async #expire(): Promise<void> {
    for (;;) {
      const expired = await this.#ask("expiring dials", this.#deps.dials.expireQueued(this.#options.queueMaxAgeMs));
      this.#tell(expired, callEnd("expired", "system"));
      if (expired.length === 0 || this.#stopped) return;
    }
  }

  async #endClientless(): Promise<void> {
    const ended = await this.#ask("ending dials without a visitor", this.#deps.dials.endClientless(VISITOR_MS));
    this.#tell(ended, callEnd("no_client", "system"));
  }

  #tell(dialIds: readonly string[], end: CallEnd): void {
    for (const dialId of dialIds) {
      this.#deps.metrics.dialEnded(end);
      this.#deps.traces?.ended(dialId, end);
      this.#deps.live.publish(dialId, { type: "status", ...outcomeOf(end.reason) });
    }
  }

  async #enqueue(): Promise<void> {
    const { dials, queue } = this.#deps;
    const unqueued = await this.#ask("finding dials", dials.findUnqueued(ENQUEUED_AT_ONCE));
    // Before jobs of workspaces that have thousands, and so that whoever is first comes first.
    for (const dialId of unqueued.toReversed()) {
      if (this.#stopped) return;
      const adding = queue.add(dialId, undefined, "front");
      const jobId = await withDeadline(this.#deps.clock, STATEMENT_MS, "adding a job", adding);
      await this.#ask("noting a job", dials.enqueued(dialId, jobId));
    }
  }

  async #takeOver(): Promise<void> {
    const { clock, dials } = this.#deps;
    if (clock.monotonic() < this.#graceUntil) return;
    const lapsed = await this.#ask("taking over dials", dials.takeOverLapsed(this.#options.owner, SETTLED_AT_ONCE));
    if (lapsed.length > 0) this.#deps.metrics.leasesLapsed(lapsed.length);
    await Promise.all(lapsed.map((dial) => this.#each(dial, async () => void (await settleOrphan(this.#deps, dial)))));
  }

  async #confirm(): Promise<void> {
    const open = await this.#ask("finding dials", this.#deps.dials.findUnconfirmed(SETTLED_AT_ONCE));
    await Promise.all(open.map((dial) => this.#each(dial, () => confirm(this.#deps, dial))));
  }

  async #lookAgain(): Promise<void> {
    const ended = await this.#ask("finding dials", this.#deps.dials.findWeaklyEnded(SETTLED_AT_ONCE));
    await Promise.all(ended.map((dial) => this.#each(dial, () => lookAgain(this.#deps, dial))));
  }

  /** A statement of a sweep; a store that fails it may have been away for everybody. */
  async #ask<T>(what: string, statement: Promise<T>): Promise<T> {
    try {
      return await withDeadline(this.#deps.clock, STATEMENT_MS, what, statement);
    } catch (error) {
      this.#graceUntil = this.#deps.clock.monotonic() + GRACE_MS;
      throw toError(error);
    }
  }

  async #step(what: string, work: () => Promise<void>): Promise<void> {
    if (this.#stopped) return;
    try {
      await work();
    } catch (error) {
      this.#deps.logger.warn("a part of the sweep failed", { what, error: toError(error) });
    }
  }

  /** One dial's trouble is its own. */
  async #each(dial: OpenDial, work: () => Promise<void>): Promise<void> {
    const { clock, random, logger } = this.#deps;
    const trouble = this.#troubles.get(dial.dialId);
    if (trouble !== undefined && clock.monotonic() < trouble.notBefore) return;
    this.#troubles.delete(dial.dialId);
    try {
      await work();
    } catch (error) {
      const failures = (trouble?.failures ?? 0) + 1;
      const pause = FIRST_PAUSE_MS + backoff(random, failures, FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
      const [oldest] = this.#troubles.size >= MOST_TROUBLES ? this.#troubles.keys() : [];
      if (oldest !== undefined) this.#troubles.delete(oldest);
      this.#troubles.set(dial.dialId, { failures, notBefore: clock.monotonic() + pause });
      logger.warn("a dial could not be settled", { dialId: dial.dialId, failures, error: toError(error) });
    }
  }
}
