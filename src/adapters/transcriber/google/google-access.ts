import { readFile } from "node:fs/promises";
import { Metadata } from "@grpc/grpc-js";
import { importPKCS8, SignJWT } from "jose";
import { Type } from "typebox";
import { Check } from "typebox/value";
import type { Clock } from "../../../ports/clock.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** How calls show who makes them. */
export type GoogleAccess = Readonly<{ metadata(): Promise<Metadata> }>;

/** What is needed of a service account's file. */
const ServiceAccountSchema = Type.Object({
  client_email: Type.String(),
  private_key: Type.String(),
  private_key_id: Type.String(),
});

const AUDIENCE = "https://speech.googleapis.com/";

/** A token lives for an hour at most; a call is never as long as what is left of it then. */
const TOKEN_LIVES_SECONDS = 3600;

/** The account's file is not one, or cannot be read. */
export class UnusableServiceAccount extends Error {
  override readonly name = "UnusableServiceAccount";
}

/** Access by `GOOGLE_SPEECH_API_KEY`, else by the service account in the file `GOOGLE_APPLICATION_CREDENTIALS`, whose key signs a token. */
export const accessFrom = async (env: Env, clock: Clock): Promise<GoogleAccess> => {
  const apiKey = env["GOOGLE_SPEECH_API_KEY"]?.trim() ?? "";
  if (apiKey !== "") return { metadata: () => Promise.resolve(metadataOf("x-goog-api-key", apiKey)) };
  const file = env["GOOGLE_APPLICATION_CREDENTIALS"]?.trim() ?? "";
  const account = await readAccount(file);
  const key = await importPKCS8(account.private_key, "RS256");
  return {
    metadata: async () => {
      const now = Math.floor(clock.now() / 1000);
      const token = await new SignJWT()
        .setProtectedHeader({ alg: "RS256", typ: "JWT", kid: account.private_key_id })
        .setIssuer(account.client_email)
        .setSubject(account.client_email)
        .setAudience(AUDIENCE)
        .setIssuedAt(now)
        .setExpirationTime(now + TOKEN_LIVES_SECONDS)
        .sign(key);
      return metadataOf("authorization", `Bearer ${token}`);
    },
  };
};

const metadataOf = (name: string, value: string): Metadata => {
  const metadata = new Metadata();
  metadata.set(name, value);
  return metadata;
};

const readAccount = async (file: string) => {
  try {
    const account: unknown = JSON.parse(await readFile(file, "utf8"));
    if (Check(ServiceAccountSchema, account)) return account;
  } catch (error) {
    throw new UnusableServiceAccount("GOOGLE_APPLICATION_CREDENTIALS names no file that can be read as JSON", {
      // A parser's message quotes the file.
      cause: error instanceof Error ? new Error("code" in error ? String(error.code) : error.name) : undefined,
    });
  }
  throw new UnusableServiceAccount("the file of GOOGLE_APPLICATION_CREDENTIALS is not a service account's");
};
