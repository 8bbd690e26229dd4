import { createServer, type RequestListener } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { expect, test } from "vitest";
import { GuardedHttpCaller } from "../../src/adapters/http/guarded-http-caller.ts";
import { FunctionInvoker } from "../../src/dials/invoke-function.ts";
import type { FunctionDefinition } from "../../src/model/function-definition.ts";
import { sleep } from "../../src/ports/clock.ts";
import type { HttpCaller, HttpOutcome } from "../../src/ports/http-caller.ts";
import { testPlan } from "../kit/dial-plans.ts";
import { answers, ScriptedHttp } from "../kit/function-servers.ts";
import { SeededRandom } from "../kit/seeded-random.ts";
import { silentLogger } from "../kit/silent-logger.ts";
import { VirtualClock } from "../kit/virtual-clock.ts";

const never = new AbortController().signal;

const find: FunctionDefinition = {
  id: "f1",
  name: "find slots",
  description: "Finds free appointments.",
  type: "api",
  allowedNumbers: [],
  apiPath: "https://example.com/slots",
  headers: [
    { key: "Authorization", value: "Bearer x" },
    { key: "Content-Type", value: "text/plain" },
  ],
  inputJsonSchema: '{"type":"object","properties":{"day":{"type":"string"}},"required":["day"]}',
};
const connect: FunctionDefinition = {
  id: "f2",
  name: "connect",
  description: "",
  type: "transfer",
  allowedNumbers: [{ number: "+12025550199" }, { number: "+19005550100" }],
};

const inCall = (http: HttpCaller, more: Partial<FunctionDefinition> = {}, clock = new VirtualClock()) => {
  const plan = testPlan({
    dialId: "d1",
    functions: [{ ...find, ...more }, connect],
    inputs: { name: "Ada" },
  });
  const invoker = new FunctionInvoker({ clock, random: new SeededRandom(1), logger: silentLogger(), http }, plan);
  const call = async (args: string, id = "c1", name = "find_slots") => {
    const outcome = await invoker.invoke({ id, name, args }, never);
    return outcome.type !== "result" ? outcome : (JSON.parse(outcome.result) as Record<string, unknown>);
  };
  return { call, clock };
};

test("how long a customer's server took is counted, by what came of it", async () => {
  const counted: string[] = [];
  const clock = new VirtualClock();
  const slow = sleep(clock, 3000).then(() => answers("{}"));
  const http = new ScriptedHttp(slow, answers("{}", 500), { type: "timeout" });
  const metrics = { functionCalled: (outcome: string, ms: number) => counted.push(`${outcome} ${ms}`) };
  const deps = { clock, random: new SeededRandom(1), logger: silentLogger(), http, metrics };
  const invoker = new FunctionInvoker(deps, testPlan({ dialId: "d1", functions: [find, connect] }));
  const ask = (id: string, args = '{"day":"Monday"}') => invoker.invoke({ id, name: "find_slots", args }, never);
  const asked = ask("c1");
  await clock.advance(3000);
  await asked;
  await ask("c2");
  await ask("c3");
  await ask("c4", "{}");
  expect(counted).toEqual(["answered 3000", "failed 0", "timeout 0"]);
});

test("an api function is posted what the model gave and what the call is, and its JSON is the result", async () => {
  const http = new ScriptedHttp(answers('{"slots":["9:00"]}'));
  const { call } = inCall(http);
  expect(await call('{"day":"Monday"}')).toEqual({ slots: ["9:00"] });
  const [post] = http.posts;
  expect(post).toMatchObject({
    url: "https://example.com/slots",
    headers: { authorization: "Bearer x", "content-type": "application/json", "idempotency-key": "d1/c1" },
    timeoutMs: 10_000,
    maxBytes: 65_536,
  });
  expect(JSON.parse(post?.body ?? "")).toEqual({
    dial_id: "d1",
    params: { day: "Monday" },
    dial: {
      id: "d1",
      direction: "outbound",
      call_agent_id: "agent-1",
      to_number: "+12025550123",
      from_number: "+12025550100",
      inputs: { name: "Ada" },
    },
  });
});

test.each(["", "{", "[]", "null", "5", '{"day":5}', "{}", `{"day":"${"x".repeat(20_000)}"}`])(
  "arguments that do not fit are told to the model, and nothing is sent: %s",
  async (args) => {
    const http = new ScriptedHttp();
    expect(await inCall(http).call(args)).toMatchObject({ error: "invalid_arguments" });
    expect(http.posts).toEqual([]);
  },
);

test("a function without a schema takes what it is given, also nothing", async () => {
  const http = new ScriptedHttp(answers("{}"), answers("{}"));
  const { inputJsonSchema: _none, ...open } = find;
  const invoker = inCall(http, open);
  expect(await invoker.call("", "c1")).toMatchObject({ error: "invalid_arguments" });
  const free = inCall(http, { inputJsonSchema: "" });
  expect(await free.call("", "c1")).toEqual({});
  expect(await free.call('{"a":1}', "c2")).toEqual({});
});

