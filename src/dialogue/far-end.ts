import type { Exchange } from "./dialogue.ts";
import { FURTHER_IVR_CUES, SCRIPT_IVR_CUES } from "./far-end-cues-further.ts";
import { HUMAN_CUES, IVR_CUES, WEAK_HUMAN_CUES } from "./far-end-cues.ts";
import { plainWords } from "./plain-words.ts";

/** Who speaks at the other end: a person, or an interactive voice response, the automated menu of a company. */
export type FarEnd = "human" | "ivr";

/**
 * Who says such words. What comes last counts, because a menu that connects to a person and the person may share a turn. `unknown` for
 * words that either may say: a name, a number, "one moment".
 */
export const classifyWords = (text: string): FarEnd | "unknown" => {
  const words = plainWords(text);
  const machine = later(lastMatch(IVR_CUES, words), lastMatch(FURTHER_MACHINE, words)) ?? inScript(words);
  const person = lastMatch(HUMAN_CUES, words);
  // "If this is correct, press one": what lies within a machine's words is no person's.
  if (machine !== undefined) return person !== undefined && person.from >= machine.until ? "human" : "ivr";
  if (person !== undefined || lastMatch(WEAK_HUMAN_CUES, words) !== undefined) return "human";
  return isMonologue(words) ? "ivr" : "unknown";
};

/** Who is at the other end after all that was said. Words that either may say change nothing; the first ones are a person's. */
export const farEndOf = (history: readonly Exchange[]): FarEnd => farEndsOf(history).at(-1) ?? "human";

/** What of a history was said to or by a person; the moves of a flow are kept, and a note stands for what a menu said. */
export const withoutMachine = (history: readonly Exchange[]): readonly Exchange[] => {
  const ends = farEndsOf(history);
  return history.flatMap((exchange, index): readonly Exchange[] => {
    const before = ends[index - 1] ?? ends[0];
    const notes = before === "ivr" && ends[index] === "human" ? [PERSON_ANSWERED] : [];
    return ends[index] === "human" || exchange.speaker === "flow" ? [...notes, exchange] : [];
  });
};

const PERSON_ANSWERED: Exchange = {
  speaker: "event",
  text: "An automated menu was on the line, and has connected you to a person, who has heard nothing of you yet. Open the conversation with them.",
};

/** Who is there at each exchange. What the agent says before anybody else did, it says to whoever speaks then. */
const farEndsOf = (history: readonly Exchange[]): readonly FarEnd[] => {
  let now: FarEnd = "human";
  const said = new Set<string>();
  const ends: FarEnd[] = [];
  for (const exchange of history) {
    if (exchange.speaker === "caller") {
      const words = plainWords(exchange.text);
      const repeats = said.has(words) && words.split(" ").length >= REPEATED_WORDS;
      const found = classifyWords(exchange.text);
      if (found !== "unknown") now = found;
      else if (repeats) now = "ivr";
      if (said.size === 0) ends.fill(now);
      said.add(words);
    }
    ends.push(now);
  }
  return ends;
};

const FURTHER_MACHINE = new RegExp(`(?<![\\p{L}\\p{N}])(?:${FURTHER_IVR_CUES.join("|")})(?![\\p{L}\\p{N}])`, "gu");

const MACHINE_IN_SCRIPT = new RegExp(SCRIPT_IVR_CUES.join("|").normalize("NFKD").replaceAll(/\p{M}/gu, ""), "u");

/** Languages that set no blanks; nobody who says such words says others behind them that count. */
const inScript = (words: string): Match | undefined =>
  MACHINE_IN_SCRIPT.test(words.replaceAll(" ", "")) ? { from: 0, until: words.length } : undefined;

type Match = Readonly<{ from: number; until: number }>;

const later = (one: Match | undefined, other: Match | undefined): Match | undefined =>
  (one?.until ?? -1) >= (other?.until ?? -1) ? one : other;

const lastMatch = (cues: RegExp, words: string): Match | undefined => {
  let last: RegExpExecArray | undefined;
  for (const match of words.matchAll(cues)) last = match;
  return last === undefined ? undefined : { from: last.index, until: last.index + last[0].length };
};

/** Nobody who answers a phone speaks so long without saying "I" or asking anything. */
const isMonologue = (words: string): boolean =>
  words.split(" ").length >= MONOLOGUE_WORDS && !/\b(?:i|im|ive|ill|ich|yo|je)\b/u.test(words);

const MONOLOGUE_WORDS = 60;

/** People repeat short things word for word, menus long ones. */
const REPEATED_WORDS = 6;
