import type { Clock } from "../../../src/ports/clock.ts";
import { medianOf } from "./quantiles.ts";
import type { EngineProgram } from "./engine-process.ts";
import { peerFigure, ratioOf, type Row } from "./row.ts";
import { ENGINE, ENGINE_WITH_SILERO, FLOOR, leakKb, MOST_OWN_TICK_MS, runCalls, type CallsRun } from "./run-calls.ts";

type Repeated = Readonly<{ engine: readonly CallsRun[]; floor: readonly CallsRun[]; peer: readonly CallsRun[] }>;

export type CallsOptions = Readonly<{
  calls: number;
  ms: number;
  warmUpMs: number;
  repeats: number;
  /** Another engine to be measured in the same turns. */
  peer?: EngineProgram | undefined;
}>;

/** Floor, engine and peer in turns, so that what the machine does meanwhile meets all of them. */
const interleaved = async ({ calls, ms, warmUpMs, repeats, ...by }: CallsOptions, clock: Clock): Promise<Repeated> => {
  const engine: CallsRun[] = [];
  const floor: CallsRun[] = [];
  const peer: CallsRun[] = [];
  for (let count = 0; count < repeats; count += 1) {
    const load = { calls, ms, warmUpMs, prefix: `C${calls}-${count}-` };
    floor.push(await runCalls(FLOOR, load, clock));
    engine.push(await runCalls(ENGINE, load, clock));
    if (by.peer !== undefined) peer.push(await runCalls(by.peer, load, clock));
  }
  return { engine, floor, peer };
};

/** What so many calls at once come to: turns, pacing, interruptions, processor and memory. */
export const callsRows = async (options: CallsOptions, clock: Clock): Promise<readonly Row[]> => {
  const runs = await interleaved(options, clock);
  const ownTick = medianOf([...runs.engine, ...runs.floor, ...runs.peer].map(({ ownTickP99 }) => ownTickP99));
  const disturbed =
    ownTick > MOST_OWN_TICK_MS ? `the callers' own frames were ${ownTick.toFixed(0)} ms late` : undefined;
  const of = (figure: (run: CallsRun) => number) => ({
    engine: medianOf(runs.engine.map(figure)),
    floor: medianOf(runs.floor.map(figure)),
    peer: medianOf(runs.peer.map(figure)),
  });
  return definitionsOf(options.calls).map(({ id, definition, unit, figure, most, peerTimes, wall, gated }) => {
    const { engine, floor, peer } = of(figure);
    const target = most === undefined ? {} : { target: `≤ ${most} ${unit}`, met: engine <= most };
    const beside = options.peer === undefined ? {} : { peer: peerFigure(peer, engine, peerTimes) };
    const row = { id: `${id}@${options.calls}`, definition, unit, engine, floor, ratio: ratioOf(engine, floor) };
    return { ...row, ...target, ...beside, gated, void: wall || gated ? disturbed : undefined };
  });
};

type Definition = Readonly<{
  id: string;
  definition: string;
  unit: string;
  figure(run: CallsRun): number;
  most?: number | undefined;
  /** How many times more it is to be of a peer. */
  peerTimes?: number | undefined;
  /** By the clock on the wall, which other work on the machine spoils. */
  wall: boolean;
  gated?: boolean;
}>;

