import type { Cue } from "./cue.ts";

/** A list is over when its last item comes behind "and" or "or", or something like "that's it" follows. */
export const list: Cue = ({ text, words, lists, expected }) => {
  if (lists.language !== "en" || CLOSED.test(words.join(" "))) return undefined;
  const items = text
    .replace(/[\s.?!,]+$/u, "")
    .toLowerCase()
    .split(/,\s*/u)
    .filter((item) => !lists.hesitations.has(item) && !ADDRESSING.test(item));
  const last = (items.at(-1) ?? "").split(/\s+/u);
  const asked = expected.type === "list";
  const closing = words
    .slice(1)
    .slice(-5, -1)
    .some((word) => word === "and" || word === "or");
  // "Mushrooms and onions" may be the beginning of a list as well.
  if (asked && closing)
    return { form: "list", completeness: items.length === 1 && words.length <= MOST_WORDS ? 0.72 : 0.9 };
  if (items.length < 2) return asked && words.length <= MOST_WORDS ? { form: "list", completeness: 0.35 } : undefined;
  if (closing && /^(?:and|or)$/u.test(last[0] ?? "")) return { form: "list", completeness: 0.88 };
  const before = items.at(-2) ?? "";
  const short = asked || before.split(/\s+/u).length <= 3 || (items.length === 2 && LISTING.test(before));
  return last.length <= 3 && short && !last.some((word) => VERB_LIKE.test(word)) && !closing
    ? { form: "list", completeness: 0.2 }
    : undefined;
};

/** A first item with its lead-in ("I need some paper") has no more words than this. */
const MOST_WORDS = 6;

const CLOSED = /\b(?:that's (?:it|all)|is all|that is it|please|thanks|thank you|nothing else|nothing|none|no)$/u;
const LISTING = /\b(?:need|want|are|have|like|order|get|got|take|include|includes|bring|buy|add)\b/u;
const ADDRESSING =
  /^(?:yes|yeah|no|nope|well|hi|hello|okay|ok|sure|oh|sorry|thanks|right|please|actually|great|i think|i guess|so|maybe)$/u;
const VERB_LIKE =
  /^(?:is|are|was|were|do|does|did|have|has|can|could|will|would|it's|that's|i'm|i|we|you|please|he|she|they)$/u;
