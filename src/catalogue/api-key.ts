import { createHash } from "node:crypto";
import type { ApiKey } from "../model/api-key.ts";
import type { Random } from "../ports/random.ts";

/** 256 bits, which no fast hash and no patience can guess. */
const KEY_BYTES = 32;

/** Characters of the checksum: a mistyped key passes for a real one once in 2^36 times. */
const CHECKSUM = 6;

const PREFIXES = { secret: "sk_", public: "pk_" } as const;

/** What a key of ours looks like; keys from elsewhere that look so by chance are taken all the same when they are known. */
const OURS = /^[sp]k_([A-Za-z0-9_-]{43})([A-Za-z0-9_-]{6})$/;

/** A key of ours: its kind, the secret, and a checksum of it, so that a mistyped key can be told from a revoked one. */
export const mintKey = (random: Random, type: ApiKey["type"]): string => {
  const secret = random.secret(KEY_BYTES);
  return `${PREFIXES[type]}${secret}${checksumOf(secret)}`;
};

/** Whether a key has the form of ours and a checksum that does not fit. */
export const isMistyped = (key: string): boolean => {
  const [, secret, checksum] = OURS.exec(key) ?? [];
  return secret !== undefined && checksumOf(secret) !== checksum;
};

/** The form in which keys are kept and looked up: SHA-256, hex. */
export const hashOf = (key: string): string => createHash("sha256").update(key).digest("hex");

const checksumOf = (secret: string): string =>
  createHash("sha256").update(secret).digest("base64url").slice(0, CHECKSUM);
