import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startBenchEngine } from "../app/bench-engine/bench-engine.ts";
import { readScenario } from "../app/bench-engine/scenario.ts";
import { readConfig } from "../config.ts";
import { deferred } from "../kit/deferred.ts";

export const BENCH_ENGINE_HELP = `Usage: call-engine bench-engine

Runs a worker with scripted providers, for measurements beside other engines: everything but the providers is what a call always
goes through. docs/performance.md tells what is measured and how.

  PORT      where it listens: /media takes Twilio media streams, /echo the same and sends every frame back, /events gives and
            forgets when providers were asked and answered, /stats the process and its memory (with ?gc=1 after collecting garbage)
  SCENARIO  a JSON file with the providers' delays; defaults for what it leaves out
  VAD       energy (unless told) or silero
`;

type Env = Readonly<Record<string, string | undefined>>;

/** Sent ahead of real time, in milliseconds, unless `PACE_LEAD_MS` says otherwise: what other engines are measured with. */
const LEAD_MS = "40";

/** Runs until it is stopped, on data of its own that it takes away again; answers its exit code. */
export const runBenchEngine = async (args: readonly string[], env: Env): Promise<number> => {
  if (args.length > 0) {
    process.stderr.write(`It takes no arguments.\n\n${BENCH_ENGINE_HELP}`);
    return 2;
  }
  const scenario = readScenario(env["SCENARIO"]);
  const dataDir = await mkdtemp(join(tmpdir(), "call-engine-bench-"));
  try {
    // PostgreSQL runs as an ordinary user where we are root, and has to come through.
    await chmod(dataDir, 0o711);
    const { DATABASE_URL: _database, REDIS_URL: _redis, ...rest } = env;
    const config = readConfig({ LOG_LEVEL: "warn", PACE_LEAD_MS: LEAD_MS, ...rest, DATA_DIR: dataDir });
    const stopped = deferred<void>();
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => stopped.resolve());
    const engine = await startBenchEngine(config, env, scenario);
    process.stdout.write(
      `ready media=ws://localhost:${engine.port}/media stats=http://localhost:${engine.port}/stats\n`,
    );
    await stopped.promise;
    await engine.stop();
    return 0;
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
};
