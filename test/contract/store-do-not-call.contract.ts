import { expect, test } from "vitest";
import { FOREIGN, type StoreRig, WORKSPACE } from "./store-rig.ts";

const NUMBER = "+12025559876";
const PAGE = { limit: 10 };

/** The list of numbers that are not called, and what the claim of a dial makes of it. */
export const doNotCallTests = (rig: StoreRig): void => {
  test("a number is listed once, found, and taken off the list", async () => {
    const { catalogue } = rig.store;
    const first = await catalogue.addDoNotCall(WORKSPACE, { id: "dnc-1", number: NUMBER, reason: "asked" });
    expect(first).toMatchObject({ added: true, entry: { id: "dnc-1", number: NUMBER, reason: "asked" } });
    const again = await catalogue.addDoNotCall(WORKSPACE, { id: "dnc-2", number: NUMBER, dialId: "d" });
    expect(again).toEqual({ added: false, entry: first.entry });
    await catalogue.addDoNotCall(WORKSPACE, { id: "dnc-3", number: "+12025559875", dialId: "d" });
    const all = await catalogue.listDoNotCall(WORKSPACE, PAGE);
    expect(all.items.map(({ id }) => id).toSorted()).toEqual(["dnc-1", "dnc-3"]);
    expect((await catalogue.listDoNotCall(WORKSPACE, PAGE, NUMBER)).items).toEqual([first.entry]);
    expect((await catalogue.listDoNotCall(WORKSPACE, PAGE, "nobody")).items).toEqual([]);
    expect(await catalogue.removeDoNotCall(WORKSPACE, "dnc-1")).toEqual(first.entry);
    expect(await catalogue.removeDoNotCall(WORKSPACE, "dnc-1")).toBeUndefined();
    await catalogue.removeDoNotCall(WORKSPACE, "dnc-3");
    expect((await catalogue.listDoNotCall(WORKSPACE, PAGE)).items).toEqual([]);
  });

  test("the list of one workspace says nothing to another", async () => {
    const { catalogue, dials } = rig.store;
    await catalogue.addDoNotCall(FOREIGN, { id: "dnc-foreign", number: NUMBER });
    expect((await catalogue.listDoNotCall(WORKSPACE, PAGE)).items).toEqual([]);
    expect(await catalogue.removeDoNotCall(WORKSPACE, "dnc-foreign")).toBeUndefined();
    const names = { agentId: "agent-1", promptIds: [], toNumber: NUMBER };
    expect((await dials.findReferences(WORKSPACE, names)).doNotCall).toBe(false);
    expect((await dials.findReferences(FOREIGN, names)).doNotCall).toBe(true);
    expect(await rig.claimed({ toNumber: NUMBER })).toMatchObject({ doNotCall: false });
    await catalogue.removeDoNotCall(FOREIGN, "dnc-foreign");
  });

  test("a number that was listed while its dial waited is known when it is claimed", async () => {
    const toNumber = "+12025559874";
    const dialId = await rig.makeDial({ toNumber });
    await rig.store.catalogue.addDoNotCall(WORKSPACE, { id: "dnc-late", number: toNumber });
    expect(await rig.store.dials.claim(dialId, "worker-1")).toMatchObject({ dialId, doNotCall: true });
  });
};
