import type { KeywordCorrection } from "./keywords.ts";
import type { Recognizer } from "./recognizer.ts";

/** A recognizer whose texts, passing and final ones alike, are brought to the keywords that they sound like. */
export const withKeywords = (recognizer: Recognizer, correct: KeywordCorrection): Recognizer => ({
  glance: async (sound) => correct(await recognizer.glance(sound)),
  decode: async (sound) => correct(await recognizer.decode(sound)),
});
