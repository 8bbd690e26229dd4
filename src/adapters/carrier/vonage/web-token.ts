import { createHash, createHmac, sign, timingSafeEqual, type KeyObject } from "node:crypto";
import type { CallbackRequest } from "../../../ports/carrier.ts";
import { fieldsOf, parseFields, textOf, type Fields } from "../streaming/message-fields.ts";

/** The token that one REST request is made with; five minutes good from `nowMs` (Unix milliseconds). */
export const restToken = (
  of: Readonly<{ applicationId: string; privateKey: KeyObject; nowMs: number; id: string }>,
): string => {
  const issuedAt = Math.floor(of.nowMs / 1000);
  const claims = { application_id: of.applicationId, iat: issuedAt, exp: issuedAt + 300, jti: of.id };
  const content = `${encode({ alg: "RS256", typ: "JWT" })}.${encode(claims)}`;
  return `${content}.${sign("RSA-SHA256", Buffer.from(content), of.privateKey).toString("base64url")}`;
};

/** What a webhook's token is held against. */
export type WebhookTrust = Readonly<{ signatureSecret: string; applicationId: string; nowMs: number }>;

/**
 * Whether Vonage has signed a webhook for this application: its bearer token has our signature, is of the last five minutes, and its
 * hash is that of the body.
 */
export const isSignedByVonage = (request: CallbackRequest, trust: WebhookTrust): boolean => {
  const token = /^Bearer ([\w-]+)\.([\w-]+)\.([\w-]+)$/i.exec(request.headers["authorization"] ?? "");
  if (token === null) return false;
  const [, header = "", payload = "", signature = ""] = token;
  if (decode(header)?.["alg"] !== "HS256") return false;
  const expected = createHmac("sha256", trust.signatureSecret).update(`${header}.${payload}`).digest();
  const given = Buffer.from(signature, "base64url");
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return false;
  const claims = decode(payload);
  return (
    claims !== undefined && isFresh(claims, trust.nowMs) && isForUs(claims, trust) && fitsBody(claims, request.body)
  );
};

const TOLERANCE_SECONDS = 300;

const isFresh = (claims: Fields, nowMs: number): boolean => {
  const { iat, exp } = claims;
  const now = nowMs / 1000;
  if (typeof exp === "number" && exp < now) return false;
  return typeof iat === "number" && Math.abs(now - iat) <= TOLERANCE_SECONDS;
};

/** Every application of an account has the same secret. */
const isForUs = (claims: Fields, { applicationId }: WebhookTrust): boolean =>
  claims["application_id"] === undefined || claims["application_id"] === applicationId;

const fitsBody = (claims: Fields, body: Uint8Array): boolean =>
  body.length === 0 ||
  textOf(claims["payload_hash"])?.toLowerCase() === createHash("sha256").update(body).digest("hex");

const encode = (part: Fields): string => Buffer.from(JSON.stringify(part)).toString("base64url");

const decode = (part: string): Fields | undefined =>
  fieldsOf(parseFields(Buffer.from(part, "base64url").toString("utf8")));
