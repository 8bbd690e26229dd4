import type { Caller } from "../../src/adapters/carrier/simulation/caller.ts";
import type { LoopbackNumber } from "../../src/adapters/carrier/simulation/numbers.ts";
import { decodeMulaw } from "../../src/audio/g711.ts";
import { FRAME_MS } from "../../src/model/audio.ts";
import { sayBytes } from "../kit/vendors/spoken-bytes.ts";

/** Somebody who is rung, and what they did. */
export type Person = Readonly<{
  number: LoopbackNumber;
  caller: Caller;
  /** They hung up by themselves. */
  hungUp: () => boolean;
  /** Every word that they said to its end, in order. */
  said: readonly string[];
}>;

/** Who answers: draws of a seed, each 0 to 1. */
export type People = (draw: () => number) => Person;

/** Most answer, say nothing, and hang up after a while, or wait until somebody else does; others are busy, decline or never pick up. */
export const allKinds: People = (draw) => {
  const kind = draw();
  const ringMs = 100 + draw() * 2_500;
  const talkMs = draw() < 0.15 ? 12_000 : 500 + draw() * 5_000;
  let outcome: LoopbackNumber["outcome"] = "answer";
  if (kind < 0.12) outcome = "busy";
  else if (kind < 0.17) outcome = "declined";
  else if (kind < 0.2) outcome = "failed";
  else if (kind < 0.23) outcome = "answer-without-media";
  let heardMs = 0;
  const caller: Caller = {
    next: () => {
      heardMs += FRAME_MS;
      return heardMs >= talkMs ? { hangUp: true } : {};
    },
  };
  return {
    number: numberOf(kind > 0.95 ? 1e9 : ringMs, outcome),
    caller,
    hungUp: () => outcome === "answer" && heardMs >= talkMs,
    said: [],
  };
};

/** Everybody answers, says a word every six seconds or so, and hangs up by themselves after `talkMs` and up to half as much again. */
export const talkers =
  (talkMs: number): People =>
  (draw) => {
    const untilMs = talkMs * (1 + draw() / 2);
    const everyMs = 5_000 + draw() * 2_000;
    const said: string[] = [];
    let [atMs, wordAtMs, hungUp] = [0, 2_000 + draw() * 2_000, false];
    let word = "";
    let sound: Int16Array = new Int16Array(0);
    const caller: Caller = {
      next: () => {
        atMs += FRAME_MS;
        if (atMs >= untilMs && sound.length === 0) {
          hungUp = true;
          return { hangUp: true };
        }
        // Nobody ends a call on a word of their own: there is time for it to be written.
        if (sound.length === 0 && atMs >= wordAtMs && atMs < untilMs - LAST_WORD_MS) {
          word = NUMBERS[Math.floor(draw() * NUMBERS.length)] as string;
          sound = decodeMulaw(sayBytes(word));
          wordAtMs = atMs + everyMs;
        }
        if (sound.length === 0) return {};
        const samples = sound.subarray(0, FRAME_SAMPLES);
        sound = sound.subarray(FRAME_SAMPLES);
        if (sound.length === 0) said.push(word);
        return { samples };
      },
    };
    return { number: numberOf(100 + draw() * 1_500, "answer"), caller, hungUp: () => hungUp, said };
  };

const NUMBERS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"] as const;
const FRAME_SAMPLES = FRAME_MS * 8;
const LAST_WORD_MS = 4_000;

const numberOf = (ringMs: number, outcome: LoopbackNumber["outcome"]): LoopbackNumber => ({
  what: "a person",
  place: "accepted",
  ringMs,
  outcome,
  caller: "conversation",
});
