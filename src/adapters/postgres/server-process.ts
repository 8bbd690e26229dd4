import { execFile } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Clock, sleep } from "../../ports/clock.ts";
import { hasCode } from "./binaries.ts";

const run = promisify(execFile);

/** What PostgreSQL writes of itself into `postmaster.pid`. */
export type RunningServer = Readonly<{ pid: number; socketFolder: string; status: string }>;

/** A fast shutdown rolls back what is open and writes a checkpoint. */
const FAST_MS = 10_000;
const IMMEDIATE_MS = 5_000;
const POLL_MS = 20;

/** Whether a process is there, whoever owns it. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, "EPERM");
  }
};

/**
 * The server that runs on a data folder, if any. A `postmaster.pid` whose process is gone, or is another program that got the
 * same number (usual after a container restarts), names no server; the latter is removed, because PostgreSQL would take it
 * for a living one and refuse to start.
 */
export const findServer = async (data: string): Promise<RunningServer | undefined> => {
  const file = join(data, "postmaster.pid");
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
  const lines = text.split("\n");
  const pid = Number(lines[0]);
  if (!Number.isSafeInteger(pid) || pid <= 0 || !isAlive(pid)) return undefined;
  const command = await commandOf(pid);
  if (command !== undefined && !command.includes(data)) {
    if (isAlive(pid)) await rm(file, { force: true });
    return undefined;
  }
  return { pid, socketFolder: lines[4] ?? "", status: (lines[7] ?? "").trim() };
};

/** Stops a server and waits until it is gone: fast, then immediately. */
export const stopServer = async (clock: Clock, pid: number): Promise<void> => {
  for (const [signal, limitMs] of [
    ["SIGINT", FAST_MS],
    ["SIGQUIT", IMMEDIATE_MS],
  ] as const) {
    send(pid, signal);
    if (await waitUntilGone(clock, pid, limitMs)) return;
  }
  throw new Error(`PostgreSQL (process ${pid}) does not stop`);
};

/** True once the process is gone, false after the limit. */
export const waitUntilGone = async (clock: Clock, pid: number, limitMs: number): Promise<boolean> => {
  const limit = clock.monotonic() + limitMs;
  while (isAlive(pid) && !(await isZombie(pid))) {
    if (clock.monotonic() >= limit) return false;
    await sleep(clock, POLL_MS);
  }
  return true;
};

const send = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!hasCode(error, "ESRCH")) throw error;
  }
};

/** The command line of a process; `undefined` when it cannot be told. */
const commandOf = async (pid: number): Promise<string | undefined> => {
  try {
    if (process.platform === "linux") return (await readFile(`/proc/${pid}/cmdline`, "utf8")).replaceAll("\0", " ");
    return (await run("ps", ["-o", "command=", "-p", String(pid)], { timeout: FAST_MS })).stdout;
  } catch {
    return undefined;
  }
};

/** A dead process that its parent has not collected, as in containers without an init process. */
const isZombie = async (pid: number): Promise<boolean> => {
  if (process.platform !== "linux") return false;
  try {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).startsWith("Z");
  } catch {
    return true;
  }
};
