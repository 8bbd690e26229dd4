import { writeFile } from "node:fs/promises";
import { cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { SystemClock } from "../../../src/adapters/clock/system.ts";
import { keepBaseline, readBaseline, regressions, TOLERANCE } from "./baseline.ts";
import { bringPeer, peerName } from "../peer/bring-peer.ts";
import { callsRows, leakRow, mostCallsRow, sileroRow } from "./calls.ts";
import { echoRows } from "./echo.ts";
import { stepAside, type EngineProgram } from "./engine-process.ts";
import { microRows } from "./micro.ts";
import { placingRows } from "./placing.ts";
import { tableOf, type Row } from "./row.ts";
import { vadRows } from "./vad.ts";
import { virtualRows } from "./virtual-rows.ts";

const USAGE = `npm run bench -- [--quick] [--only part,…] [--repeats n] [--peer] [--json file] [--save]

  --quick    the parts that need no quiet machine, and ten calls for some seconds: 20 s in all
  --only     of: PARTS
  --repeats  runs of calls, whose median counts; 3 unless told
  --peer     sets another engine beside this one in PEERED, and brings it first where it is not there (docs/performance.md);
             ALIGNED=1 measures it with a default of its own that is left out otherwise, FILTERS=ours with this engine's filters
  --save     keeps the ratios as the baseline that later runs are compared with (test/bench/baseline.json)`;

type Settings = Readonly<{
  clock: SystemClock;
  repeats: number;
  quick: boolean;
  /** Another engine that the same calls are held with. */
  peer?: EngineProgram | undefined;
}>;

const PARTS: ReadonlyMap<string, (settings: Settings) => Promise<readonly Row[]>> = new Map([
  ["path", ({ quick }: Settings) => virtualRows(quick ? 7 : 15)],
  ["micro", async () => microRows()],
  ["vad", ({ clock }: Settings) => vadRows(clock)],
  ["calls-10", ({ clock, peer, ...settings }: Settings) => callsRows({ ...loadOf(10, settings), peer }, clock)],
  ["calls-50", ({ clock, peer, ...settings }: Settings) => callsRows({ ...loadOf(50, settings), peer }, clock)],
  ["calls-100", ({ clock, ...settings }: Settings) => callsRows(loadOf(100, settings), clock)],
  ["silero", async ({ clock, ...settings }: Settings) => [await sileroRow(loadOf(50, settings), clock)]],
  ["leak", async ({ clock }: Settings) => [await leakRow(500, clock)]],
  ["most-calls", async ({ clock }: Settings) => [await mostCallsRow(clock)]],
  ["placing", ({ clock }: Settings) => placingRows(clock)],
  ["echo", ({ clock }: Settings) => echoRows([100, 500, 1000], clock)],
]);

/** More calls than that fill the peer's core, and say nothing more about it. */
const PEERED = ["calls-10", "calls-50"];

const IN_PROCESS: ReadonlySet<string> = new Set(["path", "micro", "vad"]);

const QUICK = ["path", "calls-10"];

const loadOf = (calls: number, { repeats, quick }: Pick<Settings, "repeats" | "quick">) =>
  quick ? { calls, ms: 4000, warmUpMs: 1000, repeats: 1 } : { calls, ms: 20_000, warmUpMs: 10_000, repeats };

/** The whole suite: figures of the engine beside those of the floor, compared with what they were. Exit code 1 for a regression. */
export const run = async (args: readonly string[]): Promise<void> => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: "boolean", default: false },
      only: { type: "string" },
      repeats: { type: "string", default: "3" },
      peer: { type: "boolean", default: false },
      json: { type: "string" },
      save: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  const parts = values.only?.split(",") ?? (values.quick ? QUICK : [...PARTS.keys()]);
  const repeats = Number(values.repeats);
  const unknown = parts.filter((part) => !PARTS.has(part));
  if (values.help || unknown.length > 0 || !Number.isInteger(repeats) || repeats < 1) {
    console.log(USAGE.replace("PARTS", [...PARTS.keys()].join(", ")).replace("PEERED", PEERED.join(" and ")));
    process.exitCode = values.help ? 0 : 2;
    return;
  }
  // Whatever is measured in this very process takes the core that is free.
  if (parts.some((part) => !IN_PROCESS.has(part))) stepAside();
  const peer = values.peer && parts.some((part) => PEERED.includes(part)) ? bringPeer() : undefined;
  const settings = { clock: new SystemClock(), repeats, quick: values.quick, peer };
  const rows: Row[] = [];
  for (const part of parts) {
    console.error(`measuring ${part} …`);
    rows.push(...(await steadily(() => PARTS.get(part)?.(settings) ?? Promise.resolve([]))));
  }
  await report(rows, values);
};

/** What has become worse has to be so three times: a machine that is busy with something else seldom is that often. */
const steadily = async (part: () => Promise<readonly Row[]>): Promise<readonly Row[]> => {
  const baseline = readBaseline();
  let rows = await part();
  for (let again = 0; again < 2 && regressions(rows, baseline).length > 0; again += 1) rows = await part();
  return rows;
};

const report = async (rows: readonly Row[], { json, save }: Readonly<{ json?: string | undefined; save: boolean }>) => {
  const baseline = readBaseline();
  const besidePeer = rows.some(({ peer }) => peer !== undefined);
  const machine = `${cpus().length} × ${cpus()[0]?.model ?? "unknown"}, Node ${process.version}`;
  const load = loadavg()[0] ?? 0;
  console.log(`${machine}, load ${load.toFixed(1)}${besidePeer ? `; the peer is ${peerName()}` : ""}\n`);
  for (const line of tableOf(rows, baseline)) console.log(line);
  if (json !== undefined)
    await writeFile(
      json,
      `${JSON.stringify({ machine, load, ...(besidePeer ? { peer: peerName() } : {}), rows }, undefined, 2)}\n`,
    );
  if (save) keepBaseline(rows, machine);
  const worse = regressions(rows, baseline);
  if (worse.length === 0) return;
  console.log(`\nworse than before by more than ${TOLERANCE * 100} %:\n${worse.join("\n")}`);
  if (!save) process.exitCode = 1;
};
