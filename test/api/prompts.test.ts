import { expect, test } from "vitest";
import { openApiRigs } from "../kit/api-rigs.ts";

const start = openApiRigs();
const PATH = "/api/agents/a1/versioned_prompts";

const FLOW = {
  nodes: [
    {
      id: "ask",
      name: "Ask",
      type: "question",
      nodeData: { question: "Which day?", questionType: "freeform" },
      transitionRules: [{ conditionType: "always", transitionNodeId: "bye" }],
    },
    { id: "bye", type: "end_call", nodeData: { message: "Goodbye." } },
  ],
  globalContext: "You book appointments.",
  aiOpen: true,
  openingLineType: "INBOUND_ONLY",
};

test("a prompt is created, read, listed, changed and deleted", async () => {
  const rig = start();
  await rig.clock.advance(1);
  const body = { name: "Second", prompt: "You are Bert.", aiModelId: "tuned" };
  const created = await rig.request("POST", PATH, { body });
  expect(created.statusCode).toBe(201);
  const { id } = created.json<{ id: string }>();
  expect(created.json()).toEqual({ id, agentType: "STANDARD", ...body });
  expect((await rig.request("GET", `${PATH}/${id}`)).json()).toEqual(created.json());
  expect((await rig.request("GET", PATH)).json()).toMatchObject({ data: [{ id: "p1" }, { id }], cursor: null });
  const values = [{ optionId: "temperature", value: "0.5" }];
  const changed = await rig.request("PUT", `${PATH}/${id}`, { body: { name: "Third", modelOptionValues: values } });
  expect(changed.statusCode).toBe(200);
  const expected = { ...created.json<object>(), name: "Third", modelOptionValues: values };
  expect(changed.json()).toEqual(expected);
  expect((await rig.request("DELETE", `${PATH}/${id}`)).json()).toEqual(expected);
  expect((await rig.request("GET", `${PATH}/${id}`)).json()).toMatchObject({ status: 404, code: "prompt_not_found" });
});

test("prompts are listed in pages by a cursor that is good for their agent only", async () => {
  const rig = start();
  await rig.clock.advance(1);
  rig.memory.addAgent("w1", { id: "a3", name: "Else", language: "en" });
  for (const name of ["b", "c"]) await rig.request("POST", PATH, { body: { name, prompt: name } });
  const first = (await rig.request("GET", `${PATH}?limit=2`)).json<{ data: unknown[]; cursor: string }>();
  expect(first.data).toHaveLength(2);
  const second = (await rig.request("GET", `${PATH}?limit=2&cursor=${first.cursor}`)).json();
  expect(second).toMatchObject({ data: [{ name: "c" }], cursor: null });
  const elsewhere = await rig.request("GET", `/api/agents/a3/versioned_prompts?cursor=${first.cursor}`);
  expect(elsewhere.json()).toMatchObject({ status: 422, code: "invalid_cursor" });
  expect((await rig.request("GET", "/api/agents/none/versioned_prompts")).json()).toMatchObject({
    code: "agent_not_found",
  });
});

test("a flow is kept as it was sent, and answered with what each node yields", async () => {
  const rig = start();
  const body = { name: "Flow", agentType: "CUSTOM_FLOW", flowDefinition: FLOW };
  const created = await rig.request("POST", PATH, { body });
  expect(created.statusCode, created.body).toBe(201);
  const prompt = created.json<{ id: string; prompt: null; flowDefinition: typeof FLOW }>();
  expect(prompt.prompt).toBeNull();
  const [ask, bye] = prompt.flowDefinition.nodes as ({ outputSchema?: string } | undefined)[];
  expect(JSON.parse(ask?.outputSchema ?? "")).toMatchObject({ properties: { answer: { type: "string" } } });
  expect(bye).toEqual(FLOW.nodes[1]);
  const stored = await rig.memory.store.catalogue.findPrompt("w1", "a1", prompt.id);
  expect(stored?.flowDefinition).toEqual(FLOW);
  const refused = await rig.request("PUT", `${PATH}/${prompt.id}`, { body: { flowDefinition: prompt.flowDefinition } });
  expect(refused.json()).toMatchObject({ status: 422, errors: [{ path: "/flowDefinition/nodes/0/outputSchema" }] });
  const standard = await rig.request("PUT", `${PATH}/${prompt.id}`, {
    body: { agentType: "STANDARD", prompt: "Hello." },
  });
  expect(standard.json()).toEqual({ id: prompt.id, name: "Flow", agentType: "STANDARD", prompt: "Hello." });
});

