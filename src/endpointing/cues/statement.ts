import type { TurnText } from "./cue.ts";

/**
 * How finished an English statement looks that no other cue knows. Who was asked openly says what it is about, and then for whom,
 * where, when or why: so a bare clause ("I paid the bill") mostly goes on, and one that has come to such a detail mostly does not.
 */
export const statementCompleteness = ({ words, expected }: TurnText): number => {
  const count = words.length;
  if (count === 1) return expected.type === "open" ? 0.6 : 0.76;
  const closed = isClosed(words);
  // A list is over behind its "and", which another cue knows.
  if (expected.type === "list") return 0.6;
  if (expected.type !== "open") return closed ? 0.8 : 0.75;
  if (count <= 3) return 0.5;
  const text = words.join(" ");
  if (closed) return count >= 6 && !NARRATES.test(text) ? CLOSED : 0.7;
  if (PREDICATE.test(text) || TOPIC.test(text)) return CLOSED;
  return count <= 7 ? 0.55 : 0.74;
};

/** Short of the threshold: people add a second detail in about every sixth such pause, so most of it is waited out. */
const CLOSED = 0.76;

/** The clause ends in a detail: an adverbial behind the verb, or an adverb that stands at the end of sentences. */
export const isClosed = (words: readonly string[]): boolean => {
  const last = words.at(-1) ?? "";
  if (CLOSING.has(last) || WHEN.test(words.join(" ")) || CHOSEN.test(words.join(" "))) return true;
  const from = words.findLastIndex((word) => PREPOSITIONS.has(word));
  // "To" leads to a place or a person only before something that names one; otherwise a verb follows.
  if (words[from] === "to" && !DETERMINER.test(words[from + 1] ?? "")) return false;
  const behind = words.slice(from + 1);
  if (words[from] === "for" && SEEKS.test(words[from - 1] ?? "")) return false;
  return (
    from >= MOST_SUBJECT && behind.length > 0 && !behind.every((word) => PRONOUN.test(word) || DETERMINER.test(word))
  );
};

/** Before this word, a preposition belongs to the subject or opens the sentence. */
const MOST_SUBJECT = 3;

const set = (list: string): ReadonlySet<string> => new Set(list.split(" "));

const PREPOSITIONS = set(
  "for from on at in with by about of because before after until under near between during without through into onto behind " +
    "beside against around across since within over to when where while if that whether",
);
/** Adverbs that stand at the end of a sentence. */
const CLOSING = set(
  "yet anymore already again either too properly correctly together though anyway instead myself tonight",
);
const WHEN =
  /\b(?:today|tonight|tomorrow|yesterday|(?:this|last|next|every) (?:morning|afternoon|evening|night|week|weekend|month|year|time|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|(?:days?|weeks?|months?|years?|hours?|minutes?) ago|right now|too late|as well|so far|any ?more|all day|all night)$/u;
/** "The first one", "another one". */
const CHOSEN = /\b(?:the|this|that) [a-z]+ one$|\b(?:another|either) one$/u;

/** "I ordered a jacket last week": with when it was, a story begins. */
const NARRATES =
  /^(?:so |well |yes |hi |hello )*(?:i|we) (?!am|need|want|have|can)\w+(?:ed|ght|ld|de|nt|ve|ok|aw|ew|t) .*\b(?:yesterday|ago|last \w+|this (?:morning|week))$/u;
/** What is looked for is no detail. */
const SEEKS = /^(?:look|looking|search|searching|wait|waiting|ask|asking|asked)$/u;
/** "I'm calling about my bill" is all that some have to say. */
const TOPIC =
  /^(?:so |well |yes |hi |hello )*(?:it's|it is|i'm calling|i am calling|i call) (?:about|because of|regarding) \w+ \w+/u;
const DETERMINER = /^(?:the|a|an|my|your|his|her|our|their|this|that|these|those|some|any|another)$/u;
const PRONOUN = /^(?:me|you|him|her|us|them|it|this|that)$/u;

/** "The remote is broken", "it was too salty": what is said of the subject is there. */
const PREDICATE =
  /\b(?:is|are|was|were|isn't|aren't|wasn't|weren't|gets?|got|looks?|seems?|feels?|smells?|sounds?|stays?|stayed|became) (?:not |just |too |far |much |way |quite |a bit |a little |very |really |so |completely |still |already |always |all )*(?:\w+ed|broken|lost|gone|stuck|wrong|late|black|blank|dead|cold|hot|warm|dirty|clean|empty|full|open|closed|nice|great|good|bad|fine|okay|sick|ill|tired|hurt|slow|loud|noisy|quiet|dark|wet|missing|stolen|torn|frozen|down|off|high|low|expensive|cheap|small|big|large|short|long|new|old|ready|busy|free|happy|unhappy|angry|salty|sweet|spicy|confusing|terrible|horrible|awful|perfect|wonderful|different|incorrect|correct|impossible|possible|working|leaking|blinking)(?: for (?:me|us))?$/u;
