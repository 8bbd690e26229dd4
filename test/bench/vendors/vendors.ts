import { parseArgs } from "node:util";
import { measureStreams } from "./grpc-delay.ts";
import { measureTranscribers } from "./heard-delay.ts";
import { measureModels } from "./model-delay.ts";
import type { Paired } from "./paired.ts";
import { measureAdapter, percentile } from "./transcriber-delay.ts";
import { measureVoices } from "./voice-delay.ts";

const USAGE = "npm run bench -- vendors [--rounds n, of each; 1000]";
const STREAMS = 20;
const FRAMES = 500;

/** The most that an adapter may add to its vendor's own delay at the 99th percentile, in milliseconds. */
const MOST_MS = 1;

/**
 * What every vendor's adapter adds to the vendor's own delay, beside a client that only sends the same and receives, by turns: transcribers
 * from a piece of sound until its text, voices until their first sound, models until their first word; by the clock, which wants a machine
 * that does nothing else. Then Deepgram's transcriber frame by frame, with 20 calls beside one another. The exit code is 1 when one adds more
 * than a millisecond at the 99th percentile.
 */
export const run = async (args: readonly string[]): Promise<void> => {
  const { values } = parseArgs({ args: [...args], options: { rounds: { type: "string", default: "1000" } } });
  const rounds = Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1) {
    console.error(`usage: ${USAGE}`);
    process.exitCode = 2;
    return;
  }
  console.log(`${rounds} exchanges each; milliseconds that the adapter adds`);
  for (const measured of [measureTranscribers, measureVoices, measureModels, measureStreams])
    for await (const paired of measured(rounds)) reportPaired(paired);
  const { there, back } = await measureAdapter(STREAMS, FRAMES);
  report("20 calls, frame to socket", percentile(there, 0.5), percentile(there, 0.99), `${there.length} frames`);
  report("20 calls, message to call", percentile(back, 0.5), percentile(back, 0.99), `${back.length} messages`);
};

const reportPaired = ({ what, adapter, bare }: Paired): void => {
  const at = (share: number) => ({ whole: percentile(adapter, share), without: percentile(bare, share) });
  const [median, high] = [at(0.5), at(0.99)];
  const shown = `${median.whole.toFixed(2)} to ${median.without.toFixed(2)}, p99 ${high.whole.toFixed(2)} to ${high.without.toFixed(2)}`;
  report(what, median.whole - median.without, high.whole - high.without, shown);
};

const report = (what: string, median: number, high: number, note: string): void => {
  console.log(`${what.padEnd(28)} median ${median.toFixed(3)}, p99 ${high.toFixed(3)}  (${note})`);
  if (!(high < MOST_MS)) process.exitCode = 1;
};
