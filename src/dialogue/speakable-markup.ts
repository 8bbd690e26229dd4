import { rule, type Rule } from "./speakable-rule.ts";

const silent = () => "";
const gap = () => " ";

const ENTITIES: Readonly<Record<string, string>> = {
  amp: " and ",
  lt: " ",
  gt: " ",
  nbsp: " ",
  quot: '"',
  apos: "'",
};

/** Markdown, HTML and emoji, which no voice should read. What they mark stays. */
export const MARKUP_RULES: readonly Rule[] = [
  // Fences of code, with the language after the opening one.
  rule(/(?:```|~~~)[\w+-]*/u, gap),
  rule(/(?<=^|\n)[ \t]*(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|(?:={3,}))(?=\n|$)/u, gap),
  // The line between a table's head and its body.
  rule(/(?<=^|\n)[ \t]*\|?[ \t]*:?-{2,}[-:| \t]*(?=\n|$)/u, gap),
  rule(/(?<=^|\n)[ \t]*#{1,6}[ \t]+/u, gap),
  rule(/(?<=^|\n)[ \t]*(?:>[ \t]?)+/u, gap),
  rule(/(?<=^|\n)[ \t]*[-*+•◦–][ \t]+(?:\[[ xX]\][ \t]+)?/u, gap),
  // Images and links keep their text.
  rule(/!?\[(?=[^\]\n]{1,300}\]\()/u, silent),
  rule(/\]\([^()\s]{0,500}(?:[ \t]"[^"\n]{0,200}")?\)/u, silent),
  rule(/<(?:https?:|mailto:)[^\s<>]{1,500}>/u, gap),
  rule(/<\/?[a-z][^<>\n]{0,200}>/iu, gap),
  rule(/&(amp|lt|gt|nbsp|quot|apos|#39);/u, ([, name = ""]) => ENTITIES[name] ?? "'"),
  rule(/\\(?=[\\`*_{}[\]()#+.!|~>-])/u, silent),
  rule(/`+/u, silent),
  rule(/~~+/u, silent),
  rule(/(?<![\d\s])\*+|\*+(?!\s?\d)|\*{2,}/u, silent),
  rule(/(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/u, silent),
  rule(/(?:\p{Extended_Pictographic}|\p{Regional_Indicator}|\p{Emoji_Modifier}|\u200D|\uFE0E|\uFE0F|\u20E3)+/u, gap),
];

/** A line's end is a pause, unless the text goes on in small letters. */
export const newLine = (source: string, at: number, pauseMissing: boolean): string => {
  const rest = source.slice(at + 1, at + 200).trimStart();
  return pauseMissing && /[\p{L}\p{N}]/u.test(rest) && !/^\p{Ll}/u.test(rest) ? ". " : " ";
};
