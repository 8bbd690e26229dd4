/** What a phrase tries: the kind of pause inside it, or of its end where it has none. */
export const KINDS = [
  "mid-sentence",
  "function word",
  "hesitation",
  "phone number",
  "other number",
  "spelling",
  "address",
  "list",
  "date",
  "statement",
  "question",
  "short answer",
] as const;
export type Kind = (typeof KINDS)[number];

/** Words of a caller; `|` stands where the caller pauses, `asked` is what the agent had said before. */
export type Phrase = Readonly<{ kind: Kind; asked: string; text: string }>;

/** One phrase a line; the agent's words first, then `>` and the caller's. */
export const phrasesOf = (kind: Kind, lines: string): readonly Phrase[] =>
  lines
    .trim()
    .split("\n")
    .map((line) => {
      const [asked, text] = line.split(">");
      if (asked === undefined || text === undefined) throw new Error(`no ">" in the phrase: ${line}`);
      return { kind, asked: asked.trim(), text: text.trim() };
    });
