import { afterEach, expect, test } from "vitest";
import { callEnd } from "../../src/model/call-end.ts";
import { RehearsedModel, type Rehearsal } from "../dialogue/rehearsed-model.ts";
import { ApiRig, KEY, OTHER_KEY, PUBLIC_KEY } from "../kit/api-rig.ts";

const rigs: ApiRig[] = [];
afterEach(async () => {
  for (const rig of rigs.splice(0)) await rig.close();
});

const answer = (text: string): Rehearsal => [{ type: "text", text }, { type: "done" }];
const SAID = { text: "For two, please.", speaker: "HUMAN", detailType: null, startTimeMs: 0, endTimeMs: 1 } as const;

/** A dial of an agent that has an extractor. */
const start = async (...answers: readonly Rehearsal[]) => {
  const model = new RehearsedModel(...answers);
  const rig = new ApiRig({ models: () => ({ model, modelId: "m" }) });
  rigs.push(rig);
  const body = { name: "Table", fields: [{ name: "guests", type: "int" }] };
  const made = await rig.request("POST", "/api/agents/a1/extractors", { body });
  const { id: extractorId } = made.json<{ id: string }>();
  const { dialId } = await rig.dial();
  const extract = (given: Readonly<Record<string, unknown>> = { callAgentExtractorId: extractorId }, key = KEY) =>
    rig.request("POST", `/api/dials/${dialId}/extraction`, { body: given, key });
  const say = () => rig.memory.store.dials.saveTranscript(dialId, [{ index: 0, entry: SAID }]);
  const end = () => rig.finish(dialId, callEnd("agent_hangup", "agent"));
  return { rig, model, dialId, extractorId, extract, say, end };
};

test("what an extractor finds in a call that is over is the dial's new result, as often as it is asked", async () => {
  const found = (guests: number) => answer(`{"guests":{"value":${guests},"entries":[0]}}`);
  const { extract, say, end, model } = await start(found(2), found(3));
  await say();
  await end();
  const first = await extract();
  expect(first.statusCode).toBe(200);
  expect(first.json()).toMatchObject({ aiResult: { guests: 2 }, aiResultEvidence: { guests: [0] } });
  expect((await extract()).json()).toMatchObject({ aiResult: { guests: 3 } });
  expect(model.left).toBe(0);
});

test("those who ask at the same time get the same", async () => {
  const { extract, say, end, model } = await start(answer('{"guests":{"value":2,"entries":[0]}}'));
  await say();
  await end();
  const asked = Promise.withResolvers<void>();
  const generate = model.generate.bind(model);
  model.generate = async function* (...given) {
    await asked.promise;
    yield* generate(...given);
  };
  const asking = Promise.all([extract(), extract(), extract()]);
  for (let turns = 0; turns < 50; turns++) await new Promise((resolve) => setImmediate(resolve));
  asked.resolve();
  const answers = await asking;
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
});

test("a request that cannot be granted says why, and leaves the dial as it was", async () => {
  const { extract, say, end, rig, dialId } = await start([new Error("down")], [new Error("down")]);
  const codeOf = async (...args: Parameters<typeof extract>) => (await extract(...args)).json<{ code: string }>().code;
  expect(await codeOf()).toBe("dial_not_over");
  await end();
  expect(await codeOf()).toBe("nothing_said");
  await say();
  expect(await codeOf({})).toBe("unknown_extractor");
  expect(await codeOf({ callAgentExtractorId: "nobody" })).toBe("unknown_extractor");
  expect(await codeOf({ callAgentExtractorId: 7 })).toBe("validation_failed");
  expect(await codeOf(undefined, OTHER_KEY)).toBe("dial_not_found");
  expect(await codeOf(undefined, PUBLIC_KEY)).toBe("forbidden");
  const failed = await extract();
  expect([failed.statusCode, failed.json<{ code: string }>().code]).toEqual([503, "extraction_failed"]);
  expect(failed.headers["retry-after"]).toBe("10");
  expect((await rig.request("GET", `/api/dials/${dialId}`)).json()).not.toHaveProperty("aiResult");
});

test("a script extracts nothing", async () => {
  const rig = new ApiRig();
  rigs.push(rig);
  const fields = [{ name: "n", type: "int" }];
  const made = await rig.request("POST", "/api/agents/a1/extractors", { body: { name: "T", fields } });
  const { dialId } = await rig.dial();
  await rig.finish(dialId, callEnd("agent_hangup", "agent"));
  const body = { callAgentExtractorId: made.json<{ id: string }>().id };
  const refused = await rig.request("POST", `/api/dials/${dialId}/extraction`, { body });
  expect(refused.json()).toMatchObject({ status: 422, code: "no_language_model" });
});
