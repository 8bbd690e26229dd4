import { ARABIC } from "./ar.ts";
import { CHINESE } from "./zh.ts";
import { CZECH } from "./cs.ts";
import { DANISH } from "./da.ts";
import { DUTCH } from "./nl.ts";
import { ENGLISH } from "./en.ts";
import { FINNISH } from "./fi.ts";
import { FRENCH } from "./fr.ts";
import { GERMAN } from "./de.ts";
import { HINDI } from "./hi.ts";
import { INDONESIAN } from "./id.ts";
import { ITALIAN } from "./it.ts";
import { JAPANESE } from "./ja.ts";
import { KOREAN } from "./ko.ts";
import { NORWEGIAN } from "./no.ts";
import { POLISH } from "./pl.ts";
import { PORTUGUESE } from "./pt.ts";
import { ROMANIAN } from "./ro.ts";
import { RUSSIAN } from "./ru.ts";
import { SPANISH } from "./es.ts";
import { SWEDISH } from "./sv.ts";
import { TURKISH } from "./tr.ts";
import { UKRAINIAN } from "./uk.ts";
import { phrases, words, type TurnWords } from "./word-lists.ts";

/** The words of a language by its BCP 47 tag (`en-US`, `de`); where the language has no lists here, those that people say everywhere. */
export const turnWordsOf = (language: string): TurnWords => {
  const subtag = language.split(/[-_]/u)[0]?.toLowerCase() ?? "";
  return LANGUAGES.get(SAME.get(subtag) ?? subtag) ?? ANYWHERE;
};

const LANGUAGES: ReadonlyMap<string, TurnWords> = new Map(
  [
    ARABIC,
    CHINESE,
    CZECH,
    DANISH,
    DUTCH,
    ENGLISH,
    FINNISH,
    FRENCH,
    GERMAN,
    HINDI,
    INDONESIAN,
    ITALIAN,
    JAPANESE,
    KOREAN,
    NORWEGIAN,
    POLISH,
    PORTUGUESE,
    ROMANIAN,
    RUSSIAN,
    SPANISH,
    SWEDISH,
    TURKISH,
    UKRAINIAN,
  ].map((words) => [words.language, words]),
);

/** Written forms of one language, and what is so near that its words serve. */
const SAME: ReadonlyMap<string, string> = new Map([
  ["nb", "no"],
  ["nn", "no"],
  ["sk", "cs"],
  ["ms", "id"],
  ["gl", "pt"],
]);

/** Function words of one language are plain words of another, so that none are known. */
const ANYWHERE: TurnWords = {
  language: "und",
  backchannels: words("mm mhm mm-hm hm hmm uh-huh aha ah oh ok okay okey"),
  backchannelPhrases: phrases("uh huh;mm hm"),
  stops: words("stop sorry pardon"),
  stopPhrases: phrases("stop stop"),
  greetings: words("hallo hello allo alo"),
  hesitations: words("uh uhm um umm eh ehm er hm hmm mm mmm öh äh"),
  openTails: new Set(),
  openPhrases: [],
  answers: words("ok okay okey stop"),
};
