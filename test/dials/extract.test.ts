import { expect, test } from "vitest";
import { extractAfterCall } from "../../src/dials/extract.ts";
import { Extractions } from "../../src/dials/extractions.ts";
import type { Dial } from "../../src/model/dial.ts";
import type { Extractor } from "../../src/model/extractor.ts";
import type { CallPlan } from "../../src/model/call-plan.ts";
import { ProviderError } from "../../src/ports/provider-error.ts";
import { RehearsedModel, type Rehearsal } from "../dialogue/rehearsed-model.ts";
import { countingMetrics } from "../kit/counting-metrics.ts";
import { testPlan } from "../kit/dial-plans.ts";
import { silentLogger } from "../kit/silent-logger.ts";
import { VirtualClock } from "../kit/virtual-clock.ts";

const extractor: Extractor = { id: "x1", name: "Booking", fields: [{ name: "booked", type: "bool" }] };
const answer = (text: string): Rehearsal => [{ type: "text", text }, { type: "done" }];
const said = { text: "Yes please.", speaker: "HUMAN", detailType: null, startTimeMs: 0, endTimeMs: 1 } as const;

const rig = (answers: readonly Rehearsal[], dial: Partial<Dial> = {}, scripted = false) => {
  const clock = new VirtualClock();
  const model = new RehearsedModel(...answers);
  const saved: [string, unknown][] = [];
  const evidences: unknown[] = [];
  const deps = {
    clock,
    logger: silentLogger(),
    metrics: countingMetrics().metrics,
    dials: {
      find: () => Promise.resolve({ id: "d1", endReason: "agent_hangup" as const, transcript: [said], ...dial }),
      saveAiResult: (dialId: string, result: unknown, evidence: unknown) => {
        saved.push([dialId, result]);
        evidences.push(evidence);
        return Promise.resolve();
      },
    },
    models: () => ({ model: scripted ? Object.assign(model, { scripted }) : model, modelId: "m" }),
  };
  const plan: CallPlan = testPlan({ dialId: "d1", extractor });
  return { clock, model, saved, evidences, deps, plan };
};

test("a finished call is asked about once, and the values are kept with the dial", async () => {
  const { deps, plan, saved, model } = rig([answer('{"booked":true}')]);
  await extractAfterCall(deps, plan);
  expect(saved).toEqual([["d1", { booked: true }]]);
  expect(model.requests).toEqual([
    {
      model: "m",
      tools: [],
      options: {},
      answer: expect.objectContaining({ required: ["booked"] }),
      messages: [expect.anything(), { role: "user", text: expect.stringContaining("Yes please.") }],
    },
  ]);
});

test("what a value rests on is kept with it, and what rests on nothing is asked about again and then null", async () => {
  const { deps, plan, saved, evidences } = rig([answer('{"booked":{"value":true,"entries":[0]}}')]);
  await extractAfterCall(deps, plan);
  expect([saved, evidences]).toEqual([[["d1", { booked: true }]], [{ booked: [0] }]]);
  const invented = answer('{"booked":{"value":true,"entries":[7]}}');
  const invents = rig([invented, invented]);
  await extractAfterCall(invents.deps, invents.plan);
  expect(invents.saved).toEqual([["d1", { booked: null }]]);
});

test("a provider that refuses the schema is asked again without it", async () => {
  const refused = new ProviderError("rehearsed", "rejected", "no schemas");
  const { deps, plan, saved, model } = rig([[refused], answer('{"booked":true}')]);
  await extractAfterCall(deps, plan);
  expect(saved).toEqual([["d1", { booked: true }]]);
  expect(model.requests.map((request) => "answer" in request)).toEqual([true, false]);
});

