/** One of something and many: `["ein Euro", "Euro"]`. The first is said whole, the second behind a number. */
export type Counted = readonly [one: string, many: string];

/** How a language says what it writes in figures. */
export type FigureWords = Readonly<{
  /** A whole number from its digits, as it stands before a noun of no gender in particular. */
  cardinal(digits: string): string;
  /** The same behind which `noun` stands, where the language joins or shortens it: "veintiún euros". */
  before?(digits: string): string;
  /** A day of the month in front of its month. `inflected` where a word before it asks for another ending. */
  day(digits: string, inflected: boolean): string;
  /** Words before a day after which it is inflected. */
  inflects?: RegExp;
  /** Between day and month, and between month and year: " de ". */
  between: string;
  months: readonly string[];
  year(digits: string): string;
  /** Time of day from hours and minutes; minutes are 0 to 59. */
  time(hours: number, minutes: number): string;
  /** What may follow a time in figures and is said by {@link time} already. */
  hourMark?: RegExp;
  /** What half of the day is called at an hour of it, where it is written in short. */
  halfOfDay?(hours: number, afternoon: boolean): string;
  /** Words for millions and more, what shorter ones stand for, and what joins them to what they count. */
  scales: RegExp;
  shortScales?: Readonly<Record<string, string>>;
  ofScale: string;
  /** Says that a number is an ordinal: "1er", "2º". */
  ordinal?: Readonly<{ mark: RegExp; say(digits: string, mark: string): string }>;
  /** What separates a number from its decimals, in words. */
  point: string;
  minus: string;
  plus: string;
  to: string;
  /** Between whole money and cents. */
  withCents: string;
  and: string;
  /** Whether two decimals are said as one number: "trois virgule quatorze". */
  namesDecimals: boolean;
  percent: string;
  at: string;
  dot: string;
  slash: string;
  dash: string;
  underscore: string;
  /** By sign: whole and cents. */
  money: Readonly<Record<string, Readonly<{ whole: Counted; cents: Counted }>>>;
  units: Readonly<Record<string, Counted>>;
}>;
