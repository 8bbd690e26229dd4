import { readFile, writeFile } from "node:fs/promises";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PROBLEMS } from "../../src/api/problem.ts";
import { callEnd } from "../../src/model/call-end.ts";
import { ApiRig, PHONE_DIAL } from "../kit/api-rig.ts";

type Response = { description: string; content?: Record<string, { schema: object }> };
type Operation = { operationId: string; summary: string; security?: object[]; responses: Record<string, Response> };
type Document = { paths: Record<string, Record<string, Operation>>; components: { schemas: Record<string, object> } };

let rig: ApiRig;
let document: Document;
beforeAll(async () => {
  rig = new ApiRig();
  const response = await rig.request("GET", "/openapi.json", { key: null });
  expect(response.statusCode).toBe(200);
  document = response.json<Document>();
});
afterAll(() => rig.close());

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );

test("the committed document is the one that the server gives (UPDATE_OPENAPI=1 writes it anew)", async () => {
  const text = `${JSON.stringify(document, null, 2)}\n`;
  if (process.env["UPDATE_OPENAPI"] === "1") await writeFile("docs/openapi.json", text);
  expect(await readFile("docs/openapi.json", "utf8")).toBe(text);
});

test("every operation has a name, a summary and described responses, and every route under /api needs a credential", () => {
  expect(operations().length).toBeGreaterThanOrEqual(13);
  const ids = operations().map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { path, operation } of operations()) {
    expect(operation.summary, path).toBeTruthy();
    expect(path.startsWith("/api/"), path).toBe(operation.security !== undefined);
    for (const { description } of Object.values(operation.responses)) expect(description).not.toBe("Default Response");
  }
});

test("every reference leads to a schema of the document", () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)];
  expect(references.length).toBeGreaterThan(50);
  for (const [, name] of references) expect(document.components.schemas).toHaveProperty(name ?? "");
  expect(JSON.stringify(document)).not.toContain("x-schema-name");
});

test("what the server answers is what the document says, for every status that can be reached here", async () => {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema({ ...document, $id: "openapi" });
  const check = (path: string, method: string, status: number, contentType: string, body: unknown) => {
    const pointer = ["paths", path, method, "responses", String(status), "content", contentType, "schema"]
      .map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1")))
      .join("/");
    const validate = ajv.getSchema(`openapi#/${pointer}`);
    expect(validate, `${method} ${path} ${status} ${contentType}`).toBeDefined();
    expect(validate?.(body), `${method} ${path} ${status}: ${ajv.errorsText(validate?.errors)}`).toBe(true);
  };
  const { dialId, dialToken } = await rig.dial({ callAgentInput: { name: "Ada", age: 36 } });
  await rig.memory.store.dials.claim(dialId, "worker");
  await rig.memory.store.dials.advance(dialId, "IN_PROGRESS");
  await rig.memory.store.dials.saveTranscript(dialId, [
    { index: 0, entry: { text: "Hello.", speaker: "AI", detailType: null, startTimeMs: 100, endTimeMs: 700 } },
  ]);
  await rig.memory.store.dials.saveTurns(dialId, [
    { index: 0, startMs: 0, endReason: "opening", audioSentMs: 300.5, interrupted: false },
  ]);
  await rig.memory.store.dials.saveRecording(dialId, {
    id: "r1",
    channels: 2,
    durationMs: 700,
    startedAt: "2026-01-05T09:00:00.000Z",
  });
  await rig.finish(dialId, callEnd("counterparty_hangup", "remote"));
  const told = rig.memory.outbox.add({ workspaceId: "w1", dialId, url: "https://example.com" });
  const dial = `/api/dials/${dialId}`;
  const cases = [
    ["POST", "/api/dials", "/api/dials", { body: PHONE_DIAL }, 201],
    ["POST", "/api/dials", "/api/dials", { body: "{", headers: { "content-type": "application/json" } }, 400],
    ["POST", "/api/dials", "/api/dials", { body: PHONE_DIAL, key: "nobody" }, 401],
    ["POST", "/api/dials", "/api/dials", { body: PHONE_DIAL, key: dialToken }, 403],
    ["POST", "/api/dials", "/api/dials", { body: { ...PHONE_DIAL, callAgentId: "?" } }, 404],
    [
      "POST",
      "/api/dials",
      "/api/dials",
      { body: "x".repeat(70_000), headers: { "content-type": "application/json" } },
      413,
    ],
    ["POST", "/api/dials", "/api/dials", { body: "a=1", headers: { "content-type": "text/plain" } }, 415],
    ["POST", "/api/dials", "/api/dials", { body: {} }, 422],
    ["GET", dial, "/api/dials/{id}", {}, 200],
    ["GET", "/api/dials/none", "/api/dials/{id}", {}, 404],
    ["POST", `${dial}/hangup`, "/api/dials/{id}/hangup", {}, 202],
    ["POST", `${dial}/token`, "/api/dials/{id}/token", {}, 201],
    ["GET", "/api/agents", "/api/agents", {}, 200],
    ["GET", "/api/agents?limit=0", "/api/agents", {}, 422],
    ["GET", "/api/voices", "/api/voices", {}, 200],
    ["GET", "/api/models", "/api/models", {}, 200],
    ["GET", "/api/phone_numbers", "/api/phone_numbers", {}, 200],
    ["GET", "/api/webhook_deliveries", "/api/webhook_deliveries", {}, 200],
    ["POST", `/api/webhook_deliveries/${told}/replay`, "/api/webhook_deliveries/{id}/replay", {}, 202],
    ["POST", "/api/webhook_deliveries/x/replay", "/api/webhook_deliveries/{id}/replay", {}, 404],
    ["GET", "/api/webhook_secret", "/api/webhook_secret", {}, 200],
    ["POST", "/api/webhook_secret/rotate", "/api/webhook_secret/rotate", {}, 200],
    ["GET", "/healthz", "/healthz", {}, 200],
    ["GET", "/readyz", "/readyz", {}, 200],
  ] as const;
  for (const [method, url, path, more, status] of cases) {
    const response = await rig.request(method, url, more);
    expect(response.statusCode, `${method} ${url}: ${response.body}`).toBe(status);
    const contentType = String(response.headers["content-type"]).split(";", 1)[0] ?? "";
    check(path, method.toLowerCase(), status, contentType, response.json());
  }
});

test("every code of the catalogue stands in docs/interface.md with its status, and nothing else does", async () => {
  const text = await readFile("docs/interface.md", "utf8");
  const documented = [...text.matchAll(/^\| `(\w+)` \| (\d{3}) \|/gm)].map(([, code, status]) => `${code} ${status}`);
  const known = Object.entries(PROBLEMS).map(([code, { status }]) => `${code} ${status}`);
  expect(documented.toSorted()).toEqual(known.toSorted());
});
