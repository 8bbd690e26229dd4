import { expect, test } from "vitest";
import { UpdateAgentSchema } from "../../src/model/agent.ts";
import { OTHER_KEY, PHONE_DIAL } from "../kit/api-rig.ts";
import { openApiRigs } from "../kit/api-rigs.ts";

const start = openApiRigs();

const FULL = {
  name: "Front desk",
  language: "en-GB",
  transcriberParams: { type: "deepgram", keywords: ["Acme"] },
  metadata: { team: "sales", nested: { list: [1, null] } },
  utteranceDetectorConfig: { sensitivity: "ULTRA_FAST" },
  endpointDetectorConfig: { type: "SIMPLE", mode: "CONSERVATIVE" },
  idleMessageConfig: { enabled: true, messages: ["Hello?"], idleDurationMilliseconds: 5000, maxIdleMessages: 2 },
  maxDurationSeconds: 600,
  defaultVoiceId: "anna",
  defaultExtractorId: null,
  linkedFunctionDefinitions: [],
  fillEmptyStringVariables: true,
  openingLine: "Hello {{name}}.",
};

test("an agent is created, read, listed, changed and deleted", async () => {
  const rig = start();
  await rig.clock.advance(1);
  const created = await rig.request("POST", "/api/agents", { body: FULL });
  expect(created.statusCode).toBe(201);
  const { id, ...fields } = created.json<{ id: string }>();
  expect(fields).toEqual(FULL);
  const path = `/api/agents/${id}`;
  expect((await rig.request("GET", path)).json()).toEqual({ id, ...FULL });
  expect((await rig.request("GET", "/api/agents")).json()).toMatchObject({ data: [{ id: "a1" }, { id }] });
  const changed = await rig.request("PUT", path, { body: { name: "Back desk", metadata: { team: "support" } } });
  expect(changed.statusCode).toBe(200);
  const expected = { id, ...FULL, name: "Back desk", metadata: { team: "support" } };
  expect(changed.json()).toEqual(expected);
  expect((await rig.request("DELETE", path)).json()).toEqual(expected);
  for (const method of ["GET", "DELETE"] as const)
    expect((await rig.request(method, path)).json()).toMatchObject({ status: 404, code: "agent_not_found" });
  expect((await rig.request("PUT", path, { body: {} })).statusCode).toBe(404);
});

test("an agent that does not say how long a call may last answers the default", async () => {
  const rig = start();
  const created = await rig.request("POST", "/api/agents", { body: { name: "Brief", language: "en" } });
  expect(created.json()).toMatchObject({ maxDurationSeconds: 10_800 });
  expect((await rig.request("GET", `/api/agents/${created.json<{ id: string }>().id}`)).json()).toEqual(created.json());
});

test("null takes away what may be absent, and is kept where it is a value", async () => {
  const rig = start();
  const { id } = (await rig.request("POST", "/api/agents", { body: FULL })).json<{ id: string }>();
  const body = { defaultVoiceId: null, openingLine: null, defaultVersionedPromptId: null, defaultExtractorId: null };
  const { defaultVoiceId: _, openingLine: __, ...rest } = FULL;
  expect((await rig.request("PUT", `/api/agents/${id}`, { body })).json()).toEqual({ id, ...rest });
  // Whatever an agent may be without, it can be without again.
  const optional = Object.keys(UpdateAgentSchema.properties).filter(
    (field) => field !== "name" && field !== "language",
  );
  const cleared = await rig.request("PUT", `/api/agents/${id}`, {
    body: Object.fromEntries(optional.map((field) => [field, null])),
  });
  const { name, language } = FULL;
  expect(cleared.json()).toEqual({ id, name, language, defaultExtractorId: null, maxDurationSeconds: 10_800 });
  const refused = await rig.request("PUT", `/api/agents/${id}`, { body: { name: null, language: null } });
  expect(refused.json()).toMatchObject({ status: 422, errors: [{ path: "/name" }, { path: "/language" }] });
});

test("defaults may be the agent's own prompt, its extractor and functions of the workspace", async () => {
  const rig = start();
  const made = async (path: string, body: unknown) =>
    (await rig.request("POST", path, { body })).json<{ id: string }>();
  const prompt = await made("/api/agents/a1/versioned_prompts", { name: "P", prompt: "Hi." });
  const extractor = await made("/api/agents/a1/extractors", { name: "E", fields: [{ name: "a", type: "int" }] });
  const fn = await made("/api/functions", {
    name: "t",
    description: "d",
    type: "transfer",
    allowedNumbers: [{ number: "+12025550199" }],
  });
  const body = {
    defaultVersionedPromptId: prompt.id,
    defaultExtractorId: extractor.id,
    linkedFunctionDefinitions: [
      { functionDefinitionId: fn.id, lifecycleMessagesOverride: { started: ["One moment."] } },
    ],
  };
  expect((await rig.request("PUT", "/api/agents/a1", { body })).json()).toMatchObject(body);
});

