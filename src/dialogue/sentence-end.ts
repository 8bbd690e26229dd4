/** What stands at a place of a text: the end of a sentence, a pause within one, neither, or what only the next characters tell. */
export type Boundary = "sentence" | "clause" | "none" | "undecided";

/**
 * Length of the sentence that a text begins with, what closes it included; 0 while it has no end. With `ended`, nothing follows the text,
 * and a mark at its end that might have gone on counts; what has no mark stays without an end all the same.
 */
export const sentenceEnd = (text: string, ended = false): number => {
  let words = false;
  for (let at = 0; at < text.length; at++) {
    words ||= /[\p{L}\p{N}]/u.test(text[at] ?? "");
    const boundary = words ? boundaryAt(text, at, ended) : "none";
    if (boundary === "undecided") return 0;
    if (boundary === "sentence") return afterClosing(text, at + 1);
  }
  return 0;
};

/** The sentences of a whole text, without the space between them; the last one may lack its mark. Every line is a sentence at least. */
export const sentencesOf = (text: string): readonly string[] => {
  const sentences: string[] = [];
  for (let rest = text.trim(); rest !== "";) {
    const end = sentenceEnd(rest, true);
    sentences.push(end === 0 ? rest : rest.slice(0, end).trim());
    rest = end === 0 ? "" : rest.slice(end).trim();
  }
  return sentences;
};

/** What the character at `at` ends, seen with all that is known of the text, which begins with the sentence. */
export const boundaryAt = (text: string, at: number, ended: boolean): Boundary => {
  const mark = text[at] ?? "";
  if (PLAIN.test(mark)) return "none";
  if (mark === "\n") return "sentence";
  if (CLAUSE_MARK.test(mark)) return clauseMark(text, at, ended);
  if (CLOSES.test(mark)) return closing(text, at, ended);
  if (!TERMINAL.test(mark)) return "none";
  const boundary = mark === "." ? fullStop(text, at, ended) : terminal(text, at, ended);
  // Whoever quotes goes on when the quotation has ended.
  return boundary === "sentence" && isInside(text, at) ? "clause" : boundary;
};