test("an answer that cannot be taken gets one chance to be repaired, and is null where it stays wrong", async () => {
  const repaired = rig([answer('{"booked":"perhaps"}'), answer('{"booked":false}')]);
  await extractAfterCall(repaired.deps, repaired.plan);
  expect(repaired.saved).toEqual([["d1", { booked: false }]]);
  expect(repaired.model.requests[1]?.messages.at(-1)).toMatchObject({
    text: expect.stringContaining("booked must be"),
  });
  const hopeless = rig([answer('{"booked":"perhaps"}'), answer("I cannot.")]);
  await extractAfterCall(hopeless.deps, hopeless.plan);
  expect(hopeless.saved).toEqual([["d1", { booked: null }]]);
  const broken = rig([answer('{"booked":"perhaps"}'), [new Error("down")]]);
  await extractAfterCall(broken.deps, broken.plan);
  expect(broken.saved).toEqual([["d1", { booked: null }]]);
});

test("a model that fails is asked again, and one that fails twice leaves no result", async () => {
  const once = rig([[new Error("down")], answer('{"booked":true}')]);
  await extractAfterCall(once.deps, once.plan);
  expect(once.saved).toEqual([["d1", { booked: true }]]);
  const twice = rig([[new Error("down")], [new Error("down")]]);
  await extractAfterCall(twice.deps, twice.plan);
  expect(twice.saved).toEqual([]);
});

test("a model that hangs, or never ends, is given up", async () => {
  const hanging = rig([["hang"], ["hang"]]);
  const extracting = extractAfterCall(hanging.deps, hanging.plan);
  await hanging.clock.advance(60_000);
  await extracting;
  expect(hanging.saved).toEqual([]);
  expect([hanging.model.stopped, hanging.clock.pending]).toEqual([2, 0]);
  const flood: Rehearsal = Array.from({ length: 200 }, () => ({ type: "text", text: "x".repeat(1000) }) as const);
  const endless = rig([flood, answer('{"booked":true}')]);
  await extractAfterCall(endless.deps, endless.plan);
  expect(endless.saved).toEqual([["d1", { booked: true }]]);
});

test.each<[string, Partial<Dial>]>([
  ["nobody spoke in", { transcript: [{ ...said, speaker: "AI" }] }],
  ["has no end yet", { endReason: null }],
])("nothing is asked about a call that %s", async (_name, dial) => {
  const { deps, plan, saved, model } = rig([], dial);
  await extractAfterCall(deps, plan);
  expect([saved, model.requests]).toEqual([[], []]);
});

test("nothing is asked without an extractor, or of a script", async () => {
  const plain = rig([]);
  await extractAfterCall(plain.deps, testPlan({ dialId: "d1" }));
  const scripted = rig([], {}, true);
  await extractAfterCall(scripted.deps, scripted.plan);
  expect([...plain.model.requests, ...scripted.model.requests]).toEqual([]);
});

test("a store that fails is not the call's trouble", async () => {
  const { deps, plan } = rig([]);
  await extractAfterCall({ ...deps, dials: { ...deps.dials, find: () => Promise.reject(new Error("away")) } }, plan);
});

test("ten extractions run at a time, in order; closing waits for them and drops the others", async () => {
  const answers = Array.from({ length: 25 }, () => answer('{"booked":true}'));
  const { deps, plan, model, saved } = rig(answers);
  const gates: (() => void)[] = [];
  const slow = {
    ...deps.dials,
    find: async () => {
      await new Promise<void>((resolve) => gates.push(resolve));
      return deps.dials.find();
    },
  };
  const extractions = new Extractions({ ...deps, dials: slow });
  for (let index = 0; index < 25; index++) extractions.begin({ ...plan, dialId: `d${index}` });
  extractions.begin(testPlan({ dialId: "without" }));
  expect(gates).toHaveLength(10);
  gates.shift()?.();
  await deps.clock.settle();
  expect(saved).toEqual([["d0", { booked: true }]]);
  expect(gates).toHaveLength(10);
  const closing = extractions.close();
  for (const open of gates) open();
  await closing;
  expect(saved).toHaveLength(11);
  expect(model.requests).toHaveLength(11);
  extractions.begin({ ...plan, dialId: "late" });
  expect(gates).toHaveLength(10);
});

test("closing does not wait for ever", async () => {
  const { deps, plan } = rig([["hang"], ["hang"]]);
  const extractions = new Extractions(deps);
  extractions.begin(plan);
  await deps.clock.settle();
  const closing = extractions.close();
  await deps.clock.advance(15_000);
  await closing;
  await deps.clock.advance(60_000);
});
