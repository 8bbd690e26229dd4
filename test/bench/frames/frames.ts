import { parseArgs } from "node:util";
import { GOLDEN_FRAMES } from "../../adapters/carrier/streaming/golden-frames.ts";
import { flood } from "../../adapters/carrier/streaming/mutated-frames.ts";
import { collectGarbage } from "../../kit/garbage.ts";

/** Between two looks at the memory. */
const ROUND = 100_000;

const MB = 1024 * 1024;

/**
 * Lets every dialect of media sockets read a million damaged messages, and shows the memory meanwhile. Fails when a line throws, or
 * when the heap is larger after the last round than after the second by more than 8 MB.
 */
export const run = async (args: readonly string[]): Promise<void> => {
  const { values } = parseArgs({
    args: [...args],
    options: { frames: { type: "string", default: "1000000" }, seed: { type: "string", default: "1" } },
  });
  const rounds = Math.max(2, Math.round(Number(values.frames) / ROUND));
  for (const golden of GOLDEN_FRAMES) {
    const heaps: number[] = [];
    let lines = 0;
    for (let round = 0; round < rounds; round++) {
      lines += flood(golden, ROUND, Number(values.seed) + round);
      await collectGarbage();
      heaps.push(process.memoryUsage().heapUsed / MB);
    }
    const [, second = 0] = heaps;
    const grown = (heaps.at(-1) ?? 0) - second;
    const memory = `heap ${second.toFixed(1)} MB, then ${grown.toFixed(1)} MB more, resident ${(process.memoryUsage.rss() / MB).toFixed(0)} MB`;
    console.log(`${golden.name}: ${rounds * ROUND} frames, ${lines} lines, no exception; ${memory}`);
    if (grown > 8) process.exitCode = 1;
  }
};
