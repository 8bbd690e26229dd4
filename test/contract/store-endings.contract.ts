import { expect, test } from "vitest";
import { callEnd, type EndReason, OUTCOMES, outcomeOf } from "../../src/model/call-end.ts";
import { carrierSaid, observed, type StoreRig, WORKSPACE } from "./store-rig.ts";

/** How dials end: reason, intent and evidence. */
export const endingTests = (rig: StoreRig): void => {
  evidenceTests(rig);

  test.for(Object.keys(OUTCOMES) as EndReason[])(
    "a call that ends for %s shows the result of the table",
    async (reason) => {
      const { dialId } = await rig.claimed();
      const end = callEnd(reason, "agent");
      expect(await rig.store.dials.end(dialId, { type: "observed", evidence: 2, end })).toEqual({
        changed: true,
        corrected: false,
        end,
      });
      expect(await rig.store.dials.find(WORKSPACE, dialId)).toMatchObject({
        ...outcomeOf(reason),
        endReason: reason,
        endedBy: "agent",
      });
    },
  );

  test.for([
    ["busy", "busy", "busy", "busy"],
    ["no-answer", "no_answer", "no_answer", "no_answer"],
    ["canceled", "canceled", "agent_hangup", "worker_lost"],
    ["rejected", "carrier_rejected", "carrier_rejected", "carrier_rejected"],
    ["invalid-number", "invalid_number", "invalid_number", "invalid_number"],
    ["failed", "carrier_error", "carrier_error", "worker_lost"],
    ["completed", "counterparty_hangup", "agent_hangup", "worker_lost"],
    ["time-limit", "max_duration", "max_duration", "max_duration"],
    ["rate-limited", "rate_limited", "rate_limited", "rate_limited"],
  ] as const)("the carrier's %s means %s, with our intent %s, and %s where the caller knows it", async (row) => {
    const [cause, alone, intended, otherwise] = row;
    const [plain, withIntent, known] = [await rig.claimed(), await rig.claimed(), await rig.claimed()];
    await rig.store.dials.intendHangUp(withIntent.dialId, "agent_hangup", "agent", withIntent);
    const reasons = await Promise.all([
      rig.store.dials.end(plain.dialId, carrierSaid({ cause })),
      rig.store.dials.end(withIntent.dialId, carrierSaid({ cause }, "worker_lost")),
      rig.store.dials.end(known.dialId, carrierSaid({ cause }, "worker_lost")),
    ]);
    const expected = [alone, cause === "failed" ? "worker_lost" : intended, otherwise];
    expect(reasons.map(({ end }) => end?.reason)).toEqual(expected);
  });

  test("the first intent stays, and tells who hung up", async () => {
    const claim = await rig.claimed();
    const { dialId } = claim;
    expect(await rig.store.dials.intendHangUp(dialId, "operator_hangup", "api")).toBe(true);
    expect(await rig.store.dials.intendHangUp(dialId, "agent_hangup", "agent", claim)).toBe(true);
    expect(await rig.store.dials.peek(dialId)).toMatchObject({ hangupIntent: "operator_hangup" });
    const end = callEnd("operator_hangup", "api");
    expect((await rig.store.dials.end(dialId, observed("agent_hangup"))).end).toEqual(end);
    expect(await rig.store.dials.end(dialId, carrierSaid({ cause: "completed" }))).toEqual({
      changed: false,
      corrected: false,
      end,
    });
    expect(await rig.store.dials.intendHangUp(dialId, "idle", "agent")).toBe(false);
  });

  test("who hung up is the carrier's word where it has one", async () => {
    const { dialId } = await rig.claimed();
    const { end } = await rig.store.dials.end(dialId, carrierSaid({ cause: "completed", endedBy: "transfer_target" }));
    expect(end).toEqual(callEnd("counterparty_hangup", "transfer_target"));
  });

  test("an unknown dial has no end", async () => {
    expect(await rig.store.dials.end("no such dial", observed("idle"))).toEqual({
      changed: false,
      corrected: false,
      end: null,
    });
  });
};

const evidenceTests = (rig: StoreRig): void => {
  test("weaker or equal evidence changes nothing", async () => {
    for (const [first, second] of [
      [3, 3],
      [3, 2],
      [3, 1],
      [2, 2],
      [2, 1],
      [1, 1],
    ] as const) {
      const { dialId } = await rig.claimed();
      const { end } = await rig.store.dials.end(dialId, observed("no_answer", first));
      expect(await rig.store.dials.end(dialId, observed("media_lost", second))).toEqual({
        changed: false,
        corrected: false,
        end,
      });
    }
  });

  test("stronger evidence corrects an end once", async () => {
    const { dialId } = await rig.claimed();
    await rig.store.dials.end(dialId, observed("worker_lost", 1));
    expect(await rig.store.dials.end(dialId, observed("media_lost", 2))).toEqual({
      changed: true,
      corrected: true,
      end: callEnd("media_lost", "system"),
    });
    expect(await rig.store.dials.end(dialId, carrierSaid({ cause: "completed" }))).toEqual({
      changed: false,
      corrected: false,
      end: callEnd("media_lost", "system"),
    });
  });

  test("stronger evidence for the same reason is no correction, and leaves room for one", async () => {
    const { dialId } = await rig.claimed();
    await rig.store.dials.end(dialId, observed("worker_lost", 1));
    expect(await rig.store.dials.end(dialId, observed("worker_lost", 2))).toMatchObject({
      changed: false,
      corrected: false,
    });
    expect(await rig.store.dials.end(dialId, carrierSaid({ cause: "completed" }))).toMatchObject({ corrected: true });
    expect(await rig.store.dials.find(WORKSPACE, dialId)).toMatchObject({
      status: "completed",
      systemResultType: "COUNTERPARTY_HANGUP",
    });
  });

  test("our own hang-up, seen by us alone, is what the carrier's completed means afterwards", async () => {
    const { dialId } = await rig.claimed();
    const end = callEnd("agent_hangup", "agent");
    await rig.store.dials.end(dialId, { type: "observed", evidence: 2, end });
    expect(await rig.store.dials.end(dialId, carrierSaid({ cause: "completed" }))).toEqual({
      changed: false,
      corrected: false,
      end,
    });
  });

  test("of many who end a dial at once one decides", async () => {
    const { dialId } = await rig.claimed();
    const causes = ["busy", "no-answer", "completed", "failed", "rejected"] as const;
    const outcomes = await Promise.all(causes.map((cause) => rig.store.dials.end(dialId, carrierSaid({ cause }))));
    expect(outcomes.filter(({ changed }) => changed)).toHaveLength(1);
    expect(new Set(outcomes.map(({ end }) => end?.reason)).size).toBe(1);
  });
};
