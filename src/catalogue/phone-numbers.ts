import { isE164 } from "../dials/destination.ts";
import { whyNotCallable } from "../dials/customer-url.ts";
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
  checkWebhookUrl(deps, body.webhookUrl);
  const owner = {
    ...(agentId === undefined ? {} : { agentId }),
    ...(body.webhookUrl === undefined ? {} : { webhookUrl: body.webhookUrl }),
  };
  const account = chooseAccount(deps, body);
  const added = { id: deps.random.id(), number, type, ...owner, ...account };
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
  const found = await deps.catalogue.findPhoneNumber(workspaceId, id);
  if (found === undefined) return notFound();
  await checkAgent(deps, workspaceId, body.agentId ?? undefined);
  checkWebhookUrl(deps, body.webhookUrl ?? undefined);
  const account =
    body.carrier === undefined && body.carrierAccountId === undefined
      ? {}
      : chooseAccount(deps, {
          carrier: body.carrier ?? found.carrier,
          carrierAccountId:
            body.carrierAccountId === undefined ? found.carrierAccountId : (body.carrierAccountId ?? undefined),
        });
  const changed = await deps.catalogue.changePhoneNumber(workspaceId, id, (before) =>
    putFields<PhoneNumber>(before, { ...body, ...account }),
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

const checkWebhookUrl = ({ policy }: CatalogueDeps, url: string | undefined): void => {
  const why = url === undefined ? undefined : whyNotCallable(url, policy.allowPrivateNetwork);
  if (why !== undefined) throw new Refusal("webhook_url_not_allowed", `webhookUrl ${why}.`, "/webhookUrl");
};

type Chosen = Readonly<{ carrier?: string | undefined; carrierAccountId?: string | undefined }>;

/**
 * The account that is named, or the one of the environment at the carrier that is named, or the only one there is. A number names
 * its account only where the carrier's name alone would not find it.
 */
const chooseAccount = (
  { policy: { carriers } }: CatalogueDeps,
  { carrier: named, carrierAccountId }: Chosen,
): Readonly<{ carrier: string; carrierAccountId?: string }> => {
  if (carrierAccountId !== undefined) return namedAccount(carriers, carrierAccountId, named);
  const [only, ...others] = carriers;
  if (named === undefined && only !== undefined && others.length === 0) return withAccount(...only);
  if (named !== undefined) {
    if (carriers.get(named) === named) return { carrier: named };
    const [account, ...more] = [...carriers].filter(([, carrier]) => carrier === named);
    if (account !== undefined && more.length === 0) return withAccount(...account);
    if (account !== undefined)
      throw new Refusal(
        "account_not_configured",
        `There are several accounts at ${named}; name one of them: ${listed(carriers, named)}.`,
        "/carrierAccountId",
      );
  }
  const known = [...new Set(carriers.values())].toSorted().join(", ") || "none";
  throw new Refusal("carrier_not_configured", `Name a carrier that is configured here: ${known}.`, "/carrier");
};

const namedAccount = (
  carriers: ReadonlyMap<string, string>,
  id: string,
  named: string | undefined,
): Readonly<{ carrier: string; carrierAccountId: string }> => {
  const carrier = carriers.get(id);
  if (carrier !== undefined && (named === undefined || named === carrier)) return { carrier, carrierAccountId: id };
  throw new Refusal(
    "account_not_configured",
    `Name an account that is configured here: ${listed(carriers, named)}.`,
    "/carrierAccountId",
  );
};

const withAccount = (id: string, carrier: string) => (id === carrier ? { carrier } : { carrier, carrierAccountId: id });

const listed = (carriers: ReadonlyMap<string, string>, named: string | undefined): string =>
  [...carriers]
    .filter(([, carrier]) => named === undefined || carrier === named)
    .map(([id]) => id)
    .toSorted()
    .join(", ") || "none";
