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

/** A number as it is dialled; `undefined` for what is none. */
export const plainNumber = (number: string): string | undefined => {
  const plain = number.replaceAll(/[ ().\-\u00A0]/gu, "");
  return isE164(plain) ? plain : undefined;
};
