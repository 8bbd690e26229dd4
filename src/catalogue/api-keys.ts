import { invalidField, Refusal } from "../dials/refusal.ts";
import type { ApiKey, CreateApiKey } from "../model/api-key.ts";
import { hashOf, mintKey } from "./api-key.ts";
import type { CatalogueDeps } from "./deps.ts";

/**
 * Makes a key, and answers it this once.
 *
 * @throws {Refusal} when a public key has no agents, a secret one has some, or an agent is not there.
 */
export const createApiKey = async (
  { catalogue, random }: CatalogueDeps,
  workspaceId: string,
  body: CreateApiKey,
): Promise<ApiKey & Readonly<{ key: string }>> => {
  const { name, type, allowedAgentIds } = body;
  if (type === "public" && allowedAgentIds === undefined)
    throw invalidField("/allowedAgentIds", "is required for a public key");
  if (type === "secret" && allowedAgentIds !== undefined)
    throw invalidField("/allowedAgentIds", "is for public keys: a secret key may do everything");
  for (const [index, id] of (allowedAgentIds ?? []).entries())
    if ((await catalogue.findAgent(workspaceId, id)) === undefined)
      throw new Refusal("unknown_agent", "There is no agent with this id.", `/allowedAgentIds/${index}`);
  const key = mintKey(random, type);
  const allowed = allowedAgentIds === undefined ? {} : { allowedAgentIds };
  const record = { id: random.id(), name, type, ...allowed, sha256: hashOf(key) };
  return { ...(await catalogue.addApiKey(workspaceId, record)), key };
};

/**
 * Revokes a key at once. The key of the request itself stays, so that a workspace always has one.
 *
 * @throws {Refusal} `api_key_not_found` or `key_in_use`.
 */
export const deleteApiKey = async (
  { catalogue }: CatalogueDeps,
  workspaceId: string,
  id: string,
  usedKeyId: string | undefined,
): Promise<ApiKey> => {
  if (id === usedKeyId)
    throw new Refusal("key_in_use", "This key made the request. Delete it with another secret key of the workspace.");
  const removed = await catalogue.removeApiKey(workspaceId, id);
  if (removed === undefined) throw new Refusal("api_key_not_found", "There is no key with this id.");
  return removed;
};
