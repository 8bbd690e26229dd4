import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { SystemClock } from "../../../src/adapters/clock/system.ts";
import { SEMANTIC_POLICY, strategyOf, type EndpointRules } from "../../../src/endpointing/endpoint-policy.ts";
import type { Observation } from "./observe.ts";
import { KINDS } from "./phrase.ts";
import {
  DECODE_MS,
  quickestAt,
  safestWithin,
  score,
  semanticCurve,
  timerCurve,
  type Point,
  type Score,
} from "./score.ts";

export type Report = Readonly<{
  date: string;
  set: string;
  seed: number;
  voices: readonly string[];
  turns: number;
  pauses: number;
  decodeMs: number;
  /** As the modes are delivered. */
  modes: readonly Readonly<{ type: EndpointRules["type"]; mode: EndpointRules["mode"]; score: Score }>[];
  /** Best points of each family of settings. */
  curves: readonly Readonly<{
    name: string;
    at5: Point | undefined;
    at10: Point | undefined;
    in300: Point | undefined;
    in600: Point | undefined;
  }>[];
  measuredDecodeMs: number | undefined;
}>;

/** The bounds of the modes. */
const SHORTEST_MS = { CONSERVATIVE: 500, DEFAULT: 300, AGGRESSIVE: 200 } as const;
const MODES = ["CONSERVATIVE", "DEFAULT", "AGGRESSIVE"] as const;

export const reportOf = (
  set: readonly Observation[],
  origin: Readonly<{ set: string; seed: number; decodeMs: readonly number[] }>,
): Report => {
  const curve = (name: string, points: readonly Point[]) => ({
    name,
    at5: quickestAt(points, 0.05),
    at10: quickestAt(points, 0.1),
    in300: safestWithin(points, 300),
    in600: safestWithin(points, 600),
  });
  return {
    date: new Date(new SystemClock().now()).toISOString().slice(0, 10),
    set: origin.set,
    seed: origin.seed,
    voices: [...new Set(set.map(({ voice }) => voice))].toSorted(),
    turns: set.length,
    pauses: set.reduce((sum, { pauses }) => sum + pauses.length, 0),
    decodeMs: DECODE_MS,
    measuredDecodeMs: origin.decodeMs.toSorted((a, b) => a - b)[Math.floor(origin.decodeMs.length / 2)],
    modes: (["SIMPLE", "SEMANTIC"] as const).flatMap((type) =>
      MODES.map((mode) => ({ type, mode, score: score(strategyOf({ type, mode }), set) })),
    ),
    curves: [
      curve("silence timer", timerCurve(set)),
      ...MODES.map((mode) =>
        curve(`SEMANTIC ${mode}`, semanticCurve({ ...SEMANTIC_POLICY[mode], delayMs: SHORTEST_MS[mode] }, set)),
      ),
      curve("SEMANTIC, any delay", semanticCurve(SEMANTIC_POLICY.DEFAULT, set, 0)),
    ],
  };
};

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
const ms = (value: number): string => `${Math.round(value)} ms`;

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");

/** The tables of the documentation. */
export const asMarkdown = (report: Report): string => {
  const modes = table(
    ["setting", "false cut-offs", "turns cut", "latency median", "mean", "95 %"],
    report.modes.map(({ type, mode, score: { falseCutOffs, turnsCut, medianMs, meanMs, p95Ms } }) => [
      `${type} ${mode}`,
      percent(falseCutOffs),
      percent(turnsCut),
      ms(medianMs),
      ms(meanMs),
      ms(p95Ms),
    ]),
  );
  const latency = (point: Point | undefined) =>
    point === undefined ? "–" : `${ms(point.score.medianMs)} (${point.setting})`;
  const cut = (point: Point | undefined) =>
    point === undefined ? "–" : `${percent(point.score.falseCutOffs)} (${point.setting})`;
  const curves = table(
    ["swept", "latency at 5 % false cut-offs", "at 10 %", "false cut-offs at 300 ms", "at 600 ms"],
    report.curves.map(({ name, at5, at10, in300, in600 }) => [
      name,
      latency(at5),
      latency(at10),
      cut(in300),
      cut(in600),
    ]),
  );
  const chosen = [
    ["SIMPLE DEFAULT", report.modes.find(({ type, mode }) => type === "SIMPLE" && mode === "DEFAULT")],
    ["SEMANTIC DEFAULT", report.modes.find(({ type, mode }) => type === "SEMANTIC" && mode === "DEFAULT")],
  ] as const;
  const kinds = table(
    ["kind", "pauses", ...chosen.flatMap(([name]) => [`${name}: cut`, "latency"])],
    KINDS.filter((kind) => chosen.some(([, mode]) => mode?.score.byKind[kind] !== undefined)).map((kind) => {
      const cells = chosen.map(([, mode]) => mode?.score.byKind[kind]);
      return [
        kind,
        String(cells[0]?.pauses ?? 0),
        ...cells.flatMap((cell) => [
          cell === undefined || cell.pauses === 0 ? "–" : percent(cell.cut / cell.pauses),
          cell === undefined ? "–" : ms(cell.medianMs),
        ]),
      ];
    }),
  );
  const origin = `${report.date}, set \`${report.set}\`, seed ${report.seed}: ${report.turns} turns of the voices ${report.voices.join(", ")}, ${report.pauses} pauses inside them; a final text is taken to need ${report.decodeMs} ms.`;
  return [origin, modes, curves, kinds].join("\n\n");
};

const DOCS = fileURLToPath(new URL("../../../docs/turn-taking.md", import.meta.url));
/** What the tables of a set stand between. */
const marksOf = (set: string): readonly [begin: string, end: string] =>
  set === "report"
    ? ["<!-- made by npm run bench -- turns --write -->", "<!-- end -->"]
    : [`<!-- made by npm run bench -- turns --set ${set} --write -->`, `<!-- end of ${set} -->`];

/** Writes the report for machines, and puts its tables into the documentation. */
export const writeReport = async (
  report: Report,
  to: Readonly<{ json: string | undefined; docs: boolean }>,
): Promise<void> => {
  if (to.json !== undefined) await writeFile(to.json, `${JSON.stringify(report, undefined, 2)}\n`);
  if (!to.docs) return;
  const text = await readFile(DOCS, "utf8");
  const [begin, end] = marksOf(report.set);
  const from = text.indexOf(begin);
  const until = text.indexOf(end);
  if (from === -1 || until < from) throw new Error(`${DOCS} has lost the marks that the tables stand between`);
  await writeFile(DOCS, `${text.slice(0, from + begin.length)}\n${asMarkdown(report)}\n${text.slice(until)}`);
};
