import type { FunctionDefinition } from "../model/function-definition.ts";
import { ownWords } from "./own-words.ts";
import { textIn } from "./transfer-target.ts";

/** Longest summary that is spoken, in UTF-16 units: about 20 seconds, which the other party waits for. */
export const MAX_SUMMARY = 300;

/**
 * What whoever picks up is told before they talk with the other party, in the call's first language; `undefined` for transfers that tell
 * nothing. It is words and nothing else, however a model writes it: one line, without control characters, cut off at a blank.
 */
export const transferSummary = (
  definition: Pick<FunctionDefinition, "transferMode">,
  args: string,
  language: string,
): string | undefined => {
  if (definition.transferMode !== "warm") return undefined;
  const words = (textIn(args, "summary") ?? "")
    .toWellFormed()
    .replaceAll(/[\p{C}\p{Z}\s]+/gu, " ")
    .trim();
  if (words === "") return ownWords(language).callComes;
  if (words.length <= MAX_SUMMARY) return words;
  const end = words.lastIndexOf(" ", MAX_SUMMARY);
  return words.slice(0, end > 0 ? end : MAX_SUMMARY).toWellFormed();
};
