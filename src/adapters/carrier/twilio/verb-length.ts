import type { Verb } from "../simulation/markup.ts";

/** About how long a letter takes to be said, in milliseconds. */
const LETTER_MS = 60;

/** How long a verb takes that only takes time, in milliseconds. */
export const lengthOf = ({ name, attributes, text }: Verb): number => {
  if (name === "Pause") return Number(attributes["length"] ?? 1) * 1000;
  return name === "Say" ? text.length * LETTER_MS : 0;
};
