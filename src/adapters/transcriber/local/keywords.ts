import type { Lexicon } from "./lexicon.ts";
import { soundDistance, type Sound } from "./sound-distance.ts";

/** Puts keywords where a text has something that sounds nearly like them. Pure; a second time changes nothing. */
export type KeywordCorrection = (text: string) => string;

/** Words of a text that may stand for one keyword. */
const LONGEST_STRETCH = 4;

/** Keywords with fewer sounds than this resemble too much. */
const FEWEST_PHONES = 4;

/**
 * How unlike a keyword a stretch of as many words (`whole`), or of more or fewer (`split`), may sound, by what speaks for it: a word
 * that exists nowhere was surely misheard; a name may be another one; a rare word is meant unless it falls apart; common words are
 * meant. Found with 45 names and products in flite's voices over 8 kHz µ-law, of which none may come up in 220 other sentences.
 */
const LIMITS = {
  unheardOf: { whole: 0.26, split: 0.26 },
  name: { whole: 0.14, split: 0.06 },
  rare: { whole: 0, split: 0.06 },
} as const;
type Evidence = keyof typeof LIMITS | "common";

/** Letters from which common words that are written like a keyword together are that keyword: "blue tooth". */
const LONG_KEYWORD = 6;

/** Stretches whose keyword is remembered: interim texts grow and bring the same ones again and again. */
const MOST_REMEMBERED = 2000;

type Keyword = Readonly<{ text: string; words: readonly string[]; sounds: readonly Sound[] }>;
type Word = Readonly<{ bare: string; from: number; to: number; capital: boolean; opens: boolean; joined: boolean }>;
type Match = Readonly<{ keyword: Keyword; distance: number }>;
type Find = Match & Readonly<{ first: number; last: number }>;

/** A correction towards these keywords (words or phrases); those without Latin letters or with few sounds are left out. */
export const correctionOf = (keywords: readonly string[], lexicon: Lexicon): KeywordCorrection => {
  const known = keywords.flatMap((text) => keywordOf(text, lexicon));
  if (known.length === 0) return (text) => text;
  const match = remembering((stretch) => matchOf(stretch, known, lexicon));
  return (text) => {
    const words = wordsIn(text);
    const taken = new Set<number>(known.flatMap((keyword) => occurrences(words, keyword)));
    const chosen: Find[] = [];
    for (const find of findsIn(words, match)) {
      const positions = positionsOf(find);
      if (positions.some((position) => taken.has(position))) continue;
      for (const position of positions) taken.add(position);
      chosen.push(find);
    }
    return chosen.toSorted((a, b) => b.first - a.first).reduce((done, find) => replaced(done, words, find), text);
  };
};

const keywordOf = (text: string, lexicon: Lexicon): readonly Keyword[] => {
  const words = wordsIn(text);
  const [first, last] = [words[0], words.at(-1)];
  if (first === undefined || last === undefined || words.some(({ bare }) => bare === "")) return [];
  const spelling = text.slice(first.from, last.to).replaceAll(/\s+/gu, " ");
  const sounds = /^[A-Z]{2,5}$/u.test(spelling)
    ? combinations(first.bare.split("").map((letter) => lexicon.sounds(letter).slice(-1)))
    : combinations(words.map(({ bare }) => lexicon.sounds(bare)));
  const enough = sounds.filter((phones) => phones.length >= FEWEST_PHONES);
  return enough.length === 0 ? [] : [{ text: spelling, words: words.map(({ bare }) => bare), sounds: enough }];
};

