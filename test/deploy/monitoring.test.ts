import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { PromMetrics } from "../../src/adapters/metrics/prom.ts";
import type { Stage } from "../../src/ports/metrics.ts";
import { callEnd } from "../../src/model/call-end.ts";

type Exposed = Readonly<{ type: string; labels: ReadonlySet<string> }>;

const metrics = new PromMetrics();
let exposed: ReadonlyMap<string, Exposed>;

/** Counts everything once, so that every name comes with its labels. */
beforeAll(async () => {
  metrics.dialCreated("outbound");
  metrics.dialEnded(callEnd("busy", "remote"));
  metrics.callStarted();
  metrics.callEnded(1000);
  metrics.stage("heard", 1);
  metrics.stageAdded("heard", 1);
  metrics.modelBegan("a/b", 1);
  metrics.functionCalled("answered", 1);
  metrics.turnEnded("silence", false);
  metrics.bargeIn("committed");
  metrics.providerError("transcriber", "local");
  metrics.fallback("transcriber", "a", "b");
  metrics.breaker("transcriber", "a", "open");
  metrics.phrase("hit");
  metrics.hedge("first");
  metrics.framesDropped("in", 1);
  metrics.framesLate(1);
  metrics.leasesLapsed(1);
  metrics.httpRequest("GET", "/", 200, 1);
  metrics.webhookWaited(1);
  metrics.webhookAttempt("delivered", 1);
  metrics.webhookDead("gone");
  metrics.watchWorker(() => ({ slots: 1, held: 0, waiting: 0 }));
  metrics.watchBacklog(async () => ({ count: 0, oldestMs: 0, quarantined: 0 }));
  exposed = namesOf((await metrics.expose()).body);
});

afterAll(() => {
  metrics.close();
});

