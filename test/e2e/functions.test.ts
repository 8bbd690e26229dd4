import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DEMO_NUMBER_ID } from "../../src/app/demo-workspace.ts";
import { delta, DONE, finished } from "../adapters/language-model/completions-server.ts";
import { spanIdOf } from "../../src/kit/trace-id.ts";
import { TraceReceiver } from "../kit/trace-receiver.ts";
import { startService, type RunningService } from "./running-service.ts";

type Message = Readonly<{ role: string; content?: unknown; tool_calls?: unknown }>;
type Ask = Readonly<{ messages: readonly Message[] }>;

let dataDir: string;
let service: RunningService;
let model: Server;
let desk: Server;
let told: Server;
let traces: TraceReceiver;
/** Whether the service was stopped: its trace is whole then. */
let ended = true;
const asked: Record<string, unknown>[] = [];
const events: Record<string, unknown>[] = [];

const bodyOf = async (request: IncomingMessage): Promise<Record<string, unknown>> => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return JSON.parse(Buffer.concat(parts).toString()) as Record<string, unknown>;
};

const toolCall = (id: string, name: string, args: unknown): string =>
  delta({ tool_calls: [{ index: 0, id, type: "function", function: { name, arguments: JSON.stringify(args) } }] });

/** A language model that looks something up, tells it, connects the caller, and reads transcripts afterwards. */
const think = ({ messages }: Ask): readonly string[] => {
  if (JSON.stringify(messages[0]).includes("transcript of a finished")) {
    const seen = JSON.stringify(messages[1]).includes("Tuesday at nine");
    return [delta({ content: `\`\`\`json\n{"offered": ${String(seen)}, "guests": "none said"}\n\`\`\`` }), finished()];
  }
  const results = messages.filter(({ role }) => role === "tool");
  if (results.length === 0) return [toolCall("call_0", "find_slots", { day: "Tuesday" }), finished("tool_calls")];
  if (JSON.stringify(results).includes("nine"))
    return [
      delta({ content: "Tuesday at nine is free. " }),
      toolCall("call_0", "connect", { destination: "+12025550123" }),
      finished("tool_calls"),
    ];
  return [delta({ content: "Something went wrong." }), finished()];
};

const listening = async (
  answer: (body: Record<string, unknown>, response: ServerResponse) => void,
): Promise<Server> => {
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      answer(body, response);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
};

const urlOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

beforeAll(async () => {
  model = await listening((body, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end([...think(body as unknown as Ask), DONE].join(""));
  });
  desk = await listening((body, response) => {
    asked.push(body);
    response.writeHead(200, { "content-type": "application/json" }).end('{"slots":["Tuesday at nine"]}');
  });
  told = await listening((body, response) => {
    events.push(body);
    response.writeHead(204).end();
  });
  traces = await TraceReceiver.start();
  dataDir = await mkdtemp(join(tmpdir(), "call-engine-e2e-"));
  await chmod(dataDir, 0o711);
  await start();
});

const start = async () => {
  service = await startService({
    DATA_DIR: dataDir,
    ALLOW_PRIVATE_NETWORK: "true",
    LLM_BASE_URL: `${urlOf(model)}/v1`,
    LLM_MODEL: "thinker",
    LOG_LEVEL: "info",
    OTEL_EXPORTER_OTLP_ENDPOINT: traces.endpoint,
    OTEL_SERVICE_NAME: "calls",
  });
  ended = false;
};

afterAll(async () => {
  if (!ended) await service.end("SIGTERM");
  for (const server of [model, desk, told]) server.close();
  await traces.close();
  await rm(dataDir, { recursive: true, force: true });
});

