import type { OwnWords } from "../dialogue/words-of-language.ts";
import type { Draft } from "./draft.ts";

/** The language (BCP 47) that the call is in now. */
export const callLanguage = ({ state, rules }: Draft): string => state.language ?? rules.language;

/** What is said of the project's own accord in it. */
export const wordsNow = (draft: Draft): OwnWords => draft.rules.words(callLanguage(draft));
