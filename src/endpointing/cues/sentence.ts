import { callerIntent } from "../caller-intent.ts";
import type { ExpectedAnswer } from "../expected-answer.ts";
import type { TurnWords } from "../languages/word-lists.ts";
import type { Cue, CueVerdict, TurnText } from "./cue.ts";
import { isClosed, statementCompleteness } from "./statement.ts";

/** What is left: questions, answers of a word or two, beginnings of sentences, and sentences. */
export const sentence: Cue = (turn) => {
  const { words, lists, expected } = turn;
  const first = words[0] ?? "";
  const last = words.at(-1) ?? "";
  if (words.length <= 3 && words.every((word) => lists.answers.has(word) || POLITE.test(word)))
    return AFFIRMS.test(words.join(" ")) && DICTATED.has(expected.type)
      ? { form: "answer", completeness: 0.3 }
      : { form: "answer", completeness: expected.type === "open" ? 0.9 : 0.95 };
  if (ELLIPSIS.test(words.join(" "))) return { form: "answer", completeness: 0.88 };
  // What leaves the agent the floor while it speaks is an answer when it does not.
  if (callerIntent(turn.text, lists.language) === "backchannel") return { form: "answer", completeness: 0.88 };
  if (lists.language !== "en") return elsewhere(turn);
  if (
    /\b(?:thank you|thanks|bye|goodbye|please|that's (?:it|all|right|correct|fine)|that is all)$/u.test(words.join(" "))
  )
    return { form: "answer", completeness: 0.95 };
  const narrow = narrowAnswer(turn);
  if (narrow !== undefined) return narrow;
  if (isQuestion(words)) return { form: "question", completeness: questionCompleteness(words) };
  if (SUBORDINATORS.has(first) && !hasMainClause(turn)) return { form: "fragment", completeness: 0.15 };
  if (
    OBJECT_VERBS.has(last) &&
    /^(?:to|i|we|please|can|could|would|must|should|will|i'll|just|you)$/u.test(words.at(-2) ?? "")
  )
    return { form: "fragment", completeness: 0.15 };
  if (ATTRIBUTES.has(last)) return { form: "fragment", completeness: 0.2 };
  if (
    words.length >= 2 &&
    words.length <= 5 &&
    DETERMINERS.has(first) &&
    !words.some((word) => isVerb(word)) &&
    expected.type === "open"
  )
    return { form: "fragment", completeness: 0.35 };
  return { form: "statement", completeness: statementCompleteness(turn) };
};

/** Sentences of languages whose grammar is not known here: by their answers, their questions, and where there are such, endings. */
const elsewhere = (turn: TurnText): CueVerdict => {
  const { text, words, lists, expected } = turn;
  const bare = text.toLowerCase().replace(/[\p{P}\s]+$/u, "");
  if (THANKS.test(bare)) return { form: "answer", completeness: 0.95 };
  const narrow = narrowAnswer(turn);
  if (narrow !== undefined) return narrow;
  const asks = words.slice(0, 2).some((word) => lists.questionWords?.has(word) === true);
  if (asks && words.length >= 3) return { form: "question", completeness: 0.86 };
  if (lists.closedEnd?.test(bare) === true) return { form: "statement", completeness: 0.86 };
  if (expected.type !== "open") return { form: "statement", completeness: words.length === 1 ? 0.76 : 0.8 };
  if (words.length === 1) return { form: "statement", completeness: 0.6 };
  return { form: "statement", completeness: words.length <= 7 ? 0.71 : 0.76 };
};

/** Words of thanks, of asking nicely and of goodbye end what is said, in all of these languages. */
const THANKS =
  /(?:^|\s)(?:danke(?: schön)?|bitte|auf wiederhören|gracias|por favor|adiós|merci|s'il vous plaît|au revoir|grazie|per favore|per piacere|obrigad[oa]|tchau|bedankt|dank u(?: wel)?|alstublieft|dziękuję|proszę|спасибо|пожалуйста|дякую|будь ласка|děkuji|prosím|tack(?: så mycket)?|tak|takk|kiitos|teşekkürler|teşekkür ederim|lütfen|mulțumesc|vă rog|terima kasih|धन्यवाद|शुक्रिया|شكرا|من فضلك)$|(?:ありがとうございます|お願いします|谢谢|谢谢你|감사합니다|고맙습니다)$/u;

/** A favour ("could you check the price") is mostly said more closely: for what, by when. */
const questionCompleteness = (words: readonly string[]): number => {
  if (!ASKS_FAVOUR.test(words.join(" "))) return 0.9;
  return isClosed(words) ? 0.9 : 0.72;
};

/** Answers to what was asked: yes or no with a few words, a name. */
const narrowAnswer = ({ words, expected, lists }: TurnText): CueVerdict | undefined => {
  if (expected.type === "yes-no" && lists.answers.has(words[0] ?? ""))
    return { form: "answer", completeness: words.length <= 4 ? 0.9 : 0.8 };
  const counts = (word: string) => QUANTITY.test(word) || lists.numbers?.has(word) === true;
  if (expected.type === "quantity" && words.length <= 4 && words.some(counts))
    return { form: "answer", completeness: 0.9 };
  if (expected.type === "short" && words.length <= 4)
    return { form: "answer", completeness: LEAD_IN.test(words[0] ?? "") ? 0.72 : 0.88 };
  if (expected.type !== "name") return undefined;
  const name = words.filter((word) => !isFrame(word, lists));
  if (name.length === 0) return undefined;
  return { form: "answer", completeness: name.length === 1 ? 0.5 : 0.9 };
};

const isFrame = (word: string, { language, asks, openTails, answers, hesitations }: TurnWords): boolean =>
  language === "en"
    ? NAME_FRAME.test(word)
    : openTails.has(word) || answers.has(word) || hesitations.has(word) || asks?.name.test(word) === true;

const isQuestion = (words: readonly string[]): boolean => {
  const start = words.findIndex((word) => !OPENERS.has(word));
  const [first = "", second = ""] = words.slice(Math.max(0, start));
  const length = words.length - Math.max(0, start);
  if (/^(?:what|who|whose|which|where|when|why|how|what's|where's|who's|how's|when's)$/u.test(first))
    return (
      // "What is happening": words that cannot stand at the end were looked for before.
      (length === 3 && /^(?:is|are|was|were)$/u.test(second)) ||
      (length >= (/^(?:what's|where's|who's|how's|when's)$/u.test(first) ? 3 : 4) &&
        (!OBJECT_VERBS.has(words.at(-1) ?? "") || words.slice(0, 5).some((word) => AUXILIARY.test(word))))
    );
  return (
    /^(?:is|are|was|were|do|does|did|can|could|will|would|have|has|should|may|am)$/u.test(first) &&
    PRONOUNS.test(second) &&
    length >= 4 &&
    !NEEDS_OBJECT.has(words.at(-1) ?? "")
  );
};

const hasMainClause = ({ text, words }: TurnText): boolean => {
  const subjects = words.filter((word) =>
    /^(?:i|you|we|they|he|she|it|i'm|i'd|i'll|it's|that's|there's|we're|can|could|please)$/u.test(word),
  ).length;
  return words.length >= 6 && (subjects >= 2 || text.replace(/[\s,.?!]+$/u, "").includes(","));
};

const isVerb = (word: string): boolean => VERBS.has(word) || /(?:n't|'s|'re|'ve|'ll|'d|[^aeiou]ed)$/u.test(word);

/** "I would", "we do not": the verb stands for the whole sentence. */
const ELLIPSIS = /^(?:i|we|they|he|she) (?:do|did|does|am|are|is|was|were|have|can|could|will|would)(?: not)?$/u;

/** "It is the …", "I would say …": who leads in to a short answer often looks for it. */
const LEAD_IN = /^(?:it|it's|that|that's|this|i|i'm|i'd|i'll|we|we're|they|he|she|there|there's|maybe|well)$/u;

/** "Sure" to "can I have your number?": the number follows. */
const AFFIRMS = /^(?:(?:yes|yeah|yep|sure|okay|ok|of|course|right|it|is|it's|please|absolutely)(?: |$))+$/u;
const DICTATED: ReadonlySet<ExpectedAnswer["type"]> = new Set(["digits", "spelling", "mail-address"]);

const QUANTITY =
  /^(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|none|couple|few|much|many)$/u;
const set = (list: string): ReadonlySet<string> => new Set(list.split(" "));

const ASKS_FAVOUR = /^(?:(?:and|so|hi|hello|yes|okay|well) )*(?:can|could|would|will) you\b/u;
const AUXILIARY = /^(?:do|does|did|can|could|will|would|should)$/u;
const POLITE =
  /^(?:please|thank|you|thanks|sir|ma'am|that's|that|works|good|sounds|it|is|i|do|am|course|of|not|problem|very|much|a|lot)$/u;
const NAME_FRAME =
  /^(?:my|name|name's|is|it's|it|this|i'm|i|am|the|first|last|full|surname|yes|yeah|sure|uh|um|well|speaking|here|called)$/u;
const OPENERS = set("and so but okay ok well yeah yes oh hi hello hey sorry um uh right great then now also please");
const PRONOUNS = /^(?:i|you|we|they|he|she|it|there|that|this|the|these|those|your|my|anyone|someone|somebody)$/u;
const SUBORDINATORS = set("if when because since while although though unless after before once as until whenever");
const DETERMINERS = set("the a an my your his her our their this that these those some any");
/** Verbs that want an object, or another verb, and do not often end a sentence right behind "to" or a subject. */
const OBJECT_VERBS = set(
  "book make get order buy change check know ask find send take give tell see schedule reschedule arrange set put bring pick add update use pay " +
    "reserve confirm reach report request discuss return replace transfer open move let keep leave show start try keep bring say hear look talk speak go come",
);
const NEEDS_OBJECT = set(
  "get make book order buy change check find send take give tell schedule set put bring pick add update use reserve",
);
/** Adjectives and the like that stand before what they describe. */
const ATTRIBUTES = set(
  "new first second third last next other same different following extra additional big small large little few several many most",
);
const VERBS = set(
  "is are was were am be been do does did have has had can could will would should may might must need want like know think go goes went come comes " +
    "came get got make makes made take takes took say says said see saw give gave find found tell told ask asked work works seem seems feel try call calls " +
    "keep let begin began show hear play run move live believe hold bring happen happens write sit stand lose lost pay paid meet include continue set learn " +
    "change lead understand watch follow stop create speak read spend spent grow open walk win offer remember love consider appear buy bought wait serve die " +
    "send sent expect build stay fall cut reach kill remain arrive arrives leave left broke breaks fits sounds looks help helps starts ends",
);
