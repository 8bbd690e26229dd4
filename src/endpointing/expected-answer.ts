import { turnWordsOf } from "./languages/turn-words.ts";
import { wordsIn, type TurnWords } from "./languages/word-lists.ts";

/**
 * What kind of answer the agent has just asked for. It decides which silences belong to the answer: nobody dictates a telephone
 * number in one breath, and nobody has more to say after "yes" to a question of yes or no.
 */
export type ExpectedAnswer =
  | Readonly<{ type: "open" | "yes-no" | "name" | "spelling" | "mail-address" | "list" | "quantity" | "short" }>
  /** `count` digits when the question tells how many. */
  | Readonly<{ type: "digits"; count?: number }>
  | Readonly<{ type: "date-time"; wants: "date" | "time" | "both" | "birth" }>;

/** Reads the agent's last question, in `language` (BCP 47); what it does not understand is `open`. */
export const expectedAnswer = (agentWords: string, language = "en"): ExpectedAnswer => {
  const lists = turnWordsOf(language);
  return lists.language === "en" ? askedInEnglish(agentWords) : askedElsewhere(agentWords, lists);
};

/** Languages other than English are read by what a question contains; one without a word that asks for something wants a yes or a no. */
const askedElsewhere = (agentWords: string, { asks, questionWords }: TurnWords): ExpectedAnswer => {
  const sentences = agentWords.toLowerCase().match(/[^.?!。？！؟]+[.?!。？！؟]*/gu) ?? [];
  const question = sentences.slice(-2).findLast((sentence) => /[?？؟]/u.test(sentence)) ?? sentences.at(-1) ?? "";
  if (asks === undefined) return OPEN;
  if (asks.spelling.test(question)) return { type: "spelling" };
  if (asks.mail.test(question)) return { type: "mail-address" };
  if (asks.phone.test(question)) return { type: "digits" };
  if (asks.birth.test(question)) return { type: "date-time", wants: "birth" };
  if (asks.digits.test(question)) return { type: "digits" };
  if (asks.time.test(question)) return { type: "date-time", wants: asks.date.test(question) ? "both" : "time" };
  if (asks.date.test(question)) return { type: "date-time", wants: "date" };
  if (asks.name.test(question)) return { type: "name" };
  if (asks.quantity.test(question)) return { type: "quantity" };
  if (!/[?？؟]\s*$/u.test(question)) return OPEN;
  if (asks.or.test(question)) return { type: "short" };
  return wordsIn(question).some((word) => questionWords?.has(word) === true) ? OPEN : { type: "yes-no" };
};

