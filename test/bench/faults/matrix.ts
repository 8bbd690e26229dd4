import { FAULTS, STAGES, type Fault, type Stage } from "./faults-there-are.ts";
import { faultyCall } from "./faulty-call.ts";
import type { Verdict } from "./judge.ts";
import { WORDS } from "./spoken-lines.ts";

/** What callers may have to bear: the longest silence, in milliseconds. */
export const MOST_DEAD_AIR_MS = 2500;

/** The calls of one fault at one stage. */
export type Cell = Readonly<{
  stage: Stage;
  fault: Fault;
  calls: number;
  survived: number;
  longestDeadAirMs: number;
  fallbacks: number;
  /** Share of the agent's words that were never heard, 0 to 1. */
  lost: number;
  /** Seeds of calls in which something went wrong, and what. */
  wrong: readonly Readonly<{ seed: number; what: string }>[];
}>;

const AT_A_TIME = 20;

/** Runs `calls` calls of every fault at every stage; the seeds count from `firstSeed` in each cell. */
export async function* runMatrix(
  calls: number,
  firstSeed: number,
  stages: readonly Stage[] = STAGES,
): AsyncGenerator<Cell> {
  for (const stage of stages)
    for (const fault of FAULTS) {
      const verdicts: (Verdict & { seed: number })[] = [];
      for (let from = 0; from < calls; from += AT_A_TIME)
        verdicts.push(
          ...(await Promise.all(
            Array.from({ length: Math.min(AT_A_TIME, calls - from) }, async (_, index) => {
              const seed = firstSeed + from + index;
              return { ...(await faultyCall(stage, fault, seed)), seed };
            }),
          )),
        );
      yield {
        stage,
        fault,
        calls,
        survived: verdicts.filter(({ survived }) => survived).length,
        longestDeadAirMs: Math.max(...verdicts.map(({ deadAirMs }) => deadAirMs)),
        fallbacks: verdicts.reduce((sum, { fallbacks }) => sum + fallbacks, 0),
        lost: verdicts.reduce((sum, { lost }) => sum + lost, 0) / (WORDS * calls),
        wrong: verdicts.flatMap((verdict) => {
          const what = whatIsWrong(verdict);
          return what === "" ? [] : [{ seed: verdict.seed, what }];
        }),
      };
    }
}

const whatIsWrong = ({ survived, deadAirMs, twice, functions, unseen, left, end }: Verdict): string =>
  [
    survived ? "" : `ended by ${end}`,
    deadAirMs > MOST_DEAD_AIR_MS ? `${Math.round(deadAirMs)} ms of dead air` : "",
    twice.length > 0 ? `said twice: ${twice.join(" ")}` : "",
    functions > 1 ? `the function ran ${functions} times` : "",
    unseen > 0 ? `${unseen} takeovers not both counted and in a turn` : "",
    left > 0 ? `${left} timers left` : "",
  ]
    .filter((what) => what !== "")
    .join(", ");
