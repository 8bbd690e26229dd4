import { afterAll, beforeAll, expect, test } from "vitest";
import { writeWav } from "../../src/audio/wav.ts";
import { callEnd } from "../../src/model/call-end.ts";
import { createAnswerCheck, type AnswerCheck } from "../kit/answer-check.ts";
import { operationsOf, readDocument, type ApiDocument, type Located } from "../kit/api-document.ts";
import { ApiRig, KEY, type ApiRigOptions } from "../kit/api-rig.ts";
import { fillWorkspaces, idIn } from "../kit/full-workspace.ts";
import { kindsIn, pathWith, validBody } from "../kit/valid-requests.ts";

const open = async (options?: ApiRigOptions): Promise<ApiRig> => {
  const rig = new ApiRig(options);
  await fillWorkspaces(rig.memory.store);
  rig.sounds.set(`${idIn("w1", "dials")}/${idIn("w1", "recordings")}`, Buffer.from("RIFF"));
  return rig;
};

let document: ApiDocument;
let check: AnswerCheck;
/** One that answers, one whose limit is used up, and one without a database. */
let rigs: Readonly<{ plain: ApiRig; limited: ApiRig; away: ApiRig }>;

beforeAll(async () => {
  rigs = { plain: await open(), limited: await open({ requestsPerSecond: 1 }), away: await open() };
  document = await readDocument(rigs.plain);
  check = createAnswerCheck(document);
  await rigs.limited.request("GET", "/api/agents");
  rigs.away.memory.away = true;
});

afterAll(async () => {
  await Promise.all(Object.values(rigs).map((rig) => rig.close()));
});

type Sent = Readonly<{ url?: string; body?: unknown; key?: string | null; headers?: Record<string, string> }>;

const JSON_TYPE = { "content-type": "application/json" };

/** What brings an operation to answer with a status; `undefined` where the valid request does. */
const provoke = async (one: Located, status: number): Promise<Sent> => {
  const { operationId } = one.operation;
  if (operationId === "uploadAudio") return provokeUpload(status);
  const kinds = kindsIn(one.path);
  switch (status) {
    case 400:
      return { body: "{", headers: JSON_TYPE };
    case 401:
      return { key: null };
    case 403:
      return { key: (await rigs.plain.dial({ callAgentId: "a1" })).dialToken };
    case 404:
      return kinds.length > 0
        ? {
            url: pathWith(
              one.path,
              kinds.map(() => "unknown"),
            ),
          }
        : { body: { ...validBody(operationId), callAgentId: "unknown" } };
    case 409:
      // A dial that is not over.
      if (operationId === "extractDial")
        return { url: `/api/dials/${(await rigs.plain.dial({ callAgentId: "a1" })).dialId}/extraction` };
      if (operationId === "switchRecording")
        return { url: `/api/dials/${await endedDial()}/recording`, body: validBody(operationId) };
      if (operationId === "eraseDial")
        return { url: `/api/dials/${(await rigs.plain.dial({ callAgentId: "a1" })).dialId}` };
      if (operationId !== "deleteApiKey") return { body: { number: "+12025550166" } };
      return { url: `/api/api_keys/${await ownKeyId()}` };
    case 413:
      return { body: "x".repeat(1_100_000), headers: JSON_TYPE };
    case 415:
      return { body: "a=1", headers: { "content-type": "text/plain" } };
    case 416:
      return { headers: { range: "bytes=99-" } };
    case 206:
      return { headers: { range: "bytes=1-2" } };
    case 422:
      if (one.operation.requestBody !== undefined) return { body: { nonsense: 1 } };
      return {
        url: `${pathWith(
          one.path,
          kinds.map((kind) => idIn("w1", kind)),
        )}?nonsense=1`,
      };
    case 200:
      if (operationId === "eraseDial") return { url: `/api/dials/${await endedDial()}` };
      return operationId === "createDial" ? { headers: { "idempotency-key": "again" } } : {};
    case 202:
      if (operationId === "switchRecording") return { url: `/api/dials/${await liveDial()}/recording` };
      return operationId === "replayWebhookDelivery"
        ? { url: `/api/webhook_deliveries/${toldOf(rigs.plain)}/replay` }
        : {};
    default:
      return {};
  }
};

