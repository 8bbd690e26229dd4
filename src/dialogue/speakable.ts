import { ENGLISH_RULES } from "./speakable-english.ts";
import { figureRules } from "./speakable-figures.ts";
import { MARKUP_RULES, newLine } from "./speakable-markup.ts";
import type { Rule, RuleContext } from "./speakable-rule.ts";

/** Text as a voice should get it, and how to find its way back to what was written. */
export type SpeakableText = Readonly<{
  /** Words with single spaces between; no markdown, no emoji, no digits where the language is known. May be empty. */
  spoken: string;
  source: string;
  /**
   * For each whitespace-separated word of `spoken`, where the part of `source` that it completes ends. Never falls; the last one is
   * `source.length`. Words inside an expansion ("$5" → "five dollars") but its last stand at the expansion's beginning, so that
   * what was cut off half-way does not count as heard.
   */
  ends: readonly number[];
}>;

/**
 * Prepares written text for a voice: takes markdown, emoji and other marks off and, in English, German, Spanish, French, Italian, Dutch and
 * Portuguese, writes out numbers, money, dates, times, telephone numbers, addresses and units; in English abbreviations as well. Figures
 * of other languages are left to the voice. `language` is a BCP 47 tag; dates such as 3/4 are read by it. Pure; any text is taken, in time
 * proportional to its length.
 */
export const toSpeakable = (source: string, language: string): SpeakableText => {
  const english = /^en(-|$)/iu.test(language);
  const rules = [...MARKUP_RULES, ...(english ? ENGLISH_RULES : (figureRules(language) ?? []))];
  const context: RuleContext = { dayFirst: /^en-(GB|AU|NZ|IE|IN|ZA)$/iu.test(language) };
  const draft = new Draft();
  for (let at = 0; at < source.length;) {
    const matched = applyFirst(rules, source, at, context);
    if (matched === undefined) at = copyFrom(source, at, draft);
    else {
      draft.expand(matched.spoken, at, at + matched.length);
      at += matched.length;
    }
  }
  return draft.finish(source);
};

/** The part of the source that was heard when the first `words` words of the spoken text were. */
export const heardSource = (text: SpeakableText, words: number): string =>
  words >= text.ends.length ? text.source : text.source.slice(0, words <= 0 ? 0 : text.ends[words - 1]);

/** What is neither letter, digit nor a mark that voices know: it would be read by its name, or upset an engine. */
const UNSPEAKABLE = /[^\p{L}\p{M}\p{N}.,!?;:'"()\-…‘’“”&@%+=$€£]/u;

const CLOSING = /^[.,!?;:…)”]+ ?$/u;

/** Letters, without those that are drawn as emoji (ℹ). */
const WORD_PART = /(?!\p{Extended_Pictographic})[\p{L}\p{M}]/u;

const applyFirst = (
  rules: readonly Rule[],
  source: string,
  at: number,
  context: RuleContext,
): Readonly<{ spoken: string; length: number }> | undefined => {
  for (const rule of rules) {
    rule.pattern.lastIndex = at;
    const match = rule.pattern.exec(source);
    if (match === null || match[0] === "") continue;
    const spoken = rule.speak(match, context);
    if (spoken !== undefined) return { spoken, length: match[0].length };
  }
  return undefined;
};

/** Copies one character, and with a letter the letters that follow, inside which no rule can begin. */
const copyFrom = (source: string, start: number, draft: Draft): number => {
  let at = start;
  do {
    const character = String.fromCodePoint(source.codePointAt(at) ?? 0);
    if (character === "\n") draft.copy(newLine(source, at, draft.endsOpen), at + 1);
    else draft.copy(UNSPEAKABLE.test(character) ? " " : character, at + character.length);
    at += character.length;
    if (!WORD_PART.test(character)) break;
  } while (at < source.length && WORD_PART.test(source[at] ?? ""));
  return at;
};

/** Words as they come, each with the end of its source. */
class Draft {
  readonly #words: { text: string; end: number }[] = [];
  /** Whether the last word may still grow. */
  #open = false;

  /** True when the last character was a letter or a digit, so that a pause would have to be written. */
  get endsOpen(): boolean {
    return /[\p{L}\p{N}]$/u.test(this.#words.at(-1)?.text ?? "");
  }

  copy(text: string, end: number): void {
    if (text.trim() === "") {
      this.#open &&= text === "";
      return;
    }
    const last = this.#words.at(-1);
    // Marks that close join the word before them, even over a gap; marks that open begin the next.
    const glued = this.#open || CLOSING.test(text);
    if (last !== undefined && glued && !text.startsWith(" ")) {
      last.text += text.trim();
      last.end = end;
    } else this.#words.push({ text: text.trim(), end });
    this.#open = !text.endsWith(" ");
  }

  /** Several words that stand for one stretch of source; a space at either end separates them from what is next to it. */
  expand(spoken: string, start: number, end: number): void {
    const words = spoken.split(" ").filter((word) => word !== "");
    const last = this.#words.at(-1);
    if (words.length === 0) {
      // Marks that close ("**") belong to the word before them.
      if (last !== undefined && this.#open && spoken === "") last.end = end;
      this.copy(spoken, end);
      return;
    }
    if (spoken.startsWith(" ") || (this.endsOpen && /^[\p{L}\p{N}]/u.test(spoken))) this.#open = false;
    for (const [index, word] of words.entries()) {
      this.copy(word, index === words.length - 1 ? end : start);
      this.#open = false;
    }
    this.#open = !spoken.endsWith(" ");
  }

  finish(source: string): SpeakableText {
    const words = this.#words.filter(({ text }) => /[\p{L}\p{N}\p{Sc}]/u.test(text));
    const ends: number[] = [];
    for (const { end } of words) ends.push(Math.max(end, ends.at(-1) ?? 0));
    if (ends.length > 0) ends[ends.length - 1] = source.length;
    return { spoken: words.map(({ text }) => text).join(" "), source, ends };
  }
}
