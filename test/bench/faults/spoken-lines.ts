import type { ModelMessage } from "../../../src/ports/language-model.ts";

/** What the caller says, one line after each answer, and how long each takes. */
export const CALLER = [
  { text: "When are you open?", ms: 1100 },
  { text: "Book me in for tomorrow please.", ms: 1500 },
  { text: "Thanks that is all.", ms: 1000 },
] as const;

export const OPENING = "Welcome, Riverside Clinic speaking.";

/** No word of an answer comes again in it or in another one, so that whatever sounds twice was said twice. */
export const ANSWERS = [
  "We open at nine every weekday, and close around half past five.",
  "Your visit stands for tomorrow morning, ask reception when arriving.",
  "Have lovely days, goodbye.",
] as const;

export const BOOK = "book_visit";

/** What a good model does with a conversation: answers each line once, books once, and ends the call. */
export const rightAnswer = (
  messages: readonly ModelMessage[],
): Readonly<{ text: string; call?: Readonly<{ name: string; args: string }> }> => {
  const said = messages.flatMap((message) => (message.role === "user" ? message.text : [])).join(" ");
  if (said.includes("Thanks")) return { text: ANSWERS[2], call: { name: "end_call", args: "{}" } };
  if (!said.includes("Book")) return { text: ANSWERS[0] };
  const booked = messages.some(({ role }) => role === "tool");
  return booked ? { text: ANSWERS[1] } : { text: "", call: { name: BOOK, args: '{"day":"tomorrow"}' } };
};

/** A word as it is compared: letters only. */
export const plain = (word: string): string => word.toLowerCase().replaceAll(/[^a-z']/gu, "");

const wordsOf = (text: string): readonly string[] =>
  text
    .split(/\s+/u)
    .map(plain)
    .filter((word) => word !== "");

const VOCABULARY: readonly string[] = [...new Set([OPENING, ...ANSWERS].flatMap(wordsOf))];

/** How many words of the agent's there are to be heard. */
export const WORDS = VOCABULARY.length;

/** Sound of words that may come again: fillers, announcements, apologies. */
export const OTHER_WORD = 0x20;

/** Every word of the answers has a byte of its own as its sound, which is how it is known at the caller's ear. */
export const soundOf = (word: string): number => {
  const index = VOCABULARY.indexOf(plain(word));
  return index < 0 ? OTHER_WORD : OTHER_WORD + 1 + index;
};

export const wordOfSound = (byte: number): string | undefined => VOCABULARY[byte - OTHER_WORD - 1];

/** The caller's sound: loud, and with the line's number in it. */
export const callerSound = (line: number): Uint8Array =>
  Uint8Array.from({ length: 160 }, (_, index) => (index % 16 < 8 ? 0x90 : 0x10) + line);

export const lineOfSound = (byte: number): number | undefined => {
  const line = byte < 0x80 ? byte - 0x10 : byte - 0x90;
  return line >= 0 && line < CALLER.length ? line : undefined;
};
