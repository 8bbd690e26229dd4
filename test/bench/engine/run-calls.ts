import { fileURLToPath } from "node:url";
import { sleep, type Clock } from "../../../src/ports/clock.ts";
import { drive, type Load } from "./drive.ts";
import { startEngine, type EngineProgram } from "./engine-process.ts";
import { judge, type Judged } from "./judge.ts";
import { cpuMsOf, pssMbOf } from "./process-figures.ts";

/** What one run of calls against one program came to. */
export type CallsRun = Judged &
  Readonly<{
    /** Processor time of the program and all that it started, a call-second, in milliseconds. */
    cpuMs: number;
    /** Heap and what hangs on it after collecting garbage, against when the calls are over; and the proportional share of memory; a call, in MB. */
    heapMb: number;
    pssMb: number;
    ownTickP99: number;
  }>;

export const ENGINE: EngineProgram = {
  name: "the engine",
  args: [fileURLToPath(new URL("../../../src/main.ts", import.meta.url)), "bench-engine"],
  // A stall of the machine is told by the figures.
  env: { LOG_LEVEL: "error" },
  // As it is started by `bin/call-engine`.
  nodeOptions: ["--max-semi-space-size=32"],
};

export const ENGINE_WITH_SILERO: EngineProgram = { ...ENGINE, env: { ...ENGINE.env, VAD: "silero" } };

export const FLOOR: EngineProgram = {
  name: "the floor",
  args: [fileURLToPath(new URL("../floor/floor.ts", import.meta.url))],
};

/** Above this, 99th percentile in milliseconds, the callers themselves were late and a run says nothing about the program. */
export const MOST_OWN_TICK_MS = 5;

/** Starts the program, holds calls with it, and ends it. */
export const runCalls = async (program: EngineProgram, load: Load, clock: Clock): Promise<CallsRun> => {
  const engine = await startEngine(program, clock);
  try {
    await engine.heapBytes();
    const idlePss = pssMbOf(engine.pid);
    const used = { fromMs: 0, cpuMs: 0, seconds: 0, heap: 0, pss: 0 };
    const driven = await drive(engine.mediaUrl, load, clock, {
      begun: async () => {
        await engine.events();
        used.cpuMs = -cpuMsOf(engine.pid);
        used.fromMs = clock.monotonic();
      },
      ending: async () => {
        used.cpuMs += cpuMsOf(engine.pid);
        used.seconds = (clock.monotonic() - used.fromMs) / 1000;
        used.pss = pssMbOf(engine.pid);
        used.heap = await engine.heapBytes();
      },
    });
    const judged = judge(driven, await engine.events());
    await settled(clock);
    return {
      ...judged,
      cpuMs: used.cpuMs / (load.calls * used.seconds),
      // Not less that of the beginning: code that ran for the first time stays, however many calls there were.
      heapMb: (used.heap - (await engine.heapBytes())) / 1e6 / load.calls,
      pssMb: (used.pss - idlePss) / load.calls,
      ownTickP99: driven.ownTickP99,
    };
  } finally {
    await engine.stop();
  }
};

/** What calls that are over leave behind in the heap, in kB a call: so many are held one after the other, a hundred at a time. */
export const leakKb = async (program: EngineProgram, calls: number, clock: Clock): Promise<number> => {
  const engine = await startEngine(program, clock);
  const round = (prefix: string, count: number) =>
    drive(engine.mediaUrl, { calls: count, ms: 3000, warmUpMs: 0, prefix }, clock, { begun: nothing, ending: nothing });
  const left = async (): Promise<number> => {
    await settled(clock);
    await engine.events();
    return engine.heapBytes();
  };
  try {
    for (const warm of ["a", "b"]) await round(`W${warm}`, LEAK_ROUND);
    const before = await left();
    for (let held = 0; held < calls; held += LEAK_ROUND) await round(`L${held}-`, LEAK_ROUND);
    return ((await left()) - before) / 1000 / calls;
  } finally {
    await engine.stop();
  }
};

const LEAK_ROUND = 100;

/** What a call leaves open for a moment (its engines, its last write) is nothing that it keeps. */
const settled = (clock: Clock): Promise<void> => sleep(clock, 12_000);

const nothing = async (): Promise<void> => undefined;
