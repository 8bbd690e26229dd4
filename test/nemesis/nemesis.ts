import { sleep } from "../../src/ports/clock.ts";
import { SeededRandom } from "../kit/seeded-random.ts";
import { audit, countResults, type Verdict } from "./audit.ts";
import { CarrierDouble, NO_AMBIGUITY, type Ambiguity } from "./carrier-double.ts";
import { Customer, type Patience } from "./customer.ts";
import { World } from "./world.ts";

export type NemesisOptions = Readonly<{
  seed: number;
  /** How long dials are made and things go wrong, in milliseconds. */
  forMs: number;
  dialsPerSecond: number;
  /** Mean time between two faults. */
  faultEveryMs: number;
  ambiguity: Ambiguity;
  /** Which things go wrong; each as often as it is named. */
  faults: readonly Fault[];
  /** How long after that everything may take to come to its end. */
  quietMs: number;
  say?: (line: string) => void;
}>;

export type Fault =
  | "kill a worker"
  | "kill the API"
  | "stop a worker for a while"
  | "deploy a worker"
  | "kill Redis"
  | "freeze Redis"
  | "flush Redis"
  | "restart PostgreSQL";

export type NemesisReport = Readonly<{
  seed: number;
  dials: number;
  rung: number;
  talked: number;
  faults: Readonly<Record<string, number>>;
  results: Readonly<Record<string, number>>;
  /** What the processes warned of, and how often. */
  warnings: Readonly<Record<string, number>>;
  corrected: number;
  /** From the end of the faults until every dial was over. */
  quietMs: number;
  verdict: Verdict;
}> &
  Patience;

/** Ways in which a carrier leaves the service in doubt, as shares of requests and of callbacks. */
export const DOUBT: Ambiguity = {
  lostAfter: 0.08,
  errorAfter: 0.04,
  hangsAfter: 0.02,
  lostBefore: 0.03,
  refused: 0.03,
  tooMany: 0.03,
  dropped: 0.1,
  doubled: 0.15,
  latest: 5_000,
};

/** The same without what only long waits can settle: requests that were never granted, and callbacks that never come. */
export const BRIEF_DOUBT: Ambiguity = {
  ...NO_AMBIGUITY,
  lostAfter: 0.15,
  errorAfter: 0.1,
  refused: 0.05,
  doubled: 0.3,
  latest: 5_000,
};

/** Makes dials while things go wrong, lets everything settle, and holds what came of it against the carrier's own books. */
export const runNemesis = async (options: NemesisOptions): Promise<NemesisReport> => {
  const carrier = new CarrierDouble(options.seed, options.ambiguity);
  await carrier.listen();
  const world = await World.open({
    carrier: carrier.environment,
    apis: ["api"],
    workers: ["worker-1", "worker-2"],
    balanced: false,
  });
  const customer = await Customer.open(world, String(options.seed));
  try {
    return await new Nemesis(options, carrier, world, customer).run();
  } finally {
    await world.close();
    await customer.close();
    await carrier.close();
  }
};

class Nemesis {
  readonly #options: NemesisOptions;
  readonly #carrier: CarrierDouble;
  readonly #world: World;
  readonly #customer: Customer;
  readonly #random: SeededRandom;
  /** Of its own, so that the same seed does the same in the same order however many dials are made meanwhile. */
  readonly #luck: SeededRandom;
  readonly #faults: Partial<Record<Fault, number>> = {};
  readonly #under: Promise<unknown>[] = [];

  constructor(options: NemesisOptions, carrier: CarrierDouble, world: World, customer: Customer) {
    this.#options = options;
    this.#carrier = carrier;
    this.#world = world;
    this.#customer = customer;
    this.#random = new SeededRandom(options.seed + 1);
    this.#luck = new SeededRandom(options.seed + 2);
  }

  async run(): Promise<NemesisReport> {
    const { clock } = this.#world;
    const { wanted, post } = this.#customer;
    const { forMs, quietMs, seed, say } = this.#options;
    const until = clock.monotonic() + forMs;
    await Promise.all([this.#makeDials(until), this.#makeTrouble(until)]);
    // A request that was given up by its client may have been taken all the same, so its client asks until it knows.
    await Promise.all(this.#under);
    const began = clock.monotonic();
    const dials = await this.#customer.settled(began + quietMs, () => this.#carrier.live, say);
    const calls = [...this.#carrier.ledger.values()];
    return {
      seed,
      dials: wanted.length,
      rung: calls.length,
      talked: calls.filter(({ call }) => call.phone?.startedAt !== undefined).length,
      faults: this.#faults,
      results: countResults(dials),
      warnings: this.#world.warnings,
      corrected: post.received.filter(({ event }) => event === "dial.corrected").length,
      ...this.#customer.patience,
      quietMs: Math.round(clock.monotonic() - began),
      verdict: audit({ wanted, dials, calls, webhooks: post.received }),
    };
  }

  async #makeDials(until: number): Promise<void> {
    const { clock } = this.#world;
    for (let made = 0; clock.monotonic() < until; made++) {
      const hangUpAfter = this.#random.fraction() < 0.15 ? this.#random.fraction() * 8_000 : undefined;
      this.#under.push(this.#customer.dial(made, hangUpAfter));
      await sleep(clock, 1000 / this.#options.dialsPerSecond);
    }
  }

  async #makeTrouble(until: number): Promise<void> {
    const { clock } = this.#world;
    const { faults, faultEveryMs, say } = this.#options;
    const rest = (ms: number) => sleep(clock, Math.max(0, Math.min(ms, until - clock.monotonic())));
    await rest(faultEveryMs / 2);
    while (clock.monotonic() < until && faults.length > 0) {
      const fault = faults[Math.floor(this.#luck.fraction() * faults.length)] as Fault;
      this.#faults[fault] = (this.#faults[fault] ?? 0) + 1;
      say?.(`${Math.round((until - clock.monotonic()) / 1000)} s left: ${fault}`);
      this.#under.push(this.#strike(fault));
      await rest(faultEveryMs * (0.5 + this.#luck.fraction()));
    }
  }

  async #strike(fault: Fault): Promise<void> {
    const worker = this.#luck.fraction() < 0.5 ? "worker-1" : "worker-2";
    switch (fault) {
      case "kill a worker":
        return this.#world.kill(worker);
      case "kill the API":
        return this.#world.kill("api");
      case "stop a worker for a while":
        return this.#world.pause(worker, 4_000 + this.#luck.fraction() * 16_000);
      case "deploy a worker":
        return this.#world.replace(worker);
      case "kill Redis":
        return this.#world.killRedis();
      case "freeze Redis":
        return this.#world.freezeRedis(2_000 + this.#luck.fraction() * 10_000);
      case "flush Redis":
        return this.#world.flushRedis();
      case "restart PostgreSQL":
        return this.#world.restartPostgres(this.#luck.fraction() ** 2 * 5_000);
    }
  }
}
