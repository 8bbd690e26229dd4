import { heapInUse } from "../../kit/garbage.ts";
import { watchForLeaks } from "../../kit/leaks.ts";
import { SoakedWorker } from "./soaked-worker.ts";

/** What so many calls left behind. */
export type Soaked = Readonly<{
  calls: number;
  talked: number;
  /** Bytes of heap by which each call made it grow, once the garbage was collected: the slope of a straight line through all looks. */
  bytesPerCall: number;
  /** Megabytes of heap at each look. */
  heap: readonly number[];
  timersLeft: number;
  heldLeft: number;
}>;

/** Calls side by side. */
const BATCH = 40;

/** Code that is compiled and caches that fill belong to the first calls. */
const WARM_UP = 400;

/**
 * Lets one worker live for `calls` calls, and looks at the heap `looks` times on the way. Rejects when a handle is left: a timer, a
 * socket, a thread.
 */
export const soak = async (calls: number, looks: number, warmUp = WARM_UP): Promise<Soaked> => {
  const leaks = watchForLeaks();
  const worker = new SoakedWorker();
  await worker.start();
  for (let done = 0; done < warmUp; done += BATCH) await worker.batch(BATCH);
  const points: [number, number][] = [[0, await heapInUse()]];
  let done = 0;
  let talked = 0;
  for (let look = 1; look <= looks; look++) {
    for (; done < (calls * look) / looks; done += BATCH) talked += await worker.batch(BATCH);
    points.push([done, await heapInUse()]);
  }
  const heldLeft = worker.left;
  const timersLeft = await worker.stop();
  await leaks();
  const heap = points.map(([, bytes]) => Math.round(bytes / 1e4) / 100);
  return { calls: done, talked, bytesPerCall: slopeOf(points), heap, timersLeft, heldLeft };
};

/** The slope of the line that fits best (least squares). */
const slopeOf = (points: readonly (readonly [number, number])[]): number => {
  const mean = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / values.length;
  const [mx, my] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))];
  const above = points.reduce((sum, [x, y]) => sum + (x - mx) * (y - my), 0);
  return above / points.reduce((sum, [x]) => sum + (x - mx) ** 2, 0);
};

/** `npm run bench -- soak [calls]`: ten thousand unless told; leaves with 1 when a call leaves more than half a kilobyte. */
export const run = async ([count = "10000"]: readonly string[]): Promise<void> => {
  const soaked = await soak(Number(count), 20);
  console.log(JSON.stringify(soaked, null, 2));
  if (soaked.bytesPerCall > MOST_BYTES || soaked.timersLeft > 0 || soaked.heldLeft > 0) process.exitCode = 1;
};

const MOST_BYTES = 512;
