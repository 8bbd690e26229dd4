import type { CallPlan } from "../model/call-plan.ts";
import type { Exchange } from "./dialogue.ts";
import { SWITCH_LANGUAGE } from "./functions.ts";
import { ownWords } from "./own-words.ts";

/** The language (BCP 47 tag) that a call is in: the plan's, until it was changed. Read from the history alone. */
export const spokenLanguage = (
  { language, languages = [] }: Pick<CallPlan, "language" | "languages">,
  history: readonly Exchange[],
): string => {
  for (const exchange of history.toReversed()) {
    if (exchange.speaker !== "function" || exchange.name !== SWITCH_LANGUAGE) continue;
    const found = languages.find((one) => exchange.result === switched(one.language));
    if (found !== undefined) return found.language;
  }
  return language;
};

/** A word of goodbye in the language that a call is in. */
export const goodbyeOf = (plan: Pick<CallPlan, "language" | "languages">, history: readonly Exchange[]): string =>
  ownWords(spokenLanguage(plan, history)).goodbye;

/** What a model is told of a change of language. */
export const switched = (language: string): string =>
  JSON.stringify({ ok: true, language, message: `You hear and speak ${language} from now on. Answer in it.` });
