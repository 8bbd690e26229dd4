import { expect, test } from "vitest";
import { type CallRows, GatheredWrites } from "../../../../src/adapters/store/postgres/gathered-writes.ts";
import { StoreUnavailable } from "../../../../src/ports/store.ts";
import { VirtualClock } from "../../../kit/virtual-clock.ts";

type Statement = Readonly<{ at: number; calls: readonly string[]; entries: readonly (readonly [number, string])[] }>;

const setUp = (refuse: (calls: readonly CallRows[]) => Error | undefined = () => undefined) => {
  const clock = new VirtualClock();
  const statements: Statement[] = [];
  const writes = new GatheredWrites(clock, async (calls) => {
    const error = refuse(calls);
    if (error !== undefined) throw error;
    statements.push({
      at: clock.monotonic(),
      calls: calls.map(({ dialId }) => dialId),
      entries: calls.flatMap(({ entries }) => [...entries]),
    });
  });
  const add = (dialId: string, index = 0, json = "{}") => writes.add(dialId, "entries", new Map([[index, json]]));
  return { clock, statements, writes, add };
};

test("who comes alone is written at once, and those of the next tenth of a second together", async () => {
  const { clock, statements, add } = setUp();
  await add("a");
  expect(statements.map(({ at }) => at)).toEqual([0]);
  const later = [add("b")];
  await clock.advance(40);
  later.push(add("c"), add("b", 1));
  await clock.advance(59);
  expect(statements).toHaveLength(1);
  await clock.advance(1);
  await Promise.all(later);
  expect(statements.map(({ at, calls }) => [at, ...calls])).toEqual([
    [0, "a"],
    [100, "b", "c"],
  ]);
  await clock.advance(1_000);
  await add("d");
  expect(statements.at(-1)).toMatchObject({ at: 1_100, calls: ["d"] });
  expect(clock.pending).toBe(0);
});

test("what is said in the same breath is one statement, and of one index the last counts", async () => {
  const { statements, writes, add } = setUp();
  const turn = writes.add("a", "turns", new Map([[0, "{}"]]));
  await Promise.all([turn, add("a", 3, "old"), add("b", 3, "other"), add("a", 3, "new")]);
  expect(statements).toEqual([
    {
      at: 0,
      calls: ["a", "b"],
      entries: [
        [3, "new"],
        [3, "other"],
      ],
    },
  ]);
});

test("one call that the store refuses keeps nobody else's words out", async () => {
  const refused = new Error("this one");
  const { statements, add } = setUp((calls) => (calls.some(({ dialId }) => dialId === "c") ? refused : undefined));
  const all = await Promise.allSettled(["a", "b", "c", "d", "e"].map((dialId) => add(dialId)));
  expect(all.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled", "fulfilled"]);
  expect(statements.flatMap(({ calls }) => calls)).toEqual(["a", "b", "d", "e"]);
});

test("a store that is away is told to all at once, and asked once", async () => {
  let asked = 0;
  const { add } = setUp(() => {
    asked += 1;
    return new StoreUnavailable("away");
  });
  const all = await Promise.allSettled(["a", "b", "c"].map((dialId) => add(dialId)));
  expect(all.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  expect(asked).toBe(1);
});

test("a statement holds a megabyte at most, unless one call alone has more", async () => {
  const { clock, statements, add } = setUp();
  const long = "x".repeat(600_000);
  const all = Promise.all([add("a", 0, long), add("b", 0, long), add("c", 0, long + long), add("d")]);
  await clock.advance(1_000);
  await all;
  expect(statements.map(({ calls }) => calls)).toEqual([["a"], ["b"], ["c"], ["d"]]);
});

test("closing writes what waits without waiting", async () => {
  const { clock, statements, writes, add } = setUp();
  await add("a");
  const last = add("b");
  await clock.advance(10);
  await writes.close();
  await last;
  expect(statements.map(({ at, calls }) => [at, ...calls])).toEqual([
    [0, "a"],
    [10, "b"],
  ]);
  expect(clock.pending).toBe(0);
});
