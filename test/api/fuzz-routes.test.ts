import * as fc from "fast-check";
import { expect, test, vi } from "vitest";
import { createAnswerCheck } from "../kit/answer-check.ts";
import { bodyOf, operationsOf, readDocument, type ApiDocument, type Located } from "../kit/api-document.ts";
import { ApiRig, KEY } from "../kit/api-rig.ts";
import { fillWorkspaces, idIn, KINDS, type Kind } from "../kit/full-workspace.ts";
import { fromSchema, mutated, oddText } from "../kit/schema-arbitrary.ts";
import { validBody } from "../kit/valid-requests.ts";

/** How many requests are tried; `FUZZ_RUNS=1000000` for a long run. */
const RUNS = Number(process.env["FUZZ_RUNS"] ?? 50_000);

/** Requests to one server before a new one takes its place, since records and logs grow. */
const RUNS_OF_A_SERVER = 2000;

// About half a millisecond a request on two busy cores.
vi.setConfig({ testTimeout: 60_000 + RUNS * 20 });

type Request = Readonly<{ url: string; body?: unknown; idempotencyKey?: string }>;

const anyId = fc.oneof(fc.constantFrom(...KINDS.map((kind) => idIn("w1", kind)), "unknown"), oddText);
const idOf = (kind: Kind) =>
  fc.oneof(
    { weight: 8, arbitrary: fc.constant(idIn("w1", kind)) },
    { weight: 1, arbitrary: fc.constant(idIn("w2", kind)) },
    { weight: 1, arbitrary: anyId },
  );
/** Mostly the first. */
const mostly = (first: string, ...others: string[]) =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(first) }, fc.constantFrom(...others));

const url = mostly("https://example.com/x", "http://example.com", "https://[::1]/", "");
const number = mostly("+12025550123", "+12025550199", "+442079460000", "911", "");

/** What fields mean, so that requests come past the checks of meaning and into what lies behind them. */
const FIELDS = {
  callAgentId: idOf("agents"),
  agentId: idOf("agents"),
  allowedAgentIds: idOf("agents"),
  fromNumberId: idOf("phone_numbers"),
  versionedModelId: idOf("versioned_prompts"),
  ivrVersionedPromptId: idOf("versioned_prompts"),
  defaultVersionedPromptId: idOf("versioned_prompts"),
  callAgentExtractorId: idOf("extractors"),
  defaultExtractorId: idOf("extractors"),
  functionDefinitionId: idOf("functions"),
  aiVoiceId: mostly("anna", "bert", "nobody"),
  defaultVoiceId: mostly("anna", "bert", "nobody"),
  aiModelId: mostly("tuned", "scripted", "nobody"),
  optionId: fc.constantFrom("speed", "seed", "temperature", "style"),
  language: mostly("en", "en-US", "fi", "x"),
  webhookUrl: url,
  apiPath: url,
  toNumber: number,
  number,
  key: mostly("X-Key", "Host", "a b"),
  inputJsonSchema: mostly('{"type":"object"}', "{}", "[]", '{"type":1}', '{"$ref":"#"}'),
  customFieldJsonSchema: mostly('{"type":"array"}', "{"),
  createdAfter: mostly("2026-01-05T09:00:00Z", "2026-01-05"),
  createdBefore: mostly("2026-01-05T09:00:00Z", "2026-01-05"),
  limit: mostly("2", "1000", "0", "x"),
  cursor: mostly("x.y", ""),
  carrier: mostly("loopback", "acme"),
  type: mostly("local", "question", "end_call", "freeform", "acme"),
} as const;

