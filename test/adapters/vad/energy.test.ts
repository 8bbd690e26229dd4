import { expect, test } from "vitest";
import energy, { QUIET_LINE, judgeLevel } from "../../../src/adapters/vad/energy/energy.ts";
import { vadContract } from "../../contract/vad.contract.ts";

vadContract("energy", () => energy.create());

test("a level far over the floor is speech, one at the floor is not", () => {
  expect(judgeLevel(QUIET_LINE, -30).probability).toBeGreaterThan(0.99);
  expect(judgeLevel(QUIET_LINE, -60).probability).toBeLessThan(0.01);
  expect(judgeLevel({ floorDbfs: -40 }, -30).probability).toBeLessThan(0.5);
});

test("the floor follows a line that gets noisier and one that gets quieter", () => {
  let floor = QUIET_LINE;
  for (let window = 0; window < 300; window++) ({ floor } = judgeLevel(floor, -45));
  expect(floor.floorDbfs).toBeCloseTo(-45, 0);
  expect(judgeLevel(floor, -45).probability).toBeLessThan(0.01);
  for (let window = 0; window < 30; window++) ({ floor } = judgeLevel(floor, -65));
  expect(floor.floorDbfs).toBeCloseTo(-65, 0);
});

test("eight seconds of unbroken speech are speech to the end", () => {
  let floor = QUIET_LINE;
  const probabilities = Array.from({ length: 250 }, () => {
    const judged = judgeLevel(floor, -25);
    ({ floor } = judged);
    return judged.probability;
  });
  expect(Math.min(...probabilities)).toBeGreaterThan(0.5);
});
