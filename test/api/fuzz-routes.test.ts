import * as fc from "fast-check";
import { expect, test, vi } from "vitest";
import { writeWav } from "../../src/audio/wav.ts";
import { createCallbackTokens } from "../../src/dials/callback-token.ts";
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

type Request = Readonly<{
  url: string;
  payload?: string | Buffer;
  contentType?: string;
  idempotencyKey?: string;
  /** Asked by HEAD instead of GET. */
  head: boolean;
}>;

type Payload = Readonly<Pick<Request, "payload" | "contentType">>;

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
const requestsTo = (document: ApiDocument, { path, method, operation }: Located): fc.Arbitrary<Request> => {
  const parts = path.split("/").map((part, index, all) => {
    if (!part.startsWith("{")) return fc.constant(part);
    if (part === "{account}") return mostly("loopback", "acme", "%00");
    if (part === "{token}") return mostly(CALLBACK_TOKEN, "x", "");
    const kind = KINDS.find((one) => one === all[index - 1]) ?? (isCarriers(path) ? "dials" : "agents");
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
  // Fastify gives no HEAD to what a carrier asks by GET.
  const head = fc.boolean().map((asked) => asked && method === "GET" && !isCarriers(path));
  return fc
    .tuple(fc.tuple(...parts), query, payloads(document, { path, method, operation }), keys, head)
    .map(([segments, parameters, sent, key, asHead]) => {
      const search = Object.entries(parameters).map(
        ([name, value]) => `${name}=${encodeURIComponent(String(value).toWellFormed())}`,
      );
      return {
        url: `${segments.join("/")}${search.length === 0 ? "" : `?${search.join("&")}`}`,
        ...sent,
        ...(key === null ? {} : { idempotencyKey: key }),
        head: asHead,
      };
    });
};

const isCarriers = (path: string): boolean => path.startsWith("/carriers/");

const keys = fc.option(fc.constantFrom("k1", "k2", "x y"));

/** What is sent along: sound, what carriers send, or JSON such as the operation's schema allows, and nearly so. */
const payloads = (
  document: ApiDocument,
  { path, method, operation }: Pick<Located, "path" | "method" | "operation">,
): fc.Arbitrary<Payload> => {
  if (method === "GET") return fc.constant({});
  if (operation.operationId === "uploadAudio")
    return fc.record({ contentType: fc.constant("audio/wav"), payload: fc.oneof(fc.constant(WAV), anyBytes) });
  if (isCarriers(path))
    return fc.record({
      contentType: fc.constantFrom("text/plain", "application/x-www-form-urlencoded", "application/json"),
      payload: anyBytes,
    });
  const schema = bodyOf(document, operation);
  if (schema === undefined) return fc.constant({});
  const good = fromSchema(document, schema, FIELDS);
  const known = fc.constant(validBody(operation.operationId));
  return fc
    .oneof(good, mutated(good), known, mutated(known), mutated(known))
    .map((body) => ({ contentType: "application/json", payload: JSON.stringify(body) }));
};

const anyBytes = fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes));

const WAV = Buffer.from(writeWav({ samples: Int16Array.from({ length: 50 }, (_, at) => at * 100), sampleRate: 8000 }));

/** As the rig's server makes it for the calls of its first workspace. */
const CALLBACK_TOKEN =
  createCallbackTokens("a-deployment-secret-of-32-bytes-")
    .statusUrl("", "loopback", idIn("w1", "dials"))
    .split("/")
    .at(-1) ?? "";

const openRig = async (): Promise<ApiRig> => {
  const rig = new ApiRig();
  await fillWorkspaces(rig.memory.store);
  return rig;
};

test("no request to any route fails on our side, and every answer is as documented", async () => {
  const probe = await openRig();
  const document = await readDocument(probe);
  await probe.close();
  const operations = operationsOf(document);
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
    fc.asyncProperty(request, async ({ one, url: target, payload, contentType, idempotencyKey, head }) => {
      count += 1;
      if (count % RUNS_OF_A_SERVER === 0) await renew();
      const response = await rig.app.inject({
        method: head ? "HEAD" : one.method,
        url: target,
        headers: {
          authorization: `Bearer ${KEY}`,
          ...(contentType === undefined ? {} : { "content-type": contentType }),
          ...(idempotencyKey === undefined ? {} : { "idempotency-key": `${idempotencyKey}-${filling}` }),
        },
        ...(payload === undefined ? {} : { payload }),
      });
      // What comes after would find nothing, above all when an agent is gone.
      if (one.method === "DELETE" && response.statusCode === 200) await refill();
      const { operationId } = one.operation;
      seen.set(operationId, (seen.get(operationId) ?? new Set()).add(response.statusCode));
      const told = `${one.method} ${target} ${payload?.toString()} → ${response.statusCode} ${response.body}`;
      expect(response.statusCode, told).toBeLessThan(500);
      if (head) {
        expect(response.body, told).toBe("");
        return;
      }
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
  // The rig has no carrier that answers calls.
  "fetchCallDocument",
  "requestCallDocument",
  "askAboutInboundCall",
  "announceInboundCall",
  "extractDial",
  "eraseDial",
  "switchRecording",
]);