test("a call asks a server, tells what it said, connects the caller elsewhere, and leaves its values", async () => {
  if (ended) await start();
  asked.length = 0;
  traces.spans.length = 0;
  const { client } = service;
  const { id: find } = await client.createFunction({
    body: {
      name: "find slots",
      description: "Finds free appointments.",
      type: "api",
      apiPath: urlOf(desk),
      inputJsonSchema: '{"type":"object","properties":{"day":{"type":"string"}},"required":["day"]}',
      lifecycleMessages: { started: ["I am looking that up for {{name}}."] },
    },
  });
  const { id: connect } = await client.createFunction({
    body: {
      name: "connect",
      description: "Connects the caller.",
      type: "transfer",
      allowedNumbers: [{ number: "+12025550123" }],
      lifecycleMessages: { started: ["I will connect you."] },
    },
  });
  const { id: agentId } = await client.createAgent({
    body: {
      name: "Front desk",
      language: "en",
      openingLine: "Hello.",
      linkedFunctionDefinitions: [{ functionDefinitionId: find }, { functionDefinitionId: connect }],
    },
  });
  await client.createVersionedPrompt({ agentId, body: { name: "v1", agentType: "STANDARD", prompt: "Help." } });
  const { id: extractor } = await client.createExtractor({
    agentId,
    body: {
      name: "Offer",
      fields: [
        { name: "offered", type: "bool" },
        { name: "guests", type: "int", nullable: true },
      ],
    },
  });
  const { dialId } = await client.createDial({
    body: {
      callAgentId: agentId,
      fromNumberId: DEMO_NUMBER_ID,
      toNumber: "+12025550123",
      callAgentExtractorId: extractor,
      callAgentInput: { name: "you" },
      webhookUrl: `${urlOf(told)}/events`,
    },
  });
  const dial = await service.until(dialId, ({ aiResult }) => aiResult !== undefined, 90_000);
  expect(dial).toMatchObject({
    status: "completed",
    systemResultType: null,
    endReason: "transferred",
    endedBy: "agent",
  });
  expect(asked).toEqual([
    {
      dial_id: dialId,
      params: { day: "Tuesday" },
      dial: expect.objectContaining({
        id: dialId,
        direction: "outbound",
        call_agent_id: agentId,
        inputs: { name: "you" },
      }),
    },
  ]);
  const said = (dial.transcript ?? []).filter(({ speaker, text }) => speaker === "AI" && text !== "");
  expect(said.map(({ text }) => text)).toEqual([
    "Hello.",
    "I am looking that up for you.",
    "Tuesday at nine is free. I will connect you.",
  ]);
  const calls = (dial.transcript ?? []).flatMap(({ functionCalls }) => functionCalls ?? []);
  expect(calls.map(({ functionCallId, name }) => [functionCallId, name])).toEqual([
    ["call_0", "find_slots"],
    ["call_0_2", "connect"],
  ]);
  expect(dial.aiResult).toEqual({ offered: true, guests: null });
  // They leave every five seconds; at the end only what is left has to.
  while (!traces.spans.some(({ name }) => name === "end")) await traces.taken();
  expect(await service.end("SIGTERM")).toBe(0);
  ended = true;
  expectOneTrace(dialId);
}, 150_000);

/** What lies below what in a trace, from the request that made the dial to the webhook that tells of it. */
const BELOW: Readonly<Record<string, string>> = {
  queue: "dial",
  ring: "dial",
  place: "ring",
  call: "dial",
  turn: "call",
  endpoint: "turn",
  model: "turn",
  synthesizer: "turn",
  sent: "turn",
  heard: "turn",
  function: "call",
  transfer: "call",
  end: "dial",
  webhook: "dial",
};

const expectOneTrace = (dialId: string) => {
  const traceId = dialId.replaceAll("-", "");
  const { spans } = traces;
  expect(new Set(spans.map((span) => span.traceId))).toEqual(new Set([traceId]));
  expect(new Set(spans.map(({ resource }) => resource["service.name"]))).toEqual(new Set(["calls"]));
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  expect(byId.get(spanIdOf(dialId, "dial"))).toMatchObject({ name: "dial", kind: 2 });
  for (const [name, parent] of Object.entries(BELOW)) {
    const some = spans.filter((span) => span.name === name);
    expect(some.length, name).toBeGreaterThan(0);
    for (const { parentSpanId = "" } of some) expect(byId.get(parentSpanId)?.name, `above ${name}`).toBe(parent);
  }
  const made = byId.get(spanIdOf(dialId, "dial"))?.fromMs ?? Number.NaN;
  for (const { name, fromMs, untilMs } of spans) {
    expect(untilMs, name).toBeGreaterThanOrEqual(fromMs);
    // Of one machine, whose database and processes have one clock.
    expect(fromMs, name).toBeGreaterThan(made - 1000);
  }
  // The log leads to the trace, and the trace holds nothing of what was said, asked or dialled.
  expect(service.log()).toContain(`"trace_id":"${traceId}"`);
  expect(events.length).toBeGreaterThan(2);
  for (const canary of [
    "12025550123",
    "2025550100",
    "Tuesday",
    "Hello",
    urlOf(desk),
    urlOf(told),
    "find_slots",
    "you.",
  ])
    expect(traces.text, canary).not.toContain(canary);
};