const askedInEnglish = (agentWords: string): ExpectedAnswer => {
  const question = lastQuestion(agentWords.toLowerCase().replaceAll(/[’‘`]/gu, "'"));
  if (question === undefined) return OPEN;
  if (CHECK.test(question)) return { type: "yes-no" };
  const digits = digitsAsked(question);
  if (/\bspell/u.test(question)) return { type: "spelling" };
  if (/\be-?mail\b/u.test(question) && !/\b(?:send|get|receive) (?:you |it |that )?.*e-?mail\?/u.test(question))
    return { type: "mail-address" };
  if (digits !== undefined) return digits;
  const when = /\bwhich (?:days|dates|times)\b/u.test(question) ? undefined : dateAsked(question);
  if (when !== undefined) return when;
  if (/\bname\b|\bwho (?:am i|is|are) (?:speaking|talking|calling|this|you)/u.test(question)) return { type: "name" };
  if (/\bhow (?:many|much|old|long|often|far|big)\b/u.test(question)) return { type: "quantity" };
  if (LIST.test(question)) return { type: "list" };
  if (SHORT.test(question)) return { type: "short" };
  if (CHOICE.test(question)) return { type: "short" };
  return /^(?:[\w']+, |and |so |okay |great |now )*(?:is|are|was|were|do|does|did|have|has|had|would|will|can|could|shall|should|may)\b/u.test(
    question,
  ) && !/ or /u.test(question)
    ? { type: "yes-no" }
    : OPEN;
};

const OPEN: ExpectedAnswer = { type: "open" };

/** The last sentence, when it asks: with a question mark, or as a request. */
const lastQuestion = (text: string): string | undefined => {
  const sentences = text.split(/(?<=[.?!])\s+/u).filter((sentence) => /\p{L}/u.test(sentence));
  const last = sentences.findLast((sentence) => sentence.endsWith("?") || REQUEST.test(sentence));
  const index = last === undefined ? -1 : sentences.indexOf(last);
  // A question with more than one sentence behind it has been talked over.
  return index >= sentences.length - 2 ? last : undefined;
};

const REQUEST =
  /^(?:and |now |so |okay,? )?(?:please\b|tell me|give me|go ahead|could|can|may|i(?:'ll| will)? (?:just )?need|let me (?:have|get)|say|enter|read)/u;

/** The agent reads something back, and wants to hear whether it is right. */
const CHECK =
  /^(?:so |and |okay |is that |was that )?(?:is|was|are) (?:that|this|it|your|the)\b|\b(?:right|correct|okay|all right)\?$/u;

/** Questions whose answer mostly has several parts. */
const LIST =
  /\b(?:like to (?:order|add|drink|eat)|(?:can|could|may) i get (?:you|for you)|toppings|items|ingredients|products|symptoms|colou?rs|who (?:is|are|will be) (?:coming|attending)|who should)\b|\bwhat (?:do|did) you (?:need|want|have|order|pack|buy)\b|\bwhat should i (?:add|bring|get|order)\b|\bwhat(?:'s| is| are) (?:in|on|missing)\b|\bwhich [\w]+s (?:do|did|are|would|should|work)\b|\bwould you like on\b/u;

/** Questions that a word or two answer. */
const SHORT =
  /\b(?:what|which) (?:city|town|state|country|colou?r|size|brand|model|make|language|department|branch|street|floor|room|plan|one)\b|^(?:and )?which [a-z]+\?$|^(?:and )?(?:where|who)(?:'s| is| are| do| did| does) (?:you|your|that|this|it|the)\b/u;

/** "Morning or afternoon?": one of them is the answer. */
const CHOICE = /^(?:would you|do you|should|shall|is it|was it|will it|which)\b.*\b[\w-]+ or (?:the |an? )?[\w-]+\?$/u;

const digitsAsked = (question: string): ExpectedAnswer | undefined => {
  const counted = /\b(two|three|four|five|six|seven|eight|nine|ten|\d{1,2})[- ](?:digit|number)/u.exec(question)?.[1];
  if (counted !== undefined) return { type: "digits", count: NUMBERS[counted] ?? Number(counted) };
  if (/\b(?:zip|postal) ?code/u.test(question)) return { type: "digits", count: 5 };
  if (/\bsocial security/u.test(question)) return { type: "digits", count: 9 };
  if (/\b(?:credit|debit|bank)? ?card number/u.test(question)) return { type: "digits", count: 16 };
  if (
    /\b(?:phone|telephone|mobile|cell|callback|call-?back|contact|fax)(?: phone)? number|number\b.*\b(?:reach|call)\b/u.test(
      question,
    )
  )
    return { type: "digits", count: PHONE_DIGITS };
  return /\b(?:number|code|digits|pin|id)\b/u.test(question) && !/\bnumber of\b/u.test(question)
    ? { type: "digits" }
    : undefined;
};

/** Of a national number in the North American plan. */
export const PHONE_DIGITS = 10;

const NUMBERS: Readonly<Record<string, number>> = {
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
};

const dateAsked = (question: string): ExpectedAnswer | undefined => {
  if (/\b(?:date of birth|birth ?da(?:y|te)|born)\b/u.test(question)) return { type: "date-time", wants: "birth" };
  const day = /\b(?:dates?|days?|when)\b/u.test(question) && !/\bhow many\b/u.test(question);
  const time = /\b(?:time|when|hour)\b/u.test(question);
  if (day && time) return { type: "date-time", wants: "both" };
  if (day) return { type: "date-time", wants: "date" };
  return /\bwhat time|which time\b/u.test(question) ? { type: "date-time", wants: "time" } : undefined;
};
