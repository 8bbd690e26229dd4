import type { Dial } from "../../client/client.ts";

/** What came of one call: the dial when it was over, or why there is none. */
export type Outcome =
  | Readonly<{ type: "ended"; dial: Dial; createMs: number }>
  | Readonly<{ type: "refused" | "unfinished"; createMs?: number }>;

/** Nearest-rank percentiles in milliseconds; absent where nothing was measured. */
type Spread = Readonly<{ count: number; p50: number; p95: number; p99: number; max: number }>;

export type LoadReport = Readonly<{
  calls: number;
  completed: number;
  /** Share of the calls that did not end as `completed`, 0 to 1. */
  failedShare: number;
  /** How calls ended: the dial's `endReason` (its status where it has none), `refused` by the API, or `unfinished` in time. */
  ends: Readonly<Record<string, number>>;
  turns: number;
  /** `POST /dials` until its answer. */
  createMs?: Spread;
  /** From the dial's creation until somebody answered. */
  answerMs?: Spread;
  /** From the answer until the agent's first sound. */
  firstSoundMs?: Spread;
  /** From the caller's last voiced sample until the answer was heard. */
  heardMs?: Spread;
}>;

export type Thresholds = Readonly<{ heardP95Ms?: number; answerP95Ms?: number; failedShare: number }>;

export const reportOf = (outcomes: readonly Outcome[]): LoadReport => {
  const ended = outcomes.flatMap((one) => (one.type === "ended" ? [one] : []));
  const ends: Record<string, number> = {};
  for (const one of outcomes) {
    const name = one.type === "ended" ? (one.dial.endReason ?? one.dial.status ?? "unknown") : one.type;
    ends[name] = (ends[name] ?? 0) + 1;
  }
  const completed = ended.filter(({ dial }) => dial.status === "completed").length;
  const turns = ended.flatMap(({ dial }) => dial.turns ?? []);
  const answered = turns.filter(({ endReason }) => !UNASKED.has(endReason));
  return {
    calls: outcomes.length,
    completed,
    failedShare: outcomes.length === 0 ? 0 : 1 - completed / outcomes.length,
    ends,
    turns: answered.length,
    ...spread(
      "createMs",
      outcomes.flatMap(({ createMs }) => createMs ?? []),
    ),
    ...spread(
      "answerMs",
      ended.flatMap(({ dial }) => between(dial.createdAt, dial.startedAt)),
    ),
    ...spread(
      "firstSoundMs",
      ended.flatMap(({ dial }) => firstSound(dial)),
    ),
    ...spread(
      "heardMs",
      answered.flatMap(({ heardMs }) => heardMs ?? []),
    ),
  };
};

/** What is worse than it may be, one sentence each. */
export const missed = (report: LoadReport, limits: Thresholds): readonly string[] => {
  const found: string[] = [];
  const compare = (what: string, is: number | undefined, limit: number | undefined) => {
    if (limit === undefined) return;
    if (is === undefined) found.push(`${what} could not be measured`);
    else if (is > limit) found.push(`${what} is ${rounded(is)}, more than ${limit}`);
  };
  compare("the share of calls that failed", report.failedShare, limits.failedShare);
  compare("heardMs at p95", report.heardMs?.p95, limits.heardP95Ms);
  compare("answerMs at p95", report.answerMs?.p95, limits.answerP95Ms);
  return found;
};

/** Lines for people. */
export const tableOf = (report: LoadReport): string => {
  const rows = SPREADS.flatMap((name) => {
    const one = report[name];
    return one === undefined
      ? []
      : [[name, one.count, one.p50, one.p95, one.p99, one.max].map((cell) => String(cell).padStart(12)).join("")];
  });
  const ends = Object.entries(report.ends).map(([name, count]) => `${name} ${count}`);
  return [
    `${report.completed} of ${report.calls} calls completed; ${report.turns} turns answered; ends: ${ends.join(", ")}`,
    ["ms", "count", "p50", "p95", "p99", "max"].map((cell) => cell.padStart(12)).join(""),
    ...rows,
    "",
  ].join("\n");
};

const SPREADS = ["createMs", "answerMs", "firstSoundMs", "heardMs"] as const;

/** Turns that no caller waited for. */
const UNASKED: ReadonlySet<string> = new Set(["opening", "idle", "resumed", "operator", "ended"]);

const between = (from: string | undefined, to: string | null | undefined): readonly number[] =>
  from === undefined || to === undefined || to === null ? [] : [Date.parse(to) - Date.parse(from)];

const firstSound = ({ transcript = [] }: Dial): readonly number[] => {
  const first = transcript.find(({ speaker }) => speaker === "AI");
  return first === undefined ? [] : [Math.max(0, first.startTimeMs)];
};

const spread = (name: (typeof SPREADS)[number], values: readonly number[]): Partial<Record<typeof name, Spread>> => {
  if (values.length === 0) return {};
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => rounded(sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0);
  return { [name]: { count: sorted.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) } };
};

const rounded = (value: number): number => Math.round(value * 1000) / 1000;
