import { generateKeyPairSync } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { jwtVerify } from "jose";
import { afterEach, beforeEach, expect, test } from "vitest";
import { accessFrom, UnusableServiceAccount } from "../../../../src/adapters/transcriber/google/google-access.ts";
import { VirtualClock } from "../../../kit/virtual-clock.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "google-access-"));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

const write = async (text: string): Promise<Readonly<Record<string, string>>> => {
  const file = join(folder, "account.json");
  await writeFile(file, text);
  return { GOOGLE_APPLICATION_CREDENTIALS: file };
};

test("a service account signs a token for an hour, in its own name", async () => {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const account = {
    client_email: "calls@project.iam.gserviceaccount.com",
    private_key_id: "key-1",
    private_key: privateKey.export({ type: "pkcs8", format: "pem" }),
  };
  const clock = new VirtualClock();
  const access = await accessFrom(await write(JSON.stringify(account)), clock);
  const [given = ""] = (await access.metadata()).get("authorization");
  const { payload, protectedHeader } = await jwtVerify(String(given).replace("Bearer ", ""), publicKey, {
    audience: "https://speech.googleapis.com/",
    issuer: account.client_email,
    subject: account.client_email,
    currentDate: new Date(clock.now()),
  });
  expect(protectedHeader).toMatchObject({ alg: "RS256", kid: "key-1" });
  expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(3600);
});

test("a key goes before an account", async () => {
  const access = await accessFrom({ GOOGLE_SPEECH_API_KEY: "key" }, new VirtualClock());
  expect((await access.metadata()).get("x-goog-api-key")).toEqual(["key"]);
});

test.for(["", "{", "{}", '{"client_email":"a","private_key":"secret"}'])(
  "%j is no service account, and says so without telling it",
  async (text) => {
    const failing = accessFrom(await write(text), new VirtualClock());
    await expect(failing).rejects.toThrow(UnusableServiceAccount);
    await expect(failing).rejects.not.toThrow(/secret/u);
  },
);
