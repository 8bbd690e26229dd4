import { withDeadline } from "../ports/clock.ts";
import type { CallPlan } from "../model/call-plan.ts";
import { extractAfterCall, type ExtractDeps } from "./extract.ts";

/** Extractions at a time in one process; they compete with live calls for the language model. */
const AT_ONCE = 10;

/** Calls that may wait for theirs; at a few seconds each, more would wait for an hour. */
const MOST_WAITING = 5000;

/** How long a stopping process waits for those under way, in milliseconds. */
const CLOSE_MS = 15_000;

/** The extractions of one process: in the order in which calls end, beside the calls and never in their way. */
export class Extractions {
  readonly #deps: ExtractDeps;
  readonly #waiting: CallPlan[] = [];
  readonly #running = new Set<Promise<void>>();
  #closed = false;

  constructor(deps: ExtractDeps) {
    this.#deps = deps;
  }

  /** A dial is over: takes out of it what its plan asks for, soon. Returns at once. */
  begin(plan: CallPlan): void {
    if (plan.extractor === undefined) return;
    if (this.#closed || this.#waiting.length >= MOST_WAITING) {
      this.#deps.logger.error("nothing is extracted from a call: too many wait", { dialId: plan.dialId });
      return;
    }
    this.#waiting.push(plan);
    this.#next();
  }

  /** Waits for those under way, 15 s at most; those that wait are dropped. Idempotent. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { dialId } of this.#waiting.splice(0))
      this.#deps.logger.error("nothing is extracted from a call: the process stops", { dialId });
    try {
      await withDeadline(this.#deps.clock, CLOSE_MS, "the last extractions", Promise.all(this.#running));
    } catch {
      this.#deps.logger.error("extractions are broken off", { count: this.#running.size });
    }
  }

  #next(): void {
    if (this.#running.size >= AT_ONCE) return;
    const plan = this.#waiting.shift();
    if (plan === undefined) return;
    const running = extractAfterCall(this.#deps, plan).finally(() => {
      this.#running.delete(running);
      this.#next();
    });
    this.#running.add(running);
  }
}
