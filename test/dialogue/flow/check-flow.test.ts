import fc from "fast-check";
import { expect, test } from "vitest";
import { checkFlow } from "../../../src/dialogue/flow/check-flow.ts";
import { outputSchemaOf } from "../../../src/dialogue/flow/output-schema.ts";
import type { FlowDefinition, FlowNode, TransitionRule } from "../../../src/model/versioned-prompt.ts";
import { always, endCall, freeform, functionCall, question, rule, setVariables, transfer } from "./nodes.ts";

const FUNCTIONS = [
  { id: "fn-api", type: "api" },
  { id: "fn-transfer", type: "transfer" },
];

const faults = (...nodes: readonly FlowNode[]): readonly string[] =>
  checkFlow({ nodes: [...nodes] }, FUNCTIONS).map(
    ({ path, nodeId, message }) => `${path} (${nodeId ?? "-"}): ${message}`,
  );

const sound: FlowDefinition = {
  globalContext: "You are Ann of {{business}}. The caller is {{node.name.answer}}.",
  nodes: [
    question("name", { question: "Who is calling?", questionType: "freeform" }, always("colour")),
    question(
      "colour",
      { question: "Which colour, {{node.name.answer}}?", questionType: "multiple_choice", options: ["Red", "Blue"] },
      rule("equal", { field: "answer", value: "Red" }, "save"),
      rule("in", { field: "{{node.colour.answer}}", values: ["Blue"] }, "look-up"),
      rule("language", { value: "the caller wants a person" }, "person"),
    ),
    setVariables("save", { chosen: "{{node.colour.answer}}", count: 3 }, always("look-up")),
    functionCall(
      "look-up",
      {
        functionId: "fn-api",
        inputs: [{ name: "who", value: "{{node.name.answer}}" }],
        outputs: [
          { name: "found", type: "BOOLEAN" },
          { name: "price", type: "FLOAT", nullable: true },
        ],
      },
      rule("equal", { field: "found", value: "true" }, "talk"),
      rule("greater", { field: "node.look-up.price", value: "10" }, "talk"),
      always("bye"),
    ),
    freeform("talk", "Talk about {{chosen}}.", rule("language", { value: "the caller is done" }, "bye")),
    transfer("person", { functionId: "fn-transfer", number: "+14155550123" }),
    endCall("bye", "Goodbye {{node.name.answer}}."),
  ],
};

test("a sound flow has no faults", () => {
  expect(checkFlow(sound, FUNCTIONS)).toEqual([]);
});

test("a flow without nodes is refused", () => {
  expect(checkFlow({}, [])).toHaveLength(1);
  expect(checkFlow({ nodes: [] }, [])[0]?.path).toBe("/nodes");
});

test("a node that does not exist cannot be gone to", () => {
  expect(faults(freeform("a", "Talk.", always("nowhere")))).toEqual([
    "/nodes/0/transitionRules/0/transitionNodeId (a): there is no node with this id",
  ]);
});

test("nodes that no way leads to are named, also behind an always and behind the end", () => {
  const nodes = [
    freeform("a", "Talk.", always("b"), rule("language", { value: "x" }, "c")),
    endCall("b", "Bye.", always("d")),
    endCall("c", "Bye."),
    endCall("d", "Bye."),
    endCall("e", "Bye."),
  ];
  expect(faults(...nodes)).toEqual(
    ["c", "d", "e"].map((id, index) => `/nodes/${index + 2} (${id}): cannot be reached from the first node`),
  );
});

test("an id may be used once", () => {
  expect(faults(freeform("a", "Talk.", always("b")), endCall("b", "Bye."), endCall("b", "Bye."))).toEqual([
    "/nodes/2/id (b): is the id of another node too",
  ]);
});

test("a type that is unknown is refused", () => {
  expect(faults({ id: "a", type: "poem" })[0]).toContain("/nodes/0/type (a): must be one of question, freeform");
});

test("keys must be some, macros may bring them, and a node that presses them leads on and waits for nobody", () => {
  const press = (digits: unknown, ...rules: FlowNode["transitionRules"] & object): FlowNode => ({
    id: "a",
    type: "press_digits",
    nodeData: { digits },
    transitionRules: rules,
  });
  const bye = endCall("b", "Bye.");
  for (const digits of ["1", "1 2,3#", "{{account}}"]) expect(faults(press(digits, always("b")), bye)).toEqual([]);
  for (const digits of ["one", ",", "1".repeat(33)])
    expect(faults(press(digits, always("b")), bye)[0]).toContain("/nodes/0/nodeData/digits (a): must be 1 to 32");
  expect(faults(press("", always("b")), bye)[0]).toContain("/nodes/0/nodeData/digits (a)");
  expect(faults(press("{{node.x.y}}", always("b")), bye)[0]).toContain("nothing yields {{node.x.y}}");
  expect(faults(press("1"))[0]).toContain("must lead on");
  expect(faults(press("1", always("a")))[0]).toContain("cycle without the caller");
});

