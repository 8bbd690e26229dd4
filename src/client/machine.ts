/** The time and chance of the program that a client runs in, which has no ports; tests bring their own. */
export type Machine = Readonly<{
  /** Calls back once after `ms` milliseconds unless it is cancelled. */
  setTimer(ms: number, callback: () => void): Readonly<{ cancel(): void }>;
  /** From 0 to less than 1. */
  fraction(): number;
}>;

/** Where the client runs: Node or a browser. */
export const thisMachine: Machine = {
  setTimer: (ms, callback) => {
    const timer = setTimeout(callback, ms);
    return {
      cancel: () => {
        clearTimeout(timer);
      },
    };
  },
  fraction: () => Math.random(),
};

/** Resolves after `ms`; rejects with the signal's reason as soon as it aborts. */
export const pause = (machine: Machine, ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const stop = () => {
      timer.cancel();
      reject(signal?.reason);
    };
    const timer = machine.setTimer(ms, () => {
      signal?.removeEventListener("abort", stop);
      resolve();
    });
    signal?.addEventListener("abort", stop, { once: true });
  });
