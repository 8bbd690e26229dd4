import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ApiRig, KEY, PHONE_DIAL } from "../kit/api-rig.ts";
import { rawRequest } from "../kit/raw-http.ts";

let rig: ApiRig;
let port: number;
beforeAll(async () => {
  rig = new ApiRig();
  await rig.app.listen({ port: 0, host: "127.0.0.1" });
  ({ port } = rig.app.server.address() as AddressInfo);
});
afterAll(() => rig.close());

const head = (first: string, ...lines: string[]) =>
  [first, "Host: x", `Authorization: Bearer ${KEY}`, "Connection: close", ...lines, "", ""].join("\r\n");
const post = (body: string | Uint8Array, ...lines: string[]) =>
  Buffer.concat([
    Buffer.from(
      head(
        "POST /api/dials HTTP/1.1",
        "Content-Type: application/json",
        `Content-Length: ${Buffer.byteLength(body)}`,
        ...lines,
      ),
    ),
    Buffer.from(body),
  ]);
const valid = JSON.stringify(PHONE_DIAL);
const postAs = (type: string) =>
  head("POST /api/dials HTTP/1.1", `Content-Type: ${type}`, `Content-Length: ${valid.length}`) + valid;

test.each<readonly [string, string | Uint8Array, number, string]>([
  ["an unknown path", head("GET /nothing HTTP/1.1"), 404, "not_found"],
  ["an unknown path under /api", head("GET /api/nothing HTTP/1.1"), 404, "not_found"],
  ["a trailing slash", head("GET /api/agents/ HTTP/1.1"), 404, "not_found"],
  ["a wrong method", head("DELETE /api/dials HTTP/1.1"), 405, "method_not_allowed"],
  ["a wrong method on a path with an id", head("PATCH /api/dials/x HTTP/1.1"), 405, "method_not_allowed"],
  ["a rare method", head("PROPFIND /api/agents HTTP/1.1"), 405, "method_not_allowed"],
  ["no method at all", "\0\u0001\u0002 / HTTP/1.1\r\n\r\n", 400, "bad_request"],
  ["a method that does not exist", head("FETCH /api/agents HTTP/1.1"), 400, "bad_request"],
  ["another protocol", "\u0016\u0003\u0001\u0002\0\u0001\0\u0001\u00FC\u0003\u0003\r\n\r\n", 400, "bad_request"],
  ["bad percent-encoding", head("GET /api/dials/%zz HTTP/1.1"), 400, "invalid_url"],
  ["bad UTF-8 in the path", head("GET /api/dials/%ff HTTP/1.1"), 400, "invalid_url"],
  ["a zero byte in the path", head("GET /api/dials/%00 HTTP/1.1"), 404, "not_found"],
  ["a very long id", head(`GET /api/dials/${"x".repeat(600)} HTTP/1.1`), 404, "not_found"],
  ["huge headers", head("GET /api/agents HTTP/1.1", `X-Long: ${"x".repeat(20_000)}`), 431, "headers_too_large"],
  ["a huge URL", head(`GET /api/agents?cursor=${"x".repeat(20_000)} HTTP/1.1`), 431, "headers_too_large"],
  ["no Host", "GET /api/agents HTTP/1.1\r\nConnection: close\r\n\r\n", 400, "bad_request"],
  ["no Host, outside the API", "GET / HTTP/1.1\r\nConnection: close\r\n\r\n", 400, "bad_request"],
  ["a compressed body", post(valid, "Content-Encoding: gzip"), 415, "unsupported_media_type"],
  ["another character set", postAs("application/json; charset=latin1"), 415, "unsupported_media_type"],
  ["two lengths", post(valid, "Content-Length: 3"), 400, "bad_request"],
  ["a length and chunks", post(valid, "Transfer-Encoding: chunked"), 400, "bad_request"],
  [
    "a body that is too short",
    `${head("POST /api/dials HTTP/1.1", "Content-Type: application/json", "Content-Length: 900")}{}`,
    400,
    "bad_request",
  ],
  ["a body that is too large", post(`"${"x".repeat(70_000)}"`), 413, "payload_too_large"],
  [
    "a body announced as 1 GB",
    head("POST /api/dials HTTP/1.1", "Content-Type: application/json", "Content-Length: 1000000000"),
    413,
    "payload_too_large",
  ],
  [
    "another content type",
    post(valid).toString().replace("application/json", "text/plain"),
    415,
    "unsupported_media_type",
  ],
  [
    "a form",
    post(valid).toString().replace("application/json", "application/x-www-form-urlencoded"),
    415,
    "unsupported_media_type",
  ],
  ["a nonsense content type", post(valid).toString().replace("application/json", ";;;"), 415, "unsupported_media_type"],
  [
    "no content type",
    post(valid).toString().replace("Content-Type: application/json\r\n", ""),
    415,
    "unsupported_media_type",
  ],
  ["an empty body", post(""), 400, "invalid_json"],
  ["no body", head("POST /api/dials HTTP/1.1"), 422, "validation_failed"],
  ["half a body", post(valid.slice(0, -2)), 400, "invalid_json"],
  ["a body of blanks", post("  "), 400, "invalid_json"],
  ["bad UTF-8 in the body", post(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])), 400, "invalid_json"],
  ["__proto__", post('{"__proto__":{"callAgentId":"a1"}}'), 400, "invalid_json"],
  ["constructor.prototype", post('{"constructor":{"prototype":{"x":1}}}'), 400, "invalid_json"],
  ["deep nesting", post(`{"callAgentInput":${"[".repeat(20_000)}${"]".repeat(20_000)}}`), 400, "invalid_json"],
  ["a list", post("[]"), 422, "validation_failed"],
  ["null", post("null"), 422, "validation_failed"],
  ["a zero character", post(valid.replace("a1", String.raw`a\u0000`)), 422, "validation_failed"],
  [
    "half a surrogate pair",
    post(JSON.stringify({ ...PHONE_DIAL, callAgentInput: { a: [{ b: "\uD800" }] } })),
    422,
    "validation_failed",
  ],
  [
    "half a surrogate pair as a name",
    post(String.raw`{"callAgentId":"a1","callAgentInput":{"\udc00":1}}`),
    422,
    "validation_failed",
  ],
])("%s is answered as a problem", async (_, bytes, status, code) => {
  const response = await rawRequest(port, bytes);
  expect(response).toBeDefined();
  expect([response?.status, response?.headers["content-type"]]).toEqual([status, "application/problem+json"]);
  const problem: unknown = JSON.parse(response?.body ?? "");
  expect(problem).toEqual({
    type: `urn:call-engine:problem:${code}`,
    title: expect.any(String),
    status,
    detail: expect.any(String),
    code,
    errors: expect.any(Array),
    requestId: response?.headers["x-request-id"],
  });
  expect(response?.headers["cache-control"]).toBe("no-store");
});

