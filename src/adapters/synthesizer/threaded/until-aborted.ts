/** The items until the signal aborts, even while the source makes us wait; then the source is told to stop. */
export async function* untilAborted<T>(
  source: AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T, void, undefined> {
  const iterator = source[Symbol.asyncIterator]();
  const { promise: aborted, resolve: abort } = Promise.withResolvers<"aborted">();
  const stop = () => {
    abort("aborted");
  };
  signal.addEventListener("abort", stop, { once: true });
  let exhausted = false;
  try {
    while (!signal.aborted) {
      const next = await Promise.race([iterator.next(), aborted]);
      if (next === "aborted") return;
      exhausted = next.done === true;
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener("abort", stop);
    // A generator that is still waiting settles its `return` only later, so nobody waits for it here.
    if (!exhausted) void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}
