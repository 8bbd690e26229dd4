import fc from "fast-check";
import { expect, test } from "vitest";
import { ChunkOrder } from "../../../../src/adapters/carrier/streaming/chunk-order.ts";

const orderOf = (chunks: readonly number[], flush = true): number[] => {
  const out: number[] = [];
  const order = new ChunkOrder(({ chunk }) => out.push(chunk));
  for (const chunk of chunks) order.take({ chunk, atMs: chunk * 20, payload: new Uint8Array(1) });
  if (flush) order.flush();
  return out;
};

test("pieces in order go through at once", () => {
  expect(orderOf([7, 8, 9], false)).toEqual([7, 8, 9]);
});

test("pieces that overtake one another are put in order again", () => {
  expect(orderOf([1, 3, 2, 5, 6, 4, 7], false)).toEqual([1, 2, 3, 4, 5, 6, 7]);
});

test("a piece that comes twice is heard once", () => {
  expect(orderOf([1, 1, 3, 3, 2, 2, 4], false)).toEqual([1, 2, 3, 4]);
});

test("a lost piece holds up at most four others", () => {
  expect(orderOf([1, 3, 4, 5, 6], false)).toEqual([1]);
  expect(orderOf([1, 3, 4, 5, 6, 7], false)).toEqual([1, 3, 4, 5, 6, 7]);
});

test("a stream that begins to count anew goes on", () => {
  const again = Array.from({ length: 60 }, (_, index) => index + 1);
  expect(orderOf([5000, ...again], false)).toEqual([5000, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60]);
});

test("no displacement of up to four places loses or doubles anything", () => {
  const displaced = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 80 }).map((shifts) =>
    shifts
      .map((shift, index) => ({ index, at: index + shift }))
      .toSorted((a, b) => a.at - b.at || a.index - b.index)
      .map(({ index }) => index),
  );
  fc.assert(
    fc.property(displaced, (chunks) => {
      const start = chunks[0] ?? 0;
      expect(orderOf(chunks)).toEqual([...chunks].filter((chunk) => chunk >= start).toSorted((a, b) => a - b));
    }),
  );
});

test("whatever comes, order is kept between beginnings, and little waits", () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 1000 }), { maxLength: 200 }), (chunks) => {
      const out = orderOf(chunks);
      expect(out.length).toBeLessThanOrEqual(chunks.length);
      expect(orderOf(chunks, false).length).toBeGreaterThanOrEqual(out.length - 4);
    }),
  );
});
