import { createHmac } from "node:crypto";
import * as fc from "fast-check";
import { SignJWT, UnsecuredJWT } from "jose";
import { afterEach, expect, test } from "vitest";
import { deriveKey } from "../../src/dials/derive-key.ts";
import { runs } from "../kit/runs.ts";
import { ApiRig, KEY, PHONE_DIAL, PUBLIC_KEY, type ApiRigOptions } from "../kit/api-rig.ts";

const rigs: ApiRig[] = [];
const start = (options?: ApiRigOptions) => {
  const rig = new ApiRig(options);
  rigs.push(rig);
  return rig;
};
afterEach(async () => {
  await Promise.all(rigs.splice(0).map((rig) => rig.close()));
});

test.each([
  ["none", {}],
  ["an empty one", { authorization: "" }],
  ["another scheme", { authorization: `Basic ${Buffer.from(`a:${KEY}`).toString("base64")}` }],
  ["a bearer without a value", { authorization: "Bearer " }],
  ["an unknown key", { authorization: "Bearer sk_unknown_0123456789" }],
  ["a key and something more", { authorization: `Bearer ${KEY} x` }],
  ["the key with another ending", { authorization: `Bearer ${KEY.slice(0, -1)}_` }],
])("with %s as credential the answer is 401 and names the scheme", async (_, headers) => {
  const response = await start().request("GET", "/api/agents", { key: null, headers });
  expect(response.statusCode).toBe(401);
  expect(response.headers["www-authenticate"]).toMatch(/^Bearer realm=/);
  expect(response.json()).toMatchObject({ code: "unauthorized" });
});

test("the scheme is read in any case", async () => {
  const response = await start().request("GET", "/api/agents", {
    key: null,
    headers: { authorization: `bearer ${KEY}` },
  });
  expect(response.statusCode).toBe(200);
});

test("a credential is asked for before the body is looked at", async () => {
  const rig = start();
  expect((await rig.request("POST", "/api/dials", { key: null, body: { nonsense: true } })).statusCode).toBe(401);
  expect(
    (await rig.request("POST", "/api/dials", { key: null, body: "{", headers: { "content-type": "text/plain" } }))
      .statusCode,
  ).toBe(401);
});

test("a public key does nothing here", async () => {
  expect((await start().request("POST", "/api/dials", { key: PUBLIC_KEY, body: PHONE_DIAL })).statusCode).toBe(403);
});

test("a dial token opens its own dial and nothing else", async () => {
  const rig = start();
  const own = await rig.dial();
  const other = await rig.dial();
  const key = own.dialToken;
  const status = async (method: "GET" | "POST", url: string, body?: unknown) =>
    (await rig.request(method, url, { key, body })).statusCode;
  expect(await status("GET", `/api/dials/${own.dialId}`)).toBe(200);
  expect(await status("POST", `/api/dials/${own.dialId}/token`)).toBe(201);
  expect(await status("GET", `/api/dials/${own.dialId}/recordings/none`)).toBe(404);
  expect(await status("POST", `/api/dials/${own.dialId}/hangup`)).toBe(202);
  for (const path of ["", "/events", "/recordings/r1"])
    expect(await status("GET", `/api/dials/${other.dialId}${path}`)).toBe(403);
  expect(await status("POST", `/api/dials/${other.dialId}/hangup`)).toBe(403);
  expect(await status("POST", `/api/dials/${other.dialId}/token`)).toBe(403);
  expect(await status("GET", "/api/dials/none")).toBe(403);
  expect(await status("POST", "/api/dials", PHONE_DIAL)).toBe(403);
  for (const list of ["agents", "voices", "models", "phone_numbers"])
    expect(await status("GET", `/api/${list}`)).toBe(403);
});

test("a dial token lives an hour longer than the longest call, and no longer", async () => {
  const rig = start();
  const { dialId, dialToken } = await rig.dial({ timeoutMinutes: 10 });
  const status = async () => (await rig.request("GET", `/api/dials/${dialId}`, { key: dialToken })).statusCode;
  await rig.clock.advance(69 * 60_000);
  expect(await status()).toBe(200);
  await rig.clock.advance(70_000);
  expect(await status()).toBe(401);
});

