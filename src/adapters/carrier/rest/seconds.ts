/** Milliseconds as the whole seconds that a carrier takes, rounded up and within its limits. */
export const wholeSeconds = (ms: number, least: number, most = Number.MAX_SAFE_INTEGER): number =>
  Math.min(most, Math.max(least, Math.ceil(ms / 1000)));