const definitionsOf = (calls: number): readonly Definition[] => {
  const at = (targets: Readonly<Record<number, number>>) => targets[calls];
  const added = "first media of the answer read − last voiced frame written − what the providers took";
  const wall = { unit: "ms", wall: true };
  return [
    {
      id: "turn.added.p50",
      definition: added,
      figure: (run) => run.added.p50,
      most: calls > 50 ? 3 : 1.5,
      peerTimes: at({ 50: 50 }),
      ...wall,
    },
    {
      id: "turn.added.p99",
      definition: added,
      figure: (run) => run.added.p99,
      most: calls > 50 ? 20 : 10,
      peerTimes: at({ 50: 15 }),
      ...wall,
    },
    ...(["in", "finalToModel", "sentenceToVoice", "soundToSocket"] as const).map((stage) => ({
      id: `turn.added.${stage}`,
      definition: "its share of turn.added, median",
      figure: (run: CallsRun) => run.stages[stage],
      ...wall,
    })),
    {
      id: "turn.total.p50",
      definition: "first media of the answer read − last voiced frame written",
      figure: (run) => run.total.p50,
      ...wall,
    },
    {
      id: "barge.p50",
      definition: "clear read − first voiced frame written − the 40 ms until the third",
      figure: (run) => run.interruption.p50,
      most: 2,
      ...wall,
    },
    {
      id: "barge.p99",
      definition: "the same",
      figure: (run) => run.interruption.p99,
      most: 12,
      peerTimes: at({ 50: 5 }),
      ...wall,
    },
    {
      id: "barge.next.p50",
      definition: "turn.added of answers after an interruption",
      figure: (run) => run.addedAfterInterruption.p50,
      most: calls > 50 ? 3 : 1.5,
      ...wall,
    },
    {
      id: "pace.p99",
      definition: "media k of an answer later than the first one + 20 ms × k; earlier counts as 0",
      figure: (run) => run.pacing.p99,
      most: at({ 10: 5, 50: 5, 100: 5, 300: 10 }),
      ...wall,
    },
    {
      id: "pace.early",
      definition:
        "the earliest that a media came before that; 40 are asked of both, and a stall of the reader adds to it",
      figure: (run) => run.earliest,
      ...wall,
    },
    {
      id: "lost",
      definition: "answers that never came, interruptions that stopped nothing, sockets that closed",
      unit: "",
      figure: (run) => run.lost.turns + run.lost.interruptions + run.lost.calls,
      most: 0,
      wall: true,
    },
    {
      id: "cpu.call",
      definition: "processor time of the process and all that it started, PostgreSQL included, a call-second",
      unit: "ms",
      figure: (run) => run.cpuMs,
      most: at({ 50: 1.8 }),
      peerTimes: at({ 50: 7 }),
      wall: false,
      // Fewer calls measure how warm the code is.
      gated: calls >= 50,
    },
    {
      id: "mem.heap",
      definition:
        "heap and external after collecting garbage, less those of the process when the calls are over, a call",
      unit: "MB",
      figure: (run) => run.heapMb,
      most: at({ 100: 0.12 }),
      peerTimes: at({ 50: 8 }),
      wall: false,
    },
    {
      id: "mem.pss",
      definition: "proportional share of memory, less that of the idle process, a call",
      unit: "MB",
      figure: (run) => run.pssMb,
      most: at({ 100: 0.6 }),
      peerTimes: at({ 50: 8 }),
      wall: false,
    },
  ];
};

export const sileroRow = async (options: CallsOptions, clock: Clock): Promise<Row> => {
  const { calls, ms, warmUpMs } = options;
  const engine = await runCalls(ENGINE_WITH_SILERO, { calls, ms, warmUpMs, prefix: "S" }, clock);
  const floor = await runCalls(FLOOR, { calls, ms, warmUpMs, prefix: "S" }, clock);
  return {
    id: `cpu.call.silero@${calls}`,
    definition: "cpu.call with Silero on every call; the floor measures loudness",
    unit: "ms",
    engine: engine.cpuMs,
    floor: floor.cpuMs,
    ratio: ratioOf(engine.cpuMs, floor.cpuMs),
    target: "≤ 3 ms",
    met: engine.cpuMs <= 3,
  };
};

export const leakRow = async (calls: number, clock: Clock): Promise<Row> => {
  const engine = await leakKb(ENGINE, calls, clock);
  return {
    id: "mem.leak",
    definition: `what ${calls} calls that are over leave in the heap after collecting garbage, a call`,
    unit: "kB",
    engine,
    target: "≤ 2 kB",
    met: engine <= 2,
  };
};

/** Turns later than this, by the 99th percentile, are no conversation any more; and sound later than a frame is heard as a gap. */
const LATEST_TURN_MS = 200;
const LATEST_FRAME_MS = 20;
const MOST_CALLS = 1600;

/** The most calls that one core holds: doubled until it fails, then halved in between. */
export const mostCallsRow = async (clock: Clock): Promise<Row> => {
  const most = async (program: typeof ENGINE): Promise<number> => {
    const holds = async (calls: number): Promise<boolean> => {
      const run = await runCalls(program, { calls, ms: 8000, warmUpMs: 10_000, prefix: `M${calls}-` }, clock);
      const lost = run.lost.turns + run.lost.interruptions + run.lost.calls;
      const [turn, frame] = [run.added.p99, run.pacing.p99];
      console.error(
        `  ${program.name}, ${calls} calls: ${lost} lost, p99 of turns ${turn.toFixed(0)} ms, of frames ${frame.toFixed(0)} ms`,
      );
      return lost === 0 && turn <= LATEST_TURN_MS && frame <= LATEST_FRAME_MS;
    };
    let good = 0;
    let bad = 50;
    for (; bad <= MOST_CALLS && (await holds(bad)); bad *= 2) good = bad;
    while (good > 0 && bad - good > good / 4) {
      const middle = Math.round((good + bad) / 2);
      if (await holds(middle)) good = middle;
      else bad = middle;
    }
    return good;
  };
  const floor = await most(FLOOR);
  const engine = await most(ENGINE);
  return {
    id: "cpu.calls",
    definition: `calls on one core with nothing lost, turn.added p99 ≤ ${LATEST_TURN_MS} ms and pace p99 ≤ ${LATEST_FRAME_MS} ms`,
    unit: "calls",
    engine,
    floor,
    ratio: ratioOf(floor, engine),
    target: "≥ 400",
    met: engine >= 400,
  };
};