test.each<readonly [string, FlowNode, string]>([
  ["a question without a question", question("a", { questionType: "freeform" }), "/nodeData/question"],
  ["an unknown kind of question", question("a", { question: "Q?", questionType: "poll" }), "/nodeData/questionType"],
  ["a choice without options", question("a", { question: "Q?", questionType: "multiple_choice" }), "/nodeData/options"],
  [
    "the same option twice",
    question("a", { question: "Q?", questionType: "multiple_select", options: ["A", " a "] }),
    "/nodeData/options/1",
  ],
  ["a freeform node without a prompt", freeform("a", ""), "/nodeData/prompt"],
  ["an unknown function", functionCall("a", { functionId: "fn-x" }), "/nodeData/functionId"],
  ["a function of the other type", functionCall("a", { functionId: "fn-transfer" }), "/nodeData/functionId"],
  ["a transfer by an api function", transfer("a", { functionId: "fn-api", number: "+1" }), "/nodeData/functionId"],
  ["a transfer without a number", transfer("a", { functionId: "fn-transfer" }), "/nodeData/number"],
  [
    "an output of an unknown type",
    functionCall("a", { functionId: "fn-api", outputs: [{ name: "x", type: "DATE" }] }),
    "/nodeData/outputs/0/type",
  ],
  [
    "an output twice",
    functionCall("a", {
      functionId: "fn-api",
      outputs: [
        { name: "x", type: "STRING" },
        { name: "x", type: "STRING" },
      ],
    }),
    "/nodeData/outputs/1/name",
  ],
  [
    "a schema that is none",
    functionCall("a", {
      functionId: "fn-api",
      outputs: [{ name: "x", type: "CUSTOM", customFieldJsonSchema: "[1" }],
    }),
    "/nodeData/outputs/0/customFieldJsonSchema",
  ],
  ["a text that speaks of an unknown node", freeform("a", "Say {{node.b.answer}}."), "/nodeData/prompt"],
  ["a goodbye that speaks of an unknown node", endCall("a", "Bye {{ node.b.answer }}."), "/nodeData/message"],
])("%s is told with its path", (_what, node, path) => {
  expect(checkFlow({ nodes: [node] }, FUNCTIONS)).toEqual([
    { path: `/nodes/0${path}`, nodeId: "a", message: expect.any(String) },
  ]);
});

test.each<readonly [string, TransitionRule, string]>([
  ["no condition", { transitionNodeId: "b" }, "conditionType"],
  ["no target", { conditionType: "equal", field: "answer", value: "x" }, "transitionNodeId"],
  ["equal without a value", rule("equal", { field: "answer" }, "b"), "value"],
  ["equal without a field", rule("equal", { value: "x" }, "b"), "field"],
  ["in without values", rule("in", { field: "answer", value: "x" }, "b"), "values"],
  ["in with no values", rule("in", { field: "answer", values: [] }, "b"), "values"],
  ["greater than nothing", rule("greater", { field: "answer" }, "b"), "value"],
  ["less than a word", rule("less", { field: "answer", value: "many" }, "b"), "value"],
  ["language without a condition", rule("language", { value: " " }, "b"), "value"],
  ["an output that no node has", rule("equal", { field: "node.a.colour", value: "x" }, "b"), "field"],
  ["a node that does not exist", rule("equal", { field: "{{node.z.answer}}", value: "x" }, "b"), "field"],
  ["a freeform node, which yields nothing", rule("equal", { field: "node.b.answer", value: "x" }, "b"), "field"],
  ["a value that nothing yields", rule("equal", { field: "answer", value: "{{node.z.answer}}" }, "b"), "value"],
])("a rule with %s is refused", (_what, bad, field) => {
  const asked = question("a", { question: "Q?", questionType: "freeform" }, bad, always("b"));
  expect(checkFlow({ nodes: [asked, freeform("b", "Talk.")] }, [])).toEqual([
    { path: `/nodes/0/transitionRules/0/${field}`, nodeId: "a", message: expect.any(String) },
  ]);
});

test("bare names that are no outputs are taken as variables", () => {
  const asked = question(
    "a",
    { question: "Hello {{customer.name}}?", questionType: "freeform" },
    rule("equal", { field: "plan", value: "gold" }, "b"),
    rule("less", { field: "{{ age }}", value: "{{limit}}" }, "b"),
  );
  expect(faults(asked, freeform("b", "Talk."))).toEqual([]);
});

