import type { AddressInfo } from "node:net";
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { writeWav } from "../../src/audio/wav.ts";
import { ApiRig, KEY, PHONE_DIAL } from "../kit/api-rig.ts";
import { rawRequest, type RawResponse } from "../kit/raw-http.ts";

// A shared machine may be many times slower than a quiet one.
vi.setConfig({ testTimeout: 120_000 });

let rig: ApiRig;
let port: number;
beforeAll(async () => {
  rig = new ApiRig();
  await rig.app.listen({ port: 0, host: "127.0.0.1" });
  ({ port } = rig.app.server.address() as AddressInfo);
});
afterAll(() => rig.close());

/** Whatever came in: no failure of ours, and errors only in the one shape. */
const expectSound = (response: Pick<RawResponse, "status" | "headers" | "body">) => {
  expect(response.status).toBeLessThan(500);
  if (response.status < 400) return;
  expect(response.headers["content-type"]).toBe("application/problem+json");
  const problem = JSON.parse(response.body) as { status: number; requestId: string };
  expect(problem.status).toBe(response.status);
  expect(problem.requestId).toBe(response.headers["x-request-id"]);
};

const inject = async (method: "GET" | "POST", url: string, body?: string, headers: Record<string, string> = {}) => {
  const response = await rig.app.inject({
    method,
    url,
    headers: { authorization: `Bearer ${KEY}`, ...headers },
    ...(body === undefined ? {} : { payload: body }),
  });
  expectSound({
    status: response.statusCode,
    headers: response.headers as Record<string, string>,
    body: response.body,
  });
  return response.statusCode;
};

const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: "grapheme" }),
  fc.constantFrom("\0", "\uD800", "{{a}}", "__proto__", "'; drop table dial; --", "+12025550123", "a1", "n1", "null"),
);
const anything = fc.oneof({ weight: 2, arbitrary: text }, fc.jsonValue(), fc.double(), fc.constant("x".repeat(70_000)));
const json = { "content-type": "application/json" };

test("bodies that nearly are a dial", async () => {
  const field = fc.constantFrom(
    "callAgentId",
    "webhookUrl",
    "browserCall",
    "toNumber",
    "fromNumberId",
    "aiVoiceId",
    "voiceOptionValues",
    "voiceVolumeLevel",
    "versionedModelId",
    "ivrVersionedPromptId",
    "overrideTranscriberFinalDurationMs",
    "timeoutMinutes",
    "callAgentExtractorId",
    "callAgentInput",
    "keywords",
    "unknown",
    "constructor",
  );
  const statuses = new Set<number>();
  await fc.assert(
    fc.asyncProperty(fc.dictionary(field, anything, { maxKeys: 4 }), async (change) => {
      statuses.add(await inject("POST", "/api/dials", JSON.stringify({ ...PHONE_DIAL, ...change }), json));
    }),
    { numRuns: 1500 },
  );
  // It must have come past the schema, and into it.
  expect([...statuses]).toEqual(expect.arrayContaining([201, 413, 422]));
});

test("bodies that are JSON with a few bytes changed", async () => {
  const body = JSON.stringify({ ...PHONE_DIAL, callAgentInput: { name: "Ada", list: [1, { a: null }] } });
  await fc.assert(
    fc.asyncProperty(fc.nat(body.length), fc.nat(4), text, async (at, cut, put) => {
      await inject("POST", "/api/dials", body.slice(0, at) + put + body.slice(at + cut), json);
    }),
    { numRuns: 1000 },
  );
});

test("headers and content types", async () => {
  const value = fc.string({ unit: fc.integer({ min: 32, max: 255 }).map((code) => String.fromCodePoint(code)) });
  await fc.assert(
    fc.asyncProperty(value, value, value, async (contentType, idempotencyKey, requestId) => {
      await inject("POST", "/api/dials", JSON.stringify(PHONE_DIAL), {
        "content-type": contentType,
        "idempotency-key": idempotencyKey,
        "x-request-id": requestId,
      });
    }),
    { numRuns: 500 },
  );
});

test("ids and queries", async () => {
  await fc.assert(
    fc.asyncProperty(text, text, text, async (id, name, value) => {
      const encode = (part: string) => encodeURIComponent(part.toWellFormed());
      await inject("GET", `/api/dials/${encode(id)}`);
      await inject("GET", `/api/agents?${encode(name)}=${encode(value)}`);
      await inject("GET", `/api/agents?cursor=${encode(id)}&limit=${encode(value)}`);
    }),
    { numRuns: 500 },
  );
});

test("sounds with a few bytes changed, and what is no sound at all", async () => {
  const wav = writeWav({ samples: Int16Array.from({ length: 50 }, (_, at) => at * 100), sampleRate: 8000 });
  const changed = fc
    .tuple(fc.nat(wav.length), fc.nat(8), fc.uint8Array({ maxLength: 8 }))
    .map(([at, cut, put]) => Buffer.concat([wav.subarray(0, at), put, wav.subarray(at + cut)]));
  const statuses = new Set<number>();
  await fc.assert(
    fc.asyncProperty(fc.oneof(changed, fc.uint8Array({ maxLength: 80 })), async (sound) => {
      const response = await rig.app.inject({
        method: "POST",
        url: "/api/audio?name=x",
        headers: { authorization: `Bearer ${KEY}`, "content-type": "audio/wav" },
        payload: Buffer.from(sound),
      });
      expectSound({
        status: response.statusCode,
        headers: response.headers as Record<string, string>,
        body: response.body,
      });
      statuses.add(response.statusCode);
      rig.memory.records.audio.length = 0;
    }),
    { numRuns: 500 },
  );
  expect(statuses).toEqual(new Set([201, 422]));
});

test("bytes on the wire", async () => {
  const start = fc.constantFrom("POST /api/dials", "GET /api/dials/x", "GET /api/agents?limit=1", "GET /", "BREW /tea");
  const garbage = fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes).toString("latin1"));
  let answered = 0;
  await fc.assert(
    fc.asyncProperty(start, garbage, garbage, fc.boolean(), async (first, line, body, authorized) => {
      const request = [
        `${first} HTTP/1.1`,
        "Host: x",
        "Connection: close",
        ...(authorized ? [`Authorization: Bearer ${KEY}`, "Content-Type: application/json"] : []),
        line,
        `Content-Length: ${body.length}`,
        "",
        body,
      ].join("\r\n");
      const response = await rawRequest(port, Buffer.from(request, "latin1"));
      if (response === undefined) return;
      answered += 1;
      expectSound(response);
    }),
    { numRuns: 500 },
  );
  expect(answered).toBeGreaterThan(450);
});
