import { afterEach, expect, test } from "vitest";
import { callEnd } from "../../src/model/call-end.ts";
import { ApiRig, OTHER_KEY, PHONE_DIAL, type ApiRigOptions } from "../kit/api-rig.ts";

const rigs: ApiRig[] = [];
const start = (options?: ApiRigOptions) => {
  const rig = new ApiRig(options);
  rigs.push(rig);
  return rig;
};
afterEach(async () => {
  await Promise.all(rigs.splice(0).map((rig) => rig.close()));
});

test("a dial is created, a worker is woken, and the dial can be read", async () => {
  const rig = start();
  const response = await rig.request("POST", "/api/dials", { body: PHONE_DIAL });
  expect(response.statusCode).toBe(201);
  const created = response.json<{ dialToken: string; sessionId: string; dialId: string }>();
  expect(Object.keys(created).toSorted()).toEqual(["dialId", "dialToken", "sessionId"]);
  await rig.clock.settle();
  expect(rig.jobs).toEqual([created.dialId]);
  expect(rig.memory.row(created.dialId).jobId).toBe(rig.jobIds[0]);
  expect(rig.seen.created).toEqual(["outbound"]);
  expect(rig.live.published[0]?.event).toEqual({ type: "status", status: "queued", systemResultType: null });

  const read = await rig.request("GET", `/api/dials/${created.dialId}`);
  expect(read.statusCode).toBe(200);
  expect(read.json()).toMatchObject({
    id: created.dialId,
    status: "queued",
    systemResultType: null,
    toNumber: "+12025550123",
    fromNumberId: "n1",
    agent: { id: "a1", name: "Anna", language: "en" },
    versionedPromptId: "p1",
    voiceId: "anna",
    dialTaskId: rig.jobIds[0],
    inputs: {},
    transcript: [],
  });
});

test("a dial that this process's own worker takes up at once needs no job, and one that it cannot take does", async () => {
  const offered: string[] = [];
  const rig = start({ offer: ({ dialId }) => offered.push(dialId) === 1 });
  const ids: string[] = [];
  for (const toNumber of ["+12025550111", "+12025550112"]) {
    const response = await rig.request("POST", "/api/dials", { body: { ...PHONE_DIAL, toNumber } });
    ids.push(response.json<{ dialId: string }>().dialId);
  }
  await rig.clock.settle();
  expect(offered).toEqual(ids);
  expect(rig.jobs).toEqual(ids.slice(1));
});

test("a value of a macro that is too long is refused by its name", async () => {
  const rig = start();
  const body = { ...PHONE_DIAL, callAgentInput: { name: "x".repeat(10_001) } };
  const response = await rig.request("POST", "/api/dials", { body });
  expect(response.statusCode).toBe(422);
  expect(response.json()).toMatchObject({ errors: [{ path: "/callAgentInput/name" }] });
});

test("a browser dial needs no numbers, wakes no worker, and waits for its visitor", async () => {
  const rig = start();
  const response = await rig.request("POST", "/api/dials", { body: { callAgentId: "a1", browserCall: true } });
  expect(response.statusCode).toBe(201);
  const { dialId } = response.json<{ dialId: string }>();
  await rig.clock.settle();
  expect(rig.jobs).toEqual([]);
  expect(rig.seen.created).toEqual(["browser"]);
  expect(rig.memory.row(dialId).dial.plan).toMatchObject({ direction: "browser", carrier: "browser" });
  const read = await rig.request("GET", `/api/dials/${dialId}`);
  expect(read.json()).toMatchObject({ status: "queued", direction: "browser" });
  expect(read.json()).not.toHaveProperty("toNumber");
});

