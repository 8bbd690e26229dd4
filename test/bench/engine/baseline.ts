import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Row } from "./row.ts";

const PATH = fileURLToPath(new URL("../baseline.json", import.meta.url));

/** A ratio that has grown by more than this share is a regression. */
export const TOLERANCE = 0.15;

type Baseline = Readonly<{ machine: string; ratios: Readonly<Record<string, number>> }>;

/** The ratios that were kept, by what they are of. Times of another day or machine are not kept, since they say nothing. */
export const readBaseline = (): ReadonlyMap<string, number> => {
  const { ratios } = JSON.parse(readFileSync(PATH, "utf8")) as Baseline;
  return new Map(Object.entries(ratios));
};

/** Keeps these ratios beside, or in place of, those that are there. */
export const keepBaseline = (rows: readonly Row[], machine: string): void => {
  const ratios = new Map(readBaseline());
  for (const { id, ratio, void: nothing } of rows)
    if (ratio !== undefined && nothing === undefined) ratios.set(id, Math.round(ratio * 1000) / 1000);
  const sorted = [...ratios].toSorted(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(PATH, `${JSON.stringify({ machine, ratios: Object.fromEntries(sorted) }, undefined, 2)}\n`);
};

/** What has become worse than the baseline by more than {@link TOLERANCE}, in words. */
export const regressions = (rows: readonly Row[], baseline: ReadonlyMap<string, number>): readonly string[] =>
  rows.flatMap(({ id, ratio, gated, void: nothing }) => {
    const before = baseline.get(id);
    if (gated !== true || before === undefined || ratio === undefined || nothing !== undefined) return [];
    if (ratio <= before * (1 + TOLERANCE)) return [];
    return [`${id}: ${ratio.toFixed(2)} times the floor, ${before.toFixed(2)} before`];
  });
