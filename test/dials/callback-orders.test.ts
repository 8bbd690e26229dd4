import { expect, test } from "vitest";
import { report } from "../../src/dials/report.ts";
import type { CarrierCall } from "../../src/ports/carrier.ts";
import { MemoryStore } from "../kit/memory-store.ts";
import { silentLogger } from "../kit/silent-logger.ts";
import { testPlan } from "../kit/dial-plans.ts";
import { VirtualClock } from "../kit/virtual-clock.ts";

/** Every order of the items; of equal ones each order once. */
const ordersOf = <T>(items: readonly T[]): readonly (readonly T[])[] => {
  if (items.length < 2) return [items];
  return [...new Set(items)].flatMap((first) =>
    ordersOf(items.toSpliced(items.indexOf(first), 1)).map((rest) => [first, ...rest]),
  );
};

type Word = "ringing" | "answered" | "completed";

const CALLS: Readonly<Record<Word, CarrierCall>> = {
  ringing: { state: "ringing", callId: "c1" },
  answered: { state: "in-progress", callId: "c1" },
  completed: { state: "ended", callId: "c1", end: { cause: "completed", endedBy: "remote" } },
};

test("whatever order a carrier's callbacks come in, and however often, the dial ends the same, once", async () => {
  const words: readonly Word[] = ["ringing", "ringing", "answered", "answered", "completed", "completed"];
  const ends = new Set<string>();
  let tried = 0;
  for (const size of [1, 2, 3, 4, 5, 6])
    for (const some of subsetsOf(words, size)) {
      if (!some.includes("completed")) continue;
      for (const order of ordersOf(some)) {
        ends.add(await lived(order));
        tried += 1;
      }
    }
  expect(tried).toBeGreaterThan(200);
  expect([...ends]).toEqual(["ENDED counterparty_hangup 3 told 1 time"]);
});

/** Every multiset of this size. */
const subsetsOf = (words: readonly Word[], size: number): readonly (readonly Word[])[] => {
  const found = new Map<string, readonly Word[]>();
  for (let bits = 0; bits < 1 << words.length; bits++) {
    const some = words.filter((_, index) => (bits & (1 << index)) !== 0);
    if (some.length === size) found.set(some.join(), some);
  }
  return [...found.values()];
};

const lived = async (order: readonly Word[]): Promise<string> => {
  const memory = new MemoryStore(new VirtualClock());
  const { dials } = memory.store;
  await dials.create({ plan: testPlan({ dialId: "d1" }), sessionId: "s1" });
  const claim = await dials.claim("d1", "worker");
  if (claim === undefined) throw new Error("the dial could not be claimed");
  await dials.attachCall(claim, "c1");
  let ended = 0;
  const deps = {
    dials,
    live: { publish: () => undefined, command: () => Promise.resolve(false), isHeard: () => Promise.resolve(true) },
    metrics: { dialEnded: () => (ended += 1) },
    logger: silentLogger(),
  };
  for (const word of order) await report(deps, { dialId: "d1", call: CALLS[word] });
  const row = memory.row("d1");
  return `${row.state} ${row.end?.reason} ${row.evidence} told ${ended} time`;
};

test("a word on another call of the dial changes nothing", async () => {
  const memory = new MemoryStore(new VirtualClock());
  await memory.store.dials.create({ plan: testPlan({ dialId: "d1" }), sessionId: "s1" });
  const claim = await memory.store.dials.claim("d1", "worker");
  if (claim === undefined) throw new Error("the dial could not be claimed");
  await memory.store.dials.attachCall(claim, "c1");
  const deps = {
    dials: memory.store.dials,
    live: { publish: () => undefined, command: () => Promise.resolve(false), isHeard: () => Promise.resolve(true) },
    metrics: { dialEnded: () => undefined },
    logger: silentLogger(),
  };
  await report(deps, { dialId: "d1", call: { ...CALLS.completed, callId: "c2" } });
  expect(memory.row("d1").state).toBe("PLACING");
});
