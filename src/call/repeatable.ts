import { ClauseSplitter } from "../dialogue/clauses.ts";
import { toSpeakable } from "../dialogue/speakable.ts";

/**
 * Texts → the pieces that a voice gets of them, cut as a reply is cut. A text with a macro is left out: what goes in there is one
 * person's, and neither the sound nor the key of it shall outlive the call.
 */
export const repeatablePieces = (texts: readonly string[], language: string): ReadonlySet<string> => {
  const pieces = new Set<string>();
  for (const text of texts) {
    if (text.includes("{{")) continue;
    const splitter = new ClauseSplitter();
    let silent = "";
    for (const piece of [...splitter.push(text), ...splitter.flush()]) {
      const { spoken } = toSpeakable(silent + piece, language);
      silent = spoken.trim() === "" ? silent + piece : "";
      if (silent === "") pieces.add(spoken);
    }
  }
  return pieces;
};
