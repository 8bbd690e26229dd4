import type { Machine } from "./machine.ts";

/** A signal that aborts together with the caller's, and when nothing was heard for too long. Close it, or the timer stays. */
export class Watch {
  readonly #machine: Machine;
  readonly #outer: AbortSignal | undefined;
  readonly #abort = new AbortController();
  #timer: ReturnType<Machine["setTimer"]> | undefined;
  #expired = false;

  constructor(machine: Machine, outer: AbortSignal | undefined) {
    this.#machine = machine;
    this.#outer = outer;
    if (outer?.aborted) this.#abort.abort(outer.reason);
    else outer?.addEventListener("abort", this.#follow, { once: true });
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Whether it was the silence that ended it. */
  get expired(): boolean {
    return this.#expired;
  }

  /** From now on, silence may last `ms`. */
  expect(ms: number): void {
    this.#timer?.cancel();
    this.#timer = this.#machine.setTimer(ms, () => {
      this.#expired = true;
      this.#abort.abort();
    });
  }

  close(): void {
    this.#timer?.cancel();
    this.#outer?.removeEventListener("abort", this.#follow);
  }

  readonly #follow = (): void => {
    this.#abort.abort(this.#outer?.reason);
  };
}