test("a schema that cannot be used keeps the function from being called", async () => {
  const http = new ScriptedHttp();
  const { call } = inCall(http, { inputJsonSchema: '{"$ref":"https://example.com"}' });
  expect(await call("{}")).toMatchObject({ error: "misconfigured" });
});

test("one call id runs once, whoever asks again", async () => {
  const answer = Promise.withResolvers<HttpOutcome>();
  const http = new ScriptedHttp(answer.promise, answers("2"));
  const { call } = inCall(http);
  const both = [call('{"day":"a"}'), call('{"day":"a"}')];
  answer.resolve(answers("1"));
  expect(await Promise.all(both)).toEqual([1, 1]);
  expect(await call('{"day":"a"}')).toBe(1);
  expect(await call('{"day":"a"}', "c2")).toBe(2);
  expect(http.posts).toHaveLength(2);
});

test("a server that cannot be reached is tried three times within the limit; one that may have acted is asked once", async () => {
  const gone: HttpOutcome = { type: "not-sent", cause: new Error("refused") };
  const back = new ScriptedHttp(gone, gone, answers('{"a":1}'));
  const first = inCall(back);
  const result = first.call('{"day":"a"}');
  await first.clock.advance(5000);
  expect(await result).toEqual({ a: 1 });
  expect(back.posts.map(({ timeoutMs }) => timeoutMs)).toEqual(
    back.posts.map(({ timeoutMs }) => timeoutMs).toSorted((a, b) => b - a),
  );
  const away = new ScriptedHttp(gone, gone, gone);
  const second = inCall(away);
  const failed = second.call('{"day":"a"}');
  await second.clock.advance(10_000);
  expect(await failed).toMatchObject({ error: "unreachable" });
  expect(second.clock.pending).toBe(0);
  for (const outcome of [
    { type: "timeout" },
    { type: "broken", cause: new Error("reset") },
    { type: "too-large", status: 200 },
    { type: "refused", why: "private" },
  ] as const) {
    const http = new ScriptedHttp(outcome);
    expect(await inCall(http).call('{"day":"a"}')).toHaveProperty("error");
    expect(http.posts).toHaveLength(1);
  }
});

test.each([
  ["<html>no</html>", 200, { error: "not_json" }],
  [new Uint8Array([0xff, 0xfe, 0x00]), 200, { error: "not_json" }],
  ["", 204, { ok: true }],
  ["not found", 404, { error: "failed" }],
  ['{"reason":"full"}', 409, { error: "failed", answer: { reason: "full" } }],
  ["{}", 301, { error: "failed" }],
  [JSON.stringify("x".repeat(5000)), 500, { error: "failed" }],
  ["[1,2]", 200, [1, 2]],
])("an answer of %j with status %i is told as it is", async (body, status, expected) => {
  expect(await inCall(new ScriptedHttp(answers(body, status))).call('{"day":"a"}')).toMatchObject(expected);
});

const outputs = [
  { name: "free", type: "BOOLEAN" },
  { name: "at", type: "STRING", nullable: true },
  { name: "count", type: "INTEGER" },
  { name: "price", type: "FLOAT", nullable: true },
  {
    name: "slots",
    type: "CUSTOM",
    nullable: true,
    customFieldJsonSchema: '{"type":"array","items":{"type":"string"}}',
  },
] as const;

test.each([
  [{ free: true, at: "nine", count: 2, price: 1.5, slots: ["a"], more: 1 }, undefined],
  [{ free: true, at: null, count: 2 }, undefined],
  [{ free: "yes", count: 2 }, "free"],
  [{ free: true, at: 9, count: 2 }, "at"],
  [{ free: true, count: 2.5 }, "count"],
  [{ free: true }, "count"],
  [{ free: true, count: 2, price: "1" }, "price"],
  [{ free: true, count: 2, slots: [1] }, "slots"],
  [[], "object"],
  [null, "object"],
])("an answer %j is held against the outputs that the function promises", async (body, wrong) => {
  const { call } = inCall(new ScriptedHttp(answers(JSON.stringify(body))), { outputs: [...outputs] });
  const result = await call('{"day":"a"}');
  if (wrong === undefined) expect(result).toEqual(body);
  else expect(result).toMatchObject({ error: "invalid_answer", message: expect.stringContaining(wrong) });
});

test("a transfer leads to a listed number that may be rung, and nowhere else", async () => {
  const { call } = inCall(new ScriptedHttp());
  expect(await call('{"destination":"+12025550199"}', "c1", "connect")).toEqual({
    type: "transfer",
    to: "+12025550199",
  });
  expect(await call('{"destination":"+12025550198"}', "c2", "connect")).toMatchObject({ error: "not_allowed" });
  expect(await call('{"destination":"+19005550100"}', "c3", "connect")).toMatchObject({
    error: "not_allowed",
    message: expect.stringContaining("Premium"),
  });
});

