import type { Cue } from "./cue.ts";

/**
 * Something is being dictated that nobody says in one breath, and it has not come to its end. Recognizers stumble over single
 * digits and letters, so words that are neither are more likely misheard than an answer, unless they plainly are one.
 */
export const dictation: Cue = ({ words, expected, lists }) => {
  if (expected.type !== "digits" && expected.type !== "spelling") return undefined;
  const [first = "", second = ""] = words;
  const answers = lists.answers.has(first) || lists.stops.has(first);
  // Other recognizers stumble less, and who says more than a word or two says something else.
  if (lists.language !== "en")
    return answers || words.length > MOST_MISHEARD ? undefined : { form: expected.type, completeness: 0.25 };
  const refuses = /^(?:i|i'm|i'd|we|why|what|can|could|do|is|which|where|my|it's|it|don't)$/u.test(first);
  const leadIn = /^(?:it|it's|my|is|yes|sure|okay|yeah)$/u.test(first) && /\d|^(?:is|it|number|it's)$/u.test(second);
  if ((answers || refuses) && !leadIn) return undefined;
  return { form: expected.type, completeness: 0.25 };
};

const MOST_MISHEARD = 2;