/** Where a sentence ends whose mark ends at `start`: closing quotes, brackets and emphasis belong to what they close. */
export const afterClosing = (text: string, start: number): number => {
  const match = /^(?:["”’')\]»」』）]|\*+(?=\s|$)|_+(?=\s|$))+/u.exec(text.slice(start, start + 8));
  return start + (match?.[0].length ?? 0);
};

/** What most characters are. */
const PLAIN = /[\p{L}\p{N} ]/u;

/** Marks that end sentences in any script; Unicode does not count Armenian's, which stand inside words as well, and semicolons. */
const TERMINAL = /[\p{Sentence_Terminal}…;؛；՞՜]/u;

const CLAUSE_MARK = /[,،、，:：—–-]/u;
const CLOSES = /["“”’')\]«»」』）]/u;

/** Marks of sentences, and what may follow the last one of several. */
const MORE = /[\p{Sentence_Terminal}…;؛；]/u;

const terminal = (text: string, at: number, ended: boolean): Boundary => {
  const mark = text[at];
  const next = text[at + 1];
  if (next !== undefined && MORE.test(next)) return "none";
  if (mark === ";") return /&#?\w+$/u.test(text.slice(Math.max(0, at - 10), at)) ? "none" : spaced(next);
  if (mark === "…") return trailingOff(text, at, ended);
  if (mark === "?" || mark === "!") return inAddress(text, at) ? "none" : "sentence";
  return mark === "՞" || mark === "՜" ? spaced(next) : "sentence";
};

const spaced = (next: string | undefined): Boundary =>
  next === undefined || !/[\p{L}\p{N}]/u.test(next) ? "sentence" : "none";

/** "example.com?query=test" is one word. */
const inAddress = (text: string, at: number): boolean =>
  /[\p{L}\p{N}=&/]/u.test(text[at + 1] ?? "") && /(?:[./]|www)\S*$/u.test(text.slice(Math.max(0, at - 60), at));

/** "Wait... what?" goes on, which the next letter tells. */
const trailingOff = (text: string, at: number, ended: boolean): Boundary => {
  const next = nextVisible(text, at + 1);
  if (next === undefined) return ended ? "sentence" : "undecided";
  return /\p{Ll}/u.test(next) ? "clause" : "sentence";
};

/** Never the end of a sentence. */
const TITLES =
  /(?:^|[^\p{L}])(?:Mr|Mrs|Ms|Dr|Prof|St|Mt|Ft|Gen|Sen|Rep|Rev|Hon|Capt|Sgt|Lt|vs|e\.g|i\.e|approx|appt|Jan|Feb|Mar|Apr|Aug|Sept?|Oct|Nov|Dec|Hr|Hrn|Fr|bzw|ca|inkl|zzgl|evtl|ggf|Sra?|Srta|Dra|Sig|Dott|Ing|Mme|Mlle|Dhr|dhr|Mevr|mevr|Mw|bijv|Av|Avda)$/u;

/** Before a figure no end: "No. 5", "p. 55". Otherwise "no" and the others are words like any. */
const BEFORE_FIGURES = /(?:^|[^\p{L}])(?:[Nn]os?|[Nn]r|Núm|Tel|pp?|art|Art|vol|Vol|ext)$/u;

/** Perhaps the end of a sentence: it is, when a capital follows. */
const SHORT_FORMS =
  /(?:^|[^\p{L}])(?:[a-z]\.m|etc|usw|Inc|Ltd|Co|Corp|Jr|Sr|St|Str|Ave|Blvd|Rd|Apt|Dept|min|hrs?|\p{L}(?:\.\p{L})*)$/iu;

/** Behind initials, these begin a sentence; any other capital is the name that they belong to. */
const STARTERS =
  /^(?:I|I'm|He|She|It|We|You|They|The|This|That|There|These|Those|A|An|My|Your|His|Her|Our|Their|In|On|At|But|And|So|If|When|What|Who|Where|How|Why|Is|Are|Do|Does|Did|Can|Could|Would|Will|Please|Then|Now|Mr|Mrs|Ms|Dr|Yes|No|Not|Thanks|Thank|For|With|From|As|After|Before)$/u;

/** A day before its month, in languages that write it with a dot: "der 3. Juli". */
const ORDINAL =
  /(?:^|\s)(?:der|den|dem|des|die|das|am|vom|zum|zur|im|bis|ab|seit|nächsten?|ersten?|\p{Lu}\p{L}+tag,? (?:der|den|dem)) \d{1,2}$/iu;

const fullStop = (text: string, at: number, ended: boolean): Boundary => {
  const next = text[at + 1];
  const known = text.slice(Math.max(0, at - 24), at);
  if (next === undefined && ended) return "sentence";
  // Within "3.14", "example.com" and "...", and wherever the next character is more of the same word.
  if (next !== undefined && /[\p{L}\p{N}._@/]/u.test(next)) return "none";
  if (next !== undefined && MORE.test(next)) return "none";
  if (known.endsWith("..")) return trailingOff(text, at, ended);
  if (TITLES.test(known)) return "none";
  if (BEFORE_FIGURES.test(known)) return beforeFigures(text, at + 1, ended);
  if (SHORT_FORMS.test(known)) return afterShortForm(text, at + 1, ended);
  if (/\d$/u.test(known)) return afterNumber(text, at, ended);
  // An address that goes on ("www.example." + "com") is the only word that may.
  if (next === undefined && /(?:^|\s)(?:www|\S*(?:www\.|[@/])\S*)$/u.test(known)) return "undecided";
  return "sentence";
};

/** Characters that are looked at for what follows a mark; where there are so many without a letter, nothing does. */
const FAR = 8;

const nextVisible = (text: string, start: number): string | undefined =>
  /^[\s"'“”‘’)\]*_]*(\S)/u.exec(text.slice(start, start + FAR))?.[1];

const beforeFigures = (text: string, start: number, ended: boolean): Boundary => {
  const next = nextVisible(text, start);
  if (next === undefined) return ended || text.length >= start + FAR ? "sentence" : "undecided";
  return /\p{N}/u.test(next) ? "none" : "sentence";
};

const afterShortForm = (text: string, start: number, ended: boolean): Boundary => {
  const next = nextVisible(text, start);
  if (next === undefined) return ended || text.length >= start + FAR ? "sentence" : "undecided";
  if (!/\p{Lu}/u.test(next)) return "none";
  const initials = /\p{Lu}\.$/u.test(text.slice(start - 2, start));
  const early = text.slice(0, start).split(/\s+/u).length <= MOST_EARLY_WORDS;
  if (!initials && !early) return "sentence";
  const word = /^[\s"'“”‘’)\]*_]*([\p{L}'’]+)(?![\p{L}'’])/u.exec(text.slice(start))?.[1];
  const whole = word !== undefined && (ended || text.slice(start).trimStart().length > word.length);
  if (!whole) return ended ? "none" : "undecided";
  // "At 10 a.m. I saw him": the sentence has hardly begun, and "I" is a capital everywhere.
  if (early && !initials) return word.startsWith("I") && word.length <= 3 ? "none" : "sentence";
  return STARTERS.test(word) ? "sentence" : "none";
};

const MOST_EARLY_WORDS = 3;

/** "It costs 3." ends; "3.14" does not, "1. First" numbers a list, and "3. Juli" is a day. */
const afterNumber = (text: string, at: number, ended: boolean): Boundary => {
  if (text[at + 1] === undefined) return ended ? "sentence" : "undecided";
  const known = text.slice(0, at);
  return /(?:^|\n)\s*\d{1,3}$/u.test(known) || ORDINAL.test(known) ? "none" : "sentence";
};

const clauseMark = (text: string, at: number, ended: boolean): Boundary => {
  const mark = text[at] ?? "";
  if (mark === "—") return "clause";
  if (mark === "-" || mark === "–") return text[at - 1] === " " && text[at + 1] === " " ? "clause" : "none";
  const next = text[at + 1];
  if (next === undefined) return /\d$/u.test(text.slice(0, at)) && !ended ? "undecided" : "clause";
  return /[،、，：]/u.test(mark) || /[\s"'”’)\]*_]/u.test(next) ? "clause" : "none";
};

/** A quotation or a bracket that ends with a mark of its own ends the sentence too, unless the sentence goes on. */
const closing = (text: string, at: number, ended: boolean): Boundary => {
  const before = text.slice(0, at).replace(/["”’')\]»」』）]+$/u, "");
  const ends = MORE.test(before.at(-1) ?? "") && isInside(text, before.length) && !isInside(text, at + 1);
  if (!ends) return "none";
  const next = text[at + 1];
  if (next === undefined) return ended ? "sentence" : "undecided";
  if (CLOSES.test(next) || MORE.test(next) || /[\p{L}\p{N},]/u.test(next)) return "none";
  const visible = nextVisible(text, at + 1);
  if (visible === undefined) return ended ? "sentence" : "undecided";
  return /\p{Ll}/u.test(visible) ? "none" : "sentence";
};

/** Whether a quotation or a bracket that was opened before `at` is open there. Marks of inches and faces made of marks open none. */
const isInside = (text: string, at: number): boolean => {
  let quote = "";
  let depth = 0;
  for (let index = 0; index < at; index++) {
    const character = text[index] ?? "";
    const before = text[index - 1] ?? "";
    if (quote !== "") {
      if (CLOSING_QUOTES[quote]?.includes(character) === true) quote = "";
    } else if (CLOSING_QUOTES[character] !== undefined)
      quote = character === '"' && /\d/u.test(before) ? "" : character;
    else if (/[「『（([]/u.test(character) && !/[:;=]/u.test(before)) depth += 1;
    else if (/[」』）)\]]/u.test(character)) depth = Math.max(0, depth - 1);
  }
  return quote !== "" || depth > 0;
};

/** What ends a quotation, by what began it: German ends with what English begins with, and turns the angles round. */
const CLOSING_QUOTES: Readonly<Record<string, string>> = { '"': '"', "“": "”", "„": "“”", "«": "»", "»": "«" };
