import type { ToolCall } from "../ports/language-model.ts";

/**
 * Keys as they are sent: blanks, hyphens, dots and brackets between them taken out. `undefined` for what is no sequence of 1 to 32 of
 * `0-9*#` with `,` for pauses between them.
 */
export const readKeys = (text: string): string | undefined => {
  const keys = text.replaceAll(/[\s().-]/gu, "");
  return keys.length <= MAX_KEYS && KEYS.test(keys) ? keys : undefined;
};

/** At least one key, and pauses wherever. */
const KEYS = /^[0-9*#,]*[0-9*#][0-9*#,]*$/u;

/** Most keys and pauses of one sequence: a card number and its pound key, with room for pauses. */
const MAX_KEYS = 32;

/** The keys that a model wants pressed; `undefined` when what it gave are none. */
export const keysIn = ({ args }: ToolCall): string | undefined => {
  try {
    const given: unknown = JSON.parse(args);
    const digits: unknown = typeof given === "object" && given !== null ? Reflect.get(given, "digits") : undefined;
    if (typeof digits === "number") return readKeys(String(digits));
    return typeof digits === "string" ? readKeys(digits) : undefined;
  } catch {
    return undefined;
  }
};
