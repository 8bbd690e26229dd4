import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { status, type CallOptions, type Metadata } from "@grpc/grpc-js";
import { WebSocket } from "ws";
import { openRedisCallRegistry } from "../../../src/adapters/call-registry/redis.ts";
import { SystemClock } from "../../../src/adapters/clock/system.ts";
import { PromMetrics } from "../../../src/adapters/metrics/prom.ts";
import { CLIENT_OPTIONS, metadataFor, readEndpoint } from "../../../src/grpc/endpoint.ts";
import type { CallControlClient } from "../../../src/grpc/generated/callengine/control/v1/CallControl.ts";
import { callControlProtocol } from "../../../src/grpc/protocols.ts";
import type { CallRegistry } from "../../../src/ports/call-registry.ts";
import type { Carrier } from "../../../src/ports/carrier.ts";
import { LocalCalls } from "../../../src/worker/control/local-calls.ts";
import { OtherProcesses } from "../../../src/worker/control/other-processes.ts";
import { serveControl } from "../../../src/worker/control/serve-control.ts";
import { mediaForwarder } from "../../../src/worker/forward-media.ts";
import { SocketForwarding } from "../../../src/worker/forward-socket.ts";
import { MediaGateway } from "../../../src/worker/media-gateway.ts";
import { Presence } from "../../../src/worker/presence.ts";
import { startTestRedis, type TestRedis } from "../../kit/redis.ts";
import { silentLogger } from "../../kit/silent-logger.ts";
import type { Script } from "../sim-carrier.ts";
import { WorkerRig } from "../worker-rig.ts";

const TOKEN = "a token for the control of calls";
const STAYS: Script = { answers: ["accepted"], person: "answers", ringMs: 1_000 };

let redis: TestRedis;
const clock = new SystemClock();
const metrics = new PromMetrics();
const logger = silentLogger();
const closing: (() => unknown)[] = [];

beforeEach(async () => {
  redis = await startTestRedis();
});

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
  await redis.close();
});

const newRegistry = async (): Promise<CallRegistry> => {
  const registry = await openRedisCallRegistry({ url: redis.url, clock, metrics });
  closing.push(() => registry.close());
  return registry;
};

