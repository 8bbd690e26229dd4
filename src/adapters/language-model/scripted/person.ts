/**
 * A person's name in a transcript (with its own capitals and punctuation). When a name was just asked for, the whole answer
 * may be one; otherwise only what is introduced as one counts.
 */
export const findName = (text: string, expected: boolean): string | undefined => {
  const plain = text
    .replaceAll(/[\u2018\u2019]/gu, "'")
    .replaceAll(/\s+/gu, " ")
    .trim();
  const introduced = INTRODUCED.exec(plain)?.groups?.["name"];
  if (introduced !== undefined) {
    const isSure = expected || !/\bthis is \p{Ll}/u.test(plain);
    const name = isSure ? cleaned(introduced, Number.POSITIVE_INFINITY) : undefined;
    if (name !== undefined) return name;
  }
  if (!expected) return undefined;
  return cleaned(plain.replace(LEAD, ""), 3);
};

/** Seven to fifteen digits in a normalized transcript; fewer are a time or a date. */
export const findPhone = (text: string): string | undefined => {
  const rows = text.match(/(?:\d+ ?)+/gu) ?? [];
  return rows.map((row) => row.replaceAll(" ", "")).find((row) => row.length >= 7 && row.length <= 15);
};

const INTRODUCED =
  /\b(?:my name is|my name's|the name is|the name's|name is|name's|this is|under the name(?: of)?|in the name of|under|call me|i'm called|it's for) (?<name>[\p{L}' .-]{1,60})/iu;

/** What people put before a name when asked for it. */
const LEAD =
  /^(?:(?:uh+|um+|er+|oh|well|ok|okay|yes|yeah|yep|sure|so|right|hi|hello|it's|it is|it would be|that's|that would be|that'd be|i'm|i am|put it under|under|for|the name|name|and|please|of course|it'll be)\b[ ,.]*)+/iu;

/** Words that are in no name; one of them means that something else was said. */
const NO_NAME = new Set(
  (
    "a an the and or but if so not no nope yes yeah yep ok okay sure hello hi hey bye goodbye thanks thank please you your yours me my mine i we us our he she they them it its " +
    "is am are was were be been do does did don't didn't doesn't can can't could would will won't shall should have has had get got need want like know think say said tell make take give go going come " +
    "what when where which who why how this that these those there here now then today tomorrow tonight yesterday morning afternoon evening night noon midday monday tuesday wednesday thursday friday saturday sunday " +
    "january february march april june july august september october november december week day time date hour minute moment second " +
    "appointment booking book cancel move reschedule change open close price cost address parking help wait hold sorry pardon again repeat name phone number right wrong correct really just about for from to of on in at with by up out maybe actually never mind nothing something anything robot person human calling call called great good fine nice perfect bad crazy available still already too also instead later earlier sooner"
  ).split(" "),
);

/** Given names that are also words above stay possible when a surname follows: April Jones, June Park, Will Smith. */
const ALSO_NAMES = new Set(["april", "june", "august", "will", "mark", "rose", "may", "hope"]);

/** `mayFollow`: how many words may come after a name that ends at a word of no name. */
const cleaned = (text: string, mayFollow: number): string | undefined => {
  const sentence = text.split(/[.!?](?:\s|$)|,| - /u, 1)[0] ?? "";
  const words = joinSpelled(
    sentence
      .replaceAll(/[^\p{L}' -]/gu, " ")
      .split(" ")
      .filter((word) => word !== ""),
  );
  const kept: string[] = [];
  for (const word of words) {
    const isStop = NO_NAME.has(word.toLowerCase());
    const mayStart = kept.length === 0 && ALSO_NAMES.has(word.toLowerCase());
    if (isStop && !mayStart) {
      if (kept.length === 0) return undefined;
      break;
    }
    kept.push(word);
  }
  const trailing = words.length - kept.length;
  // "Maria Lopez please" is a name; "Maria said that I could come" is talk.
  if (kept.length === 0 || kept.length > 4 || trailing > mayFollow) return undefined;
  if (kept.length === 1 && NO_NAME.has((kept[0] ?? "").toLowerCase())) return undefined;
  return kept.map((word) => capitalized(word)).join(" ");
};

/** "s m i t h" and "S-M-I-T-H" are one word. */
const joinSpelled = (words: readonly string[]): readonly string[] => {
  const letters = words.flatMap((word) => (/^(?:\p{L}-)+\p{L}$/u.test(word) ? word.split("-") : [word]));
  const out: string[] = [];
  let spelled = "";
  for (const word of [...letters, ""]) {
    if (/^\p{L}$/u.test(word)) {
      spelled += word;
      continue;
    }
    // One letter alone is an initial.
    if (spelled !== "") out.push(spelled);
    spelled = "";
    if (word !== "") out.push(word);
  }
  return out;
};

const capitalized = (word: string): string =>
  word
    .split(/(?<=[-'])/u)
    .map(
      (part) =>
        part.charAt(0).toUpperCase() +
        (/^\p{Lu}+$/u.test(part) && part.length > 1 ? part.slice(1).toLowerCase() : part.slice(1)),
    )
    .join("");