/** The one operation whose body is no JSON. */
const provokeUpload = async (status: number): Promise<Sent> => {
  const { records, store } = rigs.plain.memory;
  const sound = { samples: Int16Array.of(1, -1), sampleRate: 8000 };
  const good = {
    url: "/api/audio?name=x",
    body: Buffer.from(writeWav(sound)),
    headers: { "content-type": "audio/wav" },
  };
  switch (status) {
    case 201:
      // Those of the beginning stay.
      records.audio.splice(2);
      return good;
    case 401:
      return { ...good, key: null };
    case 403:
      return { ...good, key: (await rigs.plain.dial({ callAgentId: "a1" })).dialToken };
    case 409:
      for (let count = 0; count < 50; count++)
        await store.catalogue.addAudio("w1", { id: `more-${count}`, name: "x", ...sound }, 50);
      return good;
    case 413:
      return { ...good, body: Buffer.alloc(5_300_000) };
    case 415:
      return { ...good, headers: JSON_TYPE };
    case 422:
      return { ...good, body: Buffer.from("no sound") };
    default:
      return good;
  }
};

/** The id of an event that was to be told. */
const toldOf = ({ memory }: ApiRig): string =>
  memory.outbox.add({ workspaceId: "w1", dialId: idIn("w1", "dials"), url: "https://example.com" });

const ownKeyId = async (): Promise<string> => {
  const { items } = await rigs.plain.memory.store.catalogue.listApiKeys("w1", { limit: 10 });
  return items.find(({ name }) => name === "k1")?.id ?? "";
};

const endedDial = async (): Promise<string> => {
  const { dialId } = await rigs.plain.dial({ callAgentId: "a1" });
  await rigs.plain.finish(dialId, callEnd("agent_hangup", "agent"));
  return dialId;
};

const liveDial = async (): Promise<string> => {
  const { dialId } = await rigs.plain.dial({ callAgentId: "a1", toNumber: "+12025550144" });
  await rigs.plain.memory.store.dials.claim(dialId, "worker");
  await rigs.plain.memory.store.dials.advance(dialId, "IN_PROGRESS");
  return dialId;
};

/** A stream, which does not end by itself, what needs a call that is over and a model, and what needs a store that is away or elsewhere. */
const ELSEWHERE = new Set(["followDial 200", "extractDial 200", "eraseDial 202", "getRecording 302"]);

const answerTo = async (one: Located, status: number) => {
  const rig = new Map([
    [429, rigs.limited],
    [503, rigs.away],
  ]).get(status);
  const sent = await provoke(one, status);
  const url =
    sent.url ??
    pathWith(
      one.path,
      kindsIn(one.path).map((kind) => idIn("w1", kind)),
    );
  const hasBody = one.operation.requestBody !== undefined;
  const body = sent.body ?? (hasBody ? validBody(one.operation.operationId) : undefined);
  const send = () => (rig ?? rigs.plain).request(one.method, url, { key: KEY, ...sent, body });
  if (sent.headers?.["idempotency-key"] !== undefined) await send();
  return send();
};

test("every operation answers as documented, with every status that it documents", async () => {
  let answered = 0;
  // What is deleted goes last, and what belongs to an agent before the agent.
  const rank = ({ method, path }: Located) => (method === "DELETE" ? 100 - path.length : 0);
  const operations = operationsOf(document)
    .filter(({ path }) => path.startsWith("/api/"))
    .toSorted((a, b) => rank(a) - rank(b));
  for (const one of operations)
    for (const status of Object.keys(one.operation.responses)
      .map(Number)
      .toSorted((a, b) => b - a)) {
      const name = `${one.operation.operationId} ${status}`;
      if (ELSEWHERE.has(name)) continue;
      const response = await answerTo(one, status);
      expect(response.statusCode, `${name}: ${response.body}`).toBe(status);
      expect(check(one, response), name).toBeUndefined();
      answered += 1;
    }
  expect(answered).toBeGreaterThan(280);
});
