import { expect, test } from "vitest";

/** What every adapter with a network behind it is tried with. */
export const WIRE_CASES = [
  "connect",
  "stream",
  "finalize",
  "interleave",
  "cancel",
  "reconnect",
  "slow",
  "stall",
  "401",
  "429",
  "5xx",
  "half-closed",
  "garbage",
  "unicode",
] as const;

export type WireCase = (typeof WIRE_CASES)[number];

/** The cases of one battery: `covers` gives vitest's `test` for a test that stands for some; `complete` registers that none is missing. */
export const wireCases = () => {
  const covered = new Set<WireCase>();
  return {
    covers: (...cases: readonly [WireCase, ...WireCase[]]): typeof test => {
      for (const one of cases) covered.add(one);
      return test;
    },
    complete: (): void => {
      test("its battery has every case of the wire", () => {
        expect(WIRE_CASES.filter((one) => !covered.has(one))).toEqual([]);
      });
    },
  };
};
