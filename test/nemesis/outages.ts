import { sleep } from "../../src/ports/clock.ts";
import { audit, auditTalks, countResults, type Verdict } from "./audit.ts";
import { CarrierDouble, NO_AMBIGUITY } from "./carrier-double.ts";
import { Customer } from "./customer.ts";
import { talkers } from "./people.ts";
import { World } from "./world.ts";

export type OutageOptions = Readonly<{
  seed: number;
  /** Calls that live while the stores go away. */
  calls: number;
  say?: (line: string) => void;
}>;

export type TalkVerdict = Verdict & Readonly<Record<"dropped" | "words", readonly string[]>>;

export type OutageReport = Readonly<{
  seed: number;
  calls: number;
  results: Readonly<Record<string, number>>;
  /** What the processes warned of, and how often. */
  warnings: Readonly<Record<string, number>>;
  /** Words that people said, all of which are to stand in their transcripts. */
  words: number;
  /** From the return of a store until somebody rang whose dial was made after it, in milliseconds, in the order of the outages. */
  backMs: Readonly<Record<string, readonly number[]>>;
  verdict: TalkVerdict;
}>;

const RESTARTS = 5;
const AWAY_MS = 30_000;
const FROZEN_MS = 10_000;
const BEGIN_EVERY_MS = 1_000;
const RING_MS = 10_000;
/** All of the above with time in between, while everybody talks. */
const TALK_MS = 130_000;

/**
 * Calls that live while PostgreSQL is restarted five times and stays away for half a minute, and Redis is killed and answers nothing for
 * a while. Nobody may be cut off, nothing said may be lost, and as soon as a store is back new dials are to ring.
 */
export const runOutages = async ({ seed, calls: count, say }: OutageOptions): Promise<OutageReport> => {
  const carrier = new CarrierDouble(seed, NO_AMBIGUITY, talkers(TALK_MS));
  await carrier.listen();
  const world = await World.open({
    carrier: carrier.environment,
    apis: ["api"],
    workers: ["worker-1", "worker-2"],
    balanced: false,
    env: { QUEUE_MAX_AGE_SECONDS: "3600" },
  });
  const customer = await Customer.open(world, String(seed));
  try {
    const { clock } = world;
    await customer.bePatient();
    let made = 0;
    for (; made < count; made++) {
      await customer.dial(made);
      await sleep(clock, BEGIN_EVERY_MS);
    }
    const ringing = clock.monotonic() + RING_MS;
    while (carrier.talking < count && clock.monotonic() < ringing) await sleep(clock, 200);
    const backMs: Record<string, number[]> = {};
    const outage = async (what: string, work: () => Promise<void>) => {
      say?.(`${carrier.talking} people talk; ${what}`);
      await work();
      const began = clock.monotonic();
      const { to } = await customer.dial(made++);
      while (carrier.callTo(to) === undefined) await sleep(clock, 20);
      (backMs[what] ??= []).push(Math.round((carrier.callTo(to)?.at ?? 0) - began));
      await sleep(clock, 2_000);
    };
    for (let nth = 0; nth < RESTARTS; nth++) await outage("PostgreSQL is restarted", () => world.restartPostgres());
    await outage("PostgreSQL is away for 30 s", () => world.restartPostgres(AWAY_MS));
    await outage("Redis is killed", () => world.killRedis());
    await outage("Redis is a black hole for 10 s", () => world.freezeRedis(FROZEN_MS));
    const dials = await customer.settled(clock.monotonic() + 2 * TALK_MS, () => carrier.live);
    const calls = [...carrier.ledger.values()];
    const evidence = { wanted: customer.wanted, dials, calls, webhooks: customer.post.received };
    return {
      seed,
      calls: calls.length,
      results: countResults(dials),
      warnings: world.warnings,
      words: calls.reduce((sum, { person }) => sum + person.said.length, 0),
      backMs,
      verdict: { ...audit(evidence), ...auditTalks(evidence) },
    };
  } finally {
    await world.close();
    await customer.close();
    await carrier.close();
  }
};
