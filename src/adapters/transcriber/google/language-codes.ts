import { baseLanguage } from "../remote/languages.ts";

/** The region that Google is told where an agent names a language alone; every language of the model "long" is here. */
const REGIONS: ReadonlyMap<string, string> = new Map(
  "af-ZA ar-EG bg-BG bn-BD ca-ES cs-CZ da-DK de-DE el-GR en-US es-ES et-EE eu-ES fa-IR fi-FI fil-PH fr-FR gl-ES gu-IN he-IL hi-IN hr-HR hu-HU hy-AM id-ID is-IS it-IT ja-JP jv-ID ka-GE kk-KZ km-KH kn-IN ko-KR lo-LA lt-LT lv-LV mk-MK ml-IN mn-MN mr-IN ms-MY my-MM ne-NP nl-NL no-NO pa-Guru-IN pl-PL pt-BR ro-RO ru-RU si-LK sk-SK sl-SI sq-AL sr-RS sv-SE sw-KE ta-IN te-IN th-TH tr-TR uk-UA ur-PK uz-UZ vi-VN zu-ZA"
    .split(" ")
    .map((tag) => [baseLanguage(tag), tag]),
);

export const supportsLanguage = (language: string): boolean => REGIONS.has(baseLanguage(language));

/** A BCP 47 tag with a region, as Google wants it. */
export const languageCode = (language: string): string =>
  language.includes("-") ? language : (REGIONS.get(baseLanguage(language)) ?? language);
