import { toCardinal, toOrdinal } from "n2words/de-DE";
import type { FigureWords } from "./figure-words.ts";

const before = (digits: string): string => toCardinal(digits).replace(/eins$/u, "ein");

/** 1998 is "neunzehnhundertachtundneunzig", as years are said up to the millennium. */
const year = (digits: string): string => {
  const value = Number(digits);
  if (value < 1100 || value >= 2000) return toCardinal(digits);
  const rest = value % 100;
  return `${toCardinal(Math.floor(value / 100))}hundert${rest === 0 ? "" : toCardinal(rest)}`;
};

export const de: FigureWords = {
  cardinal: toCardinal,
  before,
  day: (digits, inflected) => `${toOrdinal(digits)}${inflected ? "n" : "r"}`,
  inflects: /(?:^|[^\p{L}])(?:am|dem|den|vom|zum|beim|im|bis|seit|ab)\s+$/iu,
  between: " ",
  months: [
    "Januar",
    "Februar",
    "März",
    "April",
    "Mai",
    "Juni",
    "Juli",
    "August",
    "September",
    "Oktober",
    "November",
    "Dezember",
  ],
  year,
  time: (hours, minutes) => `${before(String(hours))} Uhr${minutes === 0 ? "" : ` ${toCardinal(minutes)}`}`,
  hourMark: /\s?(?:Uhr|h)\b/u,
  scales: /(?:Millionen|Milliarden|Mio\.?|Mrd\.?)/u,
  shortScales: { "Mio.": "Millionen", Mio: "Millionen", "Mrd.": "Milliarden", Mrd: "Milliarden" },
  ofScale: " ",
  point: "Komma",
  minus: "minus",
  plus: "plus",
  to: "bis",
  withCents: "und",
  and: "und",
  namesDecimals: false,
  percent: "Prozent",
  at: "ät",
  dot: "Punkt",
  slash: "Schrägstrich",
  dash: "Bindestrich",
  underscore: "Unterstrich",
  money: {
    "€": { whole: ["ein Euro", "Euro"], cents: ["ein Cent", "Cent"] },
    $: { whole: ["ein Dollar", "Dollar"], cents: ["ein Cent", "Cent"] },
    "£": { whole: ["ein Pfund", "Pfund"], cents: ["ein Penny", "Pence"] },
    CHF: { whole: ["ein Franken", "Franken"], cents: ["ein Rappen", "Rappen"] },
  },
  units: {
    km: ["ein Kilometer", "Kilometer"],
    "km/h": ["ein Stundenkilometer", "Stundenkilometer"],
    m: ["ein Meter", "Meter"],
    cm: ["ein Zentimeter", "Zentimeter"],
    mm: ["ein Millimeter", "Millimeter"],
    "m²": ["ein Quadratmeter", "Quadratmeter"],
    kg: ["ein Kilogramm", "Kilogramm"],
    g: ["ein Gramm", "Gramm"],
    l: ["ein Liter", "Liter"],
    "°C": ["ein Grad", "Grad"],
    "°": ["ein Grad", "Grad"],
    min: ["eine Minute", "Minuten"],
    Min: ["eine Minute", "Minuten"],
    Std: ["eine Stunde", "Stunden"],
    h: ["eine Stunde", "Stunden"],
  },
};
