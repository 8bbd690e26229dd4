import type { Cue, CueVerdict } from "./cues/cue.ts";
import { dateTime } from "./cues/date-time.ts";
import { dictation } from "./cues/dictation.ts";
import { digits } from "./cues/digits.ts";
import { formula } from "./cues/formula.ts";
import { list } from "./cues/list.ts";
import { mailAddress } from "./cues/mail-address.ts";
import { openEnd } from "./cues/open-end.ts";
import { sentence } from "./cues/sentence.ts";
import { spelling } from "./cues/spelling.ts";
import type { ExpectedAnswer } from "./expected-answer.ts";
import { turnWordsOf } from "./languages/turn-words.ts";
import { wordsIn } from "./languages/word-lists.ts";

/**
 * What a turn looks like by its words alone, and how finished. `language` is a BCP 47 tag. The first cue that knows the form
 * decides; the narrow ones come first.
 *
 * Local transcribers put a full stop behind almost everything, cut off or not, so punctuation at the end counts for nothing.
 */
export const turnForm = (text: string, expected: ExpectedAnswer = { type: "open" }, language = "en"): CueVerdict => {
  const turn = { text, words: wordsIn(text), lists: turnWordsOf(language), expected };
  for (const cue of CUES) {
    const verdict = cue(turn);
    if (verdict !== undefined) return verdict;
  }
  return { form: "statement", completeness: 0.75 };
};

const CUES: readonly Cue[] = [spelling, formula, openEnd, mailAddress, dateTime, digits, dictation, list, sentence];
