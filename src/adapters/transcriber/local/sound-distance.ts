/** Pairs of phones that a telephone line, an accent or a recognizer confuses, and how far apart they are; all others are 1. */
const CLOSE: readonly (readonly [pair: string, far: number])[] = [
  ["B P", 0.35],
  ["D T", 0.3],
  ["G K", 0.35],
  ["V F", 0.35],
  ["Z S", 0.2],
  ["ZH SH", 0.2],
  ["JH CH", 0.3],
  ["DH TH", 0.2],
  ["ZH JH", 0.3],
  ["CH SH", 0.4],
  ["S SH", 0.5],
  ["F TH", 0.4],
  ["S TH", 0.5],
  ["D DH", 0.4],
  ["T TH", 0.4],
  ["V B", 0.5],
  ["V W", 0.5],
  ["M N", 0.4],
  ["N NG", 0.25],
  ["L R", 0.6],
  ["L W", 0.6],
  ["AH IH", 0.15],
  ["AH EH", 0.2],
  ["AH UH", 0.15],
  ["AH AA", 0.25],
  ["AH AE", 0.25],
  ["AH ER", 0.3],
  ["AH AO", 0.3],
  ["AH OW", 0.35],
  ["AA AO", 0.1],
  ["AA AE", 0.3],
  ["IH IY", 0.25],
  ["IH EH", 0.25],
  ["EH AE", 0.25],
  ["EH EY", 0.3],
  ["EY AY", 0.45],
  ["UH UW", 0.2],
  ["AO OW", 0.25],
  ["OW UW", 0.45],
  ["AE EY", 0.4],
  ["AY IH", 0.45],
  ["AY IY", 0.5],
  ["IY EY", 0.4],
  ["ER R", 0.3],
  ["AO OY", 0.4],
  ["AA AW", 0.4],
];

/** Any two vowels are nearer than a vowel and a consonant. */
const VOWELS_APART = 0.6;

/** What a sound that is missing or too much costs: weak ones come and go in speech. */
const WEAK: Readonly<Record<string, number>> = { AH: 0.4, IH: 0.5, HH: 0.4, R: 0.5, T: 0.6, D: 0.6, Y: 0.4, W: 0.6 };
const STRONG = 0.85;
const WEAKEST = 0.4;

/** Phones in ARPABET without stress; a sound is a list of their places in this one. */
const PHONES =
  "AA AE AH AO AW AY EH ER EY IH IY OW OY UH UW B CH D DH F G HH JH K L M N NG P R S SH T TH V W Y Z ZH".split(" ");

const isVowel = (phone: string): boolean => /^[AEIOU]/u.test(phone);

const GAPS = Float64Array.from(PHONES, (phone) => WEAK[phone] ?? STRONG);
const APART = Float64Array.from({ length: PHONES.length ** 2 }, (_, index) => {
  const one = PHONES[Math.floor(index / PHONES.length)] ?? "";
  const other = PHONES[index % PHONES.length] ?? "";
  if (one === other) return 0;
  const close = CLOSE.find(([pair]) => pair === `${one} ${other}` || pair === `${other} ${one}`);
  return close?.[1] ?? (isVowel(one) && isVowel(other) ? VOWELS_APART : 1);
});

/** A stretch of sound: phones by number. */
export type Sound = Uint8Array;

/** Phones written in ARPABET as a sound; stress is left out, and so is what is no phone. */
export const soundOf = (phones: string): Sound =>
  Uint8Array.from(
    phones
      .replaceAll(/\d/gu, "")
      .split(" ")
      .map((phone) => PHONES.indexOf(phone))
      .filter((place) => place >= 0),
  );

/**
 * How unlike two sounds are, as a share of the longer one: 0 the same, about 1 nothing in common. Answers Infinity when that is more
 * than `limit`.
 */
export const soundDistance = (one: Sound, other: Sound, limit: number): number => {
  const longer = Math.max(one.length, other.length);
  const budget = limit * longer;
  if (longer === 0 || Math.abs(one.length - other.length) * WEAKEST > budget) return Infinity;
  const width = other.length + 1;
  let previous = new Float64Array(width);
  let row = new Float64Array(width);
  for (let at = 1; at < width; at++) previous[at] = gap(previous, at - 1, other, at - 1);
  for (let place = 0; place < one.length; place++) {
    row[0] = gap(previous, 0, one, place);
    let least = row[0];
    for (let at = 1; at < width; at++) {
      const changed = (previous[at - 1] ?? 0) + apart(one[place], other[at - 1]);
      row[at] = Math.min(changed, gap(previous, at, one, place), gap(row, at - 1, other, at - 1));
      least = Math.min(least, row[at] ?? 0);
    }
    if (least > budget) return Infinity;
    [previous, row] = [row, previous];
  }
  const cost = previous[other.length] ?? 0;
  return cost > budget ? Infinity : cost / longer;
};

const apart = (one = 0, other = 0): number => APART[one * PHONES.length + other] ?? 1;

const gap = (costs: Float64Array, from: number, sound: Sound, place: number): number =>
  (costs[from] ?? 0) + (GAPS[sound[place] ?? 0] ?? STRONG);
