import { type Edge, type Module, type Tree, readModules, standsAt } from "./module-graph.ts";

export type Violation = Readonly<{ rule: RuleName; where: string; what: string }>;

export type Inspection = Readonly<{
  modules: number;
  edges: number;
  pureModules: number;
  violations: readonly Violation[];
}>;

export type RuleName =
  | "known layer"
  | "imports point inwards"
  | "only the composition root knows adapters"
  | "adapters do not know one another"
  | "inner layers need no packages"
  | "every import leads to a file"
  | "no cycles"
  | "the step is pure"
  | "time and chance come from ports"
  | "signals are linked by scopes"
  | "at most 300 lines"
  | "files are named for what they hold";

/** Checks every module of the tree against the rules of the layers. */
export const inspect = (tree: Tree): Inspection => {
  const modules = readModules(tree);
  const all = [...modules.values()];
  const pure = modulesOfTheStep(modules);
  const perEdge = (check: (edge: Edge) => readonly Violation[]) => all.flatMap((module) => module.edges.flatMap(check));
  return {
    modules: all.length,
    edges: all.reduce((sum, module) => sum + module.edges.length, 0),
    pureModules: pure.length,
    violations: [
      ...all.flatMap((module) => checkFile(module)),
      ...perEdge((edge) => checkTarget(edge, modules)),
      ...perEdge((edge) => checkDirection(edge)),
      ...perEdge((edge) => checkAdapters(edge, modules)),
      ...perEdge((edge) => checkPackages(edge)),
      ...all.flatMap((module) => checkWords(module)),
      ...pure.flatMap((module) => checkPurity(module)),
      ...findCycles(modules),
    ],
  };
};

/** What each layer may import besides itself. Files directly in src/ and the folders of `edges` below may import all. */
const inward: Readonly<Record<string, readonly string[]>> = {
  model: [],
  kit: ["ports"],
  ports: ["model", "kit"],
  audio: ["model", "ports", "kit"],
  endpointing: ["model", "ports", "kit", "audio"],
  dialogue: ["model", "ports", "kit"],
  call: ["model", "ports", "kit", "audio", "endpointing", "dialogue"],
  dials: ["model", "ports", "kit", "dialogue", "call"],
  catalogue: ["model", "ports", "kit", "audio", "dialogue", "dials"],
  api: ["model", "ports", "kit", "audio", "endpointing", "dialogue", "call", "dials", "catalogue"],
  worker: ["model", "ports", "kit", "audio", "endpointing", "dialogue", "call", "dials", "grpc"],
  chat: ["model", "ports", "kit", "audio", "endpointing", "dialogue", "call", "dials"],
  // What speaks gRPC, for the adapters of model servers, for those who serve them and for processes among themselves.
  grpc: ["model", "ports", "kit"],
  "model-server": ["model", "ports", "kit", "audio", "grpc"],
  adapters: ["model", "ports", "kit", "audio", "grpc"],
  // It is built for programs that have nothing else of ours.
  client: [],
  // It runs in pages.
  browser: ["client"],
};
const outermost = new Set(["root", "app", "cli", "demo", "console"]);

/** The inner layers name the packages that they may use: schemas, how a value prints itself, and what an IP address is. */
const packages: Readonly<Record<string, readonly RegExp[]>> = {
  model: [/^typebox(\/|$)/],
  kit: [/^node:(util|net)$/],
  ports: [/^typebox$/],
  endpointing: [],
  client: [],
  browser: [],
};

/** `src/model/dial.ts` → `model`; a file directly in src/ → `root`; elsewhere nothing. */
const layerOf = (path: string): string | undefined => {
  const [top, second, third] = path.split("/");
  if (top !== "src" || second === undefined) return undefined;
  return third === undefined && second.endsWith(".ts") ? "root" : second;
};

/** `src/adapters/vad/silero/worker.ts` and `src/adapters/vad/silero.ts` → port `vad`, unit `vad/silero`. */
const adapterOf = (path: string): { port: string; unit: string } | undefined => {
  const [top, second, port, unit] = path.split("/");
  if (top !== "src" || second !== "adapters" || port === undefined || unit === undefined) return undefined;
  return { port, unit: `${port}/${unit.replace(/\.ts$/, "")}` };
};

/** Written by a program for the reading of programs and editors. */
const GENERATED = "src/client/operations.ts";

/** The only files that read the machine's clocks and throw its dice; the client runs in programs that have no ports. */
const MACHINE = /^src\/(adapters\/(clock|random)\/|client\/machine\.ts$|browser\/page-time\.ts$)/;

const at = (edge: Edge): string => `${edge.from}:${edge.line}`;

const checkFile = ({ path, lines }: Module): readonly Violation[] => {
  const layer = layerOf(path) ?? "";
  const file = path.split("/").at(-1) ?? path;
  return [
    ...(inward[layer] === undefined && !outermost.has(layer)
      ? [{ rule: "known layer", where: path, what: `no layer is called ${layer}` } as const]
      : []),
    ...(lines > 300 && path !== GENERATED
      ? [{ rule: "at most 300 lines", where: path, what: `it has ${lines}` } as const]
      : []),
    ...(/^(utils?|helpers?|common|types|interfaces|misc|shared)\.ts$/.test(file)
      ? [{ rule: "files are named for what they hold", where: path, what: `${file} says nothing` } as const]
      : []),
  ];
};

