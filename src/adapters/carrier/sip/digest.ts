import { createHash } from "node:crypto";
import { paramsOf } from "./sip-address.ts";
import { splitOutside } from "./message.ts";

/** A user of the trunk. */
export type Credentials = Readonly<{ user: string; password: string }>;

/**
 * The answer to a challenge (RFC 7616 and 8760: MD5, SHA-256, with or without `qop=auth`); `undefined` when it asks for something else.
 * The first challenge that can be answered counts, since servers list the one they like best first.
 */
export const answerChallenge = (
  challenges: readonly string[],
  { user, password }: Credentials,
  request: Readonly<{ method: string; uri: string; clientNonce: string }>,
): string | undefined => {
  for (const challenge of challenges) {
    const params = readChallenge(challenge);
    const algorithm = params?.get("algorithm")?.toUpperCase() ?? "MD5";
    const hash = HASHES[algorithm];
    const realm = params?.get("realm");
    const nonce = params?.get("nonce");
    const qops = params
      ?.get("qop")
      ?.split(",")
      .map((qop) => qop.trim().toLowerCase());
    if (params === undefined || hash === undefined || realm === undefined || nonce === undefined) continue;
    if (qops !== undefined && !qops.includes("auth")) continue;
    const digest = (text: string) => createHash(hash).update(text, "utf8").digest("hex");
    const secret = digest(`${user}:${realm}:${password}`);
    const asked = digest(`${request.method}:${request.uri}`);
    const { clientNonce } = request;
    const response = digest(
      qops === undefined ? `${secret}:${nonce}:${asked}` : `${secret}:${nonce}:${COUNT}:${clientNonce}:auth:${asked}`,
    );
    const opaque = params.get("opaque");
    return [
      `Digest username=${quoted(user)}`,
      `realm=${quoted(realm)}`,
      `nonce=${quoted(nonce)}`,
      `uri=${quoted(request.uri)}`,
      `response="${response}"`,
      `algorithm=${algorithm}`,
      ...(opaque === undefined ? [] : [`opaque=${quoted(opaque)}`]),
      ...(qops === undefined ? [] : ["qop=auth", `nc=${COUNT}`, `cnonce=${quoted(clientNonce)}`]),
    ].join(", ");
  }
  return undefined;
};

/** Each nonce is used once. */
const COUNT = "00000001";

const HASHES: Readonly<Record<string, string>> = { MD5: "md5", "SHA-256": "sha256" };

const readChallenge = (challenge: string): ReadonlyMap<string, string> | undefined => {
  const found = /^digest\s+(.*)$/is.exec(challenge.trim());
  return found === null ? undefined : paramsOf(splitOutside(found[1] ?? "", ","));
};

const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
