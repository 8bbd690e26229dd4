/** The time of the page that a call runs in, which has no ports. */

/** Calls back once after `ms`, unless the returned function is called before. */
export const after = (ms: number, callback: () => void): (() => void) => {
  const timer = setTimeout(callback, ms);
  return () => {
    clearTimeout(timer);
  };
};

/** Calls back every `ms` until the returned function is called. */
export const every = (ms: number, callback: () => void): (() => void) => {
  const timer = setInterval(callback, ms);
  return () => {
    clearInterval(timer);
  };
};

/** Milliseconds that only ever grow. */
export const now = (): number => performance.now();
