import { sleep } from "../../src/ports/clock.ts";
import { audit, auditTalks, countResults } from "./audit.ts";
import { CarrierDouble, NO_AMBIGUITY } from "./carrier-double.ts";
import { Customer } from "./customer.ts";
import type { TalkVerdict } from "./outages.ts";
import { talkers } from "./people.ts";
import { World, type Role } from "./world.ts";

export type DeployOptions = Readonly<{
  seed: number;
  deploys: number;
  callsPerSecond: number;
  /** How long people talk at least, in milliseconds. */
  talkMs: number;
  say?: (line: string) => void;
}>;

export type DeployReport = Readonly<{
  seed: number;
  deploys: number;
  /** Processes that were replaced. */
  replaced: number;
  calls: number;
  /** Most people who talked at a time. */
  mostAtOnce: number;
  results: Readonly<Record<string, number>>;
  /** What the processes warned of, and how often. */
  warnings: Readonly<Record<string, number>>;
  /** What agents said last to those whose process was told twice to stop. */
  leaves: readonly string[];
  verdict: TalkVerdict & Readonly<Record<"ended badly" | "impolite", readonly string[]>>;
}>;

/** People who talk when a process is told twice to stop. */
const LEFT = 3;

/**
 * Rolling deploys under long calls behind one address: each process in turn gets a successor and is then told to stop, which it does when
 * its last call is over. Nobody may notice. In the end a process with calls is told twice, and has to take its leave of them.
 */
export const runDeploys = async (options: DeployOptions): Promise<DeployReport> => {
  const { seed, talkMs } = options;
  const carrier = new CarrierDouble(seed, NO_AMBIGUITY, talkers(talkMs));
  await carrier.listen();
  const world = await World.open({
    carrier: carrier.environment,
    apis: ["api-0"],
    workers: ["worker-a-0", "worker-b-0"],
    balanced: true,
    env: { DRAIN_SECONDS: String(Math.ceil(talkMs / 250)) },
  });
  const customer = await Customer.open(world, String(seed));
  try {
    return await new Deploys(options, carrier, world, customer).run();
  } finally {
    await world.close();
    await customer.close();
    await carrier.close();
  }
};

class Deploys {
  readonly #options: DeployOptions;
  readonly #carrier: CarrierDouble;
  readonly #world: World;
  readonly #customer: Customer;
  readonly #ends: Promise<void>[] = [];
  readonly #bad: string[] = [];
  #mostAtOnce = 0;
  #made = 0;

  constructor(options: DeployOptions, carrier: CarrierDouble, world: World, customer: Customer) {
    this.#options = options;
    this.#carrier = carrier;
    this.#world = world;
    this.#customer = customer;
  }

  async run(): Promise<DeployReport> {
    const { seed, deploys, talkMs } = this.#options;
    const { clock } = this.#world;
    await this.#customer.bePatient();
    const over = new AbortController();
    const calling = this.#makeCalls(over.signal);
    for (let nth = 1; nth <= deploys; nth++) await this.#deploy(nth);
    over.abort();
    await calling;
    const dials = await this.#customer.settled(clock.monotonic() + 3 * talkMs, () => this.#carrier.live);
    await Promise.all(this.#ends);
    const calls = [...this.#carrier.ledger.values()];
    const evidence = { wanted: [...this.#customer.wanted], dials, calls, webhooks: this.#customer.post.received };
    const verdict = { ...audit(evidence), ...auditTalks(evidence) };
    const leaves = await this.#leave();
    return {
      seed,
      deploys,
      replaced: this.#ends.length,
      calls: calls.length,
      mostAtOnce: this.#mostAtOnce,
      results: countResults(dials),
      warnings: this.#world.warnings,
      leaves,
      verdict: {
        ...verdict,
        "ended badly": this.#bad,
        impolite: leaves.length === LEFT ? leaves.filter((words) => !words.includes("Goodbye")) : ["not all were told"],
      },
    };
  }

  async #makeCalls(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#customer.dial(this.#made++);
      this.#mostAtOnce = Math.max(this.#mostAtOnce, this.#carrier.talking);
      await sleep(this.#world.clock, 1000 / this.#options.callsPerSecond);
    }
  }

  async #deploy(nth: number): Promise<void> {
    this.#options.say?.(`deploy ${nth}: ${this.#carrier.talking} people talk`);
    const places: readonly (readonly [string, Role])[] = [
      ["api", "api"],
      ["worker-a", "worker"],
      ["worker-b", "worker"],
    ];
    for (const [place, role] of places) {
      await this.#world.start(`${place}-${nth}`, role);
      const old = `${place}-${nth - 1}`;
      this.#ends.push(
        this.#world.retire(old).then((code) => {
          if (code !== 0) this.#bad.push(`${old} ended with ${code}`);
        }),
      );
    }
  }

  /** What was said last to people whose worker was told twice to stop. */
  async #leave(): Promise<readonly string[]> {
    const { clock } = this.#world;
    const wanted = await Promise.all(Array.from({ length: LEFT }, () => this.#customer.dial(this.#made++)));
    while (this.#carrier.talking < LEFT) await sleep(clock, 100);
    // Every worker that there is, so that each call is held by one of them.
    const workers = [...this.#world.services.keys()].filter((name) => name.startsWith("worker"));
    const ends = workers.map((name) => this.#world.retire(name));
    await sleep(clock, 1_000);
    for (const name of workers) this.#world.replace(name);
    for (const [at, code] of (await Promise.all(ends)).entries())
      if (code !== 0) this.#bad.push(`${workers[at]} ended with ${code} when it was told twice`);
    const dials = await Promise.all(wanted.map(({ dialId }) => this.#customer.client.getDial({ id: dialId })));
    return dials.map(
      ({ transcript = [], endReason }) =>
        `${endReason}: ${transcript.findLast(({ speaker }) => speaker === "AI")?.text ?? ""}`,
    );
  }
}
