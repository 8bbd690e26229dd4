import { parseArgs } from "node:util";
import { makeDeps } from "../app.ts";
import { DEMO_AGENT_ID, DEMO_NUMBER_ID } from "../app/demo-workspace.ts";
import { createClient } from "../client/client.ts";
import { readConfig } from "../config.ts";
import { arrivals, CURVES } from "./load/arrivals.ts";
import { missed, reportOf, tableOf } from "./load/report.ts";
import { runLoad } from "./load/run-load.ts";

export const LOAD_HELP = `Usage: call-engine load --calls <number> [options]

Places calls with a deployment, waits until they are over, and reports how they went. By default they go to the simulated network
within the deployment, where +12025550123 is somebody who books an appointment: nobody's phone rings.

  --url <base>          of the API; http://localhost:8080/api unless told. The key is taken from API_KEY
  --calls <number>      how many, up to 100000
  --rate <number>       begun a second; 1 unless told
  --curve <name>        constant (unless told), ramp (from nothing up to the rate) or poisson (the rate on average)
  --agent <id>, --from <id>, --to <number>
                        agent, number of ours and number that is called; those of the demonstration unless told
  --longest <seconds>   what takes longer is hung up and counts as failed; 600 unless told
  --json                the report as one JSON object

The exit code is 1 when the calls went worse than this:
  --max-failed <share>  of calls that do not end as completed, 0 to 1; 0 unless told
  --max-heard <ms>      from the caller's last word to the answer, at the 95th percentile
  --max-answer <ms>     from the creation of a dial to its answer, at the 95th percentile
`;

type Env = Readonly<Record<string, string | undefined>>;

/** Runs the command until all calls are over or it is interrupted; answers its exit code. */
export const runLoadCommand = async (args: readonly string[], env: Env): Promise<number> => {
  let order;
  try {
    order = read(args, env);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${LOAD_HELP}`);
    return 2;
  }
  const { baseUrl, apiKey, calls, curve, rate, thresholds, json, ...call } = order;
  const deps = makeDeps(readConfig(env), env);
  const interrupted = new AbortController();
  const interrupt = () => interrupted.abort(new Error("interrupted"));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, interrupt);
  const progress = (done: number) => {
    if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${calls} calls are over `);
  };
  const outcomes = await runLoad(
    { client: createClient({ baseUrl, apiKey }), clock: deps.clock, progress },
    { ...call, arrivalsMs: arrivals(curve, calls, rate, deps.random) },
    interrupted.signal,
  );
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, interrupt);
  deps.metrics.close();
  const report = reportOf(outcomes);
  process.stdout.write(json ? `${JSON.stringify(report)}\n` : tableOf(report));
  const worse = missed(report, thresholds);
  for (const what of worse) process.stderr.write(`${what}\n`);
  return worse.length === 0 && outcomes.length === calls ? 0 : 1;
};

const TEXT = { type: "string" } as const;

const read = (args: readonly string[], env: Env) => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      url: TEXT,
      calls: TEXT,
      rate: TEXT,
      curve: TEXT,
      agent: TEXT,
      from: TEXT,
      to: TEXT,
      longest: TEXT,
      json: { type: "boolean" },
      "max-failed": TEXT,
      "max-heard": TEXT,
      "max-answer": TEXT,
    },
  });
  const apiKey = env["API_KEY"]?.trim() ?? "";
  if (apiKey === "") throw new Error("Set API_KEY to a key of the deployment.");
  const baseUrl = values.url ?? "http://localhost:8080/api";
  if (!/^https?:$/.test(URL.parse(baseUrl)?.protocol ?? "")) throw new Error("--url must be the base of an API.");
  const curve = CURVES.find((one) => one === (values.curve ?? "constant"));
  if (curve === undefined) throw new Error(`--curve must be one of ${CURVES.join(", ")}.`);
  const heardP95Ms = numberOf("max-heard", values["max-heard"], 0, 3_600_000);
  const answerP95Ms = numberOf("max-answer", values["max-answer"], 0, 3_600_000);
  const calls = numberOf("calls", values.calls, 1, 100_000);
  if (calls === undefined || !Number.isInteger(calls)) throw new Error("--calls must say how many.");
  return {
    baseUrl,
    apiKey,
    calls,
    curve,
    rate: numberOf("rate", values.rate, 0.001, 10_000) ?? 1,
    callAgentId: values.agent ?? DEMO_AGENT_ID,
    fromNumberId: values.from ?? DEMO_NUMBER_ID,
    toNumber: values.to ?? "+12025550123",
    longestMs: (numberOf("longest", values.longest, 1, 86_400) ?? 600) * 1000,
    json: values.json === true,
    thresholds: {
      failedShare: numberOf("max-failed", values["max-failed"], 0, 1) ?? 0,
      ...(heardP95Ms === undefined ? {} : { heardP95Ms }),
      ...(answerP95Ms === undefined ? {} : { answerP95Ms }),
    },
  };
};

const numberOf = (name: string, value: string | undefined, least: number, most: number): number | undefined => {
  if (value === undefined) return undefined;
  const number = /^\d+(\.\d+)?$/.test(value) ? Number(value) : Number.NaN;
  if (!(number >= least && number <= most))
    throw new Error(`--${name} must be a number from ${least} to ${most}, not "${value}".`);
  return number;
};
