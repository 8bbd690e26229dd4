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
 * The same, with a first utterance of about `firstLength` characters at most: somebody waits for its sound, and the rest is made while
 * it plays.
 */
export const utterancesSoon = (text: string, maxLength: number, firstLength: number): readonly string[] => {
  const [first, ...others] = utterancesOf(text, maxLength);
  if (first === undefined || first.length <= firstLength) return first === undefined ? [] : [first, ...others];
  const [soon = "", ...behind] = utterancesOf(first, firstLength);
  return [soon, ...(behind.length === 0 ? [] : [behind.join(" ")]), ...others];
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
