import { monitorEventLoopDelay } from "node:perf_hooks";
import { Gauge, type Registry } from "prom-client";

const NANOSECONDS = 1e9;

/** What a process does to its machine: lag of its event loop, and memory. `close` stops the event-loop monitor. */
export class ProcessGauges {
  readonly #registry: Registry;
  readonly #loop = monitorEventLoopDelay({ resolution: 10 });

  constructor(registry: Registry) {
    this.#registry = registry;
    this.#loop.enable();
    this.#observe("event_loop_lag_p50_seconds", "Median lag of the event loop since the last scrape.", () =>
      this.#lag(this.#loop.percentile(50)),
    );
    this.#observe("event_loop_lag_p99_seconds", "99th percentile of the event loop's lag since the last scrape.", () =>
      this.#lag(this.#loop.percentile(99)),
    );
    this.#observe("event_loop_lag_max_seconds", "Longest lag of the event loop since the last scrape.", () =>
      this.#lag(this.#loop.max),
    );
    this.#observe("resident_memory_bytes", "Memory of the process that lies in RAM.", () => process.memoryUsage.rss());
    this.#observe("heap_used_bytes", "JavaScript objects in memory.", () => process.memoryUsage().heapUsed);
  }

  /** The lag is told since the scrape before. */
  scraped(): void {
    this.#loop.reset();
  }

  close(): void {
    this.#loop.disable();
  }

  /** A gauge that is read when somebody asks. */
  #observe(name: string, help: string, read: () => number): void {
    const gauge: Gauge = new Gauge({
      name: `call_engine_${name}`,
      help,
      registers: [this.#registry],
      collect: () => {
        gauge.set(read());
      },
    });
  }

  /** Seconds beyond the monitor's own 10 ms interval; 0 before the first sample, when Node answers NaN or a huge number. */
  #lag(nanoseconds: number): number {
    if (this.#loop.count === 0) return 0;
    return Math.max(0, nanoseconds / NANOSECONDS - 0.01);
  }
}
