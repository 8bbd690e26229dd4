import type { DialTokens } from "../dials/dial-token.ts";
import type { BrowserErrorCode } from "../model/browser-protocol.ts";
import type { BrowserCalls, Visit } from "../ports/browser-calls.ts";
import type { Clock } from "../ports/clock.ts";
import type { DialStore } from "../ports/store.ts";

type VisitDeps = Readonly<{
  clock: Clock;
  dials: Pick<DialStore, "peek" | "spendToken">;
  tokens: Pick<DialTokens, "verify">;
  calls: Pick<BrowserCalls, "presence">;
}>;

/** Why a visitor is not let in, as the page is told. */
type Refused = Readonly<{ code: BrowserErrorCode; message: string; retryAfterMs?: number }>;

/** A token opens media for this long after it was minted; reading the dial with it may go on. */
const FRESH_MS = 15 * 60_000;

/**
 * Whether a token lets its holder into a dial's media, and if so spends it. A token works once, except that it also brings its holder back
 * to a call whose socket broke.
 */
export const authorizeVisit = async (deps: VisitDeps, dialId: string, token: string): Promise<Visit | Refused> => {
  const claims = await deps.tokens.verify(token);
  if (claims === undefined) return refused("unauthorized", "This is no dial token, or it has expired.");
  const { tokenId, issuedAt } = claims;
  if (claims.dialId !== dialId) return refused("forbidden", "This token belongs to another dial.");
  const dial = await deps.dials.peek(dialId);
  if (dial === undefined || dial.state === "ENDED")
    return refused("dial_over", "The dial is over. Create another one.");
  if (dial.carrier !== "browser") return refused("forbidden", "This dial is not one of a browser.");
  const presence = deps.calls.presence(dialId);
  if (presence.state === "resuming" && presence.tokenId === tokenId) return { dialId, tokenId };
  if (presence.state === "attached") return refused("busy", "Somebody is connected to this dial already.");
  if (presence.state === "absent" && dial.state !== "QUEUED")
    return refused("busy", "The dial's call is held elsewhere. Reconnect to where it was.");
  if (deps.clock.now() - issuedAt > FRESH_MS)
    return refused("token_too_old", "A token opens media within 15 minutes. Get another at POST /dials/{id}/token.");
  if (!(await deps.dials.spendToken(dialId, tokenId)))
    return refused("token_used", "This token was used already. Get another at POST /dials/{id}/token.");
  return { dialId, tokenId };
};

const refused = (code: BrowserErrorCode, message: string): Refused => ({ code, message });
