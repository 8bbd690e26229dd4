import { expect, test } from "vitest";
import { HeldBack, type WorkspaceLimits } from "../../src/ports/workspace-limits.ts";
import { carrierSaid, observed, type StoreRig } from "./store-rig.ts";

const LIMITS: WorkspaceLimits = { concurrency: 2, reserve: 0, perSecond: 10_000 };

/** What a workspace may have going on at once, and ends that are looked at again. */
export const limitTests = (rig: StoreRig): void => {
  let made = 0;
  /** A workspace that no other test has dials in. */
  const workspace = async (): Promise<string> => {
    made += 1;
    const workspaceId = `limited-${made}`;
    await rig.store.catalogue.putApiKey({ workspaceId, sha256: `hash-${workspaceId}`, kind: "secret", label: "test" });
    return workspaceId;
  };
  const tries = async (dialId: string, limits = LIMITS): Promise<string> => {
    try {
      return (await rig.store.dials.claim(dialId, "worker", limits)) === undefined ? "not ours" : "claimed";
    } catch (error) {
      if (error instanceof HeldBack) return "held back";
      throw error;
    }
  };

  test("of many who claim for a workspace at the same time, as many get a dial as it may have at once", async () => {
    const workspaceId = await workspace();
    const dialIds = await Promise.all(Array.from({ length: 12 }, () => rig.makeDial({ workspaceId })));
    const outcomes = await Promise.all(dialIds.map((dialId) => tries(dialId, { ...LIMITS, concurrency: 3 })));
    expect(outcomes.filter((outcome) => outcome === "claimed")).toHaveLength(3);
    expect(outcomes.filter((outcome) => outcome === "held back")).toHaveLength(9);
  });

  test("a dial of another workspace is not concerned, and one that ends makes room", async () => {
    const workspaceId = await workspace();
    const [first, second, third] = [
      await rig.makeDial({ workspaceId }),
      await rig.makeDial({ workspaceId }),
      await rig.makeDial({ workspaceId }),
    ];
    expect([await tries(first), await tries(second), await tries(third)]).toEqual(["claimed", "claimed", "held back"]);
    expect(await tries(await rig.makeDial({ workspaceId: await workspace() }))).toBe("claimed");
    await rig.store.dials.end(first, carrierSaid({ cause: "busy" }));
    expect(await tries(third)).toBe("claimed");
  });

  test("who was held back goes before younger ones, until nobody asks for it any more", async () => {
    const workspaceId = await workspace();
    const one = { ...LIMITS, concurrency: 1 };
    const live = await rig.makeDial({ workspaceId });
    const older = await rig.makeDial({ workspaceId });
    const younger = await rig.makeDial({ workspaceId });
    expect([await tries(live, one), await tries(older, one)]).toEqual(["claimed", "held back"]);
    await rig.store.dials.end(live, carrierSaid({ cause: "busy" }));
    expect(await tries(younger, one)).toBe("held back");
    expect(await tries(older, one)).toBe("claimed");
    await rig.store.dials.end(older, carrierSaid({ cause: "busy" }));
    expect(await tries(younger, one)).toBe("claimed");
  });

  test("a dial whose worker is gone holds up nobody for long", async () => {
    const workspaceId = await workspace();
    const one = { ...LIMITS, concurrency: 1 };
    const live = await rig.makeDial({ workspaceId });
    const older = await rig.makeDial({ workspaceId });
    const younger = await rig.makeDial({ workspaceId });
    expect([await tries(live, one), await tries(older, one)]).toEqual(["claimed", "held back"]);
    await rig.age(older, 10_000);
    await rig.store.dials.end(live, carrierSaid({ cause: "busy" }));
    expect(await tries(younger, one)).toBe("claimed");
  });

  test("dials of one workspace are placed at its pace, whoever claims them", async () => {
    const workspaceId = await workspace();
    const slow = { ...LIMITS, concurrency: 100, perSecond: 0.01 };
    const first = await rig.makeDial({ workspaceId });
    const second = await rig.makeDial({ workspaceId });
    expect(await tries(first, slow)).toBe("claimed");
    const held = await rig.store.dials.claim(second, "worker", slow).catch((error: unknown) => error);
    expect(held).toBeInstanceOf(HeldBack);
    expect((held as HeldBack).waitMs).toBeGreaterThan(50_000);
    expect((held as HeldBack).waitMs).toBeLessThanOrEqual(100_000);
  });

  test("people who call us have room that no dial of ours takes, and no pace", async () => {
    const workspaceId = await workspace();
    const kept = { concurrency: 3, reserve: 1, perSecond: 0.01 };
    const inbound = { workspaceId, direction: "inbound" } as const;
    expect(await tries(await rig.makeDial({ workspaceId }), kept)).toBe("claimed");
    expect(await tries(await rig.makeDial(inbound), kept)).toBe("claimed");
    expect(await tries(await rig.makeDial({ workspaceId }), kept)).toBe("held back");
    expect(await tries(await rig.makeDial(inbound), kept)).toBe("claimed");
    expect(await tries(await rig.makeDial(inbound), kept)).toBe("held back");
  });

  test("workspaces take turns when dials without a job are found, and calls that came in are first", async () => {
    const [many, few] = [await workspace(), await workspace()];
    const crowd = [
      await rig.makeDial({ workspaceId: many }),
      await rig.makeDial({ workspaceId: many }),
      await rig.makeDial({ workspaceId: many }),
    ];
    const single = await rig.makeDial({ workspaceId: few });
    const caller = await rig.makeDial({ workspaceId: few, direction: "inbound" });
    for (const dialId of [...crowd, single, caller]) await rig.age(dialId, 6_000);
    const found = await rig.store.dials.findUnqueued(1000);
    const at = (dialId: string | undefined) => found.indexOf(dialId ?? "");
    expect([...crowd, single, caller].map(at).every((position) => position >= 0)).toBe(true);
    expect(at(caller)).toBeLessThan(at(crowd[0]));
    expect(at(single)).toBeLessThan(at(crowd[2]));
  });

  test("an end without the carrier's word is looked at again, ever more rarely, for a day", async () => {
    const claim = await rig.claimed();
    const found = async () =>
      (await rig.store.dials.findWeaklyEnded(1000)).some(({ dialId }) => dialId === claim.dialId);
    await rig.store.dials.end(claim.dialId, observed("no_answer"));
    expect(await found()).toBe(false);
    await rig.age(claim.dialId, 61_000);
    expect(await found()).toBe(true);
    expect(await found()).toBe(false);
    await rig.age(claim.dialId, 61_000);
    expect(await found()).toBe(false);
    await rig.age(claim.dialId, 180_000);
    expect(await found()).toBe(true);
    await rig.age(claim.dialId, 25 * 3_600_000);
    expect(await found()).toBe(false);
  });

  test("an end that the carrier has confirmed is not looked at again, nor a dial that was never claimed", async () => {
    const confirmed = await rig.claimed();
    await rig.store.dials.end(confirmed.dialId, observed("no_answer"));
    await rig.store.dials.end(confirmed.dialId, carrierSaid({ cause: "no-answer" }));
    const unclaimed = await rig.makeDial();
    await rig.store.dials.end(unclaimed, observed("canceled"));
    for (const dialId of [confirmed.dialId, unclaimed]) await rig.age(dialId, 120_000);
    const found = (await rig.store.dials.findWeaklyEnded(1000)).map(({ dialId }) => dialId);
    expect(found).not.toContain(confirmed.dialId);
    expect(found).not.toContain(unclaimed);
  });
};
