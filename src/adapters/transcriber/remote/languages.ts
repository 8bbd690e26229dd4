/** The first part of a BCP 47 tag, in lower case: `pt` of `pt-BR`. */
export const baseLanguage = (language: string): string => language.toLowerCase().split("-")[0] ?? "";

/** Whether a list of BCP 47 tags has the language itself or the one that it is a form of. */
export const hears = (known: ReadonlySet<string>, language: string): boolean => known.has(baseLanguage(language));

/** A list of codes, divided by blanks. */
export const languages = (codes: string): ReadonlySet<string> => new Set(codes.split(" "));

/** The first keywords that fit in a vendor's limits: how many, how long each, and how long all together. */
export const fitting = (
  keywords: readonly string[],
  { most, longest, together }: Readonly<{ most: number; longest: number; together: number }>,
): readonly string[] => {
  const kept: string[] = [];
  let length = 0;
  for (const keyword of keywords) {
    const word = keyword.trim();
    if (word === "" || word.length > longest) continue;
    if (kept.length >= most || length + word.length > together) break;
    kept.push(word);
    length += word.length;
  }
  return kept;
};
