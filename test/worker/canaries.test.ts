import { expect, test } from "vitest";
import { createPinoLogger } from "../../src/adapters/logger/pino.ts";
import { OtlpTracer } from "../../src/adapters/tracing/otlp.ts";
import { DialTraces } from "../../src/dials/dial-traces.ts";
import { FunctionInvoker } from "../../src/dials/invoke-function.ts";
import { SystemClock } from "../../src/adapters/clock/system.ts";
import { SoakedWorker } from "../bench/soak/soaked-worker.ts";
import { ApiRig } from "../kit/api-rig.ts";
import { ScriptedHttp, answers } from "../kit/function-servers.ts";
import { runs } from "../kit/runs.ts";
import { hangsUp, says } from "../kit/scripted-dialogue.ts";
import { SeededRandom } from "../kit/seeded-random.ts";
import { TraceReceiver } from "../kit/trace-receiver.ts";

/** What nobody but the customer may read: said by either side, given, asked, answered, dialled or paid with. */
const CANARIES = [
  "quagmire",
  "zephyr",
  "marmalade",
  "obelisk",
  "xylophone",
  "4111 1111 1111 1111",
  "4111111111111111",
  "sk_canary_0123456789",
  "Ottilie",
  "+12025550777",
  "2025550777",
  "+12025550888",
];

const CALLS = runs(80, 1000);
const BATCH = 40;

test(`in ${CALLS} calls, nothing that was said, given or dialled is logged, counted or traced`, async () => {
  const receiver = await TraceReceiver.start();
  const lines: string[] = [];
  const logger = createPinoLogger({
    level: "debug",
    now: () => 0,
    destination: { write: (line) => void lines.push(line) },
    traceIds: true,
  });
  const tracer = new OtlpTracer({
    url: `${receiver.endpoint}/v1/traces`,
    headers: {},
    resource: {},
    ratio: 1,
    clock: new SystemClock(),
    random: new SeededRandom(4),
    logger,
  });
  const worker = new SoakedWorker({
    logger,
    tracer,
    caller: [
      { text: "Stop the zephyr, it is Ottilie.", fromMs: 300, untilMs: 900 },
      { text: "My card is 4111 1111 1111 1111.", fromMs: 2200, untilMs: 3000 },
    ],
    opening: [says("What about the quagmire? Call +12025550777.")],
    answers: [
      [says("Quagmire?")],
      [
        says("One moment, Ottilie."),
        { type: "call", call: { id: "call-1", name: "find", args: '{"card":"4111111111111111"}' } },
        { type: "call", call: { id: "call-2", name: "marmalade", args: '{"to":"+12025550888"}' } },
        { type: "call", call: { id: "call-3", name: "find", args: "obelisk" } },
      ],
      [says("The obelisk it is."), hangsUp],
      [new Error("the model broke down"), hangsUp],
    ],
    plan: (dialId) => ({
      prompt: { id: "prompt", name: "Test", agentType: "STANDARD", prompt: "Always speak of marmalade." },
      inputs: { name: "Ottilie", key: "sk_canary_0123456789" },
      functions: [
        {
          id: "f1",
          name: "find",
          description: "xylophone",
          type: "api",
          allowedNumbers: [],
          apiPath: "https://example.com/obelisk?key=sk_canary_0123456789",
          headers: [{ key: "authorization", value: "Bearer sk_canary_0123456789" }],
        },
      ],
      ...(dialId.endsWith("3") ? { toNumber: "+12025550777" } : {}),
    }),
    invoke: (plan) => {
      const http = new ScriptedHttp(
        plan.dialId.endsWith("1")
          ? { type: "broken", cause: new Error("the connection broke") }
          : answers('{"secret":"xylophone"}'),
      );
      const clock = worker.clock;
      const traces = new DialTraces(tracer, clock);
      const invoker = new FunctionInvoker({ clock, random: new SeededRandom(1), logger, http, traces }, plan);
      return (call, signal) => invoker.invoke(call, signal);
    },
  });
  await worker.start();
  let talked = 0;
  for (let done = 0; done < CALLS; done += BATCH) talked += await worker.batch(BATCH);
  const metrics = await worker.exposed();
  await worker.stop();
  await tracer.close();
  await receiver.close();
  expect(talked).toBe(CALLS / 2);
  expect(lines.filter((line) => line.includes("a function was called")).length).toBeGreaterThan(CALLS / 16);
  expect(receiver.spans.filter(({ name }) => name === "function").length).toBeGreaterThan(0);
  expect(receiver.spans.filter(({ name }) => name === "turn").length).toBeGreaterThan(0);
  expect(metrics).toContain("call_engine_turns_total");
  const told = { logs: lines.join(""), metrics, traces: receiver.text };
  for (const [where, text] of Object.entries(told))
    for (const canary of CANARIES)
      expect(text.toLowerCase().includes(canary.toLowerCase()), `${canary} in ${where}`).toBe(false);
}, 300_000);

test("what requests hold is not logged either, whether they are granted or refused", async () => {
  const rig = new ApiRig();
  const bodies: readonly unknown[] = [
    { callAgentId: "quagmire", toNumber: "+12025550777", callAgentInput: { name: "Ottilie" } },
    { callAgentId: "a1", toNumber: "zephyr", marmalade: "obelisk" },
    { callAgentId: "a1", callAgentInput: { sk_canary_0123456789: "x".repeat(100_000) } },
    '{"callAgentId":"quagmire","toNumber":"+12025550777"',
    "quagmire",
    [],
  ];
  for (const body of bodies) {
    const response = await rig.request("POST", "/api/dials", { body });
    expect(response.statusCode).toBeGreaterThanOrEqual(400);
    expect(response.statusCode).toBeLessThan(500);
  }
  await rig.dial({ callAgentInput: { name: "Ottilie" } });
  for (const path of ["/api/dials/quagmire", "/api/zephyr", "/api/dials?callAgentId=obelisk&cursor=xylophone"])
    await rig.request("GET", path);
  await rig.request("GET", "/api/dials", { key: "sk_canary_0123456789" });
  expect(rig.log.length).toBeGreaterThan(0);
  const text = JSON.stringify(rig.log).toLowerCase();
  for (const canary of CANARIES) expect(text.includes(canary.toLowerCase()), canary).toBe(false);
  await rig.close();
});
