import { toCardinal, toOrdinal } from "n2words/pt-PT";
import type { FigureWords } from "./figure-words.ts";

/** Hours are feminine. */
const hour = (value: number): string => toCardinal(value).replace(/um$/u, "uma").replace(/dois$/u, "duas");

export const pt: FigureWords = {
  cardinal: toCardinal,
  day: (digits) => (Number(digits) === 1 ? "primeiro" : toCardinal(digits)),
  between: " de ",
  months: [
    "janeiro",
    "fevereiro",
    "março",
    "abril",
    "maio",
    "junho",
    "julho",
    "agosto",
    "setembro",
    "outubro",
    "novembro",
    "dezembro",
  ],
  year: toCardinal,
  time: (hours, minutes) =>
    `${hour(hours)} ${hours === 1 ? "hora" : "horas"}${minutes === 0 ? "" : ` e ${toCardinal(minutes)}`}`,
  hourMark: /\s?(?:h|horas?)\b/u,
  ordinal: {
    mark: /\.?(º|ª)/u,
    say: (digits, mark) => (mark === "ª" ? toOrdinal(digits).replaceAll(/o\b/gu, "a") : toOrdinal(digits)),
  },
  scales: /(?:milhões|milhão|bilhões|mil milhões)/u,
  ofScale: " de ",
  point: "vírgula",
  minus: "menos",
  plus: "mais",
  to: "a",
  withCents: "e",
  and: "e",
  namesDecimals: true,
  percent: "por cento",
  at: "arroba",
  dot: "ponto",
  slash: "barra",
  dash: "hífen",
  underscore: "sublinhado",
  money: {
    "€": { whole: ["um euro", "euros"], cents: ["um cêntimo", "cêntimos"] },
    R$: { whole: ["um real", "reais"], cents: ["um centavo", "centavos"] },
    $: { whole: ["um dólar", "dólares"], cents: ["um centavo", "centavos"] },
    "£": { whole: ["uma libra", "libras"], cents: ["um péni", "pence"] },
  },
  units: {
    km: ["um quilómetro", "quilómetros"],
    "km/h": ["um quilómetro por hora", "quilómetros por hora"],
    m: ["um metro", "metros"],
    cm: ["um centímetro", "centímetros"],
    mm: ["um milímetro", "milímetros"],
    "m²": ["um metro quadrado", "metros quadrados"],
    kg: ["um quilo", "quilos"],
    g: ["um grama", "gramas"],
    l: ["um litro", "litros"],
    "°C": ["um grau", "graus"],
    "°": ["um grau", "graus"],
    min: ["um minuto", "minutos"],
  },
};
