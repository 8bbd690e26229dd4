import type { Cue } from "./cue.ts";

/** The words end where something must follow: a sound of thinking, a function word, a phrase that asks for patience. */
export const openEnd: Cue = ({ text, words, lists, expected }) => {
  const last = words.at(-1);
  if (last === undefined) return { form: "nothing", completeness: 0.3 };
  if (words.length === 1 && expected.type !== "open" && lists.answers.has(last)) return undefined;
  if (lists.hesitations.has(last) && !(words.length === 1 && lists.answers.has(last)))
    return { form: "hesitation", completeness: 0.03 };
  const tail = ` ${words.join(" ")}`;
  if (lists.language === "en" && POLITE_BEGINNING.test(words.join(" ")))
    return { form: "function-word", completeness: 0.05 };
  if (lists.openPhrases.some((phrase) => tail.endsWith(` ${phrase}`))) return { form: "holding", completeness: 0.05 };
  const bare = text.toLowerCase().replace(/[\p{P}\s]+$/u, "");
  if (lists.closedEnd?.test(bare) === true && lists.openEnd?.test(bare) !== true) return undefined;
  if (lists.openEnd?.test(bare) === true && words.length > 1) return { form: "function-word", completeness: 0.08 };
  if (lists.openTails.has(last) && !closesAfterAll(words)) return { form: "function-word", completeness: 0.05 };
  return undefined;
};

/** Function words that do end a sentence: "yes I do", "what is it for?", "that's all I need". */
const closesAfterAll = (words: readonly string[]): boolean => {
  const tail = ` ${words.slice(-3).join(" ")}`;
  if (
    FAVOUR.test(words.join(" ")) ||
    CLOSED_TAIL.test(tail) ||
    MONTH_OF_MAY.test(tail) ||
    ELLIPSIS.test(words.join(" "))
  )
    return true;
  return words.length >= 4 && OPENS_QUESTION.test(words[0] ?? "") && STRANDED.test(words.at(-1) ?? "");
};

/** "Could you please": asks nicely, and has not said for what. */
const POLITE_BEGINNING = /(?:^| )(?:can|could|would|will|may) (?:you|i|we) (?:please|maybe|also|just|possibly)$/u;

/** "Can you repeat that": what was talked about is meant. */
const FAVOUR = /^(?:\w+ ){0,2}(?:can|could|would|will) you (?:please )?\w+ (?:\w+ )?(?:that|this|it|those|these)$/u;

/** "The fifth of May", "in May": a month. */
const MONTH_OF_MAY = /\b(?:of|in|next|last|this|\d+(?:st|nd|rd|th)?|first|second|third|\w+th) may$/u;

/** "Yes I do", "no it wasn't", "they are not": the verb stands for a whole sentence. */
const ELLIPSIS =
  /^(?:(?:yes|yeah|yep|no|nope|sure|of course|well|actually|sorry) )+(?:i|we|you|they|he|she|it|that|there) (?:do|did|does|am|are|is|was|were|have|had|has|can|could|will|would|should|must|might)(?: not)?$|^(?:i|we|they|he|she) (?:do|did|does|am|are|is|was|were|have|can|could|will|would)(?: not)?$/u;
const CLOSED_TAIL =
  / (?:(?:it|them|that|this) (?:on|in|over|through)|(?:all|what|everything) i (?:need|needed|want|wanted|have)|me too|thank you|see you|like (?:that|this)|that one|just that|(?:do|did|know|said|understand|heard|see|want|need|take|try) that|(?:about|with|for|at|by|of) (?:that|this|it|me|you)|to you|for now|is that|was that|not really|would be great|how are you|are you)$/u;
const OPENS_QUESTION = /^(?:what|who|whom|which|where|how)$/u;
const STRANDED =
  /^(?:for|with|from|about|to|at|on|in|is|are|was|you|it|that|this|do|does|did|be|mean|need|want|have)$/u;
