import { turnWordsOf } from "./languages/turn-words.ts";
import { wordsIn, type TurnWords } from "./languages/word-lists.ts";

/**
 * What words spoken over the agent are: a `backchannel` leaves the agent the floor, a `stop` takes it at once, a `turn` takes
 * it as any turn does, `nothing` is sound without words.
 */
export type CallerIntent = "nothing" | "backchannel" | "stop" | "turn";

/** Longer utterances are turns, and a stop word in their middle stops nobody. */
const SHORT_WORDS = 4;

/** `language` is a BCP 47 tag; languages without word lists are judged by the English ones. */
export const callerIntent = (text: string, language = "en"): CallerIntent => {
  const words = wordsIn(text);
  if (words.length === 0) return "nothing";
  const lists = turnWordsOf(language);
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

const withoutBackchannels = (words: readonly string[], lists: TurnWords): readonly string[] => {
  let text = ` ${words.join(" ")} `;
  for (const phrase of lists.backchannelPhrases) text = text.replaceAll(` ${phrase} `, "  ");
  return text.split(" ").filter((word) => word !== "" && !lists.backchannels.has(word));
};

/** `rest` are the words that are no backchannel, `length` counts all. */
const isStop = (rest: readonly string[], length: number, lists: TurnWords): boolean => {
  const text = ` ${rest.join(" ")} `;
  if (lists.stops.has(rest[0] ?? "") || lists.stopPhrases.some((phrase) => text.startsWith(` ${phrase} `))) return true;
  if (length > SHORT_WORDS) return false;
  return rest.some((word) => lists.stops.has(word)) || lists.stopPhrases.some((phrase) => text.includes(` ${phrase} `));
};
