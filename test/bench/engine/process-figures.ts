import { readdirSync, readFileSync } from "node:fs";

/** Linux counts processor time in hundredths of a second for every program. */
const TICK_MS = 10;

/** A process and all that it started. */
export const processTree = (root: number): readonly number[] => {
  const children = new Map<number, number[]>();
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    const parent = Number.isInteger(pid) ? statOf(pid)?.[PARENT] : undefined;
    if (parent !== undefined) children.set(Number(parent), [...(children.get(Number(parent)) ?? []), pid]);
  }
  const found = [root];
  for (const pid of found) found.push(...(children.get(pid) ?? []));
  return found;
};

/** Processor time of a process and all that it started, those that have ended included, in milliseconds. */
export const cpuMsOf = (root: number): number =>
  processTree(root).reduce((sum, pid) => {
    const fields = statOf(pid);
    if (fields === undefined) return sum;
    const ticks = [USER, SYSTEM, CHILD_USER, CHILD_SYSTEM].reduce((all, field) => all + Number(fields[field]), 0);
    return sum + ticks * TICK_MS;
  }, 0);

/** Proportional share of memory of a process alone, in MB. */
export const pssMbOf = (pid: number): number => {
  const found = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"));
  return Number(found?.[1] ?? Number.NaN) / 1024;
};

/** Places in /proc/<pid>/stat, behind the name in parentheses. */
const PARENT = 1;
const USER = 11;
const SYSTEM = 12;
const CHILD_USER = 13;
const CHILD_SYSTEM = 14;

const statOf = (pid: number): readonly string[] | undefined => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    return undefined;
  }
};
