import { readFile, writeFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PROBLEMS } from "../../src/api/problem.ts";
import { callEnd } from "../../src/model/call-end.ts";
import { createAnswerCheck } from "../kit/answer-check.ts";
import { operationsOf, readDocument, type ApiDocument } from "../kit/api-document.ts";
import { ApiRig, PHONE_DIAL } from "../kit/api-rig.ts";

let rig: ApiRig;
let document: ApiDocument;
beforeAll(async () => {
  rig = new ApiRig();
  document = await readDocument(rig);
});
afterAll(() => rig.close());

const operations = () => operationsOf(document);

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

test("what the server answers is what the document says, also of a dial with all that a call leaves behind", async () => {
  const check = createAnswerCheck(document);
  const { dialId } = await rig.dial({ callAgentInput: { name: "Ada", age: 36 } });
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
  const dial = `/api/dials/${dialId}`;
  const cases = [
    ["POST", "/api/dials", "/api/dials", { body: PHONE_DIAL }, 201],
    ["GET", dial, "/api/dials/{id}", {}, 200],
    ["POST", `${dial}/hangup`, "/api/dials/{id}/hangup", {}, 202],
    ["POST", `${dial}/token`, "/api/dials/{id}/token", {}, 201],
    ["GET", "/healthz", "/healthz", {}, 200],
    ["GET", "/readyz", "/readyz", {}, 200],
  ] as const;
  for (const [method, url, path, more, status] of cases) {
    const response = await rig.request(method, url, more);
    expect(response.statusCode, `${method} ${url}: ${response.body}`).toBe(status);
    expect(check({ path, method }, response)).toBeUndefined();
  }
});

test("every code of the catalogue stands in docs/interface.md with its status, and nothing else does", async () => {
  const text = await readFile("docs/interface.md", "utf8");
  const documented = [...text.matchAll(/^\| `(\w+)` \| (\d{3}) \|/gm)].map(([, code, status]) => `${code} ${status}`);
  const known = Object.entries(PROBLEMS).map(([code, { status }]) => `${code} ${status}`);
  expect(documented.toSorted()).toEqual(known.toSorted());
});
