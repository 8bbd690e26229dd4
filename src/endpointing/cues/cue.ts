import type { ExpectedAnswer } from "../expected-answer.ts";
import type { TurnWords } from "../languages/word-lists.ts";

/** The words of a turn so far, as the cues look at them. */
export type TurnText = Readonly<{
  text: string;
  /** Lower case, without punctuation. */
  words: readonly string[];
  lists: TurnWords;
  expected: ExpectedAnswer;
}>;

/** What the words of a turn look like at their end. */
export type TurnForm =
  | "nothing"
  | "hesitation"
  | "function-word"
  | "holding"
  | "digits"
  | "spelling"
  | "mail-address"
  | "date-time"
  | "list"
  | "fragment"
  | "question"
  | "answer"
  | "statement";

/** `completeness` from 0, surely goes on, to 1, surely over. */
export type CueVerdict = Readonly<{ form: TurnForm; completeness: number }>;

/** Looks at one kind of form; `undefined` when the words are not of it. */
export type Cue = (turn: TurnText) => CueVerdict | undefined;
