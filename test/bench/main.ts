const BENCHES: ReadonlyMap<string, () => Promise<Readonly<{ run(args: readonly string[]): Promise<void> }>>> = new Map([
  ["api", () => import("./api/api.ts")],
  ["barge-in", () => import("./barge-in/barge-in.ts")],
  ["engine", () => import("./engine/suite.ts")],
  ["faults", () => import("./faults/faults.ts")],
  ["browsers", () => import("./browsers/browsers.ts")],
  ["first-sound", () => import("./first-sound/first-sound.ts")],
  ["flame", () => import("./flame/flame.ts")],
  ["frames", () => import("./frames/frames.ts")],
  ["sip", () => import("./sip/sip.ts")],
  ["soak", () => import("./soak/soak.ts")],
  ["turns", () => import("./turns/turns.ts")],
  ["vendors", () => import("./vendors/vendors.ts")],
  ["webhooks", () => import("./webhooks/webhooks.ts")],
]);

const given = process.argv.slice(2);
// Without a name it is the whole suite.
const [name = "", ...args] = given[0] === undefined || given[0].startsWith("--") ? ["engine", ...given] : given;
const bench = BENCHES.get(name);
if (bench === undefined) {
  console.error(`usage: npm run bench -- [${[...BENCHES.keys()].join(" | ")}]`);
  process.exitCode = 2;
} else await (await bench()).run(args);
