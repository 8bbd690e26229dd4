import { toCardinal, toOrdinal } from "n2words/fr-FR";
import type { FigureWords } from "./figure-words.ts";

/** Hours are feminine. */
const hour = (value: number): string =>
  value % 10 === 1 && value !== 11 ? `${toCardinal(value)}e` : toCardinal(value);

export const fr: FigureWords = {
  cardinal: toCardinal,
  day: (digits) => (Number(digits) === 1 ? "premier" : toCardinal(digits)),
  between: " ",
  months: [
    "janvier",
    "février",
    "mars",
    "avril",
    "mai",
    "juin",
    "juillet",
    "août",
    "septembre",
    "octobre",
    "novembre",
    "décembre",
  ],
  year: toCardinal,
  time: (hours, minutes) =>
    `${hour(hours)} ${hours < 2 ? "heure" : "heures"}${minutes === 0 ? "" : ` ${hour(minutes)}`}`,
  hourMark: /\s?(?:h|heures?)\b/u,
  ordinal: {
    mark: /(ers?|re|ère|e|ème|nde?)(?![\p{L}\p{N}])/u,
    say: (digits, mark) => (/^(?:re|ère)$/u.test(mark) ? "première" : toOrdinal(digits)),
  },
  scales: /(?:millions?|milliards?)/u,
  ofScale: " de ",
  point: "virgule",
  minus: "moins",
  plus: "plus",
  to: "à",
  withCents: "et",
  and: "et",
  namesDecimals: true,
  percent: "pour cent",
  at: "arobase",
  dot: "point",
  slash: "barre oblique",
  dash: "tiret",
  underscore: "tiret bas",
  money: {
    "€": { whole: ["un euro", "euros"], cents: ["un centime", "centimes"] },
    $: { whole: ["un dollar", "dollars"], cents: ["un cent", "cents"] },
    "£": { whole: ["une livre", "livres"], cents: ["un penny", "pence"] },
    CHF: { whole: ["un franc", "francs"], cents: ["un centime", "centimes"] },
  },
  units: {
    km: ["un kilomètre", "kilomètres"],
    "km/h": ["un kilomètre à l'heure", "kilomètres à l'heure"],
    m: ["un mètre", "mètres"],
    cm: ["un centimètre", "centimètres"],
    mm: ["un millimètre", "millimètres"],
    "m²": ["un mètre carré", "mètres carrés"],
    kg: ["un kilo", "kilos"],
    g: ["un gramme", "grammes"],
    l: ["un litre", "litres"],
    "°C": ["un degré", "degrés"],
    "°": ["un degré", "degrés"],
    min: ["une minute", "minutes"],
  },
};