test("405 says which methods there are", async () => {
  const allow = async (method: "DELETE" | "POST", url: string) => (await rig.request(method, url)).headers["allow"];
  expect(await allow("DELETE", "/api/dials")).toBe("GET, HEAD, POST");
  expect(await allow("POST", "/api/agents/x/versioned_prompts/y")).toBe("DELETE, GET, HEAD, PUT");
  expect(await allow("POST", "/api/dials/x")).toBe("DELETE, GET, HEAD");
  expect(await allow("POST", "/healthz")).toBe("GET, HEAD");
});

test("every invalid field is named, alternatives of one field together", async () => {
  const response = await rig.request("POST", "/api/dials", {
    body: { toNumber: 5, voiceVolumeLevel: 1.5, keywords: [1], webhookUrl: {}, nonsense: 1, "a/b~c": 1 },
  });
  const { errors } = response.json<{ errors: { path: string; message: string }[] }>();
  expect(Object.fromEntries(errors.map(({ path, message }) => [path, message]))).toEqual({
    "/callAgentId": "is required",
    "/nonsense": "is not a known field",
    "/a~1b~0c": "is not a known field",
    "/toNumber": "must be string or null",
    "/webhookUrl": "must be string or null",
    "/voiceVolumeLevel": "must be integer",
    "/keywords/0": "must be string",
  });
});

test("thousands of mistakes are answered by the first fifty", async () => {
  const keywords = Array.from({ length: 5000 }, (_, index) => index);
  const response = await rig.request("POST", "/api/dials", { body: { ...PHONE_DIAL, keywords } });
  expect(response.statusCode).toBe(422);
  expect(response.json<{ errors: unknown[] }>().errors).toHaveLength(50);
});

test("a request id of the client is taken over when it is harmless", async () => {
  const id = async (given: string) =>
    (await rig.request("GET", "/healthz", { headers: { "x-request-id": given } })).headers["x-request-id"];
  expect(await id("trace-0123.ABC_9")).toBe("trace-0123.ABC_9");
  for (const given of ["short", "x".repeat(65), "with space 123", "<script>alert"])
    expect(await id(given)).toMatch(/^00000000-0000-7000/);
});

test("a failure of ours is a problem that shows nothing of its cause, and the log shows all of it", async () => {
  const broken = new ApiRig();
  broken.readiness = undefined as never;
  const response = await broken.request("GET", "/readyz");
  expect(response.statusCode).toBe(500);
  expect(response.json()).toMatchObject({ code: "internal_error" });
  expect(response.body).not.toMatch(/undefined|TypeError|\.ts/);
  expect(broken.log.some((line) => line.includes("TypeError"))).toBe(true);
  await broken.close();
});

test("requests are counted by route, never by path", async () => {
  const counted = new ApiRig();
  const { dialId } = await counted.dial();
  await counted.request("GET", `/api/dials/${dialId}`);
  await counted.request("GET", "/some/secret/path");
  expect(counted.seen.requests).toEqual(["POST /api/dials 201", "GET /api/dials/:id 200", "GET unmatched 404"]);
  await counted.close();
});
