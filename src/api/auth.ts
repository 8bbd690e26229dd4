import type { FastifyReply, FastifyRequest } from "fastify";
import { hashOf, isMistyped } from "../catalogue/api-key.ts";
import { looksLikeDialToken, type DialTokenClaims, type DialTokens } from "../dials/dial-token.ts";
import type { DialStore } from "../ports/store.ts";
import type { KnownKeys } from "./known-keys.ts";
import { Problem } from "./problem.ts";
import type { RateLimit } from "./rate-limit.ts";

/** Who asks, once authenticated. A key with `onlyAgents` is a public one, for those agents. */
export type Caller = Readonly<{ workspaceId: string }> &
  (
    | Readonly<{ type: "key"; keyId: string; onlyAgents?: readonly string[] }>
    | Readonly<{ type: "dial"; dialId: string }>
  );

/** Who may use a route besides secret keys: public ones, or the token of the dial that the path's `id` names. */
export type Access = "any-key" | "key-or-dial-token";

declare module "fastify" {
  interface FastifyRequest {
    /** Set on every route under `/api`. */
    caller: Caller | null;
  }
  interface FastifyContextConfig {
    access?: Access;
  }
}

export type AuthDeps = Readonly<{
  keys: Pick<KnownKeys, "find">;
  dials: Pick<DialStore, "workspaceOf">;
  tokens: DialTokens;
  limit: RateLimit;
}>;

/**
 * The hook that lets a request in: a key by its SHA-256 (looked up, so that no comparison runs over the secret), or a dial token
 * on its own dial's routes; then the holder's rate limit.
 *
 * @throws {Problem} `unauthorized`, `forbidden` or `rate_limited`.
 */
export const authenticate =
  (deps: AuthDeps) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const caller = await identify(deps, request);
    const holder = caller.type === "key" ? `key ${caller.keyId}` : `dial ${caller.dialId}`;
    const { perSecond } = deps.limit;
    const decision = deps.limit.take(holder);
    void reply.header("ratelimit-policy", `"default";q=${perSecond};w=1`);
    const resetSeconds = Math.ceil(decision.retryAfterMs / 1000);
    void reply.header("ratelimit", `"default";r=${decision.remaining};t=${resetSeconds}`);
    if (!decision.allowed)
      throw new Problem("rate_limited", `More than ${perSecond} requests a second. Send them more slowly.`, {
        headers: { "retry-after": String(Math.max(1, resetSeconds)) },
      });
    request.caller = caller;
  };

/** The caller of a route under `/api`. */
export const callerOf = (request: FastifyRequest): Caller => {
  if (request.caller === null) throw new Error("the route is not behind authentication");
  return request.caller;
};

const identify = async (deps: AuthDeps, request: FastifyRequest): Promise<Caller> => {
  const credential = /^Bearer +([!-~]{1,4096}) *$/i.exec(request.headers.authorization ?? "")?.[1];
  if (credential === undefined) throw unauthorized("Send the header Authorization: Bearer <API_KEY>.", "");
  const claims = looksLikeDialToken(credential) ? await deps.tokens.verify(credential) : undefined;
  if (claims !== undefined) return identifyByToken(deps, request, claims);
  const key = await deps.keys.find(hashOf(credential));
  if (key === undefined) {
    const why = isMistyped(credential)
      ? "The key is mistyped: its last characters do not fit the others."
      : "The key is unknown, or the dial token has expired.";
    throw unauthorized(why, ', error="invalid_token"');
  }
  const holder = { type: "key", keyId: key.id, workspaceId: key.workspaceId } as const;
  if (key.kind === "secret") return holder;
  if (request.routeOptions.config.access !== "any-key")
    throw new Problem("forbidden", "Public keys may only create browser dials. Use a secret key.");
  return { ...holder, onlyAgents: key.allowedAgentIds ?? [] };
};

const identifyByToken = async (deps: AuthDeps, request: FastifyRequest, claims: DialTokenClaims): Promise<Caller> => {
  const workspaceId = await deps.dials.workspaceOf(claims.dialId);
  if (workspaceId === undefined) throw unauthorized("The dial of this token is gone.", ', error="invalid_token"');
  const { id } = request.params as Readonly<Record<string, string | undefined>>;
  if (request.routeOptions.config.access !== "key-or-dial-token" || id !== claims.dialId)
    throw new Problem("forbidden", "A dial token authorizes requests for its own dial only.");
  return { type: "dial", dialId: claims.dialId, workspaceId };
};

const unauthorized = (detail: string, parameters: string): Problem =>
  new Problem("unauthorized", detail, { headers: { "www-authenticate": `Bearer realm="call-engine"${parameters}` } });
