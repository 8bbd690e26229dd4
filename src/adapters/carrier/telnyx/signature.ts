import { createPublicKey, verify, type KeyObject } from "node:crypto";
import type { CallbackRequest } from "../../../ports/carrier.ts";

/** The public key of an account, 32 bytes in base64. @throws {Error} when it is anything else. */
export const telnyxPublicKey = (base64: string): KeyObject => {
  const bytes = Buffer.from(base64, "base64");
  if (bytes.length !== 32) throw new Error("TELNYX_PUBLIC_KEY must be the 32 bytes in base64 that the portal shows");
  return createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: bytes.toString("base64url") }, format: "jwk" });
};

/** Whether Telnyx has signed a webhook, and within five minutes of `nowMs` (Unix milliseconds). */
export const isSignedByTelnyx = ({ headers, body }: CallbackRequest, key: KeyObject, nowMs: number): boolean => {
  const signature = headers["telnyx-signature-ed25519"] ?? "";
  const timestamp = headers["telnyx-timestamp"] ?? "";
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(nowMs / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) return false;
  const bytes = Buffer.from(signature, "base64");
  return bytes.length === 64 && verify(null, Buffer.concat([Buffer.from(`${timestamp}|`), body]), key, bytes);
};

const TOLERANCE_SECONDS = 300;
