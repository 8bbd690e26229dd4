import { createHmac, timingSafeEqual } from "node:crypto";
import { deriveKey } from "./derive-key.ts";

/** Makes and checks the secret part of the URLs that carriers report to. */
export type CallbackTokens = Readonly<{
  /** The URL to give to a carrier for one dial; `publicUrl` is our origin without a slash at the end. */
  statusUrl(publicUrl: string, carrier: string, dialId: string): string;
  /** Whether a token was made for this carrier and dial. */
  verify(carrier: string, dialId: string, token: string): boolean;
}>;

/** Carriers report on URLs that hold an HMAC of carrier and dial, so that nobody else can speak for a call. */
export const createCallbackTokens = (deploymentSecret: string): CallbackTokens => {
  const key = deriveKey(deploymentSecret, "carrier-callback");
  const tokenOf = (carrier: string, dialId: string) =>
    createHmac("sha256", key)
      .update(JSON.stringify([carrier, dialId]))
      .digest("base64url");
  return {
    statusUrl: (publicUrl, carrier, dialId) =>
      `${publicUrl}/carriers/${encodeURIComponent(carrier)}/status/${encodeURIComponent(dialId)}/${tokenOf(carrier, dialId)}`,
    verify: (carrier, dialId, token) => {
      const expected = Buffer.from(tokenOf(carrier, dialId));
      const given = Buffer.from(token);
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
  };
};
