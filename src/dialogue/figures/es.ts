import { toCardinal, toOrdinal } from "n2words/es-ES";
import type { FigureWords } from "./figure-words.ts";

/** "Uno" is shortened before what it counts. */
const before = (digits: string): string =>
  toCardinal(digits)
    .replace(/veintiuno$/u, "veintiún")
    .replace(/uno$/u, "un");

const PART_OF_HOUR: Readonly<Record<number, string>> = { 15: "cuarto", 30: "media" };

export const es: FigureWords = {
  cardinal: toCardinal,
  before,
  day: (digits) => (Number(digits) === 1 ? "primero" : toCardinal(digits)),
  between: " de ",
  months: [
    "enero",
    "febrero",
    "marzo",
    "abril",
    "mayo",
    "junio",
    "julio",
    "agosto",
    "septiembre",
    "octubre",
    "noviembre",
    "diciembre",
  ],
  year: toCardinal,
  time: (hours, minutes) =>
    `${toCardinal(hours).replace(/uno$/u, "una")}${minutes === 0 ? "" : ` y ${PART_OF_HOUR[minutes] ?? toCardinal(minutes)}`}`,
  halfOfDay: (hours, afternoon) => {
    if (!afternoon) return hours === 12 ? "de la noche" : "de la mañana";
    if (hours === 12) return "del mediodía";
    return hours < 8 ? "de la tarde" : "de la noche";
  },
  hourMark: /\s?(?:h|hrs|horas)\b\.?/u,
  ordinal: {
    mark: /\.?(º|ª)/u,
    say: (digits, mark) =>
      mark === "ª" ? toOrdinal(digits).replaceAll(/o\b/gu, "a") : toOrdinal(digits).replace(/(prime|terce)ro$/u, "$1r"),
  },
  scales: /(?:millones|millón|billones|billón)/u,
  ofScale: " de ",
  point: "coma",
  minus: "menos",
  plus: "más",
  to: "a",
  withCents: "con",
  and: "y",
  namesDecimals: true,
  percent: "por ciento",
  at: "arroba",
  dot: "punto",
  slash: "barra",
  dash: "guion",
  underscore: "guion bajo",
  money: {
    "€": { whole: ["un euro", "euros"], cents: ["un céntimo", "céntimos"] },
    $: { whole: ["un dólar", "dólares"], cents: ["un centavo", "centavos"] },
    "£": { whole: ["una libra", "libras"], cents: ["un penique", "peniques"] },
  },
  units: {
    km: ["un kilómetro", "kilómetros"],
    "km/h": ["un kilómetro por hora", "kilómetros por hora"],
    m: ["un metro", "metros"],
    cm: ["un centímetro", "centímetros"],
    mm: ["un milímetro", "milímetros"],
    "m²": ["un metro cuadrado", "metros cuadrados"],
    kg: ["un kilo", "kilos"],
    g: ["un gramo", "gramos"],
    l: ["un litro", "litros"],
    "°C": ["un grado", "grados"],
    "°": ["un grado", "grados"],
    h: ["una hora", "horas"],
    min: ["un minuto", "minutos"],
  },
};

/** Where the sign of the dollar stands for pesos. */
export const esWithPesos: FigureWords = {
  ...es,
  money: { ...es.money, $: { whole: ["un peso", "pesos"], cents: ["un centavo", "centavos"] } },
};
