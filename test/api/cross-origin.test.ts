import { afterEach, expect, test } from "vitest";
import { createClient } from "../../src/client/client.ts";
import { ApiRig, KEY } from "../kit/api-rig.ts";

const SHOP = "https://shop.example.com";

let rig: ApiRig;
afterEach(() => rig.close());

const start = async (corsOrigins: readonly string[] = ["https://other.example", SHOP]) => {
  rig = new ApiRig({ corsOrigins });
  const dial = await rig.dial();
  const path = `/api/dials/${dial.dialId}`;
  const paths = [
    ["GET", path],
    ["GET", `${path}/events`],
    ["POST", `${path}/hangup`],
    ["POST", `${path}/token`],
    ["GET", `${path}/recordings/r1`],
  ] as const;
  return { ...dial, path, paths };
};

const preflight = (url: string, origin: string, method = "GET") =>
  rig.request("OPTIONS", url, {
    key: null,
    headers: { origin, "access-control-request-method": method, "access-control-request-headers": "authorization" },
  });

test("a page of a configured origin may ask for what a dial token reaches, and for nothing else", async () => {
  const { paths } = await start();
  for (const [method, url] of paths) {
    const { statusCode, headers, body } = await preflight(url, SHOP, method);
    expect([statusCode, body]).toEqual([204, ""]);
    expect(headers).toMatchObject({
      "access-control-allow-origin": SHOP,
      "access-control-allow-methods": method === "GET" ? "GET, HEAD" : method,
      "access-control-allow-headers": expect.stringMatching(/Authorization.*Last-Event-ID/),
      vary: "Origin",
    });
    expect(headers).not.toHaveProperty("access-control-allow-credentials");
  }
  for (const url of ["/api/agents", "/api/api_keys", "/healthz", "/nowhere"]) {
    const { statusCode, headers } = await preflight(url, SHOP);
    expect(statusCode, url).toBe(url === "/nowhere" ? 404 : 405);
    expect(headers).not.toHaveProperty("access-control-allow-origin");
  }
});

test("a page with a public key may make dials, which a secret key may not do from a page", async () => {
  await start();
  const asked = await preflight("/api/dials", SHOP, "POST");
  expect([asked.statusCode, asked.headers["access-control-allow-methods"]]).toEqual([204, "POST"]);
  const made = await rig.request("POST", "/api/api_keys", {
    body: { name: "Shop", type: "public", allowedAgentIds: ["a1"] },
  });
  const { key } = made.json<{ key: string }>();
  const body = { callAgentId: "a1", browserCall: true };
  const dial = await rig.request("POST", "/api/dials", { key, body, headers: { origin: SHOP } });
  expect([dial.statusCode, dial.headers["access-control-allow-origin"]]).toEqual([201, SHOP]);
  const phone = await rig.request("POST", "/api/dials", {
    key,
    body: { callAgentId: "a1" },
    headers: { origin: SHOP },
  });
  expect(phone.statusCode).toBe(403);
  const other = await rig.request("POST", "/api/dials", { key, body: { ...body, callAgentId: "a2" } });
  expect(other.statusCode).toBe(403);
  const secret = await rig.request("POST", "/api/dials", { body, headers: { origin: SHOP } });
  expect(secret.headers["access-control-allow-origin"]).toBeUndefined();
});

test("the answer to a dial token can be read by the page, a refusal too", async () => {
  const { path, paths, dialToken } = await start();
  for (const [method, url] of paths.filter(([, url]) => !url.endsWith("/events"))) {
    const { headers } = await rig.request(method, url, { key: dialToken, headers: { origin: SHOP } });
    expect(headers, url).toMatchObject({ "access-control-allow-origin": SHOP, vary: "Origin" });
    expect(headers["access-control-expose-headers"]).toContain("X-Request-Id");
    expect(headers).not.toHaveProperty("access-control-allow-credentials");
  }
  const expired = await rig.request("GET", path, {
    key: `${dialToken.slice(0, -8)}AAAAAAAA`,
    headers: { origin: SHOP },
  });
  expect([expired.statusCode, expired.headers["access-control-allow-origin"]]).toEqual([401, SHOP]);
});

test("a page follows a dial with its token, over the connection that it gets", async () => {
  const { dialId, dialToken } = await start();
  const baseUrl = `${await rig.app.listen({ port: 0, host: "127.0.0.1" })}/api`;
  const allowed: (string | null)[] = [];
  // What a browser does: it names the origin, and looks whether the answer allows it.
  const fromPage = async (url: string, init: RequestInit) => {
    const response = await fetch(url, { ...init, headers: { ...(init.headers as object), origin: SHOP } });
    allowed.push(response.headers.get("access-control-allow-origin"));
    return response;
  };
  rig.live.publish(dialId, { type: "status", status: "completed", systemResultType: null });
  const seen: string[] = [];
  for await (const { event } of createClient({ baseUrl, dialToken, fetch: fromPage }).followDial(dialId))
    seen.push(event.type);
  expect([seen, allowed]).toEqual([["status", "status"], [SHOP]]);
});

test.for(["https://evil.example", "null", `${SHOP}.evil.example`, "http://shop.example.com", "*"])(
  "a page of %s gets nothing",
  async (origin) => {
    const { path, dialToken } = await start();
    const asked = await preflight(path, origin);
    expect([asked.statusCode, asked.headers["access-control-allow-origin"]]).toEqual([405, undefined]);
    const answered = await rig.request("GET", path, { key: dialToken, headers: { origin } });
    expect(answered.headers["access-control-allow-origin"]).toBeUndefined();
    expect(answered.headers.vary).toBe("Origin");
  },
);

test("an API key does not work from a page, whatever its origin", async () => {
  const { path } = await start();
  const { headers } = await rig.request("GET", path, { key: KEY, headers: { origin: SHOP } });
  expect(headers["access-control-allow-origin"]).toBeUndefined();
});

test("without configured origins nothing is said of them", async () => {
  const { path, dialToken } = await start([]);
  expect((await preflight(path, SHOP)).statusCode).toBe(405);
  const { headers } = await rig.request("GET", path, { key: dialToken, headers: { origin: SHOP } });
  expect(Object.keys(headers).filter((name) => name === "vary" || name.startsWith("access-control"))).toEqual([]);
});
