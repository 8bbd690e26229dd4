import { classifyWords } from "./far-end.ts";
import { plainWords } from "./plain-words.ts";
import { SCREENER_PATTERNS, SCREENER_SCRIPT_PATTERNS } from "./screener-cues.ts";
import { FURTHER_LATIN_CUES, OTHER_SCRIPT_CUES } from "./voicemail-cues-further.ts";
import { LATIN_CUES, type Cue } from "./voicemail-cues.ts";

/** Who or what picked up: a person, a voicemail, an automated menu, an assistant that screens calls, or a fax machine. */
export type AnsweringParty = "human" | "voicemail" | "ivr" | "screener" | "fax";

/** What is known of the first seconds after the answer. Text counts most; sound and the carrier tell where text does not. */
export type FirstSeconds = Readonly<{
  /** All that was said, as far as it was recognized, in any language. */
  text: string;
  /** How long it was spoken in one go, in milliseconds, pauses below half a second included. */
  speechMs?: number;
  /** A beep was heard, after whatever was said. */
  beep?: boolean;
  /** The tones of a fax machine were heard. */
  faxTones?: boolean;
  /** What the carrier's own detection says. */
  carrier?: "human" | "machine" | "fax" | undefined;
}>;

/** Who picked up, by all the evidence; `unknown` where it does not suffice, which is to be treated as a person. */
export const answeringParty = (evidence: FirstSeconds): AnsweringParty | "unknown" => {
  const { text, speechMs = 0, beep = false, faxTones = false, carrier } = evidence;
  if (faxTones || carrier === "fax") return "fax";
  const said = partyOfWords(text);
  const sure = said === "voicemail" || said === "screener" || said === "ivr";
  if (sure && !(said === "ivr" && beep)) return said;
  const score = voicemailScore(text);
  const person = said === "human" && score <= 0;
  // People make no beeps, and who answers with a question waits for its answer.
  if (beep && !person && (score > 0 || speechMs >= SPOKEN_MS || carrier === "machine")) return "voicemail";
  if (carrier === "machine" && !person && (score > 0 || speechMs >= SPOKEN_MS)) return "voicemail";
  if (said !== "human" && score >= 2 && speechMs >= MONOLOGUE_MS && carrier !== "human") return "voicemail";
  return said;
};

/** Who says such words when picking up. `unknown` for those that anybody may say. */
export const partyOfWords = (text: string): Exclude<AnsweringParty, "fax"> | "unknown" => {
  const words = plainWords(text.slice(0, MOST_TEXT));
  if (words === "") return "unknown";
  const end = lastPerson(words);
  const screener = lastIndexOf(SCREENERS, words) ?? lastIndexOf(SCREENERS_IN_SCRIPT, words.replaceAll(" ", ""));
  // "You may leave a message after the tone" comes from no assistant, whatever it says about reasons for calling.
  const asks = asksPolitely(text, words) && !SCREENS.test(words);
  if (screener !== undefined && !LEAVES_MESSAGE.test(words) && !asks)
    return end !== undefined && end > screener ? "human" : "screener";
  const score = voicemailScore(text);
  if (score >= SURE) {
    if (end !== undefined && end > (lastIndexOf(VOICEMAIL_ENDS, words) ?? words.length)) return "human";
    return OFFERS_KEYS.test(words) && !TONE.test(words) ? "ivr" : "voicemail";
  }
  const said = classifyWords(text.slice(0, MOST_TEXT));
  return said === "unknown" && asksPolitely(text, words) ? "human" : said;
};

/** How much words sound like the greeting of a voicemail: 3 and more is certain; below 0 a person has asked something. */
const voicemailScore = (text: string): number => {
  const words = plainWords(text.slice(0, MOST_TEXT));
  const joined = words.replaceAll(" ", "");
  let score = 0;
  for (const { weight, pattern } of VOICEMAIL) if (pattern.test(words)) score += weight;
  for (const { weight, pattern } of VOICEMAIL_IN_SCRIPT)
    if (pattern.test(words) || pattern.test(joined)) score += weight;
  if (IMPERATIVE.test(text)) score += 1;
  if (score === 0) return asksPolitely(text, words) ? -3 : 0;
  return asksPolitely(text, words) ? score - 4 : score;
};

/** A person's question or offer: a greeting asks nothing that it waits for an answer to. */
const asksPolitely = (text: string, words: string): boolean => OFFERS.test(words) || /[?？]\s*$/u.test(text);

const lastPerson = (words: string): number | undefined => lastIndexOf(PICKS_UP, words);

const lastIndexOf = (pattern: RegExp, words: string): number | undefined => {
  let last: number | undefined;
  for (const match of words.matchAll(pattern)) last = match.index;
  return last;
};

/** Weight at which words alone decide. */
const SURE = 3;

/** So much speech in one go, beside a beep or the carrier's word, is a greeting; "hello?" takes less than a second. */
const SPOKEN_MS = 1500;

/** People who pick up say less than this before they wait for an answer, in milliseconds. */
const MONOLOGUE_MS = 6000;

/** Longest text that is looked at, in UTF-16 units: about three minutes of speech. */
const MOST_TEXT = 3000;

/** In the plain form, which also takes marks off the letters of other scripts. */
const normal = (pattern: string): string => pattern.normalize("NFKD").replaceAll(/\p{M}/gu, "");

