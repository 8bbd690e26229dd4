import type { Clock, Timer } from "../../ports/clock.ts";

/** Longest wait of Node's timers, in milliseconds; a longer one would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The machine's clocks. Its timers keep the process alive, so whoever sets one cancels it. */
export class SystemClock implements Clock {
  now(): number {
    return Date.now();
  }

  monotonic(): number {
    return performance.now();
  }

  setTimer(ms: number, callback: () => void): Timer {
    const handle = setTimeout(callback, Math.min(Math.max(0, ms), LONGEST_TIMER_MS));
    return {
      cancel: () => {
        clearTimeout(handle);
      },
    };
  }
}
