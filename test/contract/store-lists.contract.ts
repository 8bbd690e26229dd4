import { expect, test } from "vitest";
import type { PageRequest } from "../../src/ports/page.ts";
import type { VersionedPrompt } from "../../src/model/versioned-prompt.ts";
import type { DialFilter, DialNames } from "../../src/ports/store.ts";
import { testAgent, testExtractor, testFunction, testPhoneNumber, testPlan, testPrompt } from "../kit/dial-plans.ts";
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

  test("a list shows dials with characters that no database makes text of", async () => {
    const odd = "a\0b\uD800c \\u0000";
    const inputs = { note: odd };
    const plan = testPlan({ dialId: "odd-1", workspaceId: "odd", inputs, agent: { ...testAgent(), name: odd } });
    await rig.store.catalogue.putApiKey({ workspaceId: "odd", sha256: "odd", kind: "secret", label: "test" });
    await rig.store.dials.create({ plan, sessionId: "s" });
    const { items } = await rig.store.dials.list("odd", {}, { limit: 10 });
    expect(items).toMatchObject([
      { id: "odd-1", agent: { name: odd }, inputs, fromNumberId: plan.fromNumberId ?? null },
    ]);
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
    const made = async (workspaceId: string, idempotencyKey: string) =>
      (await rig.store.dials.findReferences(workspaceId, { agentId: "nobody", promptIds: [], idempotencyKey })).earlier;
    expect(await made(LISTED, "earlier")).toEqual({
      fingerprint: "body",
      dialId: "earlier-1",
      sessionId: "s",
      maxDurationMs: 61_000,
    });
    expect(await made(LISTED, "another")).toBeUndefined();
    expect(await made("nobody", "earlier")).toBeUndefined();
  });

  test("what a request for a dial refers to is read at once, as it was configured", async () => {
    const { catalogue, dials } = rig.store;
    const agent = {
      ...testAgent("referring"),
      defaultVersionedPromptId: "its-default",
      defaultExtractorId: "its-extractor",
      linkedFunctionDefinitions: [{ functionDefinitionId: "linked" }, { functionDefinitionId: "unknown" }],
    };
    const node = {
      id: "n",
      name: "N",
      type: "function_call",
      transitionRules: [],
      nodeData: { functionId: "of-flow" },
    };
    const flow = { ...testPrompt("its-flow"), agentType: "CUSTOM_FLOW", flowDefinition: { nodes: [node] } } as const;
    const number = { ...testPhoneNumber("its-number"), number: "+12025550111" };
    await catalogue.addAgent(LISTED, agent);
    for (const prompt of [testPrompt("its-default"), testPrompt("of-no-use"), flow, testPrompt("its-newest")])
      await catalogue.addPrompt(LISTED, agent.id, prompt as VersionedPrompt);
    for (const id of ["its-extractor", "its-other"]) await catalogue.addExtractor(LISTED, agent.id, testExtractor(id));
    for (const id of ["linked", "of-flow", "loose"]) await catalogue.addFunction(LISTED, testFunction(id));
    await catalogue.addPhoneNumber(LISTED, number);
    const read = async (more: Partial<DialNames>, workspaceId = LISTED) => {
      const found = await dials.findReferences(workspaceId, { agentId: agent.id, promptIds: [], ...more });
      const byId = <T extends Readonly<{ id: string }>>(items: readonly T[]) =>
        items.toSorted((a, b) => (a.id < b.id ? -1 : 1));
      return { ...found, prompts: byId(found.prompts), functions: byId(found.functions) };
    };
    const plain = {
      agent,
      prompts: [testPrompt("its-default"), testPrompt("its-newest")],
      newestPromptId: "its-newest",
      extractor: testExtractor("its-extractor"),
      ownNumbers: ["+12025550111"],
      functions: [testFunction("linked")],
      doNotCall: false,
    };
    expect(await read({})).toEqual(plain);
    expect(await read({ promptIds: ["its-flow", "prompt-1", "a\0b"], extractorId: "its-other" })).toEqual({
      ...plain,
      prompts: [testPrompt("its-default"), flow, testPrompt("its-newest")],
      extractor: testExtractor("its-other"),
      functions: [testFunction("linked"), testFunction("of-flow")],
    });
    expect(await read({ fromNumberId: "its-number" })).toEqual({ ...plain, from: number });
    const { extractor: _, ...without } = plain;
    expect(await read({ extractorId: "a\0b", fromNumberId: "number-1" })).toEqual(without);
    const nothing = { prompts: [], functions: [], doNotCall: false };
    const everything = { promptIds: ["its-flow"], extractorId: "its-other", fromNumberId: "its-number" };
    expect(await read(everything, "nobody")).toEqual({ ...nothing, ownNumbers: [] });
    expect(await read({ agentId: "a\0b" })).toEqual({ ...nothing, ownNumbers: ["+12025550111"] });
  });
};
