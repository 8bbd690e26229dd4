import { createHmac, type KeyObject } from "node:crypto";
import { errors, jwtVerify } from "jose";
import type { Clock } from "../ports/clock.ts";
import type { Random } from "../ports/random.ts";
import { deriveKey } from "./derive-key.ts";

/** What a genuine dial token says. */
export type DialTokenClaims = Readonly<{
  dialId: string;
  /** Names this one token, for uses that are allowed once. */
  tokenId: string;
  /** Milliseconds since 1970. */
  issuedAt: number;
}>;

/** Makes and checks the tokens that a client may hold for one dial. */
export type DialTokens = Readonly<{
  /** `longestCallMs`: the cap of the call; the token lives an hour longer. */
  mint(dialId: string, longestCallMs: number): string;
  /** `undefined` for everything that is not a dial token of this deployment, in its time. */
  verify(token: string): Promise<DialTokenClaims | undefined>;
}>;

/** Added to the longest call, for waiting in the queue, ringing, and reading the result afterwards. */
const HOUR_MS = 3_600_000;

/** How far the clocks of our processes may differ, in seconds. */
const TOLERANCE_S = 5;

const ISSUER = "call-engine";
const TYPE = "dial+jwt";
const AUDIENCE = "dial:";

/**
 * Dial tokens: JSON Web Tokens signed with HMAC-SHA-256 by a key of the deployment. They are signed here, because the library's way by
 * another thread takes half a millisecond, a sixteenth of all that placing a dial does; what comes in is checked by the library.
 */
export const createDialTokens = (
  deps: Readonly<{ deploymentSecret: string; clock: Clock; random: Random }>,
): DialTokens => {
  const key = deriveKey(deps.deploymentSecret, "dial-token");
  return {
    mint: (dialId, longestCallMs) => {
      const iat = Math.floor(deps.clock.now() / 1000);
      const exp = iat + Math.ceil((longestCallMs + HOUR_MS) / 1000);
      const claims = { iss: ISSUER, aud: AUDIENCE + dialId, iat, exp, jti: deps.random.secret(16) };
      const signed = `${HEADER}.${encoded(claims)}`;
      return `${signed}.${createHmac("sha256", key).update(signed).digest("base64url")}`;
    },
    verify: (token) => verify(token, key, deps.clock),
  };
};

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString("base64url");

const HEADER = encoded({ alg: "HS256", typ: TYPE });

/** Whether a bearer credential is meant as a dial token at all, genuine or not; keys never look like one. */
export const looksLikeDialToken = (credential: string): boolean =>
  /^eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*$/.test(credential);

const verify = async (token: string, key: KeyObject, clock: Clock): Promise<DialTokenClaims | undefined> => {
  if (!isCanonical(token)) return undefined;
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: ["HS256"],
      typ: TYPE,
      issuer: ISSUER,
      requiredClaims: ["exp", "iat", "jti", "aud"],
      clockTolerance: TOLERANCE_S,
      currentDate: new Date(clock.now()),
    });
    const { aud, jti, iat } = payload;
    if (typeof aud !== "string" || !aud.startsWith(AUDIENCE) || jti === undefined || iat === undefined)
      return undefined;
    return { dialId: aud.slice(AUDIENCE.length), tokenId: jti, issuedAt: iat * 1000 };
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
};

/** Base64url has spare bits in its last character: a token that differs only there would otherwise pass as genuine. */
const isCanonical = (token: string): boolean =>
  token.split(".").every((part) => Buffer.from(part, "base64url").toString("base64url") === part);
