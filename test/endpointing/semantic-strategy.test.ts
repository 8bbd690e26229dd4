import fc from "fast-check";
import { expect, test } from "vitest";
import { learnPause, noPauses, pauseFactor, type CallerPauses } from "../../src/endpointing/caller-pauses.ts";
import { endpointRuling, SEMANTIC_POLICY } from "../../src/endpointing/endpoint-policy.ts";
import type { TurnEvidence } from "../../src/endpointing/endpoint-strategy.ts";
import { semanticStrategy } from "../../src/endpointing/semantic-strategy.ts";

const DEFAULT = { type: "SEMANTIC", mode: "DEFAULT" } as const;
const BOUNDS = { CONSERVATIVE: [500, 3500], DEFAULT: [300, 2500], AGGRESSIVE: [200, 1500] } as const;

const learnt = (...pauses: readonly number[]): CallerPauses => pauses.reduce(learnPause, noPauses);

const evidence: fc.Arbitrary<TurnEvidence> = fc.record({
  text: fc.oneof(fc.string(), fc.constantFrom("I would like to", "Yes.", "555 234", "S M I", "I want to book a table")),
  prosody: fc.record({
    endPitch: fc.double({ min: -20, max: 20, noNaN: true }),
    pitchSlope: fc.double({ min: -80, max: 80, noNaN: true }),
    endEnergyDb: fc.double({ min: -40, max: 20, noNaN: true }),
  }),
  pauses: fc.array(fc.integer({ min: 0, max: 6000 })).map((pauses) => learnt(...pauses)),
});

test.for(["CONSERVATIVE", "DEFAULT", "AGGRESSIVE"] as const)("%s keeps its bounds, whatever it knows", (mode) => {
  const [least, most] = BOUNDS[mode];
  fc.assert(
    fc.property(evidence, (known) => {
      const { waitMs, probability } = endpointRuling({ type: "SEMANTIC", mode }, known);
      expect(waitMs).toBeGreaterThanOrEqual(least);
      expect(waitMs).toBeLessThanOrEqual(most);
      expect(probability).toBeGreaterThan(0);
      expect(probability).toBeLessThan(1);
    }),
  );
});

test("what is surely over waits for the delay alone, what surely goes on nearly for the time-out", () => {
  const { delayMs, timeoutMs } = SEMANTIC_POLICY.DEFAULT;
  expect(endpointRuling(DEFAULT, { text: "Yes please", expected: { type: "yes-no" } }).waitMs).toBe(delayMs);
  expect(endpointRuling(DEFAULT, { text: "I would like to" }).waitMs).toBeGreaterThan(timeoutMs * 0.9);
});

test("a caller who pauses long is given more time, one who never does less", () => {
  const text = "I want to book a table";
  const usual = endpointRuling(DEFAULT, { text }).waitMs;
  const slow = endpointRuling(DEFAULT, { text, pauses: learnt(1500, 1300, 1800) }).waitMs;
  const quick = endpointRuling(DEFAULT, { text, pauses: learnt(260, 300, 250, 280) }).waitMs;
  expect(slow).toBeGreaterThan(usual * 1.15);
  expect(quick).toBeLessThan(usual * 0.9);
});

test("one pause changes little, and what is no pause changes nothing", () => {
  expect(pauseFactor(learnt(1200))).toBeLessThan(1.2);
  expect(learnt(50, 9000)).toEqual(noPauses);
  expect(pauseFactor(learnt(...Array<number>(100).fill(5000)))).toBe(1.6);
});

test("a voice that falls and fades ends a turn sooner than one that stays up", () => {
  const rule = (endPitch: number, endEnergyDb: number) =>
    endpointRuling(DEFAULT, { text: "I want to book a table", prosody: { endPitch, endEnergyDb } }).waitMs;
  expect(rule(-5, -8)).toBeLessThan(rule(1, 0));
});

test("a rising voice does not hold a question open", () => {
  const text = "What time do you close on Sunday";
  const rule = (endPitch: number) => endpointRuling(DEFAULT, { text, prosody: { endPitch } }).probability;
  expect(rule(6)).toBe(rule(-6));
});

test("the policy is threshold, delay and time-out: a lower threshold and a shorter delay act sooner", () => {
  const policy = SEMANTIC_POLICY.DEFAULT;
  const wait = (change: Partial<typeof policy>) =>
    semanticStrategy({ ...policy, ...change }).rule({ text: "I want to book a table" }).waitMs;
  expect(wait({ threshold: 0.5 })).toBe(policy.delayMs);
  expect(wait({ threshold: 0.95 })).toBeGreaterThan(wait({}));
  expect(wait({ threshold: 0.5, delayMs: 200 })).toBe(200);
  expect(wait({ timeoutMs: 1000 })).toBeLessThan(wait({}));
});
