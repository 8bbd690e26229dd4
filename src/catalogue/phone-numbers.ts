import { isE164 } from "../dials/destination.ts";
import { Refusal } from "../dials/refusal.ts";
import type { CreatePhoneNumber, PhoneNumber, UpdatePhoneNumber } from "../model/phone-number.ts";
import type { CatalogueDeps } from "./deps.ts";
import { putFields } from "./put-fields.ts";

/** A SIP user name without the characters that would end it in a URI (RFC 3261, section 25.1, less the reserved ones). */
const SIP_USER = /^[A-Za-z0-9._~!*'()-]{1,64}$/;

/**
 * Takes in a number that the workspace has at a carrier.
 *
 * @throws {Refusal} when it is no number, the workspace has it already, or its agent or carrier is not there.
 */
export const importPhoneNumber = async (
  deps: CatalogueDeps,
  workspaceId: string,
  body: CreatePhoneNumber,
): Promise<PhoneNumber> => {
  const type = body.type ?? "PSTN";
  if (type === "PSTN" && !isE164(body.number))
    throw new Refusal("invalid_number", "number must be in E.164 form, such as +12025550123.", "/number");
  if (type === "SIP_USERNAME" && !SIP_USER.test(body.number))
    throw new Refusal("invalid_number", "number must be a SIP user name, without host and port.", "/number");
  await checkAgent(deps, workspaceId, body.agentId);
  const { number, agentId } = body;
  const owner = agentId === undefined ? {} : { agentId };
  const added = { id: deps.random.id(), number, type, ...owner, carrier: chooseCarrier(deps, body.carrier) };
  if (!(await deps.catalogue.addPhoneNumber(workspaceId, added)))
    throw new Refusal(
      "number_exists",
      "The workspace has this number already. GET /phone_numbers lists it.",
      "/number",
    );
  return added;
};

/** @throws {Refusal} `phone_number_not_found`, or when the agent or the carrier is not there. */
export const updatePhoneNumber = async (
  deps: CatalogueDeps,
  workspaceId: string,
  id: string,
  body: UpdatePhoneNumber,
): Promise<PhoneNumber> => {
  if ((await deps.catalogue.findPhoneNumber(workspaceId, id)) === undefined) return notFound();
  await checkAgent(deps, workspaceId, body.agentId ?? undefined);
  if (body.carrier !== undefined) chooseCarrier(deps, body.carrier);
  const changed = await deps.catalogue.changePhoneNumber(workspaceId, id, (before) =>
    putFields<PhoneNumber>(before, body),
  );
  return changed ?? notFound();
};

/** @throws {Refusal} `phone_number_not_found`. */
export const deletePhoneNumber = async (deps: CatalogueDeps, workspaceId: string, id: string): Promise<PhoneNumber> =>
  (await deps.catalogue.removePhoneNumber(workspaceId, id)) ?? notFound();

const notFound = (): never => {
  throw new Refusal("phone_number_not_found", "There is no phone number with this id.");
};

const checkAgent = async ({ catalogue }: CatalogueDeps, workspaceId: string, id: string | undefined): Promise<void> => {
  if (id !== undefined && (await catalogue.findAgent(workspaceId, id)) === undefined)
    throw new Refusal("unknown_agent", "There is no agent with this id.", "/agentId");
};

/** The carrier that is named, or the only one there is. */
const chooseCarrier = ({ policy: { carriers } }: CatalogueDeps, named: string | undefined): string => {
  const [only, ...others] = carriers;
  const chosen = named ?? (others.length === 0 ? only : undefined);
  if (chosen !== undefined && carriers.has(chosen)) return chosen;
  const known = [...carriers].toSorted().join(", ") || "none";
  throw new Refusal("carrier_not_configured", `Name a carrier that is configured here: ${known}.`, "/carrier");
};