const namesOf = (body: string): ReadonlyMap<string, Exposed> => {
  const found = new Map<string, Exposed>();
  let family = "";
  for (const line of body.split("\n")) {
    const [, name = family, type] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? [];
    family = name;
    const sample = /^(\w+)(?:\{(.*)\})? /.exec(line);
    if (type === undefined && sample?.[1] !== undefined)
      found.set(sample[1], {
        type: sample[1] === family ? "plain" : "histogram",
        labels: new Set([...(sample[2] ?? "").matchAll(/(\w+)="/g)].map(([, label]) => label ?? "")),
      });
  }
  return found;
};

/** What Prometheus itself puts on every sample. */
const OF_PROMETHEUS = new Set(["job", "instance"]);

/** In travel order, as `Stage` names them. */
const STAGES: readonly Stage[] = ["endpoint", "transcript", "model", "sentence", "synthesizer", "sent", "heard"];

/** What is wrong with an expression: names, and labels that none of the names in it has. */
const faultsOf = (expression: string): readonly string[] => {
  const names = [...expression.matchAll(/\bcall_engine_\w+/g)].map(([name]) => name);
  const faults = names.filter((name) => !exposed.has(name)).map((name) => `${name} does not exist`);
  const known = new Set([...OF_PROMETHEUS, ...names.flatMap((name) => [...(exposed.get(name)?.labels ?? [])])]);
  const grouped = [...expression.matchAll(/\b(?:by|on) \(([^)]*)\)/g)].flatMap(([, list = ""]) => list.split(","));
  const matched = [...expression.matchAll(/\{([^}]*)\}/g)].flatMap(([, list = ""]) =>
    [...list.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = ""]) => label),
  );
  for (const label of [...grouped, ...matched].map((one) => one.trim()))
    if (label !== "" && !known.has(label)) faults.push(`no label ${label}`);
  if (names.length === 0 && !expression.startsWith("up{")) faults.push("names none of our metrics");
  for (const [, name] of expression.matchAll(/(?<!rate\(|increase\()\b(call_engine_\w+_total)\b/g))
    faults.push(`${name} only ever grows: it needs rate() or increase()`);
  let depth = 0;
  for (const sign of expression.replaceAll(/"[^"]*"/g, "")) {
    if ("([{".includes(sign)) depth += 1;
    if (")]}".includes(sign)) depth -= 1;
    if (depth < 0) break;
  }
  if (depth !== 0) faults.push("brackets do not match");
  return faults.map((fault) => `${expression}: ${fault}`);
};

type Panel = Readonly<{
  id: number;
  type: string;
  title: string;
  description?: string;
  gridPos: Readonly<{ x: number; y: number; w: number; h: number }>;
  datasource?: Readonly<{ type: string; uid: string }>;
  fieldConfig?: Readonly<{
    overrides: readonly Readonly<{
      matcher: Readonly<{ id: string; options: string }>;
      properties: readonly Readonly<{ id: string }>[];
    }>[];
    defaults: Readonly<{
      unit?: string;
      custom?: Readonly<{ thresholdsStyle?: Readonly<{ mode: string }> }>;
      thresholds?: Readonly<{ steps: readonly Readonly<{ value: number | null }>[] }>;
    }>;
  }>;
  targets?: readonly Readonly<{ expr: string; legendFormat: string }>[];
}>;

const panels = async (): Promise<readonly Panel[]> => {
  const dashboard = JSON.parse(await readFile("deploy/grafana/dashboard.json", "utf8")) as { panels: Panel[] };
  return dashboard.panels;
};

type Rule = Readonly<{
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: Record<string, string>;
}>;

const rules = async (): Promise<readonly Rule[]> => {
  const file = parse(await readFile("deploy/prometheus/alerts.yaml", "utf8")) as { groups: { rules: Rule[] }[] };
  return file.groups.flatMap((group) => group.rules);
};

test("every metric and label that the dashboard asks for exists", async () => {
  const expressions = (await panels()).flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  expect(expressions.length).toBeGreaterThan(30);
  expect(expressions.flatMap(faultsOf)).toEqual([]);
});

test("legends name labels that their expressions leave", async () => {
  const lost = (await panels()).flatMap(({ targets = [] }) =>
    targets.flatMap(({ expr, legendFormat }) => {
      const [, by] = /\bby \(([^)]*)\)/.exec(expr) ?? [];
      const kept = by?.split(",").map((label) => label.trim());
      return [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)]
        .map(([, label = ""]) => label)
        .filter((label) => (kept === undefined ? !OF_PROMETHEUS.has(label) : !kept.includes(label)));
    }),
  );
  expect(lost).toEqual([]);
});

test("every metric that is exposed is on the dashboard", async () => {
  const text = (await panels()).flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)).join("\n");
  const families = new Set([...exposed.keys()].map((name) => name.replace(/_(?:bucket|sum|count)$/, "")));
  expect([...families].filter((name) => !text.includes(name))).toEqual([]);
});

test("each stage of a turn has a panel of its own, with its limit as a line", async () => {
  const page = await readFile("docs/metrics.md", "utf8");
  const limits = new Map(
    [...page.matchAll(/^\| `(\w+)` \| ([\d.]+) s/gm)].map(([, stage = "", limit]) => [stage, Number(limit)]),
  );
  expect([...limits.keys()]).toEqual(STAGES);
  const all = await panels();
  const shown = all.flatMap(({ title, targets = [], fieldConfig, description = "" }) => {
    const stage = /^Stage \d: (\w+)$/.exec(title)?.[1];
    if (stage === undefined) return [];
    expect(description).toMatch(/ Line: .* High: /);
    for (const { expr } of targets)
      expect(expr).toContain(`call_engine_turn_stage_added_seconds_bucket{job=~"$job", stage="${stage}"}`);
    const { custom, thresholds } = fieldConfig?.defaults ?? {};
    expect(custom?.thresholdsStyle?.mode).toBe("dashed");
    expect(thresholds?.steps.map(({ value }) => value)).toEqual([null, limits.get(stage)]);
    return [stage];
  });
  expect(shown).toEqual(STAGES);
});

const NOW = "[$__rate_interval]";
/** The same at the time that the viewer chooses. */
const EARLIER = `${NOW} offset $before`;