const asWords = (pattern: string, flags: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${normal(pattern)})(?![\\p{L}\\p{N}])`, flags);

const weighed = (cues: readonly Cue[], compile: (pattern: string) => RegExp) =>
  cues.map(([weight, pattern]) => ({ weight, pattern: compile(pattern) }));

const VOICEMAIL = weighed([...LATIN_CUES, ...FURTHER_LATIN_CUES], (pattern) => asWords(pattern, "u"));
const VOICEMAIL_IN_SCRIPT = weighed(OTHER_SCRIPT_CUES, (pattern) => new RegExp(normal(pattern), "u"));
const SCREENERS = asWords(SCREENER_PATTERNS.join("|"), "gu");
const SCREENERS_IN_SCRIPT = new RegExp(normal(SCREENER_SCRIPT_PATTERNS.join("|")), "gu");
const VOICEMAIL_ENDS = asWords(
  [...LATIN_CUES, ...FURTHER_LATIN_CUES].flatMap(([weight, pattern]) => (weight > 1 ? [pattern] : [])).join("|"),
  "gu",
);

const LEAVES_MESSAGE = asWords(
  "leave (?:\\p{L}+ ){0,6}(?:message|voicemail)|nachricht|mensaje|messaggio|mensagem|bericht",
  "u",
);
const TONE = asWords(
  "(?:tone|beep|signal|signalton|tono|senal|bip|segnale|sinal|toon|piep|record (?:\\p{L}+ ){0,3}message)",
  "u",
);
/** What no receptionist says, even in a question. */
const SCREENS = asWords("try to connect you|screen\\p{L}*|transcript", "u");

/** A request at the beginning of a sentence. */
const IMPERATIVE =
  /(?:^|[.!?,;:]\s+|\b(?:so|just|or|and|please) )leave (?:\p{L}+,? ){0,5}(?:message|voicemail|name|number|one|it|details|word)\b/iu;

const OFFERS_KEYS = asWords(
  "(?:press|dial|push) (?:\\d|one|two|three|four|five|six|seven|eight|nine|zero|star|pound|hash)|drucken sie|(?:marque|pulse|oprima|presione) \\p{L}+|tapez \\p{L}+|appuyez|prema|premere|digite|toets",
  "u",
);

/** A person who picks up after all, in the middle of a greeting. */
const PICKS_UP = asWords(
  "(?:hello|hallo|hey|hi|allo|pronto|hola|moshi moshi)(?: (?:hello|yes|hi|im here|sorry|i m here|are you there|anybody there|who is this|whos this))*$|im here|hold on im|ich bin (?:doch )?da|sorry i just",
  "gu",
);

const OFFERS = asWords(
  [
    "(?:can|could|may|shall|should|let me|i can|ill) (?:i )?(?:take|pass on|give \\p{L}+) (?:a |your |the )?(?:\\p{L}+ )?(?:message|number|name)",
    "(?:do you|would you|if you) (?:want|like|wish|care|prefer|d like) (?:me )?(?:to )?(?:leave|her|his|voicemail|speak)",
    "(?:got|get|received|heard|saw|listened to|had|have) your (?:\\p{L}+ )?(?:voice ?mail|message|call)|i (?:thought|figured|guess|was|already)|(?:id|i would|i|we|wed) (?:like|want|need|wish|prefer|love) to|thanks for (?:calling|getting) (?:me )?back|missed your call (?:earlier|before|yesterday|this|from)",
    "(?:put|transfer|send|patch|connect) you (?:\\p{L}+ )?to (?:his|her|their|the|its) (?:voice ?mail|mail ?box)",
    "(?:want|like) (?:me )?to (?:take|leave|tell|have|give|pass)",
    "(?:who is|whos|who s) (?:this|calling|speaking|there)|who am i (?:speaking|talking)|may i (?:ask|know)|can i (?:help|ask)|how (?:can|may) (?:i|we) help|what can i do for you",
    "(?:have|ask|tell|get) (?:him|her|them) (?:to )?(?:call|ring|phone|get)|(?:can|could|would|should) you (?:please )?(?:call|ring|try|phone|text|email|send)|call me (?:back )?(?:later|tomorrow|in)",
    "(?:soll|darf|kann) ich (?:\\p{L}+ ){0,5}(?:ausrichten|helfen|fragen|weiterleiten|notieren|bestellen|verbinden)|was kann ich|wer (?:ist|spricht) (?:da|dort|denn)|worum geht|mit wem spreche",
    "(?:quiere|quieres|desea|le gustaria) (?:\\p{L}+ )?(?:dejar|que)|quien (?:es|habla|llama)|en que puedo|de parte de quien|a quien busca|puedo (?:tomar|ayudar|darle)",
    "(?:voulez|souhaitez|desirez) vous|puis je|je peux (?:lui|prendre|vous)|qui est a|c est de la part|cest de la part|comment puis je|que puis je",
    "(?:vuole|desidera|posso) (?:\\p{L}+ )?(?:lasciare|aiutar\\p{L}+|riferire|prendere|dire|sapere)|chi (?:parla|e|sei)|con chi parlo",
    "(?:quer|gostaria|deseja) (?:de )?(?:deixar|que)|posso (?:anotar|ajudar|ajuda lo|saber|deixar)|quem (?:fala|e|esta)|em que posso",
    "(?:wilt|wil|zal|kan) (?:u|je|ik) (?:\\p{L}+ ){0,5}(?:achterlaten|aannemen|helpen|doorgeven|vragen|noteren)|waarmee kan|met wie spreek",
  ].join("|"),
  "u",
);