test("a warm transfer takes what is told there from the model, or says that somebody calls; a cold one tells nothing", async () => {
  const args = (more: object) => JSON.stringify({ destination: "+12025550199", ...more });
  const warm = inCall(new ScriptedHttp(), { ...connect, id: "f3", name: "hand_over", transferMode: "warm" });
  expect(await warm.call(args({ summary: " Ada\nwants a table. " }), "c1", "hand_over")).toEqual({
    type: "transfer",
    to: "+12025550199",
    summary: "Ada wants a table.",
  });
  for (const more of [{}, { summary: "" }, { summary: 7 }, { summary: ["x"] }])
    expect(await warm.call(args(more), `c${JSON.stringify(more)}`, "hand_over")).toMatchObject({
      summary: "A caller is being connected to you.",
    });
  const cold = inCall(new ScriptedHttp());
  expect(await cold.call(args({ summary: "Ada." }), "c1", "connect")).not.toHaveProperty("summary");
});

test("a function that does not exist is said not to", async () => {
  const { call } = inCall(new ScriptedHttp());
  expect(await call("{}", "c1", "drop_tables")).toMatchObject({ error: "unknown_function" });
});

const real = async (listener: RequestListener, more?: Partial<FunctionDefinition>) => {
  const asked = Promise.withResolvers<undefined>();
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    listener(request, response);
    asked.resolve(undefined);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const clock = new VirtualClock();
  const http = new GuardedHttpCaller({ clock, allowPrivateNetwork: true });
  const apiPath = `http://127.0.0.1:${port}/`;
  const { call } = inCall(http, { apiPath, ...more }, clock);
  const close = async () => {
    await http.close();
    server.closeAllConnections();
    server.close();
  };
  return { call, clock, close, asked: asked.promise, requests: () => requests };
};

test.each<[string, RequestListener, string]>([
  ["hangs", () => undefined, "timeout"],
  ["hangs in the middle", (_request, response) => void response.write('{"a":'), "timeout"],
])("a server that %s is answered for after ten seconds", async (_name, listener, error) => {
  const { call, clock, close, asked, requests } = await real(listener);
  const result = call('{"day":"a"}');
  await asked;
  await clock.advance(10_000);
  expect(await result).toMatchObject({ error });
  expect([requests(), clock.pending]).toEqual([1, 0]);
  await close();
});

test.each<[string, RequestListener, string]>([
  ["redirects inwards", (_request, response) => response.writeHead(302, { location: "/secret" }).end(), "failed"],
  ["answers ten megabytes", (_request, response) => response.end(`"${"x".repeat(10_000_000)}"`), "answer_too_large"],
  ["answers HTML", (_request, response) => response.end("<html></html>"), "not_json"],
  ["breaks off", (request) => request.socket.destroy(), "connection_broken"],
  ["answers garbage", (request) => request.socket.end("garbage\r\n\r\n"), "connection_broken"],
  [
    "announces more than it sends",
    (_request, response) => response.writeHead(200, { "content-length": "50" }).end("{}"),
    "connection_broken",
  ],
])("a server that %s gets one request, and the model a word of it", async (_name, listener, error) => {
  const { call, close, requests } = await real(listener);
  expect(await call('{"day":"a"}')).toMatchObject({ error });
  expect(requests()).toBe(1);
  await close();
});

test("an address that leads into the private network is not called", async () => {
  const clock = new VirtualClock();
  const http = new GuardedHttpCaller({ clock, allowPrivateNetwork: false });
  const { call } = inCall(http, { apiPath: "https://169.254.169.254/latest" }, clock);
  expect(await call('{"day":"a"}')).toMatchObject({ error: "address_refused" });
  await http.close();
});

test("whatever a model calls by whatever name, only the listed number that may be rung is connected to", async () => {
  const names = fc.oneof(
    { weight: 4, arbitrary: fc.constant("connect") },
    { weight: 1, arbitrary: fc.constantFrom("find_slots", "end_call", "constructor") },
    { weight: 1, arbitrary: fc.string({ maxLength: 10 }) },
  );
  const destinations = fc.oneof(
    fc.constantFrom("+12025550199", "+19005550100", "911", "+1 202 555 0199", "\uFF0B12025550199"),
    fc.jsonValue({ maxDepth: 1 }),
  );
  const args = fc.oneof(
    destinations.map((destination) => JSON.stringify({ destination })),
    fc.string({ unit: "binary", maxLength: 40 }),
  );
  let connected = 0;
  await fc.assert(
    fc.asyncProperty(names, args, async (name, text) => {
      const { call } = inCall({ post: () => Promise.resolve(answers("{}")), close: () => Promise.resolve() });
      const outcome = await call(text, "c1", name);
      if (outcome["type"] !== "transfer" || !("to" in outcome)) return;
      connected += 1;
      expect([name, outcome["to"], JSON.parse(text)]).toEqual([
        "connect",
        "+12025550199",
        expect.objectContaining({ destination: "+12025550199" }),
      ]);
    }),
    { numRuns: 600 },
  );
  expect(connected).toBeGreaterThan(3);
});
