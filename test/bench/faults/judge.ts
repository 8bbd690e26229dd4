import type { CallEnd } from "../../../src/model/call-end.ts";
import type { TurnRecord } from "../../../src/model/turn-record.ts";
import type { HeardSound } from "../../kit/scripted-line.ts";
import { BOOK, CALLER, wordOfSound, WORDS } from "./spoken-lines.ts";

/** What happened in a call, by the clock, at the caller's ear. */
export type Evidence = Readonly<{
  end: CallEnd | undefined;
  answeredMs: number;
  endedMs: number;
  heard: readonly HeardSound[];
  spoken: readonly Readonly<{ fromMs: number; untilMs: number }>[];
  booked: readonly string[];
  turns: readonly TurnRecord[];
  /** How often the metrics were told that a provider took over. */
  counted: number;
  /** Timers that were left running. */
  left: number;
}>;

export type Verdict = Readonly<{
  /** The agent ended it by itself, after all that was to be said. */
  survived: boolean;
  /** The longest silence of both, in milliseconds. */
  deadAirMs: number;
  /** Words of answers that sounded more than once. */
  twice: readonly string[];
  /** Words of answers that were never heard: a piece that broke off is left as it is, so that nothing is heard twice. */
  lost: number;
  /** How often the function ran. */
  functions: number;
  /** Turns that name a provider that took over. */
  fallbacks: number;
  /** How many takeovers the metrics or the turns know of and the other do not. */
  unseen: number;
  left: number;
  end: string;
}>;

export const judge = (evidence: Evidence): Verdict => {
  const { end, spoken, booked, turns, left } = evidence;
  const words = wordsHeard(evidence.heard);
  const functions = booked.filter((name) => name === BOOK).length;
  return {
    survived: end?.reason === "agent_hangup" && spoken.length === CALLER.length && functions > 0,
    deadAirMs: longestSilence(evidence),
    twice: words.filter((word, index) => words.indexOf(word) !== index),
    lost: WORDS - new Set(words).size,
    functions,
    fallbacks: turns.filter(({ fallbacks }) => fallbacks !== undefined).length,
    unseen: unseenIn(evidence),
    left,
    end: end?.reason ?? "none",
  };
};

const unseenIn = ({ turns, counted }: Evidence): number =>
  Math.abs(counted - turns.flatMap(({ fallbacks }) => fallbacks ?? []).length);

const longestSilence = ({ heard, spoken, answeredMs, endedMs }: Evidence): number => {
  const sounds = [...heard, ...spoken].toSorted((a, b) => a.fromMs - b.fromMs);
  let longest = 0;
  let quietSince = answeredMs;
  for (const { fromMs, untilMs } of sounds) {
    longest = Math.max(longest, fromMs - quietSince);
    quietSince = Math.max(quietSince, untilMs);
  }
  return Math.max(longest, endedMs - quietSince);
};

/** Runs of one byte are words; one that comes in two runs was said twice. */
const wordsHeard = (heard: readonly HeardSound[]): readonly string[] => {
  const runs: string[] = [];
  let last: string | undefined;
  for (const { payload } of heard)
    for (const byte of payload) {
      const word = wordOfSound(byte);
      if (word !== last && word !== undefined) runs.push(word);
      last = word;
    }
  return runs;
};
