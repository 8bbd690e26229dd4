import { createClient, ApiProblem, type Agent } from "../../client/client.ts";

/** What the page was given to begin with. */
export type Given = Readonly<{ kind: "token"; dialId: string; token: string } | { kind: "key"; key: string }>;

/** A dial token names its dial; anything else is taken for a key. */
export const readCredential = (text: string): Given => {
  const credential = text.trim();
  const dialId = dialOf(credential);
  return dialId === undefined ? { kind: "key", key: credential } : { kind: "token", dialId, token: credential };
};

/** The token of an invitation such as `/#eyJ…`: what stands behind # is sent to nobody. Taken out of the address at once. */
export const takeInvitation = (): string | undefined => {
  const token = location.hash.slice(1);
  if (dialOf(token) === undefined) return undefined;
  history.replaceState(null, "", location.pathname);
  return token;
};

/** The agents that a key may list; `undefined` for public keys, which may list none. */
export const listAgents = async (key: string): Promise<readonly Agent[] | undefined> => {
  try {
    const { data } = await createClient({ baseUrl: base(), apiKey: key }).listAgents({ limit: 1000 });
    return data;
  } catch (error) {
    if (error instanceof ApiProblem && error.code === "forbidden") return undefined;
    throw error;
  }
};

/** Makes a dial for this page. */
export const inviteMyself = async (
  key: string,
  agentId: string,
): Promise<Readonly<{ dialId: string; dialToken: string }>> =>
  createClient({ baseUrl: base(), apiKey: key }).createDial({ body: { callAgentId: agentId, browserCall: true } });

const base = (): string => `${location.origin}/api`;

const dialOf = (token: string): string | undefined => {
  const payload = /^eyJ[\w-]+\.([\w-]+)\.[\w-]+$/u.exec(token)?.[1];
  if (payload === undefined) return undefined;
  try {
    const claims: unknown = JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/")));
    const audience = typeof claims === "object" && claims !== null && "aud" in claims ? claims.aud : undefined;
    return typeof audience === "string" ? /^dial:(.+)$/u.exec(audience)?.[1] : undefined;
  } catch {
    return undefined;
  }
};
