/**
 * The items of a stream until the signal aborts, and then an end without an error: at once, even when the stream itself hangs
 * or fails because of the abort. The stream is told to stop, and is not waited for.
 */
export async function* untilAborted<T>(stream: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  if (isAborted(signal)) return;
  const iterator = stream[Symbol.asyncIterator]();
  const aborted = Promise.withResolvers<typeof ABORTED>();
  const abort = () => {
    aborted.resolve(ABORTED);
  };
  signal.addEventListener("abort", abort, { once: true });
  try {
    for (;;) {
      const next = await Promise.race([iterator.next(), aborted.promise]);
      if (next === ABORTED || next.done === true || isAborted(signal)) return;
      yield next.value;
    }
  } catch (error) {
    if (!isAborted(signal)) throw error;
  } finally {
    signal.removeEventListener("abort", abort);
    // Does nothing to a stream that has ended; never waited for, because a hanging stream answers only when it wakes.
    iterator.return?.().catch(() => undefined);
  }
}

const ABORTED = Symbol("aborted");

/** A function, because the compiler takes a signal that was once found live for live for ever. */
const isAborted = (signal: AbortSignal): boolean => signal.aborted;