test.each([
  ["an unknown voice", { defaultVoiceId: "nobody" }, "unknown_voice", "/defaultVoiceId"],
  ["an unknown prompt", { defaultVersionedPromptId: "p9" }, "unknown_prompt", "/defaultVersionedPromptId"],
  ["another agent's prompt", { defaultVersionedPromptId: "p2" }, "unknown_prompt", "/defaultVersionedPromptId"],
  ["an unknown extractor", { defaultExtractorId: "e9" }, "unknown_extractor", "/defaultExtractorId"],
  [
    "an unknown function",
    { linkedFunctionDefinitions: [{ functionDefinitionId: "f9" }] },
    "unknown_function",
    "/linkedFunctionDefinitions/0/functionDefinitionId",
  ],
  ["an unknown transcriber", { transcriberParams: { type: "acme" } }, "unknown_transcriber", "/transcriberParams/type"],
  ["a language that nothing speaks", { language: "fi" }, "language_not_supported", "/language"],
  ["a language that is no tag", { language: "English" }, "validation_failed", "/language"],
  ["a field that has no effect here", { callerMood: "calm" }, "validation_failed", "/callerMood"],
  [
    "a calling window over midnight",
    { callingWindow: { start: "20:00", end: "08:00" } },
    "validation_failed",
    "/callingWindow/end",
  ],
  [
    "a message for voicemails without words",
    { voicemailConfig: { action: "leave_message", message: " " } },
    "validation_failed",
    "/voicemailConfig/message",
  ],
  [
    "a background of one's own without a sound",
    { backgroundSound: { type: "custom" } },
    "validation_failed",
    "/backgroundSound/audioId",
  ],
  [
    "a background that was not uploaded",
    { backgroundSound: { type: "custom", audioId: "s9" } },
    "validation_failed",
    "/backgroundSound/audioId",
  ],
  ["an id of one's own", { id: "mine" }, "validation_failed", "/id"],
  ["an unknown sensitivity", { utteranceDetectorConfig: { sensitivity: "FASTER" } }, "validation_failed", undefined],
])("%s is refused on creation and on change", async (_, change, code, path) => {
  const rig = start();
  rig.memory.addAgent("w1", { id: "a3", name: "Else", language: "en" });
  rig.memory.addPrompt("w1", "a3", { id: "p2", name: "Else", agentType: "STANDARD", prompt: "Else." });
  const before = await rig.memory.store.catalogue.findAgent("w1", "a1");
  for (const [method, url, body] of [
    ["POST", "/api/agents", { name: "x", language: "en", ...change }],
    ["PUT", "/api/agents/a1", change],
  ] as const) {
    const response = await rig.request(method, url, { body });
    expect(response.statusCode).toBe(422);
    const problem = response.json<{ code: string; errors: { path: string }[] }>();
    expect(problem.code).toBe(code);
    if (path !== undefined) expect(problem.errors[0]?.path).toBe(path);
  }
  expect(await rig.memory.store.catalogue.findAgent("w1", "a1")).toEqual(before);
  expect(rig.memory.records.agents.filter(({ workspaceId }) => workspaceId === "w1")).toHaveLength(2);
});

test("a refused transcriber is answered with the known ones", async () => {
  const response = await start().request("PUT", "/api/agents/a1", { body: { transcriberParams: { type: "acme" } } });
  expect(response.json<{ detail: string }>().detail).toContain("local, deepgram, openai");
});

test("a dial keeps its agent, and a replay its answer, when the agent is deleted", async () => {
  const rig = start();
  const headers = { "idempotency-key": "order-17" };
  const first = await rig.request("POST", "/api/dials", { body: PHONE_DIAL, headers });
  const { dialId } = first.json<{ dialId: string }>();
  await rig.request("PUT", "/api/agents/a1", { body: { name: "Renamed" } });
  await rig.request("DELETE", "/api/agents/a1");
  expect((await rig.request("GET", `/api/dials/${dialId}`)).json()).toMatchObject({
    agent: { id: "a1", name: "Anna" },
  });
  expect(rig.memory.row(dialId).state).toBe("QUEUED");
  const replay = await rig.request("POST", "/api/dials", { body: PHONE_DIAL, headers });
  expect([replay.statusCode, replay.headers["idempotency-replayed"]]).toEqual([200, "true"]);
  expect(replay.json()).toMatchObject({ dialId, sessionId: first.json().sessionId });
  expect((await rig.request("GET", `/api/dials/${dialId}`, { key: replay.json().dialToken })).statusCode).toBe(200);
  const other = await rig.request("POST", "/api/dials", { body: { ...PHONE_DIAL, timeoutMinutes: 1 }, headers });
  expect(other.json()).toMatchObject({ status: 422, code: "idempotency_key_reused" });
  expect((await rig.request("POST", "/api/dials", { body: PHONE_DIAL })).statusCode).toBe(404);
});

test("an agent of another workspace is unknown in every way", async () => {
  const rig = start();
  for (const [method, body] of [["GET"], ["PUT", { name: "stolen" }], ["DELETE"]] as const) {
    const foreign = await rig.request(method, "/api/agents/a1", { key: OTHER_KEY, body });
    expect(foreign.json()).toMatchObject({ status: 404, code: "agent_not_found" });
  }
  expect((await rig.request("GET", "/api/agents/a1")).json()).toMatchObject({ name: "Anna" });
});
