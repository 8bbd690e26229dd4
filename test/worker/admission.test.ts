import fc from "fast-check";
import { expect, test } from "vitest";
import { Lines } from "../../src/worker/lines.ts";
import { Admission, type AdmissionLimits } from "../../src/worker/admission.ts";
import { Worker } from "../../src/worker/worker.ts";
import type { Script } from "./sim-carrier.ts";
import { WorkerRig } from "./worker-rig.ts";

const LIMITS: AdmissionLimits = { slots: 3, reserve: 0, perSecond: 1000, perWorkspace: 10 };

/** `a1` is the first dial of the workspace `a`; who is called `caller…` waits for us. */
const waiting = (dialId: string) => ({
  dialId,
  workspaceId: dialId.replace(/\d+$/, ""),
  waitsForUs: dialId.startsWith("caller"),
});

const admit = (admission: Admission, dialIds: readonly string[]): void => {
  for (const dialId of dialIds) admission.offer(waiting(dialId));
};

/** Everybody who may start now or later, one after another; each one is over before the next starts. */
const order = (admission: Admission): string[] => {
  const started: string[] = [];
  for (let now = 0; ;) {
    const next = admission.next(now);
    if (next === undefined) return started;
    if (typeof next === "number") now += next;
    else {
      started.push(next.dialId);
      admission.release(next.dialId);
    }
  }
};

test("workspaces take turns, however many dials one of them has, and each one's dials keep their order", () => {
  const admission = new Admission({ ...LIMITS, slots: 1 });
  admit(admission, ["a1", "a2", "a3", "a4", "b1", "c1", "c2"]);
  expect(order(admission)).toEqual(["a1", "b1", "c1", "a2", "c2", "a3", "a4"]);
});

test("people who wait for us come first, and have slots that no dial of ours takes", () => {
  const admission = new Admission({ ...LIMITS, reserve: 1, perSecond: 1 });
  admit(admission, ["a1", "a2", "a3", "caller1"]);
  expect(admission.next(0)).toMatchObject({ dialId: "caller1" });
  expect(admission.next(0)).toMatchObject({ dialId: "a1" });
  expect(admission.next(5_000)).toBeUndefined();
  admit(admission, ["caller2"]);
  expect(admission.next(5_000)).toMatchObject({ dialId: "caller2" });
  expect(admission.full).toBe(true);
});

test("a dial that was held back is first again when its time has come, or when one of its workspace is over", () => {
  const admission = new Admission({ ...LIMITS, perSecond: 1e6 });
  admit(admission, ["a1", "a2", "b1"]);
  expect(admission.next(0)).toMatchObject({ dialId: "a1" });
  admission.holdBack(waiting("a1"), 500);
  expect(admission.next(1)).toMatchObject({ dialId: "b1" });
  expect(admission.next(2)).toBe(498);
  expect(admission.next(500)).toMatchObject({ dialId: "a1" });
  expect(admission.next(501)).toMatchObject({ dialId: "a2" });
  admission.holdBack(waiting("a2"), 10_000);
  admission.release("a1");
  expect(admission.next(502)).toMatchObject({ dialId: "a2" });
});

test("younger dials that the store sends back neither pass an older one nor hold it up, and are asked for again once it has begun", () => {
  const admission = new Admission({ ...LIMITS, perSecond: 1e6, slots: 10 });
  admit(admission, ["a1", "a2", "a3", "a4"]);
  for (const now of [0, 1, 2]) admission.next(now);
  admission.holdBack(waiting("a2"), 200);
  admission.holdBack(waiting("a3"), 201);
  admission.holdBack(waiting("a1"), 5);
  expect(admission.next(3)).toBe(2);
  expect(admission.next(5)).toMatchObject({ dialId: "a1" });
  expect(admission.next(6)).toMatchObject({ dialId: "a2" });
  admission.holdBack(waiting("a2"), 300);
  expect(admission.next(7)).toBe(293);
  admission.begun("a1");
  expect(admission.next(8)).toMatchObject({ dialId: "a2" });
  expect(admission.next(9)).toMatchObject({ dialId: "a3" });
  expect(admission.next(10)).toMatchObject({ dialId: "a4" });
});

