import { createHook } from "node:async_hooks";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { readFileSync, readdirSync } from "node:fs";
import { Worker } from "node:worker_threads";

/**
 * Remembers what keeps this process busy now, and returns a check that nothing more does: sockets, servers, timers, worker
 * threads, and child processes, also detached ones (on Linux). Call it before the thing under test starts, and await the check
 * after it has been closed.
 *
 * The check looks again whenever Node releases something, since a close may finish a few turns after its promise, and fails at the
 * deadline with the list of what is left. What was unreferenced on purpose does not count, except threads and child processes.
 */
export const watchForLeaks = (): ((deadlineMs?: number) => Promise<void>) => {
  // Opened by their first use, and then for good.
  void [process.stdout, process.stderr];
  const before = count([]);
  const workers: Worker[] = [];
  const noteWorker = (message: unknown): void => {
    if (typeof message === "object" && message !== null && "worker" in message && message.worker instanceof Worker)
      workers.push(message.worker);
  };
  subscribe("worker_threads", noteWorker);
  return async (deadlineMs = 5000) => {
    unsubscribe("worker_threads", noteWorker);
    const leaks = await leaksAtDeadline(before, workers, deadlineMs);
    if (leaks.length > 0) throw new Error(`left running after ${deadlineMs} ms: ${leaks.join(", ")}`);
  };
};

/** How often each kind of thing is active; children are told apart by their pid. */
type Counts = ReadonlyMap<string, number>;

const leaksAtDeadline = (before: Counts, workers: readonly Worker[], deadlineMs: number): Promise<readonly string[]> =>
  new Promise((resolve) => {
    const look = (isLast: boolean): void => {
      const leaks = listGrowth(before, count(workers));
      if (leaks.length > 0 && !isLast) return;
      hook.disable();
      clearTimeout(deadline);
      resolve(leaks);
    };
    let looksSoon = false;
    const lookSoon = (): void => {
      if (looksSoon) return;
      looksSoon = true;
      // What is being released still counts until this turn of the event loop ends.
      setImmediate(() => {
        looksSoon = false;
        look(false);
      });
    };
    const hook = createHook({ destroy: lookSoon });
    // oxlint-disable-next-line no-restricted-globals -- the check waits for the real process, whose time no port governs
    const deadline = setTimeout(look, deadlineMs, true);
    // Unreferenced, so that it is not taken for a leak; the immediate below keeps the process alive for the first look.
    deadline.unref();
    hook.enable();
    for (const worker of workers) worker.once("exit", lookSoon);
    lookSoon();
  });

const listGrowth = (before: Counts, now: Counts): readonly string[] =>
  [...now].flatMap(([kind, times]) => {
    const more = times - (before.get(kind) ?? 0);
    return more > 0 ? [more === 1 ? kind : `${more} × ${kind}`] : [];
  });

const count = (workers: readonly Worker[]): Counts => {
  const counts = new Map<string, number>();
  // A worker that has ended has the thread id -1.
  const threads = workers.filter(({ threadId }) => threadId !== -1).map(() => "worker thread");
  for (const kind of [...process.getActiveResourcesInfo(), ...threads, ...childProcesses()]) {
    if (kind !== "Immediate") counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
};

/** The living direct children of every thread of this process; none where there is no /proc. */
const childProcesses = (): readonly string[] => {
  try {
    return readdirSync("/proc/self/task").flatMap((thread) =>
      readFileSync(`/proc/self/task/${thread}/children`, "utf8").split(" ").filter(Boolean).flatMap(describeChild),
    );
  } catch {
    return [];
  }
};

const describeChild = (pid: string): readonly string[] => {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, "utf8");
    const state = status.slice(status.lastIndexOf(")") + 2, status.lastIndexOf(")") + 3);
    // A zombie has ended; Node reaps it soon.
    return state === "Z" ? [] : [`process ${pid} ${status.slice(status.indexOf("("), status.lastIndexOf(")") + 1)}`];
  } catch {
    return [];
  }
};
