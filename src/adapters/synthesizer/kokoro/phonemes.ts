import { isVowel, type Phones } from "../english/pronunciation.ts";

/** What one written word becomes: phonemes of the network's alphabet, with the punctuation that it knows around them. */
export type PhonemeWord = Readonly<{ before: string; phonemes: string; after: string }>;

/** One written word and its phones → phonemes. The network was trained on American phonemes in which stress precedes the vowel. */
export const phonemeWord = (word: string, phones: Phones): PhonemeWord => {
  const [, before = "", after = ""] = /^([^\p{L}\p{N}]*).*?([^\p{L}\p{N}]*)$/su.exec(word) ?? [];
  return {
    before: marksOf(before),
    phonemes: phones.map((phone, index) => phonemeOf(phone, phones[index - 1], phones[index + 1])).join(""),
    // A word of marks alone has them once, after.
    after: phones.length === 0 && before === word ? "" : marksOf(after),
  };
};

/** The marks that the network knows as pauses and intonation; others would be noise to it. */
const marksOf = (marks: string): string =>
  marks
    .replaceAll(/\.{2,}/gu, "…")
    .replaceAll(/[–]|--+/gu, "—")
    .replaceAll(/[^;:,.!?—…()"“”]/gu, "");

const CONSONANTS: Readonly<Record<string, string>> = {
  B: "b",
  CH: "ʧ",
  D: "d",
  DH: "ð",
  F: "f",
  G: "ɡ",
  HH: "h",
  JH: "ʤ",
  K: "k",
  L: "l",
  M: "m",
  N: "n",
  NG: "ŋ",
  P: "p",
  R: "ɹ",
  S: "s",
  SH: "ʃ",
  T: "t",
  TH: "θ",
  V: "v",
  W: "w",
  Y: "j",
  Z: "z",
  ZH: "ʒ",
};

/** The alphabet writes diphthongs as capitals. */
const VOWELS: Readonly<Record<string, string>> = {
  AA: "ɑ",
  AE: "æ",
  AH: "ʌ",
  AO: "ɔ",
  AW: "W",
  AY: "I",
  EH: "ɛ",
  ER: "ɜɹ",
  EY: "A",
  IH: "ɪ",
  IY: "i",
  OW: "O",
  OY: "Y",
  UH: "ʊ",
  UW: "u",
};

const STRESS: Readonly<Record<string, string>> = { "0": "", "1": "ˈ", "2": "ˌ" };

const phonemeOf = (phone: string, before: string | undefined, after: string | undefined): string => {
  if (!isVowel(phone)) {
    // American English taps a t between a vowel (or r) and an unstressed vowel.
    const tapped =
      phone === "T" && before !== undefined && (isVowel(before) || before === "R") && after?.endsWith("0") === true;
    return tapped ? "ɾ" : (CONSONANTS[phone] ?? "");
  }
  const name = phone.slice(0, 2);
  const stress = phone.slice(2);
  if (stress === "0" && name === "AH") return "ə";
  if (stress === "0" && name === "ER") return "əɹ";
  return `${STRESS[stress] ?? ""}${VOWELS[name] ?? ""}`;
};
