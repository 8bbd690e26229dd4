/** Samples of one window: 32 ms at 16 kHz, the only length that Silero v6 takes. */
export const WINDOW_SAMPLES = 512;
export const WINDOW_MS = 32;

/** What the worker is started with. */
export type WorkerData = Readonly<{ modelPath: string }>;

/** Orders to the worker. It answers each batch by one {@link Answer}, in order. */
export type Order =
  | Readonly<{
      type: "batch";
      /** Distinct numbers of streams, at most {@link LARGEST_BATCH}. */
      streams: readonly number[];
      /** One window per stream, in the order of `streams`. */
      windows: Int16Array;
    }>
  | Readonly<{ type: "forget"; stream: number }>
  | Readonly<{ type: "close" }>;

export type Answer = Readonly<{ type: "ready" }> | Readonly<{ type: "probabilities"; probabilities: Float32Array }>;

/** Cost per window falls little beyond this (81 µs alone, 30 µs from 16 on), and a larger batch would only delay the first. */
export const LARGEST_BATCH = 64;
