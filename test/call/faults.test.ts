import { expect, test } from "vitest";
import { FAULTS, STAGES } from "../bench/faults/faults-there-are.ts";
import { MOST_DEAD_AIR_MS, runMatrix } from "../bench/faults/matrix.ts";

/** A few of what `npm run bench -- faults` runs by the thousand. */
const CALLS = 2;

test.for(STAGES)(
  "whatever goes wrong at the first %s, calls go on: no long silence, no word and no function twice",
  { timeout: 90_000 },
  async (stage) => {
    const cells = [];
    for await (const cell of runMatrix(CALLS, 1, [stage])) cells.push(cell);
    expect(cells.map(({ fault }) => fault)).toEqual(FAULTS);
    for (const { fault, survived, longestDeadAirMs, lost, wrong } of cells) {
      expect(wrong, `${stage}, ${fault}`).toEqual([]);
      expect(survived).toBe(CALLS);
      expect(longestDeadAirMs).toBeLessThanOrEqual(MOST_DEAD_AIR_MS);
      // Only a piece in which a voice broke off may be missing.
      expect(lost, `${stage}, ${fault}`).toBeLessThan(stage === "synthesizer" ? 0.15 : 0.001);
    }
    expect(cells.filter(({ fallbacks }) => fallbacks > 0).length).toBeGreaterThanOrEqual(9);
  },
);
