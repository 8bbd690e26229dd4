import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { availableParallelism, cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import { SystemClock } from "../../../src/adapters/clock/system.ts";
import { startEmbeddedPostgres } from "../../../src/adapters/postgres/embedded.ts";
import { SystemRandom } from "../../../src/adapters/random/system.ts";
import { DEMO_AGENT_ID, DEMO_NUMBER_ID } from "../../../src/app/demo-workspace.ts";
import type { Client } from "../../../src/client/client.ts";
import { startServiceProcess } from "../../kit/service-process.ts";
import { silentLogger } from "../../kit/silent-logger.ts";
import { latencyOf, runLoad, type Latency, type LoadResult } from "./load.ts";

const USAGE = `npm run bench -- api [--rate requests/s] [--seconds n] [--json file]`;

/** What the interface promises at 200 requests a second on two cores, in milliseconds. */
const GET_P99_MS = 15;
const CREATE_OVER_COMMIT_MS = 10;

const WARM_UP_SECONDS = 3;
/** Often enough for a percentile, too seldom to be a load. */
const COMMITS_PER_SECOND = 10;

type Report = Readonly<{
  machine: Readonly<{ cores: number; model: string; loadBefore: number }>;
  getDial: LoadResult;
  createDial: LoadResult;
  /** One row inserted and committed on the same server while dials were created, over a connection of its own. */
  commit: Latency;
  verdict: Readonly<{
    getDial: boolean;
    /** Against a typical commit of the same run, and against as slow a one as the slow dial. */
    createDialOverCommitP50: boolean;
    createDialOverCommitP99: boolean;
  }>;
}>;

/**
 * Measures how fast dials are created and read on a whole service of its own, with the embedded database, and what one durable
 * commit costs there at the same time.
 */
export const run = async (args: readonly string[]): Promise<void> => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rate: { type: "string", default: "200" },
      seconds: { type: "string", default: "15" },
      json: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  const load = { perSecond: Number(values.rate), seconds: Number(values.seconds) };
  if (values.help || !(load.perSecond > 0) || !(load.seconds > 0)) {
    console.log(USAGE);
    return;
  }
  const report = await measure(load);
  for (const line of tableOf(report)) console.log(line);
  const json = JSON.stringify(report);
  if (values.json === undefined) console.log(`\n${json}`);
  else await writeFile(values.json, `${json}\n`);
};

const measure = async (load: Readonly<{ perSecond: number; seconds: number }>): Promise<Report> => {
  const clock = new SystemClock();
  const loadBefore = loadavg()[0] as number;
  const dataDir = await mkdtemp(join(tmpdir(), "call-engine-bench-"));
  // PostgreSQL runs as another user when we are root, and has to get in.
  await chmod(dataDir, 0o711);
  // The API is measured, not the calls: one dial a second is placed, at a busy line, and the others wait.
  const service = await startServiceProcess({
    DATA_DIR: dataDir,
    RATE_LIMIT_PER_SECOND: "1000000",
    DIALS_PER_SECOND: "1",
  });
  try {
    const { client } = service;
    const { dialId } = await createDial(client);
    const getDial = () => client.getDial({ id: dialId });
    const warmUp = { ...load, seconds: WARM_UP_SECONDS };
    await runLoad(clock, warmUp, getDial);
    const reading = await runLoad(clock, load, getDial);
    await runLoad(clock, warmUp, () => createDial(client));
    const [creating, commit] = await withCommits(dataDir, clock, load.seconds, () =>
      runLoad(clock, load, () => createDial(client)),
    );
    return {
      machine: { cores: availableParallelism(), model: cpus()[0]?.model ?? "unknown", loadBefore },
      getDial: reading,
      createDial: creating,
      commit,
      verdict: {
        getDial: reading.failures === 0 && reading.latency.p99 <= GET_P99_MS,
        createDialOverCommitP50: creating.failures === 0 && creating.latency.p99 <= commit.p50 + CREATE_OVER_COMMIT_MS,
        createDialOverCommitP99: creating.failures === 0 && creating.latency.p99 <= commit.p99 + CREATE_OVER_COMMIT_MS,
      },
    };
  } finally {
    await service.end("SIGTERM");
    await rm(dataDir, { recursive: true, force: true });
  }
};

const createDial = (client: Client) =>
  client.createDial({
    body: { callAgentId: DEMO_AGENT_ID, fromNumberId: DEMO_NUMBER_ID, toNumber: "+12025550130" },
  });

/** Does the work, and durable commits of one row on the service's own server meanwhile. */
const withCommits = async <T>(
  dataDir: string,
  clock: SystemClock,
  seconds: number,
  work: () => Promise<T>,
): Promise<readonly [T, Latency]> => {
  const server = await startEmbeddedPostgres({ dataDir, logger: silentLogger(), clock, random: new SystemRandom() });
  const connection = new pg.Client({ connectionString: server.url });
  await connection.connect();
  try {
    await connection.query("CREATE TABLE bench_commit (at timestamptz NOT NULL, text text NOT NULL)");
    const times: number[] = [];
    const commit = async () => {
      const began = clock.monotonic();
      await connection.query("INSERT INTO bench_commit VALUES (now(), 'one row')");
      times.push(clock.monotonic() - began);
    };
    const [result] = await Promise.all([work(), runLoad(clock, { perSecond: COMMITS_PER_SECOND, seconds }, commit)]);
    return [result, latencyOf(times)];
  } finally {
    await connection.end();
    await server.stop();
  }
};

const tableOf = ({ machine, getDial, createDial, commit, verdict }: Report): readonly string[] => {
  const row = (name: string, { count, p50, p90, p99, max }: Latency, more: string) =>
    `| ${name} | ${count} | ${[p50, p90, p99, max].map((ms) => ms.toFixed(1)).join(" | ")} | ${more} |`;
  const told = (result: LoadResult) =>
    `${result.failures} failures, sent at most ${result.latestStartMs.toFixed(1)} ms late`;
  const judged = (what: string, { p99 }: Latency, limit: number, holds: boolean) =>
    `- ${what}: ${p99.toFixed(1)} ms, may be ${limit.toFixed(1)} ms: ${holds ? "holds" : "DOES NOT HOLD"}`;
  return [
    `${machine.cores} cores (${machine.model}), load ${machine.loadBefore.toFixed(1)} before; ${getDial.perSecond.toFixed(0)} requests/s; milliseconds`,
    "",
    "| | answers | p50 | p90 | p99 | max | |",
    "|---|---|---|---|---|---|---|",
    row("get a dial", getDial.latency, told(getDial)),
    row("create a dial", createDial.latency, told(createDial)),
    row("one durable commit", commit, "on the same server, at the same time"),
    "",
    judged("get a dial, p99", getDial.latency, GET_P99_MS, verdict.getDial),
    judged(
      `create a dial, p99, against commit p50 + ${CREATE_OVER_COMMIT_MS}`,
      createDial.latency,
      commit.p50 + CREATE_OVER_COMMIT_MS,
      verdict.createDialOverCommitP50,
    ),
    judged(
      `create a dial, p99, against commit p99 + ${CREATE_OVER_COMMIT_MS}`,
      createDial.latency,
      commit.p99 + CREATE_OVER_COMMIT_MS,
      verdict.createDialOverCommitP99,
    ),
  ];
};