test("a browser dial may be made for an agent without a prompt, a phone dial may not", async () => {
  const rig = start();
  rig.memory.records.prompts.length = 0;
  const phone = await rig.request("POST", "/api/dials", { body: PHONE_DIAL });
  expect(phone.json()).toMatchObject({ code: "agent_has_no_prompt" });
  const browser = await rig.request("POST", "/api/dials", { body: { callAgentId: "a1", browserCall: true } });
  expect(browser.statusCode).toBe(201);
  const { dialId } = browser.json<{ dialId: string }>();
  expect(rig.memory.row(dialId).dial.plan.lacksPrompt).toBe(true);
  const read = await rig.request("GET", `/api/dials/${dialId}`);
  expect(read.json<{ warnings: string[] }>().warnings[0]).toMatch(/no prompt/u);
});

test("null counts as absent where the interface allows it", async () => {
  const rig = start();
  const nulls = { webhookUrl: null, browserCall: null, aiVoiceId: null, callAgentInput: null, keywords: null };
  const { dialId } = await rig.dial(nulls);
  expect((await rig.request("GET", `/api/dials/${dialId}`)).json()).toMatchObject({ voiceId: "anna", inputs: {} });
});

test("a queue that is away holds up nothing", async () => {
  const rig = start({ queue: () => new Promise(() => undefined) });
  expect((await rig.dial()).dialId).not.toBe("");
  const failing = start({ queue: () => Promise.reject(new Error("no redis")) });
  const { dialId } = await failing.dial();
  await failing.clock.advance(2_000);
  expect(failing.log.some((line) => line.includes("no worker was woken") && line.includes(dialId))).toBe(true);
});

test("a queue that is back within two seconds is told of the dials that were made meanwhile", async () => {
  let away = true;
  const told: string[] = [];
  const rig = start({
    queue: (dialId) => {
      if (away) return Promise.reject(new Error("no redis"));
      told.push(dialId);
      return Promise.resolve("job");
    },
  });
  const { dialId } = await rig.dial();
  await rig.clock.advance(600);
  expect(told).toEqual([]);
  away = false;
  await rig.clock.advance(1_500);
  expect(told).toEqual([dialId]);
  expect(rig.log.filter((line) => line.includes("no worker was woken"))).toEqual([]);
});

test("recordings are given as addresses of this API", async () => {
  const rig = start();
  const { dialId } = await rig.dial();
  await rig.memory.store.dials.saveRecording(dialId, {
    id: "r1",
    channels: 2,
    durationMs: 1000,
    startedAt: "2026-01-05T09:00:00.000Z",
  });
  expect((await rig.request("GET", `/api/dials/${dialId}`)).json().recordings).toEqual([
    {
      url: `https://calls.test/api/dials/${dialId}/recordings/r1`,
      id: "r1",
      channels: 2,
      durationMs: 1000,
      startedAt: "2026-01-05T09:00:00.000Z",
    },
  ]);
});

test("the same request under the same Idempotency-Key makes one dial, in any order of members", async () => {
  const rig = start();
  const headers = { "idempotency-key": "order-17" };
  const first = await rig.request("POST", "/api/dials", { body: PHONE_DIAL, headers });
  const reordered = Object.fromEntries(Object.entries(PHONE_DIAL).toReversed());
  const second = await rig.request("POST", "/api/dials", { body: reordered, headers });
  expect([first.statusCode, second.statusCode]).toEqual([201, 200]);
  expect(second.headers["idempotency-replayed"]).toBe("true");
  expect(second.json()).toMatchObject({ dialId: first.json().dialId, sessionId: first.json().sessionId });
  expect(second.json().dialToken).not.toBe(first.json().dialToken);
  await rig.clock.settle();
  expect(rig.jobs).toHaveLength(1);
});

test("another body under a used Idempotency-Key is refused, also when only a value's type differs", async () => {
  const rig = start();
  const headers = { "idempotency-key": "order-17" };
  await rig.request("POST", "/api/dials", { body: { ...PHONE_DIAL, callAgentInput: { n: 1 } }, headers });
  for (const n of ["1", [1], { 0: 1 }]) {
    const response = await rig.request("POST", "/api/dials", {
      body: { ...PHONE_DIAL, callAgentInput: { n } },
      headers,
    });
    expect(response.statusCode).toBe(422);
    expect(response.json()).toMatchObject({ code: "idempotency_key_reused" });
  }
});

