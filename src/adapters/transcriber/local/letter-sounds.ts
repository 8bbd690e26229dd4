/**
 * Letters with their likeliest sound, longest first; `^` and `$` hold a rule at the word's begin and end. Coarse on purpose: what
 * is compared with it is forgiving about vowels and voicing.
 */
const RULES: readonly (readonly [letters: string, phones: string])[] = [
  ["^schw", "SH W"],
  ["^ps", "S"],
  ["^pn", "N"],
  ["^kn", "N"],
  ["^gn", "N"],
  ["^wr", "R"],
  ["^wh", "W"],
  ["^rh", "R"],
  ["^x", "Z"],
  ["^ts", "S"],
  ["^ng", "N"],
  ["^y", "Y"],
  ["tion", "SH AH N"],
  ["sion", "ZH AH N"],
  ["ight", "AY T"],
  ["eigh", "EY"],
  ["ough", "AO"],
  ["augh", "AO"],
  ["tsch", "CH"],
  ["sch", "SH"],
  ["tch", "CH"],
  ["szy", "SH IH"],
  ["dge", "JH"],
  ["cz", "CH"],
  ["sz", "SH"],
  ["ch", "CH"],
  ["sh", "SH"],
  ["th", "TH"],
  ["ph", "F"],
  ["gh", "G"],
  ["ck", "K"],
  ["qu", "K W"],
  ["ce$", "S"],
  ["ge$", "JH"],
  ["le$", "AH L"],
  ["ng", "NG"],
  ["ee", "IY"],
  ["ea", "IY"],
  ["ie", "IY"],
  ["ei", "AY"],
  ["ey", "IY"],
  ["ai", "EY"],
  ["ay", "EY"],
  ["oo", "UW"],
  ["ou", "AW"],
  ["ow", "OW"],
  ["oa", "OW"],
  ["oi", "OY"],
  ["oy", "OY"],
  ["au", "AO"],
  ["aw", "AO"],
  ["eu", "UW"],
  ["ew", "UW"],
  ["ue$", "UW"],
  ["ar", "AA R"],
  ["er", "ER"],
  ["ir", "ER"],
  ["ur", "ER"],
  ["or", "AO R"],
  ["ce", "S EH"],
  ["ci", "S IH"],
  ["cy", "S IY"],
  ["gi", "JH IH"],
  ["e$", ""],
  ["a$", "AH"],
  ["i$", "IY"],
  ["y$", "IY"],
  ["o$", "OW"],
  ["a", "AE"],
  ["b", "B"],
  ["c", "K"],
  ["d", "D"],
  ["e", "EH"],
  ["f", "F"],
  ["g", "G"],
  ["h", "HH"],
  ["i", "IH"],
  ["j", "JH"],
  ["k", "K"],
  ["l", "L"],
  ["m", "M"],
  ["n", "N"],
  ["o", "AA"],
  ["p", "P"],
  ["q", "K"],
  ["r", "R"],
  ["s", "S"],
  ["t", "T"],
  ["u", "AH"],
  ["v", "V"],
  ["w", "W"],
  ["x", "K S"],
  ["y", "IH"],
  ["z", "Z"],
];

/** Guesses how a word that no dictionary knows is said; phones in ARPABET without stress, with blanks between. */
export const guessPhones = (word: string): string => {
  const phones: string[] = [];
  let at = 0;
  while (at < word.length) {
    const rule = RULES.find(([letters]) => fits(letters, word, at));
    if (rule === undefined) {
      at += 1;
      continue;
    }
    const [letters, sound] = rule;
    for (const phone of sound.split(" ")) if (phone !== "" && phone !== phones.at(-1)) phones.push(phone);
    at += letters.replaceAll(/[$^]/gu, "").length;
  }
  return phones.join(" ");
};

/** A silent e leaves at least a vowel in the word, so that "be" and its like keep theirs. */
const fits = (letters: string, word: string, at: number): boolean => {
  const bare = letters.replaceAll(/[$^]/gu, "");
  if (!word.startsWith(bare, at)) return false;
  if (letters === "e$" && !/[aeiouy]/u.test(word.slice(0, at))) return false;
  if (letters.startsWith("^")) return at === 0 && word.length > bare.length;
  return !letters.endsWith("$") || at + bare.length === word.length;
};
