/** How urgent a decode is: a text that somebody waits for, one that will be asked for soon, one for show. */
export type Urgency = "final" | "speculative" | "interim";

/** More decodes wait than the machine could do in any useful time. */
export class DecoderOverloaded extends Error {
  override readonly name = "DecoderOverloaded";
}

/** A decode that was asked for. */
export type Ticket<T> = Readonly<{
  /** `undefined` when it was withdrawn before it began. */
  result: Promise<T | undefined>;
  /** Takes it back if it has not begun. */
  withdraw(): void;
}>;

type Waiting = { readonly urgency: Urgency; readonly begin: () => void };

const ORDER = ["final", "speculative", "interim"] as const;

/**
 * Shares a few decoding slots among all streams. Finals go first; interims take at most all slots but one, so that a final never
 * waits behind texts that are only for show. First come, first served within each kind: since a stream asks for one decode at a
 * time, that is a fair turn for everyone.
 */
export class DecodeQueue {
  readonly #slots: number;
  readonly #bound: number;
  readonly #waiting: Waiting[] = [];
  #running = 0;
  #runningInterims = 0;

  constructor(slots: number, bound: number) {
    this.#slots = slots;
    this.#bound = bound;
  }

  /** `work` begins when its turn comes, so it should look at the newest sound only then. Throws {@link DecoderOverloaded}. */
  submit<T>(urgency: Urgency, work: () => Promise<T>): Ticket<T> {
    if (this.#waiting.length >= this.#bound)
      throw new DecoderOverloaded(`more than ${this.#bound} decodes wait; fewer calls fit this machine`);
    const { promise, resolve, reject } = Promise.withResolvers<T | undefined>();
    const waiting: Waiting = {
      urgency,
      begin: () => {
        work()
          .then(resolve, reject)
          .finally(() => {
            this.#running -= 1;
            if (urgency === "interim") this.#runningInterims -= 1;
            this.#next();
          });
      },
    };
    this.#waiting.push(waiting);
    this.#next();
    return {
      result: promise,
      withdraw: () => {
        const index = this.#waiting.indexOf(waiting);
        if (index === -1) return;
        this.#waiting.splice(index, 1);
        resolve(undefined);
      },
    };
  }

  #next(): void {
    while (this.#running < this.#slots) {
      const index = this.#mostUrgent();
      const [next] = index === undefined ? [] : this.#waiting.splice(index, 1);
      if (next === undefined) return;
      this.#running += 1;
      if (next.urgency === "interim") this.#runningInterims += 1;
      next.begin();
    }
  }

  #mostUrgent(): number | undefined {
    const interimsAllowed = this.#runningInterims < Math.max(1, this.#slots - 1);
    for (const urgency of ORDER) {
      if (urgency === "interim" && !interimsAllowed) continue;
      const index = this.#waiting.findIndex((waiting) => waiting.urgency === urgency);
      if (index !== -1) return index;
    }
    return undefined;
  }
}
