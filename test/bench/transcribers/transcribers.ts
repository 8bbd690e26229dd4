import { measureAdapter, percentile } from "./measure.ts";

const STREAMS = 20;
const FRAMES = 500;

/** What a vendor's adapter adds to the vendor's own delay, with 20 calls beside one another. */
export const run = async (): Promise<void> => {
  const { there, back } = await measureAdapter(STREAMS, FRAMES);
  for (const [way, figures] of [
    ["frame to socket", there],
    ["message to call", back],
  ] as const) {
    const [median, high, most] = [0.5, 0.99, 1].map((share) => percentile(figures, share).toFixed(3));
    console.log(`${way}: ${figures.length} measured, median ${median} ms, p99 ${high} ms, most ${most} ms`);
  }
};
