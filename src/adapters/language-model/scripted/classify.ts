import { CUES } from "./cues.ts";
import { EXAMPLES, type Intent } from "./intents.ts";

/** A text as a point; the nearer two points, the nearer what the texts mean. Length 1. */
export type Meaning = Float32Array;

/** The meanings of all examples, by intent. */
export type ExampleMeanings = ReadonlyMap<Intent, readonly Meaning[]>;

export type Judgement = Readonly<{
  /** `undefined`: nothing was near enough. */
  intent: Intent | undefined;
  /** From 0, about 1 for a sentence from the examples; cues add to it. */
  score: number;
}>;

export const INTENTS = Object.keys(EXAMPLES) as readonly Intent[];

/** Judges below this are guesses: a question put another way costs the caller less than a wrong answer. */
const CERTAIN = 0.62;

/** What cannot be taken back, and scraps of sentences ("I want to"), need more than a likeness, unless a cue is there. */
const CERTAIN_ALONE = 0.75;
const DRASTIC: ReadonlySet<Intent> = new Set(["cancel", "goodbye", "never-mind"]);
const SCRAP_WORDS = 3;

/** The best intent has to lead the next one by this. */
const LEAD = 0.02;

/** What a first and a further cue add; the first alone with a lukewarm meaning is enough. */
const FIRST_CUE = 0.3;
const NEXT_CUE = 0.1;

/**
 * What a normalized transcript means, by its cues and by its nearness to the examples. Without a meaning (the engine is late or
 * gone) cues alone decide.
 */
export const classify = (text: string, meaning: Meaning | undefined, examples: ExampleMeanings): Judgement => {
  const ranked = INTENTS.map((intent) => ({ intent, score: scoreOf(intent, text, meaning, examples) })).toSorted(
    (a, b) => b.score - a.score,
  );
  const [best, next] = ranked;
  if (best === undefined || best.intent === "other") return { intent: undefined, score: best?.score ?? 0 };
  const isRisky = DRASTIC.has(best.intent) || text.split(" ").length <= SCRAP_WORDS;
  const needed = isRisky && countCues(best.intent, text) === 0 ? CERTAIN_ALONE : CERTAIN;
  const certain = best.score >= needed && best.score - (next?.score ?? 0) >= LEAD;
  return { intent: certain ? best.intent : undefined, score: best.score };
};

const scoreOf = (intent: Intent, text: string, meaning: Meaning | undefined, examples: ExampleMeanings): number => {
  const cues = isOutdone(intent, text) ? 0 : countCues(intent, text);
  const hint = cues === 0 ? 0 : FIRST_CUE + (cues - 1) * NEXT_CUE;
  // Without a meaning a cue stands for a lukewarm one.
  return hint + (meaning === undefined ? Math.min(cues, 1) * 0.4 : nearness(meaning, examples.get(intent) ?? []));
};

const countCues = (intent: Intent, text: string): number => CUES[intent].filter((cue) => cue.test(text)).length;

/**
 * Whose cues count for nothing beside those of others: who moves or cancels an appointment speaks of an appointment too,
 * "never mind, bye" is a goodbye, and thanks, greetings and asking for patience come along with everything.
 */
const isOutdone = (intent: Intent, text: string): boolean => {
  if (intent === "book") return countCues("move", text) + countCues("cancel", text) > 0;
  if (intent === "never-mind") return countCues("goodbye", text) > 0;
  if (intent !== "thanks" && intent !== "how-are-you") return false;
  return INTENTS.some((other) => other !== "thanks" && other !== "how-are-you" && countCues(other, text) > 0);
};

/** Mostly the nearest example, a little of the second, so that one odd example does not decide. */
const nearness = (meaning: Meaning, examples: readonly Meaning[]): number => {
  let first = 0;
  let second = 0;
  for (const example of examples) {
    const cosine = dot(meaning, example);
    if (cosine > first) {
      second = first;
      first = cosine;
    } else if (cosine > second) second = cosine;
  }
  return 0.75 * first + 0.25 * second;
};

const dot = (a: Meaning, b: Meaning): number => {
  let sum = 0;
  for (let index = 0; index < a.length; index++) sum += (a[index] ?? 0) * (b[index] ?? 0);
  return sum;
};
