import { expect, test } from "vitest";
import type { PageRequest, Positioned } from "../../src/ports/page.ts";
import { testAgent, testExtractor, testFunction, testPhoneNumber, testPrompt } from "../kit/dial-plans.ts";
import { FOREIGN, type StoreRig, WORKSPACE } from "./store-rig.ts";

/** Adding, changing and removing what customers configure. */
export const catalogueChangeTests = (rig: StoreRig): void => {
  test("a change keeps what another change wrote meanwhile", async () => {
    const { catalogue } = rig.store;
    await catalogue.addAgent(WORKSPACE, testAgent("changed"));
    await Promise.all([
      catalogue.changeAgent(WORKSPACE, "changed", (agent) => ({ ...agent, name: "New" })),
      catalogue.changeAgent(WORKSPACE, "changed", (agent) => ({ ...agent, maxDurationSeconds: 60 })),
      catalogue.changeAgent(WORKSPACE, "changed", (agent) => ({ ...agent, language: "en-GB" })),
    ]);
    expect(await catalogue.findAgent(WORKSPACE, "changed")).toEqual({
      id: "changed",
      name: "New",
      language: "en-GB",
      maxDurationSeconds: 60,
    });
  });

  test("a change that throws changes nothing, and one of nothing answers nothing", async () => {
    const { catalogue } = rig.store;
    await catalogue.addFunction(WORKSPACE, testFunction("kept"));
    const refuse = () => {
      throw new RangeError("not so");
    };
    await expect(catalogue.changeFunction(WORKSPACE, "kept", refuse)).rejects.toThrow(RangeError);
    expect(await catalogue.findFunctions(WORKSPACE, ["kept"])).toEqual([testFunction("kept")]);
    expect(await catalogue.changeFunction(WORKSPACE, "none", refuse)).toBeUndefined();
    expect(await catalogue.changeFunction(FOREIGN, "kept", refuse)).toBeUndefined();
  });

  test("a removed agent takes its prompts and extractors with it, and frees its numbers", async () => {
    const { catalogue } = rig.store;
    await catalogue.addAgent(WORKSPACE, testAgent("leaving"));
    expect(await catalogue.addPrompt(WORKSPACE, "leaving", testPrompt("leaving-prompt"))).toBe(true);
    expect(await catalogue.addExtractor(WORKSPACE, "leaving", testExtractor("leaving-extractor"))).toBe(true);
    const number = { ...testPhoneNumber("leaving-number"), number: "+12025550177", agentId: "leaving" };
    expect(await catalogue.addPhoneNumber(WORKSPACE, number)).toBe(true);
    expect(await catalogue.removeAgent(WORKSPACE, "leaving")).toEqual(testAgent("leaving"));
    expect(await catalogue.removeAgent(WORKSPACE, "leaving")).toBeUndefined();
    expect(await catalogue.findPrompt(WORKSPACE, "leaving", "leaving-prompt")).toBeUndefined();
    expect(await catalogue.findExtractor(WORKSPACE, "leaving", "leaving-extractor")).toBeUndefined();
    const { agentId: _, ...free } = number;
    expect(await catalogue.findPhoneNumber(WORKSPACE, "leaving-number")).toEqual(free);
    expect(await catalogue.addPrompt(WORKSPACE, "leaving", testPrompt("late"))).toBe(false);
  });

  test("a workspace has a number once, and another may have it too", async () => {
    const { catalogue } = rig.store;
    const number = { ...testPhoneNumber("once"), number: "+12025550178" };
    const added = await Promise.all(
      ["once", "twice", "thrice"].map((id) => catalogue.addPhoneNumber(WORKSPACE, { ...number, id })),
    );
    expect(added.filter(Boolean)).toHaveLength(1);
    expect(await catalogue.addPhoneNumber(FOREIGN, { ...number, id: "elsewhere" })).toBe(true);
  });

  test("keys are listed without their hash, and a removed one is not found", async () => {
    const { catalogue } = rig.store;
    const key = { id: "web", name: "Website", type: "public", allowedAgentIds: ["agent-1"] } as const;
    const added = await catalogue.addApiKey(WORKSPACE, {
      ...key,
      allowedAgentIds: [...key.allowedAgentIds],
      sha256: "hash-of-web",
    });
    expect(added).toEqual({ ...key, createdAt: expect.stringMatching(/^\d{4}-.*Z$/) });
    expect(await catalogue.findApiKey("hash-of-web")).toEqual({
      id: "web",
      workspaceId: WORKSPACE,
      kind: "public",
      allowedAgentIds: ["agent-1"],
    });
    const { items } = await catalogue.listApiKeys(WORKSPACE, { limit: 100 });
    expect(items.find(({ id }) => id === "web")).toEqual(added);
    expect(await catalogue.removeApiKey(FOREIGN, "web")).toBeUndefined();
    expect(await catalogue.removeApiKey(WORKSPACE, "web")).toEqual(added);
    expect(await catalogue.findApiKey("hash-of-web")).toBeUndefined();
  });

  test("pages of prompts, extractors, functions and keys join to the whole list", async () => {
    const { catalogue } = rig.store;
    await catalogue.addAgent(FOREIGN, testAgent("listed"));
    const names = ["0", "1", "2", "3", "4"];
    for (const name of names) {
      await catalogue.addPrompt(FOREIGN, "listed", testPrompt(`listed-prompt-${name}`));
      await catalogue.addExtractor(FOREIGN, "listed", testExtractor(`listed-extractor-${name}`));
      await catalogue.addFunction(FOREIGN, testFunction(`listed-function-${name}`));
    }
    const walk = async (list: (page: PageRequest) => Promise<Positioned<Readonly<{ id: string }>>>) => {
      const ids: string[] = [];
      let after: PageRequest["after"];
      do {
        const { items, next } = await list({ limit: 2, after });
        ids.push(...items.map(({ id }) => id));
        after = next ?? undefined;
      } while (after !== undefined);
      return ids;
    };
    expect(await walk((page) => catalogue.listPrompts(FOREIGN, "listed", page))).toEqual(
      names.map((name) => `listed-prompt-${name}`),
    );
    expect(await walk((page) => catalogue.listExtractors(FOREIGN, "listed", page))).toEqual(
      names.map((name) => `listed-extractor-${name}`),
    );
    expect(await walk((page) => catalogue.listFunctions(FOREIGN, page))).toEqual(
      names.map((name) => `listed-function-${name}`),
    );
    expect(await walk((page) => catalogue.listPrompts(WORKSPACE, "listed", page))).toEqual([]);
  });
};
