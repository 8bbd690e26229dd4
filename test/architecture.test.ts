import { globSync, readFileSync } from "node:fs";
import { join, resolve, sep } from "node:path";
import { describe, expect, test } from "vitest";
import { readModules } from "./architecture/module-graph.ts";
import { type RuleName, inspect } from "./architecture/rules.ts";
import { tokenize } from "./architecture/tokens.ts";

const root = resolve(import.meta.dirname, "..");

const readSources = (): Map<string, string> =>
  new Map(
    globSync("src/**/*.ts", { cwd: root }).map((path) => [
      path.split(sep).join("/"),
      readFileSync(join(root, path), "utf8"),
    ]),
  );

test("the sources keep the rules of the layers", () => {
  const { violations, modules, edges, pureModules } = inspect(readSources());
  expect(violations.map(({ rule, where, what }) => `${where}: ${rule}: ${what}`)).toEqual([]);
  // Far below what is there, far above what a scan of the wrong folder finds.
  expect(modules).toBeGreaterThan(90);
  expect(edges).toBeGreaterThan(250);
  expect(pureModules).toBeGreaterThan(3);
});

/** A small tree that keeps every rule. */
const soundTree = {
  "src/main.ts": 'import { app } from "./app.ts"; app();',
  "src/app.ts":
    'import clock from "./adapters/clock/system.ts"; import { run } from "./worker/run.ts"; export const app = () => run(clock);',
  "src/registry.ts":
    "export const load = (name: string) => import(new URL(`./adapters/${name}.ts`, import.meta.url).href);",
  "src/model/dial.ts": 'import { Type } from "typebox"; export const Dial = Type.Object({});',
  "src/ports/clock.ts": "export interface Clock { now(): number }",
  "src/kit/backoff.ts":
    'import type { Clock } from "../ports/clock.ts"; export const wait = (clock: Clock) => clock.now();',
  "src/endpointing/policy.ts": "export const policy = 1;",
  "src/call/state.ts": "export type State = { dials: number };",
  "src/call/step.ts":
    'import { policy } from "../endpointing/policy.ts"; import type { State } from "./state.ts"; export const step = (state: State) => policy + state.dials;',
  "src/call/run-call.ts": 'import { step } from "./step.ts"; export const runCall = async () => step({ dials: 1 });',
  "src/dials/create.ts": 'import { Dial } from "../model/dial.ts"; export const create = Dial;',
  "src/worker/run.ts": 'export { runCall as run } from "../call/run-call.ts";',
  "src/api/server.ts": 'import { create } from "../dials/create.ts"; export const server = create;',
  "src/adapters/clock/system.ts": "export default { now: () => Date.now() };",
  "src/adapters/vad/acme.ts": 'export default { worker: new URL("./acme/worker.ts", import.meta.url) };',
  "src/adapters/vad/acme/worker.ts": 'import { frame } from "../framing/frame.ts"; frame();',
  "src/adapters/vad/framing/frame.ts": "export const frame = () => 1;",
  "src/adapters/vad/beta.ts": "export default {};",
};

type Planted = readonly [rule: RuleName, path: string, source: string];

/** One tree for each way to break a rule. */
const planted: readonly Planted[] = [
  ["known layer", "src/stuff/thing.ts", "export const thing = 1;"],
  [
    "imports point inwards",
    "src/model/agent.ts",
    'import type { State } from "../call/state.ts"; export type Agent = State;',
  ],
  ["imports point inwards", "src/ports/queue.ts", 'export * from "../dials/create.ts";'],
  ["imports point inwards", "src/ports/live.ts", 'export type { State } from "../call/state.ts";'],
  ["imports point inwards", "src/kit/later.ts", 'import { Dial } from "../model/dial.ts"; export const later = Dial;'],
  ["imports point inwards", "src/audio/level.ts", 'export const level = () => import("../call/state.ts");'],
  ["imports point inwards", "src/call/extra.ts", 'export type Extra = import("../dials/create.ts").Create;'],
  ["imports point inwards", "src/client/ids.ts", 'import { Dial } from "../model/dial.ts"; export const ids = Dial;'],
  ["imports point inwards", "src/endpointing/detect.ts", 'import "../call/state.ts";'],
  ["imports point inwards", "src/dials/read.ts", 'export const page = new URL("../api/server.ts", import.meta.url);'],
  ["imports point inwards", "src/api/live.ts", 'import { run } from "../worker/run.ts"; export const live = run;'],
  [
    "imports point inwards",
    "src/worker/slots.ts",
    'import { server } from "../api/server.ts"; export const slots = server;',
  ],
  [
    "imports point inwards",
    "src/adapters/store/rows.ts",
    'import { create } from "../../dials/create.ts"; export const rows = create;',
  ],
  ["imports point inwards", "src/dialogue/prompt.ts", 'import { app } from "../app.ts"; export const prompt = app;'],
  [
    "only the composition root knows adapters",
    "src/worker/vad.ts",
    'import acme from "../adapters/vad/acme.ts"; export const vad = acme;',
  ],
  [
    "only the composition root knows adapters",
    "src/demo/main.ts",
    'const folder = new URL("../adapters/", import.meta.url);',
  ],
  [
    "adapters do not know one another",
    "src/adapters/vad/gamma.ts",
    'import beta from "./beta.ts"; export default beta;',
  ],
  ["adapters do not know one another", "src/adapters/queue/redis.ts", 'import "../vad/framing/frame.ts";'],
  [
    "inner layers need no packages",
    "src/ports/server.ts",
    'import type { FastifyInstance } from "fastify"; export type Server = FastifyInstance;',
  ],
  [
    "inner layers need no packages",
    "src/model/file.ts",
    'import { join } from "node:path"; export const file = join("a");',
  ],
  ["inner layers need no packages", "src/client/send.ts", 'import "undici";'],
  [
    "every import leads to a file",
    "src/adapters/vad/delta.ts",
    'export default new URL("./delta/worker.ts", import.meta.url);',
  ],
  [
    "no cycles",
    "src/call/state.ts",
    'import type { step } from "./step.ts"; export type State = { dials: number; step: typeof step };',
  ],
  ["the step is pure", "src/call/step.ts", "export const step = async () => 1;"],
  ["the step is pure", "src/call/step.ts", 'import { inspect } from "node:util"; export const step = inspect;'],
  ["the step is pure", "src/call/step.ts", 'import { wait } from "../kit/backoff.ts"; export const step = wait;'],
  ["the step is pure", "src/endpointing/policy.ts", "export const policy = Promise.resolve(1);"],
  ["time and chance come from ports", "src/call/now.ts", "export const now = () => Date.now();"],
  ["time and chance come from ports", "src/call/now.ts", "export const now = () => `at ${new Date().toISOString()}`;"],
  ["time and chance come from ports", "src/call/now.ts", "export const now = () => performance\n  .now();"],
  ["time and chance come from ports", "src/kit/pick.ts", "export const pick = () => /* fair */ Math.random();"],
  ["time and chance come from ports", "src/kit/wait.ts", "globalThis.setTimeout(() => undefined, 1);"],
  ["time and chance come from ports", "src/dials/id.ts", 'import { randomUUID } from "node:crypto";'],
  [
    "time and chance come from ports",
    "src/dials/wait.ts",
    'import { setTimeout as wait } from "node:timers/promises"; export const later = wait;',
  ],
  [
    "signals are linked by scopes",
    "src/worker/stop.ts",
    "export const stop = (a: AbortSignal) => AbortSignal.any([a]);",
  ],
  ["signals are linked by scopes", "src/worker/stop.ts", "export const stop = AbortSignal.timeout(1);"],
  ["at most 300 lines", "src/call/long.ts", "export {};\n".repeat(301)],
  ["files are named for what they hold", "src/call/utils.ts", "export const add = 1;"],
];