test("an Idempotency-Key that cannot be kept is refused", async () => {
  const rig = start();
  for (const key of ["", "with space", "k".repeat(256)]) {
    const response = await rig.request("POST", "/api/dials", {
      body: PHONE_DIAL,
      headers: { "idempotency-key": key },
    });
    expect(response.json()).toMatchObject({ status: 400, code: "invalid_idempotency_key" });
  }
});

test.each([
  ["unknown agent", { callAgentId: "nobody" }, 404, "agent_not_found", undefined],
  ["agent of another workspace", { callAgentId: "a2" }, 404, "agent_not_found", undefined],
  ["no toNumber", { toNumber: null }, 422, "number_required", "/toNumber"],
  ["no fromNumberId", { fromNumberId: null }, 422, "number_required", "/fromNumberId"],
  ["unknown fromNumberId", { fromNumberId: "n9" }, 422, "unknown_from_number", "/fromNumberId"],
  ["foreign fromNumberId", { fromNumberId: "n2" }, 422, "unknown_from_number", "/fromNumberId"],
  ["number with letters", { toNumber: "+1202555CALL" }, 422, "invalid_number", "/toNumber"],
  ["full-width digits", { toNumber: "+1202555012３" }, 422, "invalid_number", "/toNumber"],
  ["emergency number", { toNumber: "911" }, 422, "destination_not_allowed", "/toNumber"],
  ["premium number", { toNumber: "+19005551234" }, 422, "destination_not_allowed", "/toNumber"],
  ["satellite number", { toNumber: "+881612345678" }, 422, "destination_not_allowed", "/toNumber"],
  ["another country", { toNumber: "+442079460000" }, 422, "destination_not_allowed", "/toNumber"],
  ["unknown voice", { aiVoiceId: "nobody" }, 422, "unknown_voice", "/aiVoiceId"],
  ["unknown prompt", { versionedModelId: "p9" }, 422, "unknown_prompt", "/versionedModelId"],
  ["unknown IVR prompt", { ivrVersionedPromptId: "p9" }, 422, "unknown_prompt", "/ivrVersionedPromptId"],
  ["unknown extractor", { callAgentExtractorId: "e9" }, 422, "unknown_extractor", "/callAgentExtractorId"],
  ["plain http webhook", { webhookUrl: "http://example.com" }, 422, "webhook_url_not_allowed", "/webhookUrl"],
  ["private webhook", { webhookUrl: "https://[::1]/" }, 422, "webhook_url_not_allowed", "/webhookUrl"],
  ["volume", { voiceVolumeLevel: 301 }, 422, "validation_failed", "/voiceVolumeLevel"],
  ["volume as text", { voiceVolumeLevel: "3" }, 422, "validation_failed", "/voiceVolumeLevel"],
  ["timeout 0", { timeoutMinutes: 0 }, 422, "validation_failed", "/timeoutMinutes"],
  ["unknown field", { toNumbr: "+12025550123" }, 422, "validation_failed", "/toNumbr"],
  [
    "unknown option",
    { voiceOptionValues: [{ optionId: "pitch", value: "1" }] },
    422,
    "invalid_voice_option",
    "/voiceOptionValues/0/optionId",
  ],
  [
    "option value",
    { voiceOptionValues: [{ optionId: "seed", value: "1.5" }] },
    422,
    "invalid_voice_option",
    "/voiceOptionValues/0/value",
  ],
])("%s is refused by its code and field", async (_, change, status, code, path) => {
  const rig = start();
  const response = await rig.request("POST", "/api/dials", { body: { ...PHONE_DIAL, ...change } });
  expect(response.statusCode).toBe(status);
  expect(response.headers["content-type"]).toBe("application/problem+json");
  const problem = response.json<{ code: string; errors: { path: string }[] }>();
  expect(problem.code).toBe(code);
  expect(problem.errors[0]?.path).toBe(path);
  expect(rig.memory.rows.size).toBe(0);
});