const checkTarget = (edge: Edge, modules: ReadonlyMap<string, Module>): readonly Violation[] =>
  edge.kind === "file" &&
  edge.to.endsWith(".ts") &&
  !modules.has(edge.to) &&
  !modules.has(edge.to.replace(/\.ts$/, ".d.ts"))
    ? [{ rule: "every import leads to a file", where: at(edge), what: `there is no ${edge.to}` }]
    : [];

const checkDirection = (edge: Edge): readonly Violation[] => {
  const from = layerOf(edge.from);
  const to = layerOf(edge.to);
  if (edge.kind === "package" || from === undefined || to === undefined || to === "adapters") return [];
  if (from === to || outermost.has(from) || (inward[from] ?? []).includes(to)) return [];
  return [{ rule: "imports point inwards", where: at(edge), what: `${from} may not import ${to} (${edge.to})` }];
};

const checkAdapters = (edge: Edge, modules: ReadonlyMap<string, Module>): readonly Violation[] => {
  if (edge.kind === "package" || layerOf(edge.to) !== "adapters") return [];
  const from = adapterOf(edge.from);
  if (from === undefined) {
    const knows = /^src\/(app|registry)(\.ts$|\/)/.test(edge.from);
    return knows
      ? []
      : [{ rule: "only the composition root knows adapters", where: at(edge), what: `it imports ${edge.to}` }];
  }
  const to = adapterOf(edge.to);
  const sibling = to?.port === from.port && (to.unit === from.unit || !isProvider(to.unit, modules));
  return sibling
    ? []
    : [{ rule: "adapters do not know one another", where: at(edge), what: `${from.unit} imports ${edge.to}` }];
};

/** Whether one of the unit's files is a provider of its own, to be found by the registry. */
const isProvider = (unit: string, modules: ReadonlyMap<string, Module>): boolean =>
  [...modules.values()].some(
    ({ path, tokens }) =>
      adapterOf(path)?.unit === unit && tokens.some((_, index) => standsAt(tokens, index, ["export", "default"])),
  );

const checkPackages = (edge: Edge): readonly Violation[] => {
  const layer = layerOf(edge.from);
  const allowed = layer === undefined ? undefined : packages[layer];
  if (edge.kind !== "package" || allowed === undefined || allowed.some((pattern) => pattern.test(edge.to))) return [];
  return [{ rule: "inner layers need no packages", where: at(edge), what: `${layer} may not import ${edge.to}` }];
};

const clocks = [
  ["Date", ".", "now"],
  ["new", "Date", "(", ")"],
  ["Math", ".", "random"],
  ["performance", ".", "now"],
  ["process", ".", "hrtime"],
  ["setTimeout", "("],
  ["setInterval", "("],
  ["randomUUID"],
  ["randomBytes"],
  ["randomInt"],
  ["getRandomValues"],
] as const;

const composites = [
  ["AbortSignal", ".", "any"],
  ["AbortSignal", ".", "timeout"],
] as const;

const checkWords = ({ path, tokens, edges }: Module): readonly Violation[] => {
  if (MACHINE.test(path)) return [];
  const violations: Violation[] = edges
    .filter(({ to }) => /^(node:)?timers(\/promises)?$/.test(to))
    .map((edge) => ({ rule: "time and chance come from ports", where: at(edge), what: edge.to }));
  for (const [index, { line, text }] of tokens.entries()) {
    const where = `${path}:${line}`;
    const clock = clocks.find((sequence) => standsAt(tokens, index, sequence));
    if (clock !== undefined) violations.push({ rule: "time and chance come from ports", where, what: clock.join("") });
    const composite = composites.find((sequence) => standsAt(tokens, index, sequence));
    if (composite !== undefined)
      violations.push({ rule: "signals are linked by scopes", where, what: `${text}.${composite[2]}` });
  }
  return violations;
};

/** The step and the modules of its own layers that it runs. */
const modulesOfTheStep = (modules: ReadonlyMap<string, Module>): readonly Module[] => {
  const found = new Map<string, Module>();
  const visit = (path: string): void => {
    const module = modules.get(path);
    if (module === undefined || found.has(path)) return;
    found.set(path, module);
    for (const edge of module.edges) if (!edge.typeOnly && layerOf(edge.to) !== "model") visit(edge.to);
  };
  visit("src/call/step.ts");
  return [...found.values()];
};

const checkPurity = ({ path, tokens, edges }: Module): readonly Violation[] => [
  ...edges
    .filter(
      (edge) =>
        edge.kind === "package" ||
        (!edge.typeOnly && !["call", "endpointing", "model"].includes(layerOf(edge.to) ?? "")),
    )
    .map((edge) => ({ rule: "the step is pure", where: at(edge), what: `it imports ${edge.to}` }) as const),
  ...tokens
    .filter(({ kind, text }) => kind === "word" && /^(async|await|Promise|console|process|globalThis)$/.test(text))
    .map(({ line, text }) => ({ rule: "the step is pure", where: `${path}:${line}`, what: text }) as const),
];

/** One violation for each import that closes a circle. */
const findCycles = (modules: ReadonlyMap<string, Module>): readonly Violation[] => {
  const violations: Violation[] = [];
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) {
      const circle = [...trail.slice(trail.indexOf(path)), path];
      violations.push({ rule: "no cycles", where: path, what: circle.join(" → ") });
      return;
    }
    if (done.has(path)) return;
    for (const edge of modules.get(path)?.edges ?? []) if (modules.has(edge.to)) visit(edge.to, [...trail, path]);
    done.add(path);
  };
  for (const path of modules.keys()) visit(path, []);
  return violations;
};
