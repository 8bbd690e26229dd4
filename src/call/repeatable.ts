import { ClauseSplitter } from "../dialogue/clauses.ts";
import { toSpeakable } from "../dialogue/speakable.ts";

/** Agents' texts whose pieces are remembered, so that they are not cut anew for each call, and how long such a text is at most. */
const MOST_REMEMBERED = 500;
const LONGEST_REMEMBERED = 1000;

/** By language and text; whoever was remembered first is forgotten first. */
const remembered = new Map<string, readonly string[]>();

/**
 * Texts → the pieces that a voice gets of them, cut as a reply is cut. A text with a macro is left out: what goes in there is one
 * person's, and neither the sound nor the key of it shall outlive the call.
 */
export const repeatablePieces = (texts: readonly string[], language: string): ReadonlySet<string> =>
  new Set(texts.flatMap((text) => (text.includes("{{") ? [] : piecesOf(text, language))));

const piecesOf = (text: string, language: string): readonly string[] => {
  const key = `${language} ${text}`;
  const known = remembered.get(key);
  if (known !== undefined) return known;
  const pieces = cut(text, language);
  if (text.length > LONGEST_REMEMBERED) return pieces;
  const [oldest] = remembered.size >= MOST_REMEMBERED ? remembered.keys() : [];
  if (oldest !== undefined) remembered.delete(oldest);
  remembered.set(key, pieces);
  return pieces;
};

const cut = (text: string, language: string): readonly string[] => {
  const splitter = new ClauseSplitter();
  const pieces: string[] = [];
  let silent = "";
  for (const piece of [...splitter.push(text), ...splitter.flush()]) {
    const { spoken } = toSpeakable(silent + piece, language);
    silent = spoken.trim() === "" ? silent + piece : "";
    if (silent === "") pieces.push(spoken);
  }
  return pieces;
};
