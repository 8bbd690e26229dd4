import { createHmac, createSecretKey, type KeyObject } from "node:crypto";

/** What the deployment's secret signs; each purpose has a key of its own, so that one signature never passes for another. */
export type KeyPurpose = "dial-token" | "page-cursor" | "carrier-callback";

/**
 * The 32-byte key of a purpose, from the deployment's secret (HMAC-SHA-256 as a key derivation of one block, RFC 5869). As an object,
 * because Node takes five times as long with bytes, of which it makes such an object each time.
 */
export const deriveKey = (deploymentSecret: string, purpose: KeyPurpose): KeyObject =>
  createSecretKey(createHmac("sha256", deploymentSecret).update(`call-engine ${purpose}`).digest());
