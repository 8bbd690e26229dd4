import { afterAll, beforeAll, expect, test } from "vitest";
import { SystemClock } from "../../src/adapters/clock/system.ts";
import { SystemRandom } from "../../src/adapters/random/system.ts";
import { openPostgresStore } from "../../src/adapters/store/postgres/store.ts";
import {
  bodyOf,
  operationsOf,
  readDocument,
  type ApiDocument,
  type Located,
  type Schema,
} from "../kit/api-document.ts";
import { callEnd } from "../../src/model/call-end.ts";
import { ApiRig } from "../kit/api-rig.ts";
import { fillWorkspaces, idIn, type Kind } from "../kit/full-workspace.ts";
import { kindsIn, pathWith, validBody } from "../kit/valid-requests.ts";
import { createTestDatabase } from "../kit/postgres.ts";

const releasers: (() => Promise<void>)[] = [];
let rig: ApiRig;
let document: ApiDocument;

beforeAll(async () => {
  const database = await createTestDatabase();
  releasers.push(() => database.close());
  const random = new SystemRandom();
  const store = await openPostgresStore({ url: database.url, clock: new SystemClock(), random });
  releasers.push(() => store.close());
  await fillWorkspaces(store);
  // Some references are followed only when a call is over.
  const end = { type: "observed", evidence: 2, end: callEnd("canceled", "api") } as const;
  await store.dials.end(idIn("w1", "dials"), end);
  rig = new ApiRig({ store, random });
  releasers.push(() => rig.close());
  document = await readDocument(rig);
}, 60_000);

afterAll(async () => {
  for (const release of releasers.toReversed()) await release();
});

/** The fields that name something of a workspace, and what; the others name nothing that belongs to anybody. */
const REFERENCES: Readonly<Record<string, Kind | "nobody's">> = {
  callAgentId: "agents",
  fromNumberId: "phone_numbers",
  versionedModelId: "versioned_prompts",
  ivrVersionedPromptId: "versioned_prompts",
  callAgentExtractorId: "extractors",
  defaultVersionedPromptId: "versioned_prompts",
  defaultExtractorId: "extractors",
  functionDefinitionId: "functions",
  functionId: "functions",
  agentId: "agents",
  allowedAgentIds: "agents",
  audioId: "audio",
  carrierAccountId: "nobody's",
  aiVoiceId: "nobody's",
  defaultVoiceId: "nobody's",
  aiModelId: "nobody's",
  optionId: "nobody's",
  transitionNodeId: "nobody's",
};

/** A response without what differs between any two requests. */
const answer = async ({ method, operation }: Located, url: string, body?: object) => {
  const hasBody = operation.requestBody !== undefined;
  const response = await rig.request(method, url, {
    body: hasBody ? (body ?? validBody(operation.operationId)) : undefined,
  });
  const { requestId: _, ...problem } = response.json<Record<string, unknown>>();
  return { status: response.statusCode, problem };
};

test("in every place of every path, an id of another workspace is as unknown as any", async () => {
  const tried: string[] = [];
  for (const one of operationsOf(document).filter(({ path }) => path.startsWith("/api/"))) {
    const kinds = kindsIn(one.path);
    for (const [place, kind] of kinds.entries()) {
      const own = kinds.map((each) => idIn("w1", each));
      const foreign = await answer(one, pathWith(one.path, own.with(place, idIn("w2", kind))));
      const unknown = await answer(one, pathWith(one.path, own.with(place, "0192-unknown")));
      expect(foreign.status, `${one.method} ${one.path} ${kind}`).toBe(404);
      expect(foreign, `${one.method} ${one.path} ${kind}`).toEqual(unknown);
      tried.push(`${one.method} ${one.path} ${kind}`);
    }
    // Everything that is foreign at once: a whole path of another workspace.
    if (kinds.length > 1)
      expect(
        (
          await answer(
            one,
            pathWith(
              one.path,
              kinds.map((kind) => idIn("w2", kind)),
            ),
          )
        ).status,
      ).toBe(404);
  }
  expect(tried.length).toBeGreaterThanOrEqual(30);
});

/** Names of the fields below a schema that look like references. */
const referencesIn = (schema: Schema | undefined): readonly string[] => {
  if (schema === undefined) return [];
  const own = Object.keys(schema.properties ?? {}).filter((name) => /Ids?$/.test(name));
  const inner = [
    ...Object.values(schema.properties ?? {}),
    ...(schema.anyOf ?? []),
    ...(schema.items ? [schema.items] : []),
  ];
  return [...new Set([...own, ...inner.flatMap(referencesIn)])];
};

