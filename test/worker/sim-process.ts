import type { Carrier } from "../../src/ports/carrier.ts";
import type { Clock } from "../../src/ports/clock.ts";
import { StoreUnavailable, type DialStore } from "../../src/ports/store.ts";

/** What befalls a process at one of its steps; pauses in milliseconds. */
export type Fault = Readonly<{ step: number }> &
  (
    | Readonly<{ type: "kill" }>
    | Readonly<{ type: "pause"; ms: number }>
    /** A statement fails, before or after it took effect. */
    | Readonly<{ type: "statement-fails"; effect: boolean }>
  );

/**
 * A process that can die or stand still at any await: its timers, its statements and what reaches it from outside all pass
 * through here. Time goes on for a process that stands still, as it does for one that was stopped by a signal.
 */
export class SimProcess {
  readonly name: string;
  readonly clock: Clock;
  /** What it awaited so far, before and after each, by port and method. */
  readonly steps: string[] = [];
  /** How long its claims were under way, in milliseconds. */
  claimingMs = 0;
  readonly #world: Clock;
  readonly #faults: readonly Fault[];
  readonly #onDeath: () => void;
  #dead = false;
  #pausedUntil = 0;
  #pausedMs = 0;

  constructor(name: string, world: Clock, faults: readonly Fault[], onDeath: () => void) {
    this.name = name;
    this.#world = world;
    this.#faults = faults;
    this.#onDeath = onDeath;
    this.clock = {
      now: () => world.now(),
      monotonic: () => world.monotonic(),
      setTimer: (ms, callback) => {
        let cancelled = false;
        const fire = () => {
          this.reach(() => {
            if (!cancelled) callback();
          });
        };
        const timer = world.setTimer(ms, fire);
        return {
          cancel: () => {
            cancelled = true;
            timer.cancel();
          },
        };
      },
    };
  }

  get dead(): boolean {
    return this.#dead;
  }

  /** A clock that stands still with the process, as some do. */
  get awakeMs(): number {
    const left = Math.max(0, this.#pausedUntil - this.#world.monotonic());
    return this.#world.monotonic() - this.#pausedMs + left;
  }

  kill(): void {
    if (this.#dead) return;
    this.#dead = true;
    this.#onDeath();
  }

  /** Something from outside reaches the process: at once, when it wakes, or never. */
  reach(what: () => void): void {
    if (this.#dead) return;
    const left = this.#pausedUntil - this.#world.monotonic();
    if (left > 0)
      this.#world.setTimer(left, () => {
        this.reach(what);
      });
    else what();
  }

  /** Every method of the store, with a step before and after its effect. */
  dials(dials: DialStore): DialStore {
    return this.#stepped(dials, { name: "dials", before: true, statement: true });
  }

  /** A carrier; between the last check and the request to ring there is no await, so there is no step either. */
  carrier(carrier: Carrier): Carrier {
    return this.#stepped(carrier, { name: "carrier", before: false, statement: false });
  }

  /** Any other port; `name` is for the record of steps. */
  port<T extends object>(name: string, port: T): T {
    return this.#stepped(port, { name, before: true, statement: false });
  }

  #stepped<T extends object>(port: T, how: Readonly<{ name: string; before: boolean; statement: boolean }>): T {
    return new Proxy(port, {
      get: (target, name) => {
        const method: unknown = Reflect.get(target, name, target);
        if (typeof method !== "function" || name === "publish") return method;
        return async (...parameters: unknown[]) => {
          if (this.#dead) await never();
          const what = `${how.name}.${String(name)}`;
          const askedAt = this.#world.monotonic();
          const before = how.before || name !== "place" ? await this.#step(what) : undefined;
          if (how.statement && before?.type === "statement-fails" && !before.effect)
            throw new StoreUnavailable("failed");
          const settled = await Promise.resolve(Reflect.apply(method, target, parameters) as unknown).then(
            (value) => ({ value }),
            (error: unknown) => ({ error }),
          );
          const after = await this.#step(what);
          if (name === "claim") this.claimingMs += this.#world.monotonic() - askedAt;
          if (
            how.statement &&
            (after?.type === "statement-fails" || (before?.type === "statement-fails" && before.effect))
          )
            throw new StoreUnavailable("the answer was lost");
          if ("error" in settled) throw settled.error;
          return settled.value;
        };
      },
    });
  }

  async #step(what: string): Promise<Fault | undefined> {
    const step = this.steps.length;
    this.steps.push(what);
    const fault = this.#faults.find((one) => one.step === step);
    if (fault?.type === "kill") this.kill();
    if (fault?.type === "pause") {
      this.#pausedUntil = this.#world.monotonic() + fault.ms;
      this.#pausedMs += fault.ms;
    }
    await Promise.resolve();
    for (;;) {
      if (this.#dead) await never();
      const left = this.#pausedUntil - this.#world.monotonic();
      if (left <= 0) return fault;
      await new Promise<void>((resolve) => this.#world.setTimer(left, resolve));
    }
  }
}

const never = (): Promise<never> => new Promise(() => undefined);