test("the numbers of the simulated carrier are exempt from the rules of destinations, other numbers of its are not", async () => {
  const rig = start();
  rig.memory.records.numbers.length = 0;
  rig.memory.addPhoneNumber("w1", { id: "n1", number: "demo", type: "SIP_USERNAME", carrier: "loopback" });
  expect((await rig.dial()).dialId).not.toBe("");
  const other = await rig.request("POST", "/api/dials", { body: { ...PHONE_DIAL, toNumber: "+14155552671" } });
  expect(other.json()).toMatchObject({ code: "destination_not_allowed" });
});

test("a number whose carrier is not configured cannot be rung from", async () => {
  const rig = start();
  rig.memory.addPhoneNumber("w1", { id: "n3", number: "+12025550101", type: "PSTN", carrier: "acme" });
  rig.memory.addPhoneNumber("w1", { id: "n4", number: "+12025550102", type: "PSTN" });
  for (const fromNumberId of ["n3", "n4"])
    expect((await rig.request("POST", "/api/dials", { body: { ...PHONE_DIAL, fromNumberId } })).json()).toMatchObject({
      code: "carrier_not_configured",
    });
});

test("references of an agent that lead nowhere are told on the dial, and its functions are in the plan", async () => {
  const rig = start();
  rig.memory.records.functions.push({
    workspaceId: "w1",
    createdAt: "2026-01-05T09:00:00.000Z",
    item: {
      id: "f1",
      name: "transfer",
      description: "To a person.",
      type: "api",
      apiPath: "https://x.example",
      allowedNumbers: [],
    },
  });
  rig.memory.addAgent("w1", {
    id: "a3",
    name: "Odd",
    language: "en",
    defaultVersionedPromptId: "gone",
    linkedFunctionDefinitions: [{ functionDefinitionId: "f1" }, { functionDefinitionId: "f9" }],
  });
  rig.memory.addPrompt("w1", "a3", { id: "p3", name: "Old", agentType: "STANDARD", prompt: "Old." });
  rig.memory.addPrompt("w1", "a3", { id: "p4", name: "New", agentType: "STANDARD", prompt: "New." });
  const { dialId } = await rig.dial({ callAgentId: "a3" });
  expect(rig.memory.row(dialId).dial.plan).toMatchObject({ prompt: { id: "p4" }, functions: [{ id: "f1" }] });
  expect((await rig.request("GET", `/api/dials/${dialId}`)).json().warnings).toEqual([
    expect.stringContaining("default prompt does not exist"),
    expect.stringContaining('"f9" does not exist'),
  ]);
});

test("an agent without a prompt cannot be dialled", async () => {
  const rig = start();
  rig.memory.addAgent("w1", { id: "a3", name: "Silent", language: "en" });
  const response = await rig.request("POST", "/api/dials", { body: { ...PHONE_DIAL, callAgentId: "a3" } });
  expect(response.json()).toMatchObject({ status: 422, code: "agent_has_no_prompt" });
});

test("a dial takes the functions of its flow along, and leaves out those that lead nowhere", async () => {
  const rig = start();
  const createdAt = "2026-01-05T09:00:00.000Z";
  const fn = { name: "f", description: "", type: "transfer" } as const;
  const add = (id: string, numbers: string[]) =>
    rig.memory.records.functions.push({
      workspaceId: "w1",
      createdAt,
      item: { ...fn, id, name: id, allowedNumbers: numbers.map((number) => ({ number })) },
    });
  add("f1", ["+12025550199"]);
  add("f2", ["+12025550198"]);
  add("f3", []);
  const linked = ["f1", "f3"].map((functionDefinitionId) => ({ functionDefinitionId }));
  rig.memory.addAgent("w1", { id: "a3", name: "Flow", language: "en", linkedFunctionDefinitions: linked });
  rig.memory.addPrompt("w1", "a3", {
    id: "p3",
    name: "Flow",
    agentType: "CUSTOM_FLOW",
    prompt: null,
    flowDefinition: { nodes: [{ id: "n", type: "transfer", nodeData: { functionId: "f2", number: "+12025550198" } }] },
  });
  const { dialId } = await rig.dial({ callAgentId: "a3" });
  expect(rig.memory.row(dialId).dial.plan.functions.map(({ id }) => id)).toEqual(["f1", "f2"]);
  expect((await rig.request("GET", `/api/dials/${dialId}`)).json()).toMatchObject({
    versionedPromptId: "p3",
    warnings: [expect.stringContaining('"f3" has no numbers')],
  });
});