/** Requests to one operation: mostly such as its schema allows, the rest nearly so. */
const requestsTo = (document: ApiDocument, { path, operation }: Located): fc.Arbitrary<Request> => {
  const parts = path.split("/").map((part, index, all) => {
    if (!part.startsWith("{")) return fc.constant(part);
    const kind = KINDS.find((one) => one === all[index - 1]) ?? "agents";
    // The events of a dial that goes on never end.
    const made = operation.operationId === "followDial" ? fc.constantFrom("unknown", "w2-dials") : idOf(kind);
    // Every client folds these two into another path before it sends it.
    const sendable = made.filter((id) => id !== "." && id !== "..");
    return sendable.map((id) => encodeURIComponent(id.toWellFormed()));
  });
  const query = fc.record(
    Object.fromEntries(
      (operation.parameters ?? [])
        .filter((parameter) => parameter.in === "query")
        .map(({ name, schema }) => [
          name,
          fc.oneof({ weight: 6, arbitrary: fromSchema(document, schema, FIELDS, name) }, oddText),
        ]),
    ),
    { requiredKeys: [] },
  );
  const schema = bodyOf(document, operation);
  const good = schema && fromSchema(document, schema, FIELDS);
  const known = fc.constant(validBody(operation.operationId));
  const body =
    good === undefined ? fc.constant(undefined) : fc.oneof(good, mutated(good), known, mutated(known), mutated(known));
  return fc
    .tuple(fc.tuple(...parts), query, body, fc.option(fc.constantFrom("k1", "k2", "x y")))
    .map(([segments, parameters, sent, key]) => {
      const search = Object.entries(parameters).map(
        ([name, value]) => `${name}=${encodeURIComponent(String(value).toWellFormed())}`,
      );
      return {
        url: `${segments.join("/")}${search.length === 0 ? "" : `?${search.join("&")}`}`,
        ...(sent === undefined ? {} : { body: sent }),
        ...(key === null ? {} : { idempotencyKey: key }),
      };
    });
};

const openRig = async (): Promise<ApiRig> => {
  const rig = new ApiRig();
  await fillWorkspaces(rig.memory.store);
  return rig;
};

test("no request to any route fails on our side, and every answer is as documented", async () => {
  const probe = await openRig();
  const document = await readDocument(probe);
  await probe.close();
  const operations = operationsOf(document).filter(({ path }) => path.startsWith("/api/"));
  const request = fc
    .constantFrom(...operations)
    .chain((one) => requestsTo(document, one).map((made) => ({ one, ...made })));
  const seen = new Map<string, Set<number>>();
  const check = createAnswerCheck(document);
  let rig = await openRig();
  let count = 0;
  const renew = async () => {
    await rig.close();
    rig = await openRig();
  };
  let filling = 0;
  const refill = async () => {
    filling += 1;
    for (const list of Object.values(rig.memory.records)) list.length = 0;
    rig.memory.rows.clear();
    await fillWorkspaces(rig.memory.store);
  };
  await fc.assert(
    fc.asyncProperty(request, async ({ one, url: target, body, idempotencyKey }) => {
      count += 1;
      if (count % RUNS_OF_A_SERVER === 0) await renew();
      const response = await rig.app.inject({
        method: one.method,
        url: target,
        headers: {
          authorization: `Bearer ${KEY}`,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...(idempotencyKey === undefined ? {} : { "idempotency-key": `${idempotencyKey}-${filling}` }),
        },
        ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
      });
      // What comes after would find nothing, above all when an agent is gone.
      if (one.method === "DELETE" && response.statusCode === 200) await refill();
      const { operationId } = one.operation;
      seen.set(operationId, (seen.get(operationId) ?? new Set()).add(response.statusCode));
      const told = `${one.method} ${target} ${JSON.stringify(body)} → ${response.statusCode} ${response.body}`;
      expect(response.statusCode, told).toBeLessThan(500);
      expect(check(one, response), told).toBeUndefined();
      if (response.statusCode < 400) return;
      expect(response.headers["content-type"], told).toBe("application/problem+json");
      expect(response.json<{ requestId: string }>().requestId).toBe(response.headers["x-request-id"]);
    }),
    { numRuns: RUNS },
  );
  await rig.close();
  // It must have come into every operation, not only to its door; some need more than what the records hold.
  const granted = (statuses: ReadonlySet<number>) => [...statuses].some((status) => status < 300);
  const never = [...seen].filter(([, statuses]) => !granted(statuses)).map(([operationId]) => operationId);
  expect(never.filter((operationId) => !NEED_MORE.has(operationId))).toEqual([]);
  expect(seen.size).toBe(operations.length);
});

/** Calls that go on or are over, a model, files of sound, and an event that was given up. */
const NEED_MORE = new Set([
  "followDial",
  "getRecording",
  "replayWebhookDelivery",
  "uploadAudio",
  "extractDial",
  "eraseDial",
  "switchRecording",
]);