test("a cycle has to wait for the caller", () => {
  const round = (middle: FlowNode) => [
    freeform("start", "Talk.", always("set")),
    setVariables("set", { a: 1 }, always("m")),
    middle,
  ];
  expect(faults(...round(functionCall("m", { functionId: "fn-api" }, always("set"))))).toEqual([
    "/nodes/1 (set): leads into a cycle without the caller (set → m → set); put a question or freeform node into it",
  ]);
  expect(faults(...round(setVariables("m", { b: 2 }, always("m"))))[0]).toContain("(m → m)");
  expect(faults(...round(freeform("m", "Talk.", always("set"))))).toEqual([]);
});

test("variables must lead on", () => {
  expect(faults(setVariables("a", { b: 1 }))[0]).toContain("must lead on");
});

test("two hundred nodes in a line, and five hundred that all lead to one another, are checked at once", () => {
  const line = Array.from({ length: 200 }, (_none, index) =>
    index === 199 ? endCall("n199", "Bye.") : setVariables(`n${index}`, { at: index }, always(`n${index + 1}`)),
  );
  expect(checkFlow({ nodes: line }, [])).toEqual([]);
  const ids = Array.from({ length: 500 }, (_none, index) => `n${index}`);
  const all = ids.map((id) =>
    setVariables(id, {}, ...ids.slice(0, 100).map((to) => rule("equal", { field: "x", value: to }, to))),
  );
  expect(checkFlow({ nodes: all }, []).length).toBeLessThanOrEqual(100);
});

test("anything at all is checked without an error", () => {
  const text = fc.constantFrom("a", "b", "{{node.a.answer}}", "node.a.answer", "", "{{", "answer", "7");
  const condition = fc.constantFrom("always", "equal", "in", "greater", "less", "language") as fc.Arbitrary<
    NonNullable<TransitionRule["conditionType"]>
  >;
  const anyRule = fc.record(
    { conditionType: condition, field: text, value: text, values: fc.array(text), transitionNodeId: text },
    { requiredKeys: [] },
  ) as fc.Arbitrary<TransitionRule>;
  const node = fc.record(
    {
      id: text,
      type: fc.oneof(fc.constantFrom("question", "function_call", "set_variables", "constructor"), text),
      nodeData: fc.dictionary(
        fc.constantFrom("question", "questionType", "values", "inputs", "outputs"),
        fc.anything(),
      ),
      transitionRules: fc.array(anyRule, { maxLength: 4 }),
    },
    { requiredKeys: ["id", "type"] },
  ) as fc.Arbitrary<FlowNode>;
  fc.assert(
    fc.property(fc.array(node, { maxLength: 6 }), (nodes) => {
      for (const fault of checkFlow({ nodes }, FUNCTIONS)) expect(fault.path).toMatch(/^\/nodes/);
    }),
    { numRuns: 300 },
  );
});

test.each<readonly [string, FlowNode, unknown]>([
  ["free text", question("a", { question: "Q?", questionType: "freeform" }), { type: "string" }],
  ["a number", question("a", { question: "Q?", questionType: "numeric" }), { type: "number" }],
  [
    "one of the options",
    question("a", { question: "Q?", questionType: "multiple_choice", options: ["A", "B"] }),
    { type: "string", enum: ["A", "B"] },
  ],
  [
    "some of the options",
    question("a", { question: "Q?", questionType: "multiple_select", options: ["A", "B"] }),
    { type: "array", items: { type: "string", enum: ["A", "B"] } },
  ],
])("a question yields %s", (_what, node, answer) => {
  const schema: unknown = JSON.parse(outputSchemaOf(node) ?? "");
  expect(schema).toEqual({ type: "object", properties: { answer }, required: ["answer"] });
});

test("a function yields its outputs, and other nodes yield nothing", () => {
  const node = functionCall("a", {
    functionId: "f",
    outputs: [
      { name: "yes", type: "BOOLEAN", description: "whether" },
      { name: "text", type: "STRING", nullable: true },
      { name: "count", type: "INTEGER" },
      { name: "part", type: "FLOAT" },
      { name: "list", type: "CUSTOM", customFieldJsonSchema: '{"type":"array"}' },
      { name: "maybe", type: "CUSTOM", customFieldJsonSchema: '{"type":"array"}', nullable: true },
    ],
  });
  expect(JSON.parse(outputSchemaOf(node) ?? "")).toEqual({
    type: "object",
    properties: {
      yes: { type: "boolean", description: "whether" },
      text: { type: ["string", "null"] },
      count: { type: "integer" },
      part: { type: "number" },
      list: { type: "array" },
      maybe: { anyOf: [{ type: "array" }, { type: "null" }] },
    },
    required: ["yes", "text", "count", "part", "list", "maybe"],
  });
  expect(outputSchemaOf(freeform("a", "Talk."))).toBeUndefined();
  expect(outputSchemaOf(functionCall("a", { functionId: "f" }))).toBeUndefined();
  expect(outputSchemaOf(question("a", {}))).toBeUndefined();
});
