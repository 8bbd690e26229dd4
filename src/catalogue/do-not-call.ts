import { isE164 } from "../dials/destination.ts";
import { Refusal } from "../dials/refusal.ts";
import type { CreateDoNotCall, DoNotCall } from "../model/do-not-call.ts";
import type { CatalogueDeps } from "./deps.ts";

/**
 * Lists a number that the workspace is not to call any more. A number that is listed already stays as it is.
 *
 * @throws {Refusal} `invalid_number`.
 */
export const listNumber = async (
  { catalogue, random }: Pick<CatalogueDeps, "catalogue" | "random">,
  workspaceId: string,
  { number, reason }: CreateDoNotCall,
): Promise<Readonly<{ entry: DoNotCall; added: boolean }>> => {
  const plain = plainNumber(number);
  if (plain === undefined)
    throw new Refusal("invalid_number", "number must be in E.164 form, such as +12025550123.", "/number");
  return catalogue.addDoNotCall(workspaceId, {
    id: random.id(),
    number: plain,
    ...(reason === undefined ? {} : { reason }),
  });
};

/** @throws {Refusal} `do_not_call_entry_not_found`. */
export const unlistNumber = async (
  { catalogue }: Pick<CatalogueDeps, "catalogue">,
  workspaceId: string,
  id: string,
): Promise<DoNotCall> => {
  const removed = await catalogue.removeDoNotCall(workspaceId, id);
  if (removed === undefined)
    throw new Refusal("do_not_call_entry_not_found", "There is no entry with this id. GET /do_not_call lists them.");
  return removed;
};

/**
 * A number of a query as it is dialled. What is none is refused rather than looked for: that it is not listed would be understood as
 * leave to call.
 *
 * @throws {Refusal} `invalid_number`.
 */
export const soughtNumber = (number: string): string => {
  const plain = plainNumber(number);
  if (plain !== undefined) return plain;
  const message = "number must be in E.164 form; in a URL its plus sign is written %2B, as in %2B12025550123.";
  throw new Refusal("invalid_number", message, "/number");
};

/** A number as it is dialled; `undefined` for what is none. */
export const plainNumber = (number: string): string | undefined => {
  const plain = number.replaceAll(/[ ().\-\u00A0]/gu, "");
  return isE164(plain) ? plain : undefined;
};
