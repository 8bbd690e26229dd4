import { fileURLToPath } from "node:url";
import type { Clock } from "../../../src/ports/clock.ts";
import { drive, type Load } from "./drive.ts";
import { startEngine, type EngineProgram } from "./engine-process.ts";
import { judge, type Judged } from "./judge.ts";
import { cpuMsOf, pssMbOf } from "./process-figures.ts";

/** What one run of calls against one program came to. */
export type CallsRun = Judged &
  Readonly<{
    /** Processor time of the program and all that it started, a call-second, in milliseconds. */
    cpuMs: number;
    /** Heap and what hangs on it after collecting garbage, and the proportional share of memory, a call, in MB. */
    heapMb: number;
    pssMb: number;
    ownTickP99: number;
  }>;

export const ENGINE: EngineProgram = {
  name: "the engine",
  args: [fileURLToPath(new URL("../../../src/main.ts", import.meta.url)), "bench-engine"],
  // A stall of the machine is told by the figures.
  env: { LOG_LEVEL: "error" },
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
    const idle = { heap: await engine.heapBytes(), pss: pssMbOf(engine.pid) };
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
    return {
      ...judge(driven, await engine.events()),
      cpuMs: used.cpuMs / (load.calls * used.seconds),
      heapMb: (used.heap - idle.heap) / 1e6 / load.calls,
      pssMb: (used.pss - idle.pss) / load.calls,
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
  const settled = async (): Promise<number> => {
    // What a call leaves open for a moment (its engines, its last write) is no leak.
    await new Promise((resolve) => clock.setTimer(12_000, () => resolve(undefined)));
    await engine.events();
    return engine.heapBytes();
  };
  try {
    for (const warm of ["a", "b"]) await round(`W${warm}`, LEAK_ROUND);
    const before = await settled();
    for (let held = 0; held < calls; held += LEAK_ROUND) await round(`L${held}-`, LEAK_ROUND);
    return ((await settled()) - before) / 1000 / calls;
  } finally {
    await engine.stop();
  }
};

const LEAK_ROUND = 100;

const nothing = async (): Promise<void> => undefined;
