/** Lower case, no accents, and nothing but letters, digits and single blanks, as transcribers differ in all of these. */
export const plainWords = (text: string): string =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/['’ʼ]/gu, "")
    .replaceAll(/[^\p{L}\p{N}#*]+/gu, " ")
    .trim();
