import { measureModels } from "./model-delay.ts";
import { measureAdapter, percentile } from "./transcriber-delay.ts";
import { measureVoices } from "./voice-delay.ts";

const STREAMS = 20;
const FRAMES = 500;
const ROUNDS = 300;

/** The most that an adapter may add to its vendor's own delay at the 99th percentile, in milliseconds. */
const MOST_MS = 1;

/**
 * What vendors' adapters add to the vendors' own delay: Deepgram's transcriber with 20 calls beside one another, frame by frame; voices until
 * their first sound and models until their first word, beside a client that only sends the same and receives. Of voices and models the
 * processor's time is told, of which a loaded machine changes little. The exit code is 1 when one adds more than a millisecond.
 */
export const run = async (): Promise<void> => {
  const { there, back } = await measureAdapter(STREAMS, FRAMES);
  for (const [way, figures] of [
    ["transcriber, frame to socket", there],
    ["transcriber, message to call", back],
  ] as const)
    report(way, percentile(figures, 0.5), percentile(figures, 0.99), `${figures.length} measured`);
  for (const measured of [measureVoices(ROUNDS), measureModels(ROUNDS)])
    for await (const { what, adapter, bare } of measured) {
      const [median, high] = [0.5, 0.99].map(
        (share) => percentile(adapter.processor, share) - percentile(bare.processor, share),
      );
      const byClock = percentile(adapter.clock, 0.5) - percentile(bare.clock, 0.5);
      const whole = percentile(bare.clock, 0.5).toFixed(2);
      report(what, median ?? Number.NaN, high ?? Number.NaN, `by the clock ${byClock.toFixed(2)} ms to ${whole} ms`);
    }
};

const report = (what: string, median: number, high: number, note: string): void => {
  console.log(`${what.padEnd(30)} adds ${median.toFixed(3)} ms, p99 ${high.toFixed(3)} ms  (${note})`);
  if (!(high < MOST_MS)) process.exitCode = 1;
};
