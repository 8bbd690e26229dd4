import { toCardinal, toOrdinal } from "n2words/nl-NL";
import type { FigureWords } from "./figure-words.ts";

/** 1998 is "negentienhonderd achtennegentig", as years are said up to the millennium. */
const year = (digits: string): string => {
  const value = Number(digits);
  if (value < 1100 || value >= 2000) return toCardinal(digits);
  const rest = value % 100;
  return `${toCardinal(Math.floor(value / 100))}honderd${rest === 0 ? "" : ` ${toCardinal(rest)}`}`;
};

export const nl: FigureWords = {
  cardinal: toCardinal,
  day: (digits) => toCardinal(digits),
  between: " ",
  months: [
    "januari",
    "februari",
    "maart",
    "april",
    "mei",
    "juni",
    "juli",
    "augustus",
    "september",
    "oktober",
    "november",
    "december",
  ],
  year,
  time: (hours, minutes) => `${toCardinal(hours)} uur${minutes === 0 ? "" : ` ${toCardinal(minutes)}`}`,
  hourMark: /\s?(?:uur|u)\b/u,
  ordinal: { mark: /(ste|de|e)(?![\p{L}\p{N}])/u, say: (digits) => toOrdinal(digits) },
  scales: /(?:miljoen|miljard|mln\.?|mld\.?)/u,
  shortScales: { "mln.": "miljoen", mln: "miljoen", "mld.": "miljard", mld: "miljard" },
  ofScale: " ",
  point: "komma",
  minus: "min",
  plus: "plus",
  to: "tot",
  withCents: "en",
  and: "en",
  namesDecimals: true,
  percent: "procent",
  at: "apenstaartje",
  dot: "punt",
  slash: "slash",
  dash: "streepje",
  underscore: "liggend streepje",
  money: {
    "€": { whole: ["een euro", "euro"], cents: ["een cent", "cent"] },
    $: { whole: ["een dollar", "dollar"], cents: ["een cent", "cent"] },
    "£": { whole: ["een pond", "pond"], cents: ["een penny", "pence"] },
  },
  units: {
    km: ["een kilometer", "kilometer"],
    "km/u": ["een kilometer per uur", "kilometer per uur"],
    "km/h": ["een kilometer per uur", "kilometer per uur"],
    m: ["een meter", "meter"],
    cm: ["een centimeter", "centimeter"],
    mm: ["een millimeter", "millimeter"],
    "m²": ["een vierkante meter", "vierkante meter"],
    kg: ["een kilo", "kilo"],
    g: ["een gram", "gram"],
    l: ["een liter", "liter"],
    "°C": ["een graad", "graden"],
    "°": ["een graad", "graden"],
    min: ["een minuut", "minuten"],
  },
};