/** A worker with its control and its place for media, as a process has them. */
const startProcess = async (name: string) => {
  const registry = await newRegistry();
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push(() => new Promise((resolve) => server.close(resolve)));
  const self = { name, mediaUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  const presence = new Presence({ clock, logger, registry, self });
  const rig = new WorkerRig({}, (deps) => ({ ...deps, presence }));
  await rig.worker.start();
  const drained: string[] = [];
  const control = await serveControl(
    {
      clock,
      logger,
      self,
      live: rig.live,
      dials: rig.deps.dials,
      calls: new LocalCalls(rig.worker),
      others: new OtherProcesses({ clock, logger, registry, self: name, token: TOKEN }),
      drain: () => drained.push(name),
    },
    { address: "127.0.0.1:0", token: TOKEN },
  );
  closing.push(() => control.close());
  const url = `grpc://127.0.0.1:${control.port}`;
  await presence.start(url);
  closing.push(() => presence.stop());
  return { name, rig, url, registry, server, drained };
};

/** The control of a process, as an operator asks it. */
const controlOf = async (url: string, token = TOKEN) => {
  const endpoint = await readEndpoint({ url, token });
  const client = new (callControlProtocol())(endpoint.target, endpoint.credentials, CLIENT_OPTIONS);
  closing.push(() => client.close());
  type Method = "ListCalls" | "Say" | "HangUp" | "Transfer" | "PauseAgent" | "Drain";
  type Asking = (
    this: CallControlClient,
    request: object,
    metadata: Metadata,
    options: CallOptions,
    done: (error: Error | null, answer?: object) => void,
  ) => void;
  return (method: Method, request: object): Promise<object> =>
    new Promise((resolve, reject) => {
      const options = { deadline: new Date(clock.now() + 10_000) };
      (client[method] as Asking).call(client, request, metadataFor(endpoint), options, (error, answer) => {
        if (answer === undefined) reject(error);
        else resolve(answer);
      });
    });
};

const connectedTo = async ({ rig }: Awaited<ReturnType<typeof startProcess>>, dialId: string): Promise<void> => {
  await rig.dial(dialId, STAYS);
  await rig.clock.until(() => rig.worker.connected > 0, 60_000);
};

test("calls of two processes are listed and directed at either", async () => {
  const [a, b] = [await startProcess("a"), await startProcess("b")];
  await connectedTo(a, "dial-a");
  await connectedTo(b, "dial-b");
  await b.rig.dial("dial-c", { answers: ["accepted"], person: "answers", ringMs: 20_000 });
  await b.rig.clock.advance(2_000);
  const ask = await controlOf(a.url);
  expect(await ask("ListCalls", {})).toMatchObject({ silentProcesses: [], calls: { length: 3 } });
  expect(await ask("ListCalls", { hereOnly: true })).toMatchObject({ calls: [{ dialId: "dial-a", process: "a" }] });

  await ask("Say", { dialId: "dial-b", text: "One moment, please." });
  await ask("PauseAgent", { dialId: "dial-b", paused: true });
  await ask("Transfer", { dialId: "dial-b", to: "+12025550199" });
  expect(b.rig.calls.orders).toEqual([
    { dialId: "dial-b", order: { type: "say", text: "One moment, please." } },
    { dialId: "dial-b", order: { type: "pause", paused: true } },
    { dialId: "dial-b", order: { type: "transfer", to: "+12025550199" } },
  ]);
  const { calls } = (await ask("ListCalls", {})) as { calls: readonly Readonly<Record<string, unknown>>[] };
  expect(calls.find(({ dialId }) => dialId === "dial-b")).toMatchObject({
    process: "b",
    connected: true,
    agentPaused: true,
    direction: "outbound",
  });

  await ask("HangUp", { dialId: "dial-b" });
  await b.rig.clock.until(() => b.rig.store.row("dial-b").state === "ENDED", 60_000);
  expect(b.rig.store.row("dial-b").end).toMatchObject({ reason: "operator_hangup", endedBy: "api" });
  expect(await ask("Drain", { process: "b" })).toEqual({ calls: expect.any(Number) });
  expect([a.drained, b.drained]).toEqual([[], ["b"]]);
});

/** `call-engine calls …`, as an operator types it. */
const typed = async (controlUrl: string, ...args: readonly string[]): Promise<string> => {
  const { stdout } = await promisify(execFile)(process.execPath, ["src/main.ts", "calls", ...args], {
    cwd: join(import.meta.dirname, "../../.."),
    env: { ...process.env, CONTROL_URL: controlUrl, CONTROL_TOKEN: TOKEN },
  });
  return stdout;
};

test("operators direct calls from the command line", { timeout: 60_000 }, async () => {
  const [a, b] = [await startProcess("a"), await startProcess("b")];
  await connectedTo(b, "dial-b");
  // Each of these is a process of its own, so that there are few of them.
  const [listed, said, refused] = await Promise.allSettled([
    typed(a.url, "list"),
    typed(a.url, "say", "dial-b", "One", "moment."),
    typed(b.url, "hangup", "nowhere"),
  ]);
  expect(listed).toMatchObject({
    value: expect.stringMatching(/^dial-b {2}outbound {2}connected {2}-?\d+ s {2}b\n$/),
  });
  expect([said.status, b.rig.calls.orders]).toEqual([
    "fulfilled",
    [{ dialId: "dial-b", order: { type: "say", text: "One moment." } }],
  ]);
  expect(refused).toMatchObject({
    reason: { code: 1, stderr: expect.stringContaining("no process holds this call") },
  });
});

test("orders that cannot be carried out are refused in words, wherever the call is", async () => {
  const [a, b] = [await startProcess("a"), await startProcess("b")];
  await b.rig.dial("ringing", { answers: ["accepted"], person: "answers", ringMs: 20_000 });
  await b.rig.clock.advance(2_000);
  const ask = await controlOf(a.url);
  const refused = async (method: Parameters<typeof ask>[0], request: object, code: status) => {
    await expect(ask(method, request)).rejects.toMatchObject({ code });
  };
  await refused("Say", { dialId: "nowhere", text: "Hello" }, status.NOT_FOUND);
  await refused("Say", { dialId: "ringing", text: "Hello" }, status.FAILED_PRECONDITION);
  await refused("Say", { dialId: "ringing", text: " " }, status.INVALID_ARGUMENT);
  for (const to of ["+1911", "+19005551234", "911", "tel:+12025550199", "+٤٤2025550199"])
    await refused("Transfer", { dialId: "ringing", to }, status.INVALID_ARGUMENT);
  await refused("Drain", { process: "nobody" }, status.NOT_FOUND);
  const stranger = await controlOf(a.url, "another token of the same length");
  await expect(stranger("ListCalls", {})).rejects.toMatchObject({ code: status.UNAUTHENTICATED });
});

/** A place for media whose lines answer every message by itself, with a name in front. */
const mediaAt = (
  { name, server, registry, rig }: Awaited<ReturnType<typeof startProcess>>,
  tickets: Map<string, { dialId: string; epoch: number; carrier: string }>,
  drainMs = 60_000,
) => {
  const seen: string[] = [];
  const carrier = {
    name: "acme",
    verifyMedia: ({ url }: { url: string }) => seen.push(url) > 0,
    acceptMedia: async (socket: Parameters<Carrier["acceptMedia"]>[0]) => {
      socket.listen({
        message: (data) => {
          socket.send(typeof data === "string" ? `${name}: ${data}` : data);
        },
        closed: () => undefined,
      });
      return { close: () => socket.close(1000, "") };
    },
  } as unknown as Carrier;
  const forwarding = new SocketForwarding({ clock, logger, registry, self: name, drainMs });
  const live = {
    takeTicket: async (token: string) => {
      const ticket = tickets.get(token);
      tickets.delete(token);
      return ticket;
    },
    issueTicket: async (token: string, ticket: { dialId: string; epoch: number; carrier: string }) => {
      tickets.set(token, ticket);
    },
  };
  const gateway = new MediaGateway({
    clock,
    logger,
    live: live as never,
    carriers: new Map([["acme", carrier]]),
    publicWsUrl: "wss://calls.test",
    onLine: ({ dialId }) => rig.worker.runs.has(dialId),
    forward: mediaForwarder(forwarding, live, (dialId) => rig.worker.runs.has(dialId)),
  });
  closing.push(
    gateway.attach(server),
    () => gateway.close(),
    () => forwarding.close(),
  );
  return { seen, forwarding, url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/media/acme` };
};

test("media of a call that another process holds are passed on to it, byte for byte and both ways", async () => {
  const [a, b] = [await startProcess("a"), await startProcess("b")];
  await connectedTo(b, "dial-b");
  const tickets = new Map([
    ["a-secret-token-0123456789", { dialId: "dial-b", epoch: 1, carrier: "acme" }],
    ["another-token-0123456789", { dialId: "held-by-nobody", epoch: 1, carrier: "acme" }],
  ]);
  const [at, there] = [mediaAt(a, tickets), mediaAt(b, tickets)];
  const socket = new WebSocket(`${at.url}/a-secret-token-0123456789?x=1`);
  await once(socket, "open");
  const answers: (string | Buffer)[] = [];
  const all = Promise.withResolvers<void>();
  socket.on("message", (data: Buffer, binary) => {
    if (answers.push(binary ? data : data.toString()) === 202) all.resolve();
  });
  const sound = Buffer.from(Uint8Array.from({ length: 20_000 }, (_, index) => index % 251));
  socket.send("ü 🎉");
  for (let count = 0; count < 200; count++) socket.send(sound);
  socket.send("end");
  await all.promise;
  expect(answers[0]).toBe("b: ü 🎉");
  expect(answers.slice(1, -1).every((one) => sound.equals(one as Buffer))).toBe(true);
  expect(answers.at(-1)).toBe("b: end");
  // The carrier's signature is checked where the call is, over the address that the carrier used.
  expect(there.seen).toEqual(["wss://calls.test/media/acme/a-secret-token-0123456789?x=1"]);
  const over = once(socket, "close");
  socket.close();
  await over;
  expect(tickets.has("a-secret-token-0123456789")).toBe(false);

  expect(await at.forwarding.drain()).toBeUndefined();
  const lost = new WebSocket(`${at.url}/another-token-0123456789`);
  await once(lost, "close");
});

test("a process that passes media on waits for them to end when it is to stop, and for a goodbye when it is told twice", async () => {
  const [a, b] = [await startProcess("a"), await startProcess("b")];
  await connectedTo(b, "dial-b");
  const ticket = { dialId: "dial-b", epoch: 1, carrier: "acme" };
  const tickets = new Map([
    ["a-secret-token-0123456789", ticket],
    ["another-token-0123456789", ticket],
  ]);
  const at = mediaAt(a, tickets);
  mediaAt(b, tickets);
  const talk = async (token: string) => {
    const socket = new WebSocket(`${at.url}/${token}`);
    await once(socket, "open");
    const answer = async () => {
      const answered = once(socket, "message");
      socket.send("hello");
      return String((await answered)[0]);
    };
    return { socket, answer };
  };
  const [first, second] = [await talk("a-secret-token-0123456789"), await talk("another-token-0123456789")];
  let drained = false;
  const draining = at.forwarding.drain().then(() => (drained = true));
  expect([await first.answer(), await second.answer()]).toEqual(["b: hello", "b: hello"]);
  const over = once(first.socket, "close");
  first.socket.close();
  await over;
  expect([await second.answer(), drained]).toEqual(["b: hello", false]);
  void at.forwarding.drain();
  expect([await second.answer(), drained]).toEqual(["b: hello", false]);
  second.socket.close();
  await draining;
});

test("a process that is told twice to stop cuts what does not end", async () => {
  const [a, b] = [await startProcess("a"), await startProcess("b")];
  await connectedTo(b, "dial-b");
  const tickets = new Map([["a-secret-token-0123456789", { dialId: "dial-b", epoch: 1, carrier: "acme" }]]);
  const at = mediaAt(a, tickets, 50);
  mediaAt(b, tickets);
  const socket = new WebSocket(`${at.url}/a-secret-token-0123456789`);
  await once(socket, "open");
  const draining = at.forwarding.drain();
  await at.forwarding.drain();
  await draining;
  at.forwarding.close();
  await once(socket, "close");
});

test("the registry forgets a process that has died, and a call that was let go", async () => {
  const [one, other] = [await newRegistry(), await newRegistry()];
  const self = { name: "one", mediaUrl: "http://10.0.0.7:8080" };
  await one.announce(self, ["kept", "left"]);
  expect(await other.ownerOf("kept")).toEqual(self);
  await other.release({ ...self, name: "another" }, "left");
  expect(await other.ownerOf("left")).toEqual(self);
  await one.release(self, "left");
  expect(await other.ownerOf("left")).toBeUndefined();
  expect(await other.processes()).toEqual([self]);
  await one.withdraw(self);
  expect([await other.processes(), await other.ownerOf("kept")]).toEqual([[], undefined]);
});
