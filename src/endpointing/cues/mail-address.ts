import type { TurnWords } from "../languages/word-lists.ts";
import type { Cue } from "./cue.ts";

/** An e-mail address is being said; it is over with its top-level domain. */
export const mailAddress: Cue = ({ text, words, expected, lists }) => {
  const asked = expected.type === "mail-address";
  const lower = inSigns(text.toLowerCase(), lists);
  const begun =
    lower.includes("@") || /\bat [\p{L}\d-]+(?:\.(?=\p{L})| dot )/u.test(lower) || / dot(?: \p{L}+)?\W*$/u.test(lower);
  if (!asked && !begun) return undefined;
  if (
    /(?:\.| dot )(?:com|org|net|edu|gov|io|co|uk|de|at|ch|us|ca|mx|br|pt|fr|be|es|it|nl|pl|cz|se|dk|no|fi|ro|ru|ua|tr|in|id|jp|kr|cn|eu|info|biz|me)\W*$/u.test(
      lower,
    ) &&
    (begun || asked)
  )
    return { form: "mail-address", completeness: 0.96 };
  // "I don't have one" is an answer as well.
  if (!begun && lists.language !== "en" && (lists.answers.has(words[0] ?? "") || words.length > 2)) return undefined;
  if (!begun && (words.length === 0 || /^(?:no|nope|sorry|i|yes|yeah|sure)$/u.test(words[0] ?? ""))) return undefined;
  return { form: "mail-address", completeness: 0.05 };
};

/** "Anna arroba ejemplo punto com" as it is written, so that one rule reads all. */
const inSigns = (text: string, { address }: TurnWords): string =>
  address === undefined
    ? text
    : text
        .replaceAll(new RegExp(` (?:${address.at}) `, "gu"), "@")
        .replaceAll(new RegExp(` (?:${address.dot})(?= |$)`, "gu"), " dot")
        .replaceAll(" dot ", ".");
