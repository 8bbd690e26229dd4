import { parseArgs } from "node:util";
import { SystemClock } from "../../src/adapters/clock/system.ts";
import { BRIEF_DOUBT, DOUBT, runNemesis, type Fault } from "./nemesis.ts";

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
  "flush Redis",
  "restart PostgreSQL",
];

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "180" },
    seed: { type: "string", default: String(new SystemClock().now() % 1e6) },
    rate: { type: "string", default: "6" },
    every: { type: "string", default: "3" },
    quiet: { type: "string", default: "300" },
    faults: { type: "string" },
    brief: { type: "boolean", default: false },
  },
});

const faults = values.faults === undefined ? ALL : ALL.filter((fault) => values.faults?.split(",").includes(fault));
print(`seed ${values.seed}, ${values.seconds} s`);
const { verdict, ...report } = await runNemesis({
  seed: Number(values.seed),
  forMs: Number(values.seconds) * 1000,
  dialsPerSecond: Number(values.rate),
  faultEveryMs: Number(values.every) * 1000,
  ambiguity: values.brief ? BRIEF_DOUBT : DOUBT,
  faults,
  quietMs: Number(values.quiet) * 1000,
  say: print,
});
print(JSON.stringify(report, null, 2));
for (const [kind, found] of Object.entries(verdict)) {
  print(`${kind}: ${found.length}`);
  for (const one of found.slice(0, 20)) print(`  ${one}`);
}
process.exitCode = Object.values(verdict).some((found) => found.length > 0) ? 1 : 0;
