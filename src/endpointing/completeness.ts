import type { ExpectedAnswer } from "./expected-answer.ts";
import { turnForm } from "./turn-form.ts";

/** How finished a turn looks by its words alone, 0 (surely goes on) to 1 (surely over). `language` is a BCP 47 tag. */
export const completeness = (text: string, expected?: ExpectedAnswer, language?: string): number =>
  turnForm(text, expected, language).completeness;