test("what a turn waits for is shown beside what it was at an ordinary time, as a dashed line", async () => {
  const all = await panels();
  const compared = all.filter(({ title }) =>
    /^(?:Heard|Stage \d: \w+|The models themselves|Functions of customers)$/.test(title),
  );
  expect(compared).toHaveLength(STAGES.length + 3);
  for (const { title, targets = [], fieldConfig } of compared) {
    const [earlier, ...others] = targets.filter(({ expr }) => expr.includes(EARLIER));
    expect(others, title).toEqual([]);
    expect(targets.map(({ expr }) => expr)).toContain(earlier?.expr.replace(EARLIER, NOW));
    expect(earlier?.legendFormat).toMatch(/, \$before before$/);
    const [dashed] = fieldConfig?.overrides ?? [];
    expect(dashed?.matcher).toEqual({ id: "byRegexp", options: "/ before$/" });
    expect(dashed?.properties.map(({ id }) => id)).toContain("custom.lineStyle");
  }
  const grown = all.find(({ title }) => title === "Which stage has grown");
  expect(grown?.targets?.[0]?.expr.split(EARLIER)).toHaveLength(3);
});

test("each part that an answer waits for has a rule that names it", async () => {
  const expressions = (await rules()).map(({ expr }) => expr);
  for (const part of ['{stage="transcript"}', '{stage="synthesizer"}', "model_first_token", "function_seconds"])
    expect(
      expressions.filter((expr) => expr.includes(part)),
      part,
    ).toHaveLength(1);
});

test("the dashboard is one that Grafana can draw: every panel has an id, a place that no other has, and a source", async () => {
  const all = await panels();
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  const taken = new Map<string, string>();
  for (const { title, type, gridPos, datasource, targets = [], fieldConfig } of all) {
    expect(gridPos.x + gridPos.w, title).toBeLessThanOrEqual(24);
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++)
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
        expect(taken.get(`${x} ${y}`), title).toBeUndefined();
        taken.set(`${x} ${y}`, title);
      }
    if (type === "row") continue;
    expect(type).toBe("timeseries");
    expect(datasource?.type, title).toBe("prometheus");
    expect(targets.length, title).toBeGreaterThan(0);
    expect(fieldConfig?.defaults.unit, title).toBeTruthy();
  }
});

test("every panel says in words what it shows", async () => {
  for (const { title, type, description } of await panels())
    if (type !== "row") expect(description ?? "", title).toMatch(/^\S.{20,}\.$/su);
});

test("every metric and label that an alert rule asks for exists, and every rule says what to do", async () => {
  const all = await rules();
  expect(all.length).toBeGreaterThan(10);
  expect(all.flatMap(({ expr }) => faultsOf(expr))).toEqual([]);
  for (const { alert, labels, annotations } of all) {
    expect(["page", "warn"], alert).toContain(labels.severity);
    expect(annotations["summary"], alert).toBeTruthy();
    expect(annotations["action"], alert).toBeTruthy();
  }
});

test("panels that rules point to are there", async () => {
  const titles = new Set((await panels()).map(({ title }) => title));
  const named = (await rules()).flatMap(({ annotations }) =>
    [...(annotations["action"] ?? "").matchAll(/panel ([A-Z][a-z \d:]+?)(?: names| and|[.;,])/g)].map(
      ([, title = ""]) => title,
    ),
  );
  expect(named.length).toBeGreaterThan(2);
  const missing = named.filter((title) => ![...titles].some((one) => one.startsWith(title)));
  expect(missing).toEqual([]);
});

test("what asks for a metric that does not exist, or counts without a rate, is found", () => {
  expect(faultsOf("sum(call_engine_calls)")).not.toEqual([]);
  expect(faultsOf('rate(call_engine_turns_total{why="x"}[5m])')).not.toEqual([]);
  expect(faultsOf("sum(call_engine_turns_total)")).not.toEqual([]);
  expect(faultsOf("sum(rate(call_engine_turns_total[5m])")).not.toEqual([]);
  expect(faultsOf("sum by (reason) (rate(call_engine_turns_total[5m]))")).toEqual([]);
});
