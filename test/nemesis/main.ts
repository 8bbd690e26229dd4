import { parseArgs } from "node:util";
import { SystemClock } from "../../src/adapters/clock/system.ts";
import { runCrowd } from "./crowd.ts";
import { runDeploys } from "./deploys.ts";
import { BRIEF_DOUBT, DOUBT, runNemesis, type Fault } from "./nemesis.ts";
import { runOutages } from "./outages.ts";

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const ALL: readonly Fault[] = [
  "kill a worker",
  "kill a worker",
  "kill a worker",
  "kill the API",
  "stop a worker for a while",
  "stop a worker for a while",
  "deploy a worker",
  "kill Redis",
  "freeze Redis",
  "flush Redis",
  "restart PostgreSQL",
];

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "180" },
    seed: { type: "string", default: String(new SystemClock().now() % 1e6) },
    rate: { type: "string" },
    every: { type: "string", default: "3" },
    quiet: { type: "string", default: "300" },
    faults: { type: "string" },
    brief: { type: "boolean", default: false },
    deploys: { type: "string" },
    outages: { type: "string" },
    crowd: { type: "string" },
    talk: { type: "string", default: "40" },
  },
});

const seed = Number(values.seed);
const talkMs = Number(values.talk) * 1000;

const run = () => {
  const say = print;
  if (values.deploys !== undefined)
    return runDeploys({ seed, deploys: Number(values.deploys), callsPerSecond: Number(values.rate ?? 1), talkMs, say });
  if (values.outages !== undefined) return runOutages({ seed, calls: Number(values.outages), say });
  if (values.crowd !== undefined)
    return runCrowd({ seed, calls: Number(values.crowd), callsPerSecond: Number(values.rate ?? 4), talkMs, say });
  return runNemesis({
    seed,
    forMs: Number(values.seconds) * 1000,
    dialsPerSecond: Number(values.rate ?? 6),
    faultEveryMs: Number(values.every) * 1000,
    ambiguity: values.brief ? BRIEF_DOUBT : DOUBT,
    faults: values.faults === undefined ? ALL : ALL.filter((fault) => values.faults?.split(",").includes(fault)),
    quietMs: Number(values.quiet) * 1000,
    say,
  });
};

print(`seed ${seed}`);
const { verdict, ...report } = await run();
print(JSON.stringify(report, null, 2));
for (const [kind, found] of Object.entries(verdict)) {
  print(`${kind}: ${found.length}`);
  for (const one of found.slice(0, 20)) print(`  ${one}`);
}
process.exitCode = Object.values(verdict).some((found) => found.length > 0) ? 1 : 0;
