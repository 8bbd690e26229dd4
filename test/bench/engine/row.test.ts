import { expect, test } from "vitest";
import { peerFigure, tableOf, type Row } from "./row.ts";

const row: Row = {
  id: "turn",
  definition: "a turn",
  unit: "ms",
  engine: 2,
  floor: 1,
  ratio: 2,
  target: "≤ 3 ms",
  met: true,
};

test("a peer's figure is set against the engine's", () => {
  expect(peerFigure(100, 2, 50)).toEqual({ value: 100, ratio: 50, target: "≥ 50 ×", met: true });
  expect(peerFigure(99, 2, 50)).toMatchObject({ ratio: 49.5, met: false });
  expect(peerFigure(100, 2, undefined)).toEqual({ value: 100, ratio: 50 });
});

test("nothing is a number of times as large as nothing, and a peer that lost every turn has met no figure", () => {
  expect(peerFigure(3, -0.5, 5)).toEqual({ value: 3, ratio: undefined, target: "≥ 5 ×", met: true });
  expect(peerFigure(0, 0, 5).met).toBe(false);
  expect(peerFigure(Number.NaN, 2, 5)).toMatchObject({ ratio: undefined, met: false });
});

test("the table has columns for a peer only where one was measured", () => {
  expect(tableOf([row], new Map([["turn", 1.9]]))).toEqual([
    "|  | engine | floor | ratio | before | unit | target |  |",
    "| --- | --- | --- | --- | --- | --- | --- | --- |",
    "| turn | 2.00 | 1.00 | 2.00 | 1.90 | ms | ≤ 3 ms | met |",
  ]);
  const [heads, , measured, other] = tableOf([{ ...row, peer: peerFigure(100, 2, 50) }, row], new Map());
  expect(heads).toContain("| peer | peer / engine | target |");
  expect(measured).toContain("| 100 | 50.0 | ≥ 50 × | met |");
  expect(other).toMatch(/\| met \|  \|  \|  \|  \|$/);
});
