import { beforeAll, expect, test } from "vitest";
import type { DeliveryLease, DueDelivery, Outbox, Verdict } from "../../src/ports/outbox.ts";
import { DELIVERY_LEASE_MS, ENDPOINT_CONCURRENCY, OLD_SECRET_MS } from "../../src/ports/outbox.ts";

/** An outbox with nothing due in it, and the means to fill it and to let time pass. */
export type OutboxUnderTest = Readonly<{
  outbox: Outbox;
  /** Adds an event of a dial to `url`, as a change of the dial does. */
  add(told: Readonly<{ workspaceId: string; dialId: string; url: string }>): Promise<void>;
  pass(ms: number): Promise<void>;
}>;

/** What the port promises, whoever keeps the events. */
export const describeOutbox = (open: () => Promise<OutboxUnderTest>): void => {
  let rig: OutboxUnderTest;
  let count = 0;
  beforeAll(async () => {
    rig = await open();
  });

  /** A dial of its own with `events` events. */
  const dial = async (events = 1, url?: string, workspaceId = "w1"): Promise<string> => {
    count += 1;
    const dialId = `dial-${count}`;
    for (let event = 0; event < events; event++)
      await rig.add({ workspaceId, dialId, url: url ?? `https://${dialId}.example.com/hook?a=1` });
    return dialId;
  };
  const claimed = async (dialId: string): Promise<DeliveryLease | undefined> =>
    (await rig.outbox.claim(100)).find((lease) => lease.dialId === dialId);
  const due = async (dialId: string): Promise<DueDelivery | undefined> => {
    const lease = await claimed(dialId);
    return lease && rig.outbox.open(lease);
  };
  const settle = (delivery: DueDelivery | undefined, verdict: Verdict) => {
    if (delivery === undefined) throw new Error("nothing was due");
    const attempt =
      verdict.type === "retry" || verdict.type === "dead"
        ? ({ outcome: "rejected", statusCode: 500, durationMs: 20 } as const)
        : ({ outcome: verdict.type, statusCode: 200, durationMs: 20 } as const);
    return rig.outbox.settle(delivery, attempt, verdict);
  };
  const listed = async (dialId: string, workspaceId = "w1") =>
    (await rig.outbox.list(workspaceId, { dialId }, { limit: 100 })).items;
  const statuses = async (dialId: string) => (await listed(dialId)).map(({ status }) => status);

  test("the events of a dial leave in order, each after the one before", async () => {
    const dialId = await dial(3);
    const [one, again] = [await due(dialId), await claimed(dialId)];
    expect([one?.sequence, one?.step, one?.more, again]).toEqual([1, 0, true, undefined]);
    expect(await settle(one, { type: "delivered" })).toBe(true);
    const two = await due(dialId);
    await settle(two, { type: "delivered" });
    const three = await due(dialId);
    expect([two?.sequence, three?.sequence, three?.more]).toEqual([2, 3, false]);
    await settle(three, { type: "delivered" });
    expect(await claimed(dialId)).toBeUndefined();
    expect(await statuses(dialId)).toEqual(["delivered", "delivered", "delivered"]);
  });

  test("an event that waits for another attempt holds back later ones of its dial, and of no other", async () => {
    const [slow, other] = [await dial(2), await dial()];
    await settle(await due(slow), { type: "retry", delayMs: 300_000 });
    await rig.pass(290_000);
    const dials = new Set((await rig.outbox.claim(100)).map(({ dialId }) => dialId));
    expect([dials.has(slow), dials.has(other)]).toEqual([false, true]);
    await rig.pass(11_000);
    const retried = await due(slow);
    expect(retried).toMatchObject({ sequence: 1, step: 1 });
    expect(retried?.lease.waitedMs).toBeLessThan(60_000);
  });

  test("an event that is added while the last one is on its way is found", async () => {
    const dialId = await dial();
    const first = await due(dialId);
    expect(first?.more).toBe(false);
    await rig.add({ workspaceId: "w1", dialId, url: first?.url ?? "" });
    await settle(first, { type: "delivered" });
    expect(await due(dialId)).toMatchObject({ sequence: 2 });
  });

  test("who dies with a lease is followed by another, and settles nothing afterwards", async () => {
    const dialId = await dial();
    const lost = await due(dialId);
    await rig.pass(DELIVERY_LEASE_MS - 2_000);
    expect(await claimed(dialId)).toBeUndefined();
    await rig.pass(3_000);
    const taken = await due(dialId);
    expect(taken?.id).toBe(lost?.id);
    expect(lost && (await rig.outbox.open(lost.lease))).toBeUndefined();
    expect(await settle(lost, { type: "delivered" })).toBe(false);
    expect(await statuses(dialId)).toEqual(["pending"]);
    expect(await settle(taken, { type: "delivered" })).toBe(true);
    expect((await listed(dialId))[0]).toMatchObject({ status: "delivered", attemptCount: 1 });
  });

  test("a lease that is given back can be taken at once, and counts no attempt", async () => {
    const dialId = await dial();
    const lease = await claimed(dialId);
    if (lease !== undefined) await rig.outbox.release(lease);
    expect(await due(dialId)).toMatchObject({ step: 0 });
  });

  test("of many who claim at once each gets other dials", async () => {
    const dials = await Promise.all(Array.from({ length: 12 }, () => dial()));
    const leases = (await Promise.all(Array.from({ length: 6 }, () => rig.outbox.claim(100)))).flat();
    const got = leases.map(({ dialId }) => dialId).filter((dialId) => dials.includes(dialId));
    expect(got.toSorted()).toEqual(dials.toSorted());
  });

  test("one endpoint has a few at a time, and does not fill the batch of others", async () => {
    await rig.outbox.claim(100);
    const busy = await Promise.all(
      Array.from({ length: 12 }, (_, path) => dial(1, `https://busy.example.com:8443/${path}`)),
    );
    const [other, elsewhere] = [await dial(), await dial(1, "https://busy.example.com:8443/x", "w2")];
    const first = (await rig.outbox.claim(10)).map(({ dialId }) => dialId);
    expect(first.filter((dialId) => busy.includes(dialId))).toHaveLength(ENDPOINT_CONCURRENCY);
    expect(first).toEqual(expect.arrayContaining([other, elsewhere]));
    expect(await rig.outbox.claim(10)).toEqual([]);
  });

  test("a claim near a lease takes from its endpoint only", async () => {
    await rig.outbox.claim(100);
    const [one, two] = [await dial(1, "https://near.example.com/1"), await dial(1, "https://near.example.com/2")];
    const other = await dial();
    const [lease] = await rig.outbox.claim(1);
    if (lease === undefined) throw new Error("nothing was due");
    expect(lease.dialId).toBe(one);
    expect((await rig.outbox.claim(100, [lease])).map(({ dialId }) => dialId)).toEqual([two]);
    expect(await rig.outbox.claim(100, [])).toEqual([]);
    expect((await rig.outbox.claim(100)).map(({ dialId }) => dialId)).toEqual([other]);
  });

  test("a dead delivery lets the next one pass", async () => {
    const dialId = await dial(2);
    await settle(await due(dialId), { type: "dead" });
    expect(await due(dialId)).toMatchObject({ sequence: 2, step: 0 });
    expect(await statuses(dialId)).toEqual(["pending", "dead"]);
  });

  test("who wants no more gets no more, until a replay", async () => {
    const dialId = await dial(2);
    const url = `https://${dialId}.example.com/hook?a=1`;
    await settle(await due(dialId), { type: "gone" });
    expect(await statuses(dialId)).toEqual(["dead", "dead"]);
    await rig.add({ workspaceId: "w1", dialId, url });
    expect(await due(dialId)).toBeUndefined();
    expect(await statuses(dialId)).toEqual(["dead", "dead", "dead"]);
    const [last] = await listed(dialId);
    expect(await rig.outbox.replay("w1", last?.id ?? "")).toMatchObject({ status: "pending", deliveredAt: null });
    const replayed = await due(dialId);
    expect(replayed).toMatchObject({ sequence: 3, step: 0 });
    await settle(replayed, { type: "delivered" });
    await rig.add({ workspaceId: "w1", dialId, url });
    expect(await due(dialId)).toMatchObject({ sequence: 4 });
  });

  test("a replay sends again under the same id, also what was delivered, and at once what waits", async () => {
    const dialId = await dial();
    const sent = await due(dialId);
    await settle(sent, { type: "delivered" });
    await rig.outbox.replay("w1", sent?.id ?? "");
    const again = await due(dialId);
    expect([again?.id, again?.step]).toEqual([sent?.id, 0]);
    await settle(again, { type: "retry", delayMs: 3_600_000 });
    await rig.outbox.replay("w1", sent?.id ?? "");
    await settle(await due(dialId), { type: "delivered" });
    expect((await listed(dialId))[0]).toMatchObject({ attemptCount: 3, nextAttemptAt: null });
  });

  test("a replay while an attempt is under way does not make two at a time", async () => {
    const dialId = await dial();
    const delivery = await due(dialId);
    await rig.outbox.replay("w1", delivery?.id ?? "");
    expect(await claimed(dialId)).toBeUndefined();
    await settle(delivery, { type: "delivered" });
    expect(await due(dialId)).toBeUndefined();
  });

  test("the log shows the last attempts of each delivery, oldest first", async () => {
    const dialId = await dial();
    for (let attempt = 0; attempt < 22; attempt++)
      await settle(await due(dialId), attempt === 21 ? { type: "delivered" } : { type: "retry", delayMs: 0 });
    const [delivery] = await listed(dialId);
    expect(delivery).toMatchObject({ dialId, sequence: 1, status: "delivered", attemptCount: 22 });
    expect(delivery?.attempts).toHaveLength(20);
    expect(delivery?.attempts[0]).toEqual({
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      outcome: "rejected",
      statusCode: 500,
      durationMs: 20,
    });
    expect(delivery?.attempts.at(-1)).toMatchObject({ outcome: "delivered" });
  });

  test("pages go from new to old without gap, by dial and by status", async () => {
    const dialId = await dial(5);
    await settle(await due(dialId), { type: "delivered" });
    const seen: number[] = [];
    let after: Readonly<{ createdAt: string; id: string }> | undefined;
    do {
      const page = await rig.outbox.list("w1", { dialId }, { limit: 2, after });
      seen.push(...page.items.map(({ sequence }) => sequence));
      after = page.next ?? undefined;
    } while (after !== undefined);
    expect(seen).toEqual([5, 4, 3, 2, 1]);
    const sequences = async (status: "pending" | "delivered") =>
      (await rig.outbox.list("w1", { dialId, status }, { limit: 10 })).items.map(({ sequence }) => sequence);
    expect([await sequences("pending"), await sequences("delivered")]).toEqual([[5, 4, 3, 2], [1]]);
    const all = (await rig.outbox.list("w1", {}, { limit: 3 })).items;
    expect(all.map((delivery) => delivery.dialId)).toEqual([dialId, dialId, dialId]);
  });

  test("deliveries of another workspace are neither shown nor replayed", async () => {
    const dialId = await dial();
    const [delivery] = await listed(dialId);
    expect(await listed(dialId, "w2")).toEqual([]);
    expect(await rig.outbox.replay("w2", delivery?.id ?? "")).toBeUndefined();
    for (const id of ["", "unknown", "\0", "'"]) expect(await rig.outbox.replay("w1", id)).toBeUndefined();
    expect(await rig.outbox.list("w1", { dialId: "\0" }, { limit: 1 })).toEqual({ items: [], next: null });
  });

  test("a workspace has one secret, made by the first who asks, and the one before signs for a day", async () => {
    const dialId = await dial();
    const [asked, also] = await Promise.all([rig.outbox.secret("w1"), rig.outbox.secret("w1")]);
    expect(asked).toEqual(also);
    expect(asked.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(asked.previousExpiresAt).toBeNull();
    expect((await rig.outbox.secret("w2")).secret).not.toBe(asked.secret);
    const first = await due(dialId);
    expect(first?.secrets).toEqual([asked.secret]);
    const rotated = await rig.outbox.rotateSecret("w1");
    expect(rotated.secret).not.toBe(asked.secret);
    expect(rotated.previousExpiresAt).not.toBeNull();
    await settle(first, { type: "retry", delayMs: 0 });
    const second = await due(dialId);
    expect(second?.secrets).toEqual([rotated.secret, asked.secret]);
    const third = await rig.outbox.rotateSecret("w1");
    await settle(second, { type: "retry", delayMs: 0 });
    expect((await due(dialId))?.secrets).toEqual([third.secret, rotated.secret]);
    await rig.pass(OLD_SECRET_MS + 1_000);
    expect((await due(dialId))?.secrets).toEqual([third.secret]);
    expect((await rig.outbox.secret("w1")).previousExpiresAt).toBeNull();
  });
};
