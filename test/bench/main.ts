const BENCHES: ReadonlyMap<string, () => Promise<Readonly<{ run(args: readonly string[]): Promise<void> }>>> = new Map([
  ["api", () => import("./api/api.ts")],
  ["faults", () => import("./faults/faults.ts")],
  ["frames", () => import("./frames/frames.ts")],
  ["sip", () => import("./sip/sip.ts")],
  ["transcribers", () => import("./transcribers/transcribers.ts")],
  ["soak", () => import("./soak/soak.ts")],
  ["turns", () => import("./turns/turns.ts")],
]);

const [name = "", ...args] = process.argv.slice(2);
const bench = BENCHES.get(name);
if (bench === undefined) {
  console.error(`usage: npm run bench -- ${[...BENCHES.keys()].join(" | ")}`);
  process.exitCode = 2;
} else await (await bench()).run(args);
