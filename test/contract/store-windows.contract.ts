import { expect, test } from "vitest";
import type { PlannedWindow } from "../../src/model/calling-window.ts";
import type { StoreRig } from "./store-rig.ts";

const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];
const always: PlannedWindow = { days: EVERY_DAY, start: "00:00", end: "24:00", zones: ["UTC"] };
const never: PlannedWindow = { ...always, days: [] };

/** Dials that wait until people may be called. */
export const windowTests = (rig: StoreRig): void => {
  test("a dial is claimed while its window is open, whatever the zones are called, and waits while it is not", async () => {
    const zones = [
      "America/New_York",
      "Europe/Berlin",
      "Asia/Calcutta",
      "Asia/Tokyo",
      "Pacific/Honolulu",
      "America/St_Johns",
    ];
    expect(await rig.claimed({ callingWindow: { ...always, zones } })).toMatchObject({ epoch: 1 });
    const closed = await rig.makeDial({ callingWindow: never });
    expect(await rig.store.dials.claim(closed, "worker-1")).toBeUndefined();
    expect((await rig.store.dials.peek(closed))?.state).toBe("QUEUED");
  });

  test("what a plan says is no hindrance, also where the database cannot make text of it", async () => {
    const warnings = ["\u0000 and \uD800 and \\u0041", '"callingWindow"'];
    const open = await rig.makeDial({ callingWindow: always, warnings });
    expect((await rig.store.dials.claim(open, "worker-1"))?.plan.warnings).toEqual(warnings);
    const closed = await rig.makeDial({ callingWindow: never, warnings });
    expect(await rig.store.dials.claim(closed, "worker-1")).toBeUndefined();
    expect(await rig.store.dials.claim(await rig.makeDial({ warnings }), "worker-1")).toBeDefined();
  });

  test("a dial whose window is closed is not asked for, and does not grow too old", async () => {
    const closed = await rig.makeDial({ callingWindow: never });
    const open = await rig.makeDial({ callingWindow: always });
    for (const dialId of [closed, open]) await rig.age(dialId, 700_000);
    const unqueued = await rig.store.dials.findUnqueued(1000);
    expect([unqueued.includes(closed), unqueued.includes(open)]).toEqual([false, true]);
    const expired = await rig.store.dials.expireQueued(600_000);
    expect([expired.includes(closed), expired.includes(open)]).toEqual([false, true]);
  });
};
