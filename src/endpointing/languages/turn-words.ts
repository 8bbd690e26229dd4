import { DUTCH } from "./nl.ts";
import { ENGLISH } from "./en.ts";
import { FRENCH } from "./fr.ts";
import { GERMAN } from "./de.ts";
import { ITALIAN } from "./it.ts";
import { PORTUGUESE } from "./pt.ts";
import { SPANISH } from "./es.ts";
import type { TurnWords } from "./word-lists.ts";

/** The words of a language by its BCP 47 tag (`en-US`, `de`); of English where the language has no lists here. */
export const turnWordsOf = (language: string): TurnWords =>
  LANGUAGES.get(language.split(/[-_]/u)[0]?.toLowerCase() ?? "") ?? ENGLISH;

const LANGUAGES: ReadonlyMap<string, TurnWords> = new Map(
  [ENGLISH, GERMAN, SPANISH, FRENCH, ITALIAN, PORTUGUESE, DUTCH].map((words) => [words.language, words]),
);