test("in every reference of every body, an id of another workspace is as unknown as any", async () => {
  const tried: string[] = [];
  for (const one of operationsOf(document)) {
    const { operationId } = one.operation;
    const schema = bodyOf(document, one.operation);
    // What a node's free-form data refers to is not in the schema.
    const fields = [...referencesIn(schema), ...(schema?.properties?.["flowDefinition"] ? ["functionId"] : [])];
    for (const field of fields) {
      const kind = REFERENCES[field];
      expect(kind, `${operationId} ${field}: is it a reference?`).toBeDefined();
      if (kind === undefined || kind === "nobody's") continue;
      const url = pathWith(
        one.path,
        kindsIn(one.path).map((each) => idIn("w1", each)),
      );
      const ask = (id: string) => answer(one, url, validBody(operationId, { [field]: id }));
      const [foreign, unknown] = [await ask(idIn("w2", kind)), await ask("0192-unknown")];
      const where = `${operationId} ${field}`;
      expect(foreign.status, where).toBe(field === "callAgentId" ? 404 : 422);
      // A flow's fault names its node, not the id.
      expect(foreign, where).toEqual(unknown);
      expect(JSON.stringify(foreign.problem["errors"]), where).toContain(field === "callAgentId" ? "[]" : field);
      tried.push(where);
    }
  }
  expect(tried.length).toBeGreaterThanOrEqual(14);
});

test("lists, also those filtered by an id of another workspace, show only what is the workspace's own", async () => {
  const lists = operationsOf(document).filter(
    ({ path, method }) => path.startsWith("/api/") && method === "GET" && /\/(\w+)$/.test(path),
  );
  let shown = 0;
  for (const one of lists) {
    if (one.operation.operationId === "followDial") continue;
    const url = pathWith(
      one.path,
      kindsIn(one.path).map((kind) => idIn("w1", kind)),
    );
    const { status, problem } = await answer(one, url);
    expect(status, url).toBe(200);
    const text = JSON.stringify(problem);
    expect(text, url).not.toContain("w2-");
    if (text.includes("w1-")) shown += 1;
  }
  expect(shown).toBeGreaterThanOrEqual(7);
  const filtered = (id: string) => rig.request("GET", `/api/dials?callAgentId=${id}`);
  expect((await filtered(idIn("w2", "agents"))).json()).toEqual((await filtered("unknown")).json());
  expect((await filtered(idIn("w1", "agents"))).json<{ data: unknown[] }>().data).toHaveLength(1);
});

test("the ids that were tried are good where they belong", async () => {
  for (const one of operationsOf(document).filter(({ path, method }) => path.startsWith("/api/") && method === "GET")) {
    if (["followDial", "getRecording"].includes(one.operation.operationId)) continue;
    const { status } = await answer(
      one,
      pathWith(
        one.path,
        kindsIn(one.path).map((kind) => idIn("w1", kind)),
      ),
    );
    expect(status, one.path).toBe(200);
  }
  const grants: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    ["createDial", { versionedModelId: idIn("w1", "versioned_prompts") }],
    ["createDial", { ivrVersionedPromptId: idIn("w1", "versioned_prompts") }],
    ["updateAgent", { defaultVersionedPromptId: idIn("w1", "versioned_prompts") }],
    ["updateAgent", { defaultExtractorId: idIn("w1", "extractors") }],
    ["updateAgent", { functionDefinitionId: idIn("w1", "functions") }],
    ["createAgent", { functionDefinitionId: idIn("w1", "functions") }],
    ["updateVersionedPrompt", { functionId: idIn("w1", "functions") }],
    ["importPhoneNumber", { agentId: idIn("w1", "agents") }],
    ["createApiKey", { allowedAgentIds: idIn("w1", "agents") }],
  ];
  for (const [operationId, reference] of grants) {
    const one = operationsOf(document).find(({ operation }) => operation.operationId === operationId);
    if (one === undefined) throw new Error(`there is no ${operationId}`);
    const url = pathWith(
      one.path,
      kindsIn(one.path).map((kind) => idIn("w1", kind)),
    );
    const { status, problem } = await answer(one, url, validBody(operationId, reference));
    expect(status, `${operationId} ${JSON.stringify(reference)}: ${JSON.stringify(problem)}`).toBeLessThan(300);
  }
});
