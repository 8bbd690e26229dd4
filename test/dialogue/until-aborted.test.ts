import { expect, test } from "vitest";
import { untilAborted } from "../../src/dialogue/until-aborted.ts";

/** A stream that gives its items, then hangs for ever; tells whether it was told to stop. */
const hanging = (...items: readonly number[]) => {
  let next = 0;
  const stream = {
    returned: false,
    asked: 0,
    [Symbol.asyncIterator]: () => ({
      next: (): Promise<IteratorResult<number>> => {
        stream.asked += 1;
        const value = items[next++];
        return value === undefined ? new Promise(() => undefined) : Promise.resolve({ done: false, value });
      },
      return: (): Promise<IteratorResult<number>> => {
        stream.returned = true;
        return Promise.resolve({ done: true, value: undefined });
      },
    }),
  };
  return stream;
};

const collect = async (stream: AsyncIterable<number>): Promise<readonly number[]> => {
  const items: number[] = [];
  for await (const item of stream) items.push(item);
  return items;
};

async function* failing(error: Error): AsyncGenerator<number> {
  yield 1;
  throw error;
}

test("without an abort everything comes through, failures included", async () => {
  const live = new AbortController().signal;
  async function* three(): AsyncGenerator<number> {
    yield* [1, 2, 3];
  }
  expect(await collect(untilAborted(three(), live))).toEqual([1, 2, 3]);
  const error = new Error("broke");
  await expect(collect(untilAborted(failing(error), live))).rejects.toBe(error);
});

test("a stream that hangs ends at once when the signal aborts, and is told to stop", async () => {
  const controller = new AbortController();
  const stream = hanging(1, 2);
  const items = collect(untilAborted(stream, controller.signal));
  setImmediate(() => {
    controller.abort();
  });
  expect(await items).toEqual([1, 2]);
  expect(stream.returned).toBe(true);
});

test("an aborted signal asks the stream for nothing", async () => {
  const stream = hanging(1);
  expect(await collect(untilAborted(stream, AbortSignal.abort()))).toEqual([]);
  expect(stream.asked).toBe(0);
});

test("a reader that stops early stops the stream", async () => {
  const stream = hanging(1, 2);
  const items = untilAborted(stream, new AbortController().signal);
  expect(await items.next()).toEqual({ done: false, value: 1 });
  await items.return(undefined);
  expect(stream.returned).toBe(true);
});
