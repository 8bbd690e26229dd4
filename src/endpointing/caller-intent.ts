import { turnWordsOf } from "./languages/turn-words.ts";
import { words as wordsOf, UNSPACED, wordsIn, type TurnWords } from "./languages/word-lists.ts";

/**
 * What words spoken over the agent are: a `backchannel` leaves the agent the floor, a `stop` takes it at once, a `turn` takes
 * it as any turn does, `nothing` is sound without words.
 */
export type CallerIntent = "nothing" | "backchannel" | "stop" | "turn";

/** Longer utterances are turns, and a stop word in their middle stops nobody. */
const SHORT_WORDS = 4;

/** `language` is a BCP 47 tag; languages without word lists are judged by what people say everywhere. */
export const callerIntent = (text: string, language = "en"): CallerIntent => {
  const words = wordsIn(text);
  if (words.length === 0) return "nothing";
  const lists = turnWordsOf(language);
  if (UNSPACED.test(text)) return intentInSigns(words.join(""), lists);
  const rest = withoutBackchannels(words, lists);
  if (rest.length === 0) return "backchannel";
  return isStop(rest, words.length, lists) ? "stop" : "turn";
};

/** Words by which people answer a phone. */
export const isGreeting = (text: string, language = "en"): boolean => {
  const words = wordsIn(text);
  const { greetings } = turnWordsOf(language);
  return words.length > 0 && words.length <= 4 && words.every((word) => greetings.has(word));
};

/** Dictionaries cut short utterances in many ways, so what is written without spaces is compared by its signs. */
const intentInSigns = (text: string, lists: TurnWords): CallerIntent => {
  if (text.length > MOST_SIGNS) return "turn";
  const small = longestFirst([...lists.backchannelPhrases, ...lists.backchannels]);
  const rest = withoutLeading(text, small);
  if (rest === "") return "backchannel";
  const stops = longestFirst([...lists.stopPhrases, ...lists.stops]);
  const short = text.length <= SHORT_SIGNS;
  return stops.some((stop) => rest.startsWith(stop) || (short && stop.length > 1 && text.includes(stop)))
    ? "stop"
    : "turn";
};

const withoutLeading = (text: string, words: readonly string[]): string => {
  const found = words.find((word) => word !== "" && text.startsWith(word));
  return found === undefined ? text : withoutLeading(text.slice(found.length), words);
};

/** Nobody says so much without saying something, and a stop word in the middle of more than a few signs stops nobody. */
const MOST_SIGNS = 40;
const SHORT_SIGNS = 8;

const longestFirst = (words: readonly string[]): readonly string[] =>
  words.map((word) => word.replaceAll(" ", "")).toSorted((a, b) => b.length - a.length);

const withoutBackchannels = (words: readonly string[], lists: TurnWords): readonly string[] => {
  let text = ` ${words.join(" ")} `;
  for (const phrase of lists.backchannelPhrases) text = text.replaceAll(` ${phrase} `, "  ");
  return text.split(" ").filter((word) => word !== "" && !lists.backchannels.has(word) && !EVERYWHERE.has(word));
};

/** Said in every language. */
const EVERYWHERE = wordsOf("ok okay okey mm mhm mm-hm hm hmm uh-huh");

/** `rest` are the words that are no backchannel, `length` counts all. */
const isStop = (rest: readonly string[], length: number, lists: TurnWords): boolean => {
  const text = ` ${rest.join(" ")} `;
  if (isStopWord(rest[0] ?? "", lists) || lists.stopPhrases.some((phrase) => text.startsWith(` ${phrase} `)))
    return true;
  if (length > SHORT_WORDS) return false;
  return (
    rest.some((word) => isStopWord(word, lists)) || lists.stopPhrases.some((phrase) => text.includes(` ${phrase} `))
  );
};

const isStopWord = (word: string, { stops }: TurnWords): boolean => word === "stop" || stops.has(word);