test("a flow that cannot be followed is refused by the place and the node", async () => {
  const rig = start();
  const broken = {
    nodes: [
      { ...FLOW.nodes[0], transitionRules: [{ conditionType: "always", transitionNodeId: "nowhere" }] },
      { id: "call", type: "function_call", nodeData: { functionId: "f9" } },
    ],
  };
  for (const [method, url, more] of [
    ["POST", PATH, { name: "x" }],
    ["PUT", `${PATH}/p1`, {}],
  ] as const) {
    const body = { ...more, agentType: "CUSTOM_FLOW", flowDefinition: broken };
    const problem = (await rig.request(method, url, { body })).json<{
      code: string;
      errors: { path: string; message: string }[];
    }>();
    expect(problem.code).toBe("invalid_flow");
    const told = problem.errors.map(({ path, message }) => `${path}: ${message}`).join("\n");
    expect(told).toContain("/flowDefinition/nodes/0/transitionRules/0/transitionNodeId");
    expect(told).toContain('(node "ask")');
    expect(told).toContain("/flowDefinition/nodes/1/nodeData/functionId");
  }
});

test("a flow may call a function of its own workspace, and none of another", async () => {
  const rig = start();
  const fn = { name: "f", description: "", type: "api", allowedNumbers: [], apiPath: "https://example.com" } as const;
  const createdAt = "2026-01-05T09:00:00.000Z";
  rig.memory.records.functions.push(
    { workspaceId: "w1", createdAt, item: { id: "f1", ...fn, allowedNumbers: [] } },
    { workspaceId: "w2", createdAt, item: { id: "f2", ...fn, allowedNumbers: [] } },
  );
  const status = async (functionId: string) => {
    const flowDefinition = {
      nodes: [
        {
          id: "call",
          type: "function_call",
          nodeData: { functionId },
          transitionRules: [{ conditionType: "always", transitionNodeId: "bye" }],
        },
        FLOW.nodes[1],
      ],
    };
    return (await rig.request("POST", PATH, { body: { name: "x", agentType: "CUSTOM_FLOW", flowDefinition } }))
      .statusCode;
  };
  expect([await status("f1"), await status("f2"), await status("f9")]).toEqual([201, 422, 422]);
});

test.each([
  ["a STANDARD prompt without its text", { agentType: "STANDARD", prompt: null }, "validation_failed", "/prompt"],
  ["a flow in a STANDARD prompt", { flowDefinition: FLOW }, "validation_failed", "/flowDefinition"],
  ["a CUSTOM_FLOW without a flow", { agentType: "CUSTOM_FLOW" }, "validation_failed", "/flowDefinition"],
  ["an unknown model", { aiModelId: "gpt-99" }, "unknown_model", "/aiModelId"],
  [
    "an option that the model does not have",
    { aiModelId: "tuned", modelOptionValues: [{ optionId: "top_p", value: "1" }] },
    "invalid_model_option",
    "/modelOptionValues/0/optionId",
  ],
  [
    "an option of the default model, which has none",
    { aiModelId: "scripted", modelOptionValues: [{ optionId: "seed", value: "1" }] },
    "invalid_model_option",
    "/modelOptionValues/0/optionId",
  ],
  [
    "a value of another type",
    {
      aiModelId: "tuned",
      modelOptionValues: [
        { optionId: "style", value: "dry" },
        { optionId: "seed", value: "1.5" },
      ],
    },
    "invalid_model_option",
    "/modelOptionValues/1/value",
  ],
  ["an unknown field", { promt: "x" }, "validation_failed", "/promt"],
])("%s is refused on creation and on change", async (_, change, code, path) => {
  const rig = start();
  const before = await rig.memory.store.catalogue.findPrompt("w1", "a1", "p1");
  for (const [method, url, body] of [
    ["POST", PATH, { name: "x", prompt: "y", ...change }],
    ["PUT", `${PATH}/p1`, change],
  ] as const) {
    const problem = (await rig.request(method, url, { body })).json<{ code: string; errors: { path: string }[] }>();
    expect([problem.code, problem.errors[0]?.path]).toEqual([code, path]);
  }
  expect(await rig.memory.store.catalogue.findPrompt("w1", "a1", "p1")).toEqual(before);
});

test("a prompt's text may be as long as prompts are, beyond the limit of other bodies", async () => {
  const rig = start();
  const send = async (prompt: string) => rig.request("PUT", `${PATH}/p1`, { body: { prompt } });
  expect((await send("x".repeat(100_000))).statusCode).toBe(200);
  expect((await send("x".repeat(100_001))).json()).toMatchObject({ status: 422, errors: [{ path: "/prompt" }] });
  expect((await send("x".repeat(1_100_000))).json()).toMatchObject({
    status: 413,
    detail: "A body may have 1048576 bytes here.",
  });
});
