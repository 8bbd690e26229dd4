import type { Cue } from "./cue.ts";

/** An e-mail address is being said; it is over with its top-level domain. */
export const mailAddress: Cue = ({ text, words, expected }) => {
  const asked = expected.type === "mail-address";
  const lower = text.toLowerCase();
  const begun =
    lower.includes("@") || /\bat [\p{L}\d-]+(?:\.(?=\p{L})| dot )/u.test(lower) || / dot(?: \p{L}+)?\W*$/u.test(lower);
  if (!asked && !begun) return undefined;
  if (
    /(?:\.| dot )(?:com|org|net|edu|gov|io|co|uk|de|us|ca|fr|es|it|nl|eu|info|biz|me)\W*$/u.test(lower) &&
    (begun || asked)
  )
    return { form: "mail-address", completeness: 0.96 };
  // "I don't have one" is an answer as well.
  if (!begun && (words.length === 0 || /^(?:no|nope|sorry|i|yes|yeah|sure)$/u.test(words[0] ?? ""))) return undefined;
  return { form: "mail-address", completeness: 0.05 };
};