test("whatever comes and goes, limits are kept, nobody is lost, and nobody starts twice", () => {
  const ids = fc.constantFrom(...["a", "b", "caller"].flatMap((who) => [1, 2, 3, 4, 5].map((n) => `${who}${n}`)));
  const steps = fc.array(
    fc.oneof(
      fc.record({ type: fc.constant("offer" as const), id: ids }),
      fc.record({ type: fc.constant("withdraw" as const), id: ids }),
      fc.record({ type: fc.constant("release" as const), id: ids }),
      fc.record({ type: fc.constant("next" as const), back: fc.boolean() }),
    ),
    { maxLength: 60 },
  );
  fc.assert(
    fc.property(steps, (all) => {
      const admission = new Admission({ slots: 3, reserve: 1, perSecond: 1e6, perWorkspace: 2 });
      const [waits, held] = [new Set<string>(), new Set<string>()];
      all.forEach((step, at) => {
        if (step.type === "offer") {
          admission.offer(waiting(step.id));
          if (!held.has(step.id)) waits.add(step.id);
        } else if (step.type === "withdraw") {
          admission.withdraw(step.id);
          waits.delete(step.id);
        } else if (step.type === "release") {
          admission.release(step.id);
          held.delete(step.id);
        } else {
          const next = admission.next(at);
          if (typeof next !== "object") return;
          expect(waits.delete(next.dialId)).toBe(true);
          if (step.back) {
            admission.holdBack(next, at + 5);
            waits.add(next.dialId);
          } else held.add(next.dialId);
        }
        const called = [...held].filter((id) => !id.startsWith("caller"));
        expect([admission.held, admission.waiting]).toEqual([held.size, waits.size]);
        expect(held.size).toBeLessThanOrEqual(3);
        for (const workspace of ["a", "b"])
          expect(called.filter((id) => id.startsWith(workspace)).length).toBeLessThanOrEqual(1);
      });
    }),
    { numRuns: 300 },
  );
});

const TALKS: Script = { answers: ["accepted"], person: "answers", ringMs: 1_000, talkMs: 10_000 };

/** A rig and a second worker beside its own, with the same store and queue. */
const twoWorkers = async (limits: Partial<AdmissionLimits>) => {
  const rig = new WorkerRig(limits);
  const lines = new Lines();
  const options = { owner: "worker-2", slots: 10, perSecond: 1000, perWorkspace: 10, reserve: 0, drainMs: 60_000 };
  const second = new Worker({ ...rig.deps, lines }, { ...options, ...limits });
  const first = rig.carrier.onMedia;
  rig.carrier.onMedia = (url, line) => {
    const ticket = rig.live.tickets.get(url.slice(url.lastIndexOf("/") + 1));
    if (ticket === undefined || !lines.arrived(ticket, line)) first(url, line);
  };
  await rig.worker.start();
  await second.start();
  return { rig, second };
};

test("a workspace's limit holds over all workers, and its dials go on in the order of their creation", async () => {
  const { rig, second } = await twoWorkers({ perWorkspace: 2 });
  const dialIds = Array.from({ length: 8 }, (_, index) => `d${index}`);
  for (const dialId of dialIds) {
    await rig.dial(dialId, TALKS);
    // Both workers learn of every dial, as they do when jobs come twice.
    await rig.queue.add(dialId);
  }
  let most = 0;
  await rig.clock.until(() => {
    const live = [...rig.store.rows.values()].filter(({ state }) => state !== "QUEUED" && state !== "ENDED");
    most = Math.max(most, live.length);
    return dialIds.every((dialId) => rig.store.row(dialId).state === "ENDED");
  }, 120_000);
  expect(most).toBe(2);
  expect(rig.carrier.posts.map(({ dialId }) => dialId)).toEqual(dialIds);
  await Promise.all([rig.worker.drain(), second.drain()]);
});

test("a workspace's pace holds over all workers", async () => {
  const { rig, second } = await twoWorkers({ perSecond: 5 });
  for (let n = 0; n < 6; n++) {
    await rig.dial(`d${n}`, TALKS);
    await rig.queue.add(`d${n}`);
  }
  await rig.clock.advance(3_000);
  const times = rig.carrier.posts.map(({ at }) => at);
  expect(times).toHaveLength(6);
  for (const [index, at] of times.entries()) expect(at - (times[index - 1] ?? -200)).toBeGreaterThanOrEqual(200);
  expect(rig.carrier.posts.map(({ dialId }) => dialId)).toEqual(["d0", "d1", "d2", "d3", "d4", "d5"]);
  const draining = Promise.all([rig.worker.drain(), second.drain()]);
  await rig.clock.advance(60_000);
  await draining;
});
