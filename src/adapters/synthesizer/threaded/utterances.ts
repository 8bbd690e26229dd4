/** Words of a text, as every word timing counts them: what stands between white space. */
export const wordsOf = (text: string): readonly string[] => text.split(/\s+/u).filter((word) => word !== "");

/** Whether there is anything to pronounce. */
export const isSpeakable = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);

/**
 * Cuts a piece of text into what is spoken at one go: sentences, and longer sentences at a comma, so that no call holds the
 * engine for more than about `maxLength` characters while others wait, and the first sound comes soon. No word is lost, split or
 * moved. A part without letters or digits joins the one before it.
 */
export const utterancesOf = (text: string, maxLength: number): readonly string[] => {
  const utterances: string[] = [];
  let words: string[] = [];
  const finish = () => {
    const joined = words.join(" ");
    words = [];
    const last = utterances.length - 1;
    if (joined === "") return;
    if (isSpeakable(joined) || last < 0) utterances.push(joined);
    else utterances[last] = `${utterances[last]} ${joined}`;
  };
  for (const sentence of sentencesOf(wordsOf(text))) {
    for (const part of boundedParts(sentence, maxLength)) {
      words = [...part];
      finish();
    }
  }
  return utterances;
};

/**
 * The same, one after another, each not much longer than `limit` says when it is taken: what is made while the part before it plays must not
 * take longer than that.
 */
export function* utterancesInTime(
  text: string,
  maxLength: number,
  limit: () => number,
): Generator<Readonly<{ utterance: string; last: boolean }>, void, undefined> {
  let left = utterancesOf(text, maxLength);
  while (left.length > 0) {
    const [whole = "", ...others] = left;
    const most = Math.max(1, limit());
    const { utterance, behind } = whole.length <= most ? { utterance: whole, behind: "" } : cut(whole, most);
    left = [...(behind === "" ? [] : [behind]), ...others];
    yield { utterance, last: left.length === 0 };
  }
}

/**
 * The beginning of a sentence, about as long as it may be, up to a clause's end where there is one in its later half. What is left is something to
 * pronounce.
 */
const cut = (sentence: string, most: number): Readonly<{ utterance: string; behind: string }> => {
  const words = wordsOf(sentence);
  let [count, clause, length] = [0, 0, 0];
  for (const [index, word] of words.entries()) {
    length += word.length + (index === 0 ? 0 : 1);
    if (index > 0 && length > most) break;
    count = index + 1;
    if (length > most / 2 && CLAUSE_END.test(word)) clause = count;
  }
  const at = clause === 0 ? count : clause;
  const behind = words.slice(at).join(" ");
  return isSpeakable(behind)
    ? { utterance: words.slice(0, at).join(" "), behind }
    : { utterance: sentence, behind: "" };
};

const SENTENCE_END = /[.!?…]["')\]”’]*$/u;
const CLAUSE_END = /[,;:—–]["')\]”’]*$/u;

const sentencesOf = (words: readonly string[]): readonly (readonly string[])[] => {
  const sentences: string[][] = [[]];
  for (const word of words) {
    sentences.at(-1)?.push(word);
    if (SENTENCE_END.test(word)) sentences.push([]);
  }
  return sentences;
};

/** Halves a long sentence at the clause end nearest its middle, else at the word nearest its middle, until all parts fit. */
const boundedParts = (words: readonly string[], maxLength: number): readonly (readonly string[])[] => {
  const length = words.join(" ").length;
  if (length <= maxLength || words.length < 2) return [words];
  let best = 1;
  let bestCost = Number.POSITIVE_INFINITY;
  let at = 0;
  for (let index = 1; index < words.length; index++) {
    const word = words[index - 1] ?? "";
    at += word.length + 1;
    const farFromMiddle = Math.abs(at - length / 2);
    // A clause end in the middle half beats any other word; outside of it the parts would get too uneven.
    const cost = farFromMiddle + (CLAUSE_END.test(word) && farFromMiddle < length / 4 ? 0 : length);
    if (cost >= bestCost) continue;
    best = index;
    bestCost = cost;
  }
  return [...boundedParts(words.slice(0, best), maxLength), ...boundedParts(words.slice(best), maxLength)];
};
