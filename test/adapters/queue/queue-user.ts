import { once } from "node:events";
import { SystemClock } from "../../../src/adapters/clock/system.ts";
import { openBullmqQueue } from "../../../src/adapters/queue/bullmq.ts";
import { SystemRandom } from "../../../src/adapters/random/system.ts";
import { deferred } from "../../../src/kit/deferred.ts";
import { countingMetrics } from "../../kit/counting-metrics.ts";
import { silentLogger } from "../../kit/silent-logger.ts";

// A process that uses a queue until its input ends, and then closes it and has nothing more to do.
const { metrics } = countingMetrics();
const queue = openBullmqQueue({
  connection: { redisUrl: process.argv[2] ?? "" },
  clock: new SystemClock(),
  random: new SystemRandom(),
  logger: silentLogger(),
  metrics,
});
const consumed = deferred<void>();
await queue.consume(async () => consumed.resolve(), 1);
// The first connection may not be there yet.
while (
  !(await queue.add("dial").then(
    () => true,
    () => false,
  ))
);
await consumed.promise;
process.stdout.write("consumed\n");
process.stdin.resume();
await once(process.stdin, "end");
await queue.add("another").catch(() => undefined);
await queue.close();
