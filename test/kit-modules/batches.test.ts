import { expect, test } from "vitest";
import { Batches } from "../../src/kit/batches.ts";
import { type Deferred, deferred } from "../../src/kit/deferred.ts";

/** A sender that is told when each batch has gone. */
const rig = () => {
  const sent: (readonly number[])[] = [];
  const ends: Deferred<void>[] = [];
  const batches = new Batches<number>((items) => {
    sent.push(items);
    const end = deferred<void>();
    ends.push(end);
    return end.promise;
  });
  return { sent, ends, batches };
};

test("the first goes at once, and those that come meanwhile go together, in order", async () => {
  const { sent, ends, batches } = rig();
  const first = batches.add(1);
  expect(sent).toEqual([[1]]);
  const others = [batches.add(2), batches.add(3)];
  expect(sent).toEqual([[1]]);
  ends[0]?.resolve();
  await first;
  expect(sent).toEqual([[1], [2, 3]]);
  ends[1]?.resolve();
  await Promise.all(others);
  const last = batches.add(4);
  expect(sent).toEqual([[1], [2, 3], [4]]);
  ends[2]?.resolve();
  await last;
});

test("a failure is told to all that were sent together, and to nobody else", async () => {
  const { sent, ends, batches } = rig();
  const [first, second, third] = [batches.add(1), batches.add(2), batches.add(3)];
  ends[0]?.reject(new Error("away"));
  await expect(first).rejects.toThrow("away");
  expect(sent).toEqual([[1], [2, 3]]);
  ends[1]?.resolve();
  await Promise.all([second, third]);
});

test("a batch is bounded, and so is what waits", async () => {
  const { sent, ends, batches } = rig();
  const added = Array.from({ length: 10_001 }, (_, at) => batches.add(at));
  await expect(batches.add(0)).rejects.toThrow("too much waits");
  for (let at = 0; at <= 100; at++) {
    ends[at]?.resolve();
    await added[at * 100];
  }
  await Promise.all(added);
  expect(sent.flat()).toEqual(added.map((_, at) => at));
  expect(Math.max(...sent.map(({ length }) => length))).toBe(100);
});
