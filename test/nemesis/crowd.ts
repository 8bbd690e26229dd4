import { reportOf, type LoadReport } from "../../src/cli/load/report.ts";
import type { Dial } from "../../src/client/client.ts";
import { sleep } from "../../src/ports/clock.ts";
import { audit, auditTalks, countResults } from "./audit.ts";
import { CarrierDouble, NO_AMBIGUITY, type LedgerCall } from "./carrier-double.ts";
import { Customer } from "./customer.ts";
import type { TalkVerdict } from "./outages.ts";
import { talkers } from "./people.ts";
import { World } from "./world.ts";

export type CrowdOptions = Readonly<{
  seed: number;
  calls: number;
  callsPerSecond: number;
  /** How long people talk at least, in milliseconds. */
  talkMs: number;
  say?: (line: string) => void;
}>;

export type CrowdReport = Readonly<{
  seed: number;
  calls: number;
  mostAtOnce: number;
  /** Calls that were rung or talked when a worker was killed; those of that worker may fail. */
  liveAtTheKill: number;
  results: Readonly<Record<string, number>>;
  /** What the processes warned of, and how often. */
  warnings: Readonly<Record<string, number>>;
  figures: Readonly<{ before: LoadReport; after: LoadReport }>;
  verdict: TalkVerdict;
}>;

/**
 * Two APIs and three workers behind one address, and a crowd that calls; a quarter of the way a worker is killed, at the half one is
 * drained for good, and after three quarters one is added. The figures of the calls before and after the kill are to be compared.
 */
export const runCrowd = async (options: CrowdOptions): Promise<CrowdReport> => {
  const { seed, calls: count, callsPerSecond, talkMs, say } = options;
  const carrier = new CarrierDouble(seed, NO_AMBIGUITY, talkers(talkMs));
  await carrier.listen();
  const world = await World.open({
    carrier: carrier.environment,
    apis: ["api-1", "api-2"],
    workers: ["worker-1", "worker-2", "worker-3"],
    balanced: true,
    env: { WORKER_SLOTS: "100", CONCURRENCY_LIMIT: "300", DRAIN_SECONDS: String(Math.ceil(talkMs / 250)) },
  });
  const customer = await Customer.open(world, String(seed));
  try {
    const { clock } = world;
    await customer.bePatient();
    let [mostAtOnce, killedAt] = [0, Infinity];
    let live: ReadonlySet<LedgerCall> = new Set();
    const under: Promise<unknown>[] = [];
    for (let nth = 0; nth < count; nth++) {
      under.push(customer.dial(nth));
      mostAtOnce = Math.max(mostAtOnce, carrier.talking);
      if (nth === Math.floor(count / 4)) {
        say?.(`${carrier.talking} people talk; a worker is killed, and started again`);
        live = new Set([...carrier.ledger.values()].filter(({ call }) => !call.over));
        killedAt = clock.now();
        world.kill("worker-1");
      }
      if (nth === Math.floor(count / 2)) {
        say?.(`${carrier.talking} people talk; a worker is drained`);
        under.push(world.retire("worker-2"));
      }
      if (nth === Math.floor((3 * count) / 4)) {
        say?.(`${carrier.talking} people talk; a worker is added`);
        under.push(world.start("worker-4", "worker"));
      }
      await sleep(clock, 1000 / callsPerSecond);
    }
    await Promise.all(under);
    const dials = await customer.settled(clock.monotonic() + 4 * talkMs + 200_000, () => carrier.live, say);
    const calls = [...carrier.ledger.values()];
    const evidence = { wanted: customer.wanted, dials, calls, webhooks: customer.post.received };
    const liveTo = new Set([...live].map(({ to }) => to));
    const reasonOf = (dialId: string) => dials.get(dialId)?.endReason ?? "none";
    const lost = customer.wanted.filter(({ dialId }) => LOST.has(reasonOf(dialId)));
    // The killed worker may have held some for which nobody had rung yet.
    const unheard = lost.filter(({ to }) => !liveTo.has(to)).slice(0, SLACK);
    const spared = new Set([...lost.filter(({ to }) => liveTo.has(to)), ...unheard].map(({ to }) => to));
    const talks = auditTalks(evidence, (to) => spared.has(to));
    const [before, after] = [figuresOf(dials, (at) => at < killedAt), figuresOf(dials, (at) => at >= killedAt)];
    return {
      seed,
      calls: calls.length,
      mostAtOnce,
      liveAtTheKill: live.size,
      results: countResults(dials),
      warnings: world.warnings,
      figures: { before, after },
      verdict: { ...audit(evidence), ...talks },
    };
  } finally {
    await world.close();
    await customer.close();
    await carrier.close();
  }
};

/** How calls end whose worker was killed; any other end of theirs is none of that. */
const LOST: ReadonlySet<string> = new Set(["worker_lost", "media_lost"]);

/** Most dials that a worker holds before the carrier rings, at the pace of the crowd. */
const SLACK = 5;

const figuresOf = (dials: ReadonlyMap<string, Dial>, when: (createdMs: number) => boolean): LoadReport =>
  reportOf(
    [...dials.values()]
      .filter(({ createdAt, endReason }) => when(Date.parse(createdAt ?? "")) && endReason === "counterparty_hangup")
      .map((dial) => ({ type: "ended", dial, createMs: 0 })),
  );
