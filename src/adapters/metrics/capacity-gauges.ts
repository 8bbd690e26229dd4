import { Gauge, type Registry } from "prom-client";

/** Dials that a worker may hold, holds, and has been offered beyond that. */
export type WorkerLoad = Readonly<{ slots: number; held: number; waiting: number }>;

/** Phone dials that might be placed now, for how long the first has waited, and how many an operator must release first. */
export type Backlog = Readonly<{ count: number; oldestMs: number; quarantined?: number }>;

/**
 * What decides how many workers there should be. A figure that is not known has no sample: a zero would be taken for an idle service,
 * and whoever scales by it would take workers away in the middle of an outage.
 */
export class CapacityGauges {
  worker: (() => WorkerLoad) | undefined;
  backlog: (() => Promise<Backlog>) | undefined;
  #asked: Promise<Backlog | undefined> | undefined;

  constructor(registry: Registry) {
    const gauge = (name: string, help: string, read: () => number | undefined | Promise<number | undefined>) => {
      const made: Gauge = new Gauge({
        name: `call_engine_${name}`,
        help,
        registers: [registry],
        collect: async () => {
          const value = await read();
          if (value === undefined) made.remove();
          else made.set(value);
        },
      });
    };
    gauge("worker_slots", "Dials that this worker may hold at once.", () => this.worker?.().slots);
    gauge("worker_slots_held", "Dials that this worker holds.", () => this.worker?.().held);
    gauge("worker_dials_waiting", "Dials that this worker would begin if it had room.", () => this.worker?.().waiting);
    gauge("queue_dials", "Phone dials of the deployment that might be placed now and wait.", async () => {
      return (await this.#ask())?.count;
    });
    gauge(
      "queue_quarantined_dials",
      "Dials that wait for an operator's release after the database lost something.",
      async () => {
        return (await this.#ask())?.quarantined;
      },
    );
    gauge("queue_oldest_seconds", "How long the first of them has waited.", async () => {
      const found = await this.#ask();
      return found === undefined ? undefined : found.oldestMs / 1000;
    });
  }

  /** One question for all who ask while it is under way; the failure is shown by the absence of the figure. */
  #ask(): Promise<Backlog | undefined> {
    this.#asked ??= (this.backlog?.() ?? Promise.resolve(undefined))
      .catch(() => undefined)
      .finally(() => {
        this.#asked = undefined;
      });
    return this.#asked;
  }
}