test("forged dial tokens are refused: other key, no algorithm, other type, audience, issuer, or no expiry", async () => {
  const rig = start();
  const { dialId } = await rig.dial();
  const key = deriveKey(rig.deps.deploymentSecret, "dial-token");
  const now = Math.floor(rig.clock.now() / 1000);
  const build = () => new SignJWT().setIssuer("call-engine").setAudience(`dial:${dialId}`).setIssuedAt(now).setJti("x");
  const header = { alg: "HS256", typ: "dial+jwt" };
  const genuine = build()
    .setProtectedHeader(header)
    .setExpirationTime(now + 60);
  const forged = [
    await build()
      .setProtectedHeader(header)
      .setExpirationTime(now + 60)
      .sign(deriveKey("another", "dial-token")),
    await build()
      .setProtectedHeader(header)
      .setExpirationTime(now + 60)
      .sign(deriveKey(rig.deps.deploymentSecret, "page-cursor")),
    await build()
      .setProtectedHeader({ ...header, typ: "JWT" })
      .setExpirationTime(now + 60)
      .sign(key),
    await build()
      .setProtectedHeader({ ...header, alg: "HS512" })
      .setExpirationTime(now + 60)
      .sign(Buffer.concat([key.export(), key.export()])),
    await build().setProtectedHeader(header).sign(key),
    await build()
      .setProtectedHeader(header)
      .setExpirationTime(now - 60)
      .sign(key),
    await build()
      .setProtectedHeader(header)
      .setExpirationTime(now + 60)
      .setIssuer("another")
      .sign(key),
    await build()
      .setProtectedHeader(header)
      .setExpirationTime(now + 60)
      .setAudience(dialId)
      .sign(key),
    new UnsecuredJWT({})
      .setAudience(`dial:${dialId}`)
      .setIssuer("call-engine")
      .setIssuedAt(now)
      .setExpirationTime(now + 60)
      .setJti("x")
      .encode(),
  ];
  const status = async (token: string) => (await rig.request("GET", `/api/dials/${dialId}`, { key: token })).statusCode;
  expect(await status(await genuine.sign(key))).toBe(200);
  for (const token of forged) expect(await status(token)).toBe(401);
});

test("no mutant of a dial token is accepted", async () => {
  const rig = start();
  const { dialId, dialToken } = await rig.dial();
  const characters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=";
  await fc.assert(
    fc.asyncProperty(
      fc.nat(dialToken.length),
      fc.constantFrom("", ...characters.split("")),
      fc.nat(3),
      async (at, put, cut) => {
        const mutant = dialToken.slice(0, at) + put + dialToken.slice(at + cut);
        fc.pre(mutant !== dialToken);
        expect((await rig.request("GET", `/api/dials/${dialId}`, { key: mutant })).statusCode).toBe(401);
      },
    ),
    { numRuns: runs(1000, 20_000) },
  );
}, 300_000);

test("a token in another spelling of the same bytes is another token", async () => {
  const rig = start();
  const { dialId, dialToken } = await rig.dial();
  const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const [head = "", payload = "", signature = ""] = dialToken.split(".");
  // Two bits of the last character of a signature of 32 bytes mean nothing.
  const last = ALPHABET.indexOf(signature.at(-1) ?? "");
  const spellings = [1, 2, 3].map((bits) => `${head}.${payload}.${signature.slice(0, -1)}${ALPHABET[last ^ bits]}`);
  spellings.push(`${dialToken}=`, `${head}=.${payload}.${signature}`, `${head}.${payload}=.${signature}`);
  for (const token of spellings)
    expect((await rig.request("GET", `/api/dials/${dialId}`, { key: token })).statusCode, token.slice(-4)).toBe(401);
});

test("a token whose signature was made by hand from its parts needs the key", async () => {
  const rig = start();
  const { dialId, dialToken } = await rig.dial();
  const [head = "", payload = ""] = dialToken.split(".");
  const mac = createHmac("sha256", "a-deployment-secret-of-32-bytes-").update(`${head}.${payload}`).digest("base64url");
  const response = await rig.request("GET", `/api/dials/${dialId}`, { key: `${head}.${payload}.${mac}` });
  expect(response.statusCode).toBe(401);
});

test("each key has its requests a second, told in headers, and gets them back when a second has passed", async () => {
  const rig = start({ requestsPerSecond: 5 });
  const ask = async () => rig.request("GET", "/api/agents");
  const first = await ask();
  expect(first.headers["ratelimit-policy"]).toBe('"default";q=5;w=1');
  expect(first.headers["ratelimit"]).toBe('"default";r=4;t=0');
  for (let count = 1; count < 5; count++) expect((await ask()).statusCode).toBe(200);
  const refused = await ask();
  expect(refused.statusCode).toBe(429);
  expect(refused.headers["retry-after"]).toBe("1");
  expect(refused.json()).toMatchObject({ code: "rate_limited" });
  await rig.clock.advance(500);
  expect((await ask()).statusCode).toBe(429);
  await rig.clock.advance(500);
  expect([(await ask()).statusCode, (await ask()).statusCode]).toEqual([200, 200]);
  expect((await rig.request("GET", "/healthz", { key: null })).statusCode).toBe(200);
});
