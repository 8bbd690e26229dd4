import { expect, test } from "vitest";
import { collectDigits, markDoNotCall, switchLanguage } from "../../src/dials/built-in-actions.ts";
import type { DoNotCall } from "../../src/model/do-not-call.ts";
import { testPlan } from "../kit/dial-plans.ts";
import { SeededRandom } from "../kit/seeded-random.ts";
import { silentLogger } from "../kit/silent-logger.ts";
import { VirtualClock } from "../kit/virtual-clock.ts";

const call = (args: string) => ({ id: "c1", name: "collect_digits", args });

test("what a model leaves open about keys is the usual, and what it gives is checked", () => {
  const usual = { maxDigits: 32, finishKey: "#", timeoutMs: 8000, sensitive: false };
  expect(collectDigits(call(""))).toEqual({ type: "collect", wanted: usual });
  expect(collectDigits(call('{"maxDigits":4,"finishKey":"*","timeoutSeconds":20,"sensitive":true}'))).toEqual({
    type: "collect",
    wanted: { maxDigits: 4, finishKey: "*", timeoutMs: 20_000, sensitive: true },
  });
  for (const args of [
    '{"maxDigits":0}',
    '{"maxDigits":1e9}',
    '{"finishKey":"5"}',
    '{"timeoutSeconds":"x"}',
    "[]",
    "{",
    "null",
  ])
    expect(collectDigits(call(args))).toMatchObject({
      type: "result",
      result: expect.stringContaining("invalid_arguments"),
    });
});

const marking = (answer?: () => Promise<never>) => {
  const listed: Omit<DoNotCall, "createdAt">[] = [];
  const clock = new VirtualClock();
  const doNotCall = {
    addDoNotCall: async (_workspaceId: string, entry: Omit<DoNotCall, "createdAt">) => {
      if (answer !== undefined) return answer();
      listed.push(entry);
      return { entry: { ...entry, createdAt: "" }, added: true };
    },
  };
  return { clock, listed, deps: { clock, random: new SeededRandom(1), logger: silentLogger(), doNotCall } };
};

test("a number is put on the list once, with the call that it was asked in", async () => {
  const { deps, listed } = marking();
  const plan = testPlan({ dialId: "d1", toNumber: "+12025550123", fromNumber: "+12025550100" });
  expect(JSON.parse(await markDoNotCall(deps, plan))).toMatchObject({ ok: true });
  await markDoNotCall(deps, { ...plan, direction: "inbound" });
  expect(listed).toMatchObject([
    { number: "+12025550123", dialId: plan.dialId },
    { number: "+12025550100", dialId: plan.dialId },
  ]);
});

test("a list that cannot be written, or does not answer, is not said to have been", async () => {
  const broken = marking(() => Promise.reject(new Error("away")));
  expect(JSON.parse(await markDoNotCall(broken.deps, testPlan({ dialId: "d1" })))).toMatchObject({
    error: "not_listed",
  });
  const silent = marking(() => new Promise<never>(() => undefined));
  const waiting = markDoNotCall(silent.deps, testPlan({ dialId: "d1" }));
  await silent.clock.advance(5000);
  expect(JSON.parse(await waiting)).toMatchObject({ error: "not_listed" });
});

test("a visitor of a page has no number to list", async () => {
  const { deps, listed } = marking();
  expect(JSON.parse(await markDoNotCall(deps, testPlan({ dialId: "d1", direction: "browser" })))).toMatchObject({
    error: "no_number",
  });
  expect(listed).toEqual([]);
});

test("a call changes only to a language that it has, and the model is told which these are", () => {
  const english = { language: "en", transcriber: "local", voiceId: "anna" };
  const spanish = { language: "es-MX", transcriber: "cloud", voiceId: "sofia" };
  const asked = (args: string, languages?: readonly (typeof english)[]) =>
    switchLanguage(languages === undefined ? {} : { languages }, { id: "c1", name: "switch_language", args });
  expect(asked('{"language":"ES-mx"}', [english, spanish])).toMatchObject({ type: "language", language: "es-MX" });
  for (const args of ['{"language":"fr"}', "{}", "[", '{"language":7}', ""]) {
    const refused = asked(args, [english, spanish]);
    expect(refused).toMatchObject({ type: "result", result: expect.stringContaining("one of en, es-MX") });
  }
  expect(asked('{"language":"es"}')).toMatchObject({ result: expect.stringContaining("language_not_available") });
});
