import type { FunctionDefinition } from "../model/function-definition.ts";

/** Where a transfer leads: always an entry of the function's own list, as it was stored. */
export type TransferTarget = Readonly<{ type: "allowed"; to: string }> | Readonly<{ type: "refused"; why: string }>;

/** Longest arguments that are looked at, in UTF-16 units; a destination needs 40, a summary some hundreds. */
const MAX_ARGS = 4000;

/** A plus sign and 7 to 15 ASCII digits (ITU-T E.164); digits of other scripts, blanks and invisible characters are none. */
const E164 = /^\+[1-9][0-9]{6,14}$/;

/**
 * The number that a model's call of a transfer function leads to. What the model wrote is compared and then thrown away: the stored
 * entry is what is dialled, and nothing is read into a number, so that no spelling of another number passes for an allowed one.
 *
 * `whyNeverRung` tells why a number may not be rung although it is in the list (emergency, premium rate), `undefined` when it may.
 */
export const transferTarget = (
  definition: Pick<FunctionDefinition, "allowedNumbers">,
  args: string,
  whyNeverRung: (number: string) => string | undefined,
): TransferTarget => {
  const asked = destinationOf(args);
  const stored = definition.allowedNumbers.find(({ number }) => number === asked)?.number;
  if (stored === undefined || !E164.test(stored))
    return { type: "refused", why: "destination must be exactly one of the numbers that the function lists" };
  const why = whyNeverRung(stored);
  return why === undefined ? { type: "allowed", to: stored } : { type: "refused", why };
};

const destinationOf = (args: string): string | undefined => textIn(args, "destination");

/** The text of this name among arguments; `undefined` where they are too long, no object, or have no such text. */
export const textIn = (args: string, name: string): string | undefined => {
  if (args.length > MAX_ARGS) return undefined;
  try {
    const parsed: unknown = JSON.parse(args);
    if (typeof parsed !== "object" || parsed === null || !Object.hasOwn(parsed, name)) return undefined;
    const value = (parsed as Readonly<Record<string, unknown>>)[name];
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
};
