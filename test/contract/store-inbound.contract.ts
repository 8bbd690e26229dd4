import { expect, test } from "vitest";
import type { PhoneNumber } from "../../src/model/phone-number.ts";
import { testPlan } from "../kit/dial-plans.ts";
import { FOREIGN, type StoreRig, WORKSPACE } from "./store-rig.ts";

/** What a carrier's call leads to, of which only the carrier's words are known. */
export const inboundTests = (rig: StoreRig): void => {
  test("a number is found by the account that it is at, in whatever workspace, if it has an agent", async () => {
    const { catalogue, dials } = rig.store;
    const add = (workspaceId: string, number: Omit<PhoneNumber, "type">) =>
      catalogue.addPhoneNumber(workspaceId, { type: "PSTN", ...number });
    await add(WORKSPACE, { id: "rung-1", number: "+14155550181", carrier: "acme" });
    await add(FOREIGN, { id: "rung-2", number: "+14155550181", carrier: "acme", agentId: "agent-7" });
    const berlin = { id: "rung-3", number: "+14155550182", carrier: "acme", carrierAccountId: "acme-berlin" };
    await add(WORKSPACE, { ...berlin, agentId: "agent-8", webhookUrl: "https://x.example/" });
    expect(await dials.findAnsweringNumber("acme", "+14155550181")).toMatchObject({
      workspaceId: FOREIGN,
      number: { id: "rung-2", agentId: "agent-7" },
    });
    expect(await dials.findAnsweringNumber("acme-berlin", "+14155550182")).toEqual({
      workspaceId: WORKSPACE,
      number: { ...berlin, type: "PSTN", agentId: "agent-8", webhookUrl: "https://x.example/" },
    });
    expect(await dials.findAnsweringNumber("acme", "+14155550182")).toBeUndefined();
    expect(await dials.findAnsweringNumber("zeta", "+14155550181")).toBeUndefined();
    expect(await dials.findAnsweringNumber("acme", "+1415\u0000")).toBeUndefined();
  });

  test("a dial is found by its carrier's call once that is noted, and by no other account's", async () => {
    const claim = await rig.claimed({ direction: "inbound", carrier: "acme", carrierCallId: "call-81" });
    expect(await rig.store.dials.findByCall("acme", "call-81")).toBeUndefined();
    await rig.store.dials.attachCall(claim, "call-81");
    expect(await rig.store.dials.findByCall("acme", "call-81")).toBe(claim.dialId);
    expect(await rig.store.dials.findByCall("zeta", "call-81")).toBeUndefined();
  });

  test("a plan is revised until somebody has claimed it", async () => {
    const { dials } = rig.store;
    const dialId = await rig.makeDial({ toNumber: "+14155550183" });
    const plan = testPlan({ dialId, toNumber: "+14155550183", inputs: { name: "Ada" } });
    expect(await dials.revise(plan)).toBe(true);
    expect((await dials.claim(dialId, "worker-1"))?.plan.inputs).toEqual({ name: "Ada" });
    expect(await dials.revise(plan)).toBe(false);
  });
};
