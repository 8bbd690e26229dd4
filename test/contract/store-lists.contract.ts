import { expect, test } from "vitest";
import type { PageRequest } from "../../src/ports/page.ts";
import type { DialFilter } from "../../src/ports/store.ts";
import { testAgent, testPlan } from "../kit/dial-plans.ts";
import { observed, type StoreRig } from "./store-rig.ts";

/** A workspace that only these tests make dials in. */
const LISTED = "workspace-of-lists";

/** Lists of dials, and what an Idempotency-Key has made. */
export const dialListTests = (rig: StoreRig): void => {
  const make = (dialId: string, agentId = "agent-1") =>
    rig.makeDial({ dialId, workspaceId: LISTED, agent: testAgent(agentId), inputs: { name: dialId } });
  const walk = async (filter: DialFilter, limit = 100) => {
    const ids: string[] = [];
    let after: PageRequest["after"];
    do {
      const { items, next } = await rig.store.dials.list(LISTED, filter, { limit, after });
      expect(items.length).toBeLessThanOrEqual(limit);
      ids.push(...items.map(({ id }) => id));
      after = next ?? undefined;
    } while (after !== undefined);
    return ids;
  };

  test("dials are listed newest first, in pages that join, and filtered by agent, status and time", async () => {
    await rig.store.catalogue.putApiKey({ workspaceId: LISTED, sha256: LISTED, kind: "secret", label: "test" });
    const ids = ["listed-1", "listed-2", "listed-3", "listed-4", "listed-5"];
    for (const [index, id] of ids.entries()) {
      await make(id, index % 2 === 0 ? "agent-1" : "agent-2");
      await rig.age(id, (ids.length - index) * 60_000);
    }
    const newest = ids.toReversed();
    for (const limit of [1, 2, 5, 100]) expect(await walk({}, limit)).toEqual(newest);
    expect(await walk({ agentId: "agent-2" }, 1)).toEqual(["listed-4", "listed-2"]);
    expect(await walk({ agentId: "a\0b" })).toEqual([]);
    await rig.store.dials.end("listed-3", observed("canceled"));
    expect(await walk({ status: "canceled" })).toEqual(["listed-3"]);
    expect(await walk({ status: "queued", agentId: "agent-1" })).toEqual(["listed-5", "listed-1"]);
    const [third] = (await rig.store.dials.list(LISTED, { status: "canceled" }, { limit: 1 })).items;
    expect(await walk({ createdAfter: third?.createdAt })).toEqual(["listed-5", "listed-4"]);
    expect(await walk({ createdBefore: third?.createdAt })).toEqual(["listed-2", "listed-1"]);
    expect(await rig.store.dials.list("nobody", {}, { limit: 10 })).toEqual({ items: [], next: null });
  });

  test("a list shows of a dial what reading it shows, without transcript, turns and recordings", async () => {
    const { items } = await rig.store.dials.list(LISTED, {}, { limit: 1 });
    const {
      transcript: _,
      turns: __,
      recordings: ___,
      ...dial
    } = (await rig.store.dials.find(LISTED, "listed-5")) ?? {};
    expect(items).toEqual([dial]);
  });

  test("what a key has made is found for as long as the key answers with it", async () => {
    const plan = testPlan({ dialId: "earlier-1", workspaceId: LISTED, maxDurationMs: 61_000 });
    await rig.store.dials.create({ plan, sessionId: "s", idempotency: { key: "earlier", fingerprint: "body" } });
    expect(await rig.store.dials.findEarlier(LISTED, "earlier")).toEqual({
      fingerprint: "body",
      dialId: "earlier-1",
      sessionId: "s",
      maxDurationMs: 61_000,
    });
    expect(await rig.store.dials.findEarlier(LISTED, "another")).toBeUndefined();
    expect(await rig.store.dials.findEarlier("nobody", "earlier")).toBeUndefined();
  });
};
