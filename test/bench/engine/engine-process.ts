import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { sleep, withDeadline, type Clock } from "../../../src/ports/clock.ts";
import type { EngineEvent } from "./judge.ts";

/** A program that speaks the protocol of `call-engine bench-engine`. */
export type EngineProgram = Readonly<{
  name: string;
  args: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** Options of Node itself. */
  nodeOptions?: readonly string[];
}>;

export type EngineProcess = Readonly<{
  pid: number;
  mediaUrl: string;
  /** What its providers did since the last time it was asked. */
  events(): Promise<readonly EngineEvent[]>;
  /** Bytes of JavaScript's heap and of what hangs on it outside, after collecting garbage. */
  heapBytes(): Promise<number>;
  stop(): Promise<void>;
}>;

const START_MS = 60_000;
const STOP_MS = 20_000;

/** The core that engines are kept on where the machine has more than one; the callers take the others. */
const ENGINE_CORE = "0";
const CALLER_CORES = "1-255";

/** Starts an engine of its own on a core of its own. */
export const startEngine = async (program: EngineProgram, clock: Clock): Promise<EngineProcess> => {
  const command = [process.execPath, ...(program.nodeOptions ?? []), ...program.args];
  const pinned = CAN_PIN ? ["taskset", "-c", ENGINE_CORE, ...command] : command;
  const child = spawn(pinned[0] as string, pinned.slice(1), {
    env: { ...process.env, HOST: "127.0.0.1", PORT: "0", ...program.env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  const lines = createInterface({ input: child.stdout });
  const [line] = (await withDeadline(clock, START_MS, `starting ${program.name}`, once(lines, "line"))) as [string];
  const mediaUrl = /media=(\S+)/.exec(line)?.[1];
  const statsUrl = /stats=(\S+)/.exec(line)?.[1];
  if (mediaUrl === undefined || statsUrl === undefined) throw new Error(`${program.name} did not say where it listens`);
  const ask = async (path: string): Promise<unknown> => (await fetch(new URL(path, statsUrl))).json();
  return {
    pid: child.pid as number,
    mediaUrl: mediaUrl.replace("localhost", "127.0.0.1"),
    events: async () => (await ask("/events")) as readonly EngineEvent[],
    heapBytes: async () => {
      // A second time for what the first one has made garbage.
      await ask("/stats?gc=1");
      const { mem } = (await ask("/stats?gc=1")) as { mem: { heapUsed: number; external: number } };
      return mem.heapUsed + mem.external;
    },
    stop: () => stopped(child, exited, clock),
  };
};

/** Keeps this process, which plays the callers, off the engines' core. */
export const stepAside = (): void => {
  if (CAN_PIN) spawnSync("taskset", ["-a", "-c", "-p", CALLER_CORES, String(process.pid)]);
};

const stopped = async (child: ChildProcess, exited: Promise<unknown>, clock: Clock): Promise<void> => {
  child.kill("SIGTERM");
  await Promise.race([exited, sleep(clock, STOP_MS).then(() => child.kill("SIGKILL"))]);
};

const CAN_PIN = spawnSync("taskset", ["-c", `${ENGINE_CORE},1`, "true"]).status === 0;