/** Words with their places; `bare` is empty where a word holds anything but Latin letters. */
const wordsIn = (text: string): readonly Word[] => {
  let end = 0;
  return [...text.matchAll(/[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}\p{N}]+)*/gu)].map(({ 0: written, index: from }) => {
    const between = text.slice(end, from);
    const isFirst = end === 0;
    end = from + written.length;
    const plain = written.normalize("NFKD").replaceAll(/\p{M}/gu, "").replaceAll("’", "'").toLowerCase();
    return {
      bare: /^[a-z']+$/u.test(plain) ? plain : "",
      from,
      to: end,
      capital: /^\p{Lu}/u.test(written),
      opens: isFirst || /[.!?:"“]/u.test(between),
      joined: !isFirst && /^(?:\s+|-)$/u.test(between),
    };
  });
};

/** Positions of the words that are a keyword already. */
const occurrences = (words: readonly Word[], keyword: Keyword): readonly number[] =>
  words.flatMap((_, first) =>
    keyword.words.every((bare, index) => {
      const word = words[first + index];
      return word !== undefined && (word.bare === bare || word.bare === `${bare}'s`) && (index === 0 || word.joined);
    })
      ? keyword.words.map((__, index) => first + index)
      : [],
  );

/** Everything that might be a keyword, nearest first; of the equally near, the shortest and then the first. */
const findsIn = (words: readonly Word[], match: (stretch: readonly Word[]) => Match | undefined): readonly Find[] => {
  const finds: Find[] = [];
  for (let first = 0; first < words.length; first++) {
    for (let last = first; last < Math.min(words.length, first + LONGEST_STRETCH); last++) {
      const newest = words[last];
      if (newest === undefined || newest.bare === "" || (last > first && !newest.joined)) break;
      const found = match(words.slice(first, last + 1));
      if (found !== undefined) finds.push({ ...found, first, last });
    }
  }
  return finds.toSorted(
    (a, b) => a.distance - b.distance || a.last - a.first - (b.last - b.first) || a.first - b.first,
  );
};

const remembering = (
  find: (stretch: readonly Word[]) => Match | undefined,
): ((stretch: readonly Word[]) => Match | undefined) => {
  const remembered = new Map<string, Match | undefined>();
  return (stretch) => {
    const key = stretch.map(({ bare, capital }) => (capital ? `^${bare}` : bare)).join(" ");
    if (remembered.has(key)) return remembered.get(key);
    if (remembered.size >= MOST_REMEMBERED) remembered.clear();
    const found = find(stretch);
    remembered.set(key, found);
    return found;
  };
};

/** The keyword that a stretch is nearest to, if it may be one at all. */
const matchOf = (stretch: readonly Word[], keywords: readonly Keyword[], lexicon: Lexicon): Match | undefined => {
  const bares = stretch.map(({ bare }) => withoutPossessive(bare));
  const evidence = evidenceOf(stretch, lexicon);
  const spelled = bares.join("");
  const same = keywords.find(({ words }) => words.join("") === spelled);
  if (same !== undefined && (evidence !== "common" || isTelling(bares))) return { keyword: same, distance: 0 };
  if (evidence === "common") return undefined;
  const sounds = combinations(bares.map((bare) => lexicon.sounds(bare)));
  let best: Match | undefined;
  for (const keyword of keywords) {
    const allowed = LIMITS[evidence][stretch.length === keyword.words.length ? "whole" : "split"];
    const limit = Math.min(allowed, best?.distance ?? Infinity);
    for (const sound of sounds)
      for (const target of keyword.sounds) {
        const distance = soundDistance(sound, target, limit);
        if (distance < (best?.distance ?? Infinity)) best = { keyword, distance };
      }
  }
  return best;
};

/** Whether common words written together are no chance: many letters, or single ones as something is spelled out. */
const isTelling = (bares: readonly string[]): boolean =>
  bares.join("").length >= LONG_KEYWORD || (bares.length > 2 && bares.every(({ length }) => length === 1));

/** What speaks for a stretch not being what was said. */
const evidenceOf = (stretch: readonly Word[], lexicon: Lexicon): Evidence => {
  const doubtful = stretch.filter(({ bare }) => !lexicon.isCommon(bare));
  if (doubtful.some(({ bare }) => !lexicon.knows(bare) && !lexicon.knows(withoutPossessive(bare)))) return "unheardOf";
  if (doubtful.some(({ capital }) => capital)) return "name";
  return doubtful.length > 0 ? "rare" : "common";
};

const withoutPossessive = (bare: string): string => bare.replace(/'s$/u, "");

/** The ways to say words after one another, of which the first few count. */
const combinations = (words: readonly (readonly Sound[])[]): readonly Sound[] =>
  words.reduce<readonly Sound[]>(
    (said, ways) =>
      said.flatMap((before) => ways.map((way) => Uint8Array.of(...before, ...way))).slice(0, MOST_COMBINATIONS),
    [new Uint8Array(0)],
  );

const MOST_COMBINATIONS = 8;

const positionsOf = ({ first, last }: Find): readonly number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

const replaced = (text: string, words: readonly Word[], { first, last, keyword }: Find): string => {
  const [from, to] = [words[first], words[last]];
  if (from === undefined || to === undefined) return text;
  const possessive = /['’]s$/iu.exec(text.slice(from.from, to.to))?.[0] ?? "";
  const small = /^\p{Ll}[\p{Ll}\s]*$/u.test(keyword.text);
  const written =
    small && from.opens && from.capital ? keyword.text.charAt(0).toUpperCase() + keyword.text.slice(1) : keyword.text;
  return text.slice(0, from.from) + written + possessive + text.slice(to.to);
};
