import { Worker } from "node:worker_threads";
import { withDeadline, type Clock } from "../../../ports/clock.ts";

/** About a second of computing, with room for a busy machine and a slow disk. */
const DEADLINE_MS = 60_000;

/** The faster form of the network at `path`, made in a thread of its own. */
export const rewriteNetwork = async (path: string, clock: Clock): Promise<Uint8Array> => {
  const worker = new Worker(new URL("./rewrite-thread.ts", import.meta.url), { workerData: path, execArgv: [] });
  const rewritten = new Promise<Uint8Array>((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", () => {
      reject(new Error("the thread that rewrites the network ended without a result"));
    });
  });
  try {
    return await withDeadline(clock, DEADLINE_MS, "rewriting the Kokoro network", rewritten);
  } finally {
    await worker.terminate();
  }
};
