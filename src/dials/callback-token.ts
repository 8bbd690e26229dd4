import { createHmac, timingSafeEqual } from "node:crypto";
import { deriveKey } from "./derive-key.ts";

/** Makes and checks the secret part of the URLs that carriers report to. */
export type CallbackTokens = Readonly<{
  /** The URL to give to a carrier for one dial; `publicUrl` is our origin without a slash at the end. */
  statusUrl(publicUrl: string, carrier: string, dialId: string): string;
  /** The URL at which a carrier fetches how a dial's sound is connected. */
  answerUrl(publicUrl: string, carrier: string, dialId: string): string;
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
  const urlOf = (kind: "status" | "answer") => (publicUrl: string, carrier: string, dialId: string) =>
    `${publicUrl}/carriers/${encodeURIComponent(carrier)}/${kind}/${encodeURIComponent(dialId)}/${tokenOf(carrier, dialId)}`;
  return {
    statusUrl: urlOf("status"),
    answerUrl: urlOf("answer"),
    verify: (carrier, dialId, token) => {
      const expected = Buffer.from(tokenOf(carrier, dialId));
      const given = Buffer.from(token);
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
  };
};
