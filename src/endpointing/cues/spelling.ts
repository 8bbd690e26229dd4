import type { Cue } from "./cue.ts";

/** The words end in single letters: somebody spells. Done when the letters are a word that was said before them. */
export const spelling: Cue = ({ words, expected }) => {
  const { letters, before } = trailingLetters(words);
  const asked = expected.type === "spelling";
  if (letters.length < (asked ? 1 : 2)) {
    // Recognizers write quick letters as one word now and then.
    return asked && words.length > 0 && words.length <= 3 && !/^(?:yes|no|sure|okay)$/u.test(words.at(-1) ?? "")
      ? { form: "spelling", completeness: 0.4 }
      : undefined;
  }
  if (before.includes(letters)) return { form: "spelling", completeness: 0.96 };
  if (before.some((word) => word.length > 2 && word.startsWith(letters)))
    return { form: "spelling", completeness: 0.03 };
  if (letters.length < 4) return { form: "spelling", completeness: 0.06 };
  return { form: "spelling", completeness: letters.length < 6 ? 0.3 : 0.55 };
};

/** "smith s-m-i t" → letters "smit", before ["smith"]. "b as in bravo" counts as b. */
const trailingLetters = (words: readonly string[]): Readonly<{ letters: string; before: readonly string[] }> => {
  let letters = "";
  let index = words.length - 1;
  while (index >= 0) {
    const word = words[index] ?? "";
    if (/^(?:\p{L}[.'-]?)+$/u.test(word) && /^\p{L}(?:[.'-]\p{L})*$/u.test(word))
      letters = word.replaceAll(/\P{L}/gu, "") + letters;
    else if (
      /^(?:as|for|like)$/u.test(words[index - 1] ?? "") ||
      (words[index - 1] === "in" && words[index - 2] === "as")
    ) {
      index -= words[index - 1] === "in" ? 3 : 2;
      continue;
    } else if (word === "double") letters = letters.slice(0, 1) + letters;
    else break;
    index -= 1;
  }
  return { letters, before: words.slice(0, index + 1) };
};