describe("a planted violation is found", () => {
  test("and nothing is found in a sound tree", () => {
    expect(inspect(new Map(Object.entries(soundTree))).violations).toEqual([]);
  });

  test.for(planted)("of: %s (%s, %#)", ([rule, path, source]) => {
    const { violations } = inspect(new Map([...Object.entries(soundTree), [path, source]]));
    expect(new Set(violations.map((violation) => violation.rule))).toEqual(new Set([rule]));
    expect(violations.some(({ where }) => where.startsWith(path) || rule === "no cycles")).toBe(true);
  });

  test("for every rule", () => {
    const rules: Readonly<Record<RuleName, true>> = {
      "known layer": true,
      "imports point inwards": true,
      "only the composition root knows adapters": true,
      "adapters do not know one another": true,
      "inner layers need no packages": true,
      "every import leads to a file": true,
      "no cycles": true,
      "the step is pure": true,
      "time and chance come from ports": true,
      "signals are linked by scopes": true,
      "at most 300 lines": true,
      "files are named for what they hold": true,
    };
    expect(new Set(planted.map(([rule]) => rule))).toEqual(new Set(Object.keys(rules)));
  });
});

describe("the scanner", () => {
  const edgesOf = (source: string) =>
    readModules(new Map([["src/call/a.ts", source]]))
      .get("src/call/a.ts")
      ?.edges.map(({ to, typeOnly }) => (typeOnly ? `type ${to}` : to));

  test("sees every form of import", () => {
    expect(
      edgesOf(`
        import a, { type B } from "./b.ts";
        import * as c from './c.ts';
        import type { D } from "./d.ts";
        import type E from "./e.ts";
        import type, { F } from "./f.ts";
        import "./g.ts";
        import { h } from "h" with { type: "json" };
        export { i } from "./i.ts";
        export * as j from "./j.ts";
        export type { K } from "./k.ts";
        const l = await import(\`./l.ts\`);
        const m = import.meta.resolve("./m.ts");
        new Worker(new URL("./n.ts", import.meta.url));
        type O = import("../o/o.ts").O;
      `),
    ).toEqual([
      "src/call/b.ts",
      "src/call/c.ts",
      "type src/call/d.ts",
      "type src/call/e.ts",
      "src/call/f.ts",
      "src/call/g.ts",
      "h",
      "src/call/i.ts",
      "src/call/j.ts",
      "type src/call/k.ts",
      "src/call/l.ts",
      "src/call/m.ts",
      "src/call/n.ts",
      "src/o/o.ts",
    ]);
  });

  test("sees none in comments, strings, templates and regular expressions", () => {
    expect(
      edgesOf(String.raw`
        // import "./a.ts";
        /* import "./b.ts"; */
        const c = 'import "./c.ts"';
        const d = ${"`"}import "./d.ts" ${"${"} { a: "}" }.a + ${"`"}nested ${"${1}"}${"`"} } import "./d.ts"${"`"};
        const e = /["'/*]import "e"/.exec(c) ?? 4 / 2 / 1;
        export { c }; const from = "./f.ts";
        export const g = 1, h = { from: "./h.ts" };
        object.import("./i.ts");
      `),
    ).toEqual([]);
  });

  test("keeps the line of each token", () => {
    expect(tokenize("/*\n\n*/ a `\n` + `${\nb}`;\nc").map(({ text, line }) => `${text.trim()}${line}`)).toEqual([
      "a3",
      "3",
      "+4",
      "b5",
      ";5",
      "c6",
    ]);
  });
});