test("a dial of another workspace does not exist", async () => {
  const rig = start();
  const { dialId } = await rig.dial();
  const foreign = await rig.request("GET", `/api/dials/${dialId}`, { key: OTHER_KEY });
  const unknown = await rig.request("GET", "/api/dials/nothing", { key: OTHER_KEY });
  expect([foreign.statusCode, unknown.statusCode]).toEqual([404, 404]);
  const { requestId: first, ...a } = foreign.json<Record<string, unknown>>();
  const { requestId: second, ...b } = unknown.json<Record<string, unknown>>();
  expect(first).not.toBe(second);
  expect(a).toEqual(b);
  expect((await rig.request("POST", `/api/dials/${dialId}/hangup`, { key: OTHER_KEY })).statusCode).toBe(404);
  expect((await rig.request("POST", `/api/dials/${dialId}/token`, { key: OTHER_KEY })).statusCode).toBe(404);
  expect((await rig.request("GET", `/api/dials/${dialId}/events`, { key: OTHER_KEY })).statusCode).toBe(404);
});

test("hanging up a dial that waits cancels it at once", async () => {
  const rig = start();
  const { dialId } = await rig.dial();
  const response = await rig.request("POST", `/api/dials/${dialId}/hangup`, {
    headers: { "content-type": "application/json" },
  });
  expect(response.statusCode).toBe(202);
  expect(response.json()).toMatchObject({ status: "canceled", systemResultType: "CANCELLED", endReason: "canceled" });
  expect(rig.seen.ended).toEqual([callEnd("canceled", "api")]);
  expect(rig.live.published.at(-1)?.event).toMatchObject({ status: "canceled" });
});

test.each([
  ["RINGING", "canceled"],
  ["IN_PROGRESS", "operator_hangup"],
] as const)("hanging up a dial that is %s notes %s and tells the worker", async (state, endReason) => {
  const rig = start();
  const { dialId } = await rig.dial();
  await rig.memory.store.dials.claim(dialId, "worker");
  await rig.memory.store.dials.advance(dialId, state);
  expect((await rig.request("POST", `/api/dials/${dialId}/hangup`)).statusCode).toBe(202);
  expect(rig.memory.row(dialId).intent).toEqual({ reason: endReason, endedBy: "api" });
  expect(rig.live.commands).toEqual([{ dialId, command: { type: "hang-up", endReason } }]);
  expect(rig.seen.ended).toEqual([]);
});

test("hanging up a dial that is over changes nothing", async () => {
  const rig = start();
  const { dialId } = await rig.dial();
  await rig.finish(dialId, callEnd("busy", "remote"));
  const response = await rig.request("POST", `/api/dials/${dialId}/hangup`);
  expect(response.json()).toMatchObject({ status: "busy", systemResultType: "BUSY" });
  expect(rig.live.commands).toEqual([]);
});

test("while the database is away, everything that needs it answers 503 and when to come back", async () => {
  const rig = start();
  const { dialId } = await rig.dial();
  rig.memory.away = true;
  for (const [method, url, body] of [
    ["POST", "/api/dials", PHONE_DIAL],
    ["GET", `/api/dials/${dialId}`, undefined],
    ["GET", "/api/agents", undefined],
  ] as const) {
    const response = await rig.request(method, url, { body });
    expect(response.statusCode).toBe(503);
    expect(response.headers["retry-after"]).toBe("1");
    expect(response.json()).toMatchObject({ code: "store_unavailable" });
  }
});
