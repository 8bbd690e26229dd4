import { parseArgs } from "node:util";
import { runMatrix } from "./matrix.ts";

const USAGE = "npm run bench -- faults [--calls n, of each fault at each stage; 200] [--seed first; 1]";

/**
 * Runs calls in virtual time with every kind of fault at every stage, and prints for each how many survived, the longest silence, and
 * the seeds of calls in which anything went wrong. The exit code is 1 when fewer than 99 of 100 survived anywhere, or a caller bore
 * dead air, a word twice or a function twice, or a takeover is not both counted by the metrics and told by a turn.
 */
export const run = async (args: readonly string[]): Promise<void> => {
  const { values } = parseArgs({
    args: [...args],
    options: { calls: { type: "string", default: "200" }, seed: { type: "string", default: "1" } },
  });
  const [calls, seed] = [Number(values.calls), Number(values.seed)];
  if (!Number.isInteger(calls) || calls < 1 || !Number.isInteger(seed)) {
    console.error(`usage: ${USAGE}`);
    process.exitCode = 2;
    return;
  }
  console.log(`${calls} calls of each, seeds ${seed} to ${seed + calls - 1}`);
  for await (const { stage, fault, survived, longestDeadAirMs, fallbacks, lost, wrong } of runMatrix(calls, seed)) {
    const silence = `${Math.round(longestDeadAirMs)} ms`.padStart(8);
    const words = `${(lost * 100).toFixed(1)} % of words lost`.padStart(20);
    console.log(
      `${stage.padEnd(12)} ${fault.padEnd(24)} ${survived}/${calls} ${silence} ${words}  ${fallbacks} turns fell back`,
    );
    for (const { seed: of, what } of wrong.slice(0, 5)) console.log(`    seed ${of}: ${what}`);
    if (wrong.length > 5) console.log(`    and ${wrong.length - 5} more`);
    if (wrong.length > 0) process.exitCode = 1;
  }
};
