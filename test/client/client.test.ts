import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { writeWav } from "../../src/audio/wav.ts";
import { ApiProblem, createClient, NoAnswer, type ClientOptions, type LiveEvent } from "../../src/client/client.ts";
import { ApiRig, KEY, PHONE_DIAL } from "../kit/api-rig.ts";
import { VirtualClock } from "../kit/virtual-clock.ts";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** The API on a port of its own, and a client of it. */
const startApi = async () => {
  const rig = new ApiRig();
  closing.push(() => rig.close());
  const origin = await rig.app.listen({ port: 0, host: "127.0.0.1" });
  return { rig, baseUrl: `${origin}/api`, client: createClient({ baseUrl: `${origin}/api/`, apiKey: KEY }) };
};

/** A server that answers one request after the other as it is told, and remembers them. */
const startScript = async (answers: readonly ((request: IncomingMessage, response: ServerResponse) => void)[]) => {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    const answer = answers[requests.length - 1];
    if (answer === undefined) response.writeHead(500).end("nothing more was expected");
    else answer(request, response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
  return { requests, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api` };
};

const json =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  (_: IncomingMessage, response: ServerResponse) => {
    const type = status < 400 ? "application/json" : "application/problem+json";
    response.writeHead(status, { "content-type": type, ...headers }).end(JSON.stringify(body));
  };

const problem = (status: number, code: string) => ({
  type: `urn:call-engine:problem:${code}`,
  title: "Trouble",
  status,
  detail: "Something is wrong.",
  code,
  errors: [],
  requestId: "request-1",
});

const withClock = (options: Omit<ClientOptions, "machine">) => {
  const clock = new VirtualClock();
  const machine = { setTimer: clock.setTimer.bind(clock), fraction: () => 1 };
  return { clock, client: createClient({ ...options, machine } as ClientOptions) };
};

/** Moves time on until the work is done; what it waits for in the world comes by itself. */
const runOut = async <T>(clock: VirtualClock, work: Promise<T>): Promise<T> => {
  const state = { done: false };
  const end = () => (state.done = true);
  work.then(end, end);
  while (!state.done) await clock.advance(100);
  return work;
};

test("sound is fetched from where it lies, without the key, and nothing else is", async () => {
  const store = await startScript([
    (_, response) => response.writeHead(200, { "content-type": "audio/ogg" }).end("OggS"),
  ]);
  const away = (_: IncomingMessage, response: ServerResponse) =>
    response.writeHead(302, { location: `${store.baseUrl.replace("127.0.0.1", "localhost")}/sound?signature=x` }).end();
  const { baseUrl, requests } = await startScript([away, away, away, away]);
  const client = createClient({ baseUrl, apiKey: KEY });
  const sound = await client.getRecording({ id: "d", recordingId: "r" });
  expect([sound.type, await sound.text()]).toEqual(["audio/ogg", "OggS"]);
  expect(requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
  expect(store.requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  await expect(client.createAgent({ body: { name: "A", language: "en" } })).rejects.toThrow(NoAnswer);
  expect(store.requests).toHaveLength(1);
});

test("one method an operation: create, read, change, list and delete against the real API", async () => {
  const { client } = await startApi();
  const agent = await client.createAgent({ body: { name: "Ada", language: "en" } });
  expect(await client.getAgent({ id: agent.id })).toEqual(agent);
  expect(await client.updateAgent({ id: agent.id, body: { name: "Bea" } })).toEqual({ ...agent, name: "Bea" });
  expect((await client.listAgents({ limit: 1000 })).data.map(({ id }) => id)).toContain(agent.id);
  expect((await client.deleteAgent({ id: agent.id })).name).toBe("Bea");
  await expect(client.getAgent({ id: agent.id })).rejects.toMatchObject({ code: "agent_not_found", status: 404 });
});

test("pages are walked to the end, also those that are not called data", async () => {
  const { client } = await startApi();
  const names = Array.from({ length: 7 }, (_, at) => `Agent ${at}`);
  for (const name of names) await client.createAgent({ body: { name, language: "en" } });
  const walked: string[] = [];
  for await (const { name } of client.pages.listAgents({ limit: 3 })) walked.push(name);
  expect(walked.filter((name) => names.includes(name))).toEqual(names);
  const voices: string[] = [];
  for await (const { id } of client.pages.listVoices({ limit: 1 })) voices.push(id);
  expect(voices).toEqual((await client.listVoices()).voices.map(({ id }) => id));
});

test("a refusal tells its code, the fields, and where to find it in the log", async () => {
  const { client } = await startApi();
  const body = { callAgentId: "a", callAgentID: "b" };
  const refused: unknown = await client.createDial({ body }).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(ApiProblem);
  expect(refused).toMatchObject({
    code: "validation_failed",
    status: 422,
    errors: [{ path: "/callAgentID", message: "is not a known field" }],
    requestId: expect.stringMatching(/.{8}/),
  });
});

test("a dial token reaches its dial and no more", async () => {
  const { rig, baseUrl } = await startApi();
  const { dialId, dialToken } = await rig.dial();
  const client = createClient({ baseUrl, dialToken });
  expect(await client.getDial({ id: dialId })).toMatchObject({ id: dialId, status: "queued" });
  expect(await client.createDialToken({ id: dialId })).toEqual({ dialToken: expect.any(String) });
  await expect(client.listAgents()).rejects.toMatchObject({ code: "forbidden" });
  expect(await client.hangUpDial({ id: dialId })).toMatchObject({ status: "canceled" });
});

test("an id with a slash is one id, and one that would step through the path is refused", async () => {
  const { client } = await startApi();
  await expect(client.getAgent({ id: "../dials" })).rejects.toMatchObject({ code: "agent_not_found" });
  for (const id of ["", ".", ".."]) await expect(async () => client.getAgent({ id })).rejects.toThrow(/needs "id"/);
});

test("what is safe to repeat is tried three times, after the pause that was asked for", async () => {
  const busy = json(503, problem(503, "store_unavailable"), { "retry-after": "2" });
  const { baseUrl, requests } = await startScript([busy, busy, json(200, { id: "a1" })]);
  const { client, clock } = withClock({ baseUrl, apiKey: KEY });
  expect(await runOut(clock, client.getAgent({ id: "a1" }))).toEqual({ id: "a1" });
  expect(requests).toHaveLength(3);
  expect(clock.monotonic()).toBeGreaterThanOrEqual(4000);
  expect(clock.pending).toBe(0);
});

test("after three attempts the last error is told", async () => {
  const busy = json(429, problem(429, "rate_limited"));
  const { baseUrl, requests } = await startScript([busy, busy, busy]);
  const { client, clock } = withClock({ baseUrl, apiKey: KEY });
  await expect(runOut(clock, client.listDials())).rejects.toMatchObject({ code: "rate_limited" });
  expect(requests).toHaveLength(3);
});

test("a dial is created again only under an idempotency key, and under the same one", async () => {
  const cut = (request: IncomingMessage) => request.socket.destroy();
  const { baseUrl, requests } = await startScript([cut, cut, json(201, { dialId: "d1" })]);
  const { client, clock } = withClock({ baseUrl, apiKey: KEY });
  await expect(runOut(clock, client.createDial({ body: PHONE_DIAL }))).rejects.toThrow(NoAnswer);
  expect(requests).toHaveLength(1);
  const created = await runOut(clock, client.createDial({ body: PHONE_DIAL, idempotencyKey: "once" }));
  expect(created).toEqual({ dialId: "d1" });
  expect(requests.slice(1).map(({ headers }) => headers["idempotency-key"])).toEqual(["once", "once"]);
});

test("what takes too long is no answer, whether it never begins or never ends", async () => {
  const { baseUrl, requests } = await startScript([
    () => undefined,
    (_, response) => response.writeHead(200, { "content-type": "application/json" }).write('{"id":'),
  ]);
  const { client, clock } = withClock({ baseUrl, apiKey: KEY, timeoutMs: 1000 });
  for (const sent of [1, 2]) {
    const late = client.updateAgent({ id: "a1", body: {} });
    late.catch(() => undefined);
    while (requests.length < sent) await clock.settle();
    await expect(runOut(clock, late)).rejects.toThrow(/PUT \/agents\/a1 was not answered in time/);
  }
  expect(clock.pending).toBe(0);
});

test("an abort rejects with its reason, also during a pause, and is not tried again", async () => {
  const { baseUrl, requests } = await startScript([json(503, problem(503, "store_unavailable"))]);
  const { client, clock } = withClock({ baseUrl, apiKey: KEY });
  const abort = new AbortController();
  const reading = client.getAgent({ id: "a1" }, { signal: abort.signal });
  reading.catch(() => undefined);
  while (requests.length === 0 || clock.pending !== 1) await clock.settle();
  abort.abort(new Error("enough"));
  await expect(reading).rejects.toThrow("enough");
  await expect(client.getAgent({ id: "a1" }, { signal: abort.signal })).rejects.toThrow("enough");
  expect(requests).toHaveLength(1);
});

test("an answer that is not the API's is told as such", async () => {
  const { baseUrl } = await startScript([(_, response) => response.writeHead(404).end("<h1>Not here</h1>")]);
  const client = createClient({ baseUrl, apiKey: KEY });
  await expect(client.getDial({ id: "d1" })).rejects.toMatchObject({ code: "unexpected_answer", status: 404 });
});

const eventText = (id: number, event: LiveEvent) =>
  `id: ${id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
const interim = (text: string): LiveEvent => ({ type: "interim", text });
const OVER: LiveEvent = { type: "status", status: "completed", systemResultType: null };

const stream =
  (text: string, then: "ends" | "breaks" | "stays") => (request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(text, () => {
      if (then === "ends") response.end();
      if (then === "breaks") request.socket.destroy();
    });
  };

const follow = async (options: Parameters<ReturnType<typeof createClient>["followDial"]>[1], baseUrl: string) => {
  const { client, clock } = withClock({ baseUrl, apiKey: KEY });
  const seen: unknown[] = [];
  const reading = (async () => {
    for await (const { id, event } of client.followDial("d1", options))
      seen.push(event.type === "interim" ? `${id} ${event.text}` : event.type);
  })();
  await runOut(clock, reading);
  expect(clock.pending).toBe(0);
  return seen;
};

test("a dial is followed over a connection that breaks, one that falls silent, and a server that stops", async () => {
  const { baseUrl, requests } = await startScript([
    stream(`${eventText(1, interim("a"))}${eventText(2, interim("b"))}id: 3\ndata: {"half`, "breaks"),
    stream(eventText(3, interim("c")), "stays"),
    json(503, problem(503, "store_unavailable")),
    stream(eventText(4, interim("d")), "ends"),
    stream(eventText(5, OVER), "stays"),
  ]);
  expect(await follow({}, baseUrl)).toEqual(["1 a", "2 b", "3 c", "4 d", "status"]);
  expect(requests.map(({ headers }) => headers["last-event-id"])).toEqual([undefined, "2", "3", "3", "4"]);
});

test("following continues after an event, and stops with the reader", async () => {
  const { baseUrl, requests } = await startScript([stream(eventText(8, interim("x")), "stays")]);
  const { client, clock } = withClock({ baseUrl, apiKey: KEY });
  const reading = client.followDial("d1", { lastEventId: "7" });
  expect((await reading.next()).value).toEqual({ id: "8", event: interim("x") });
  await reading.return();
  expect(requests[0]?.headers["last-event-id"]).toBe("7");
  expect(clock.pending).toBe(0);
});

test("a refusal ends the following, and so does a service that stays away", async () => {
  const refusing = await startScript([json(404, problem(404, "dial_not_found"))]);
  await expect(follow({}, refusing.baseUrl)).rejects.toMatchObject({ code: "dial_not_found" });
  const gone = await startScript(Array.from({ length: 10 }, () => stream(": connected\n\n", "ends")));
  await expect(follow({}, gone.baseUrl)).rejects.toThrow(/ended before the dial did/);
  expect(gone.requests).toHaveLength(10);
});

test("the real service's stream is followed to its end", async () => {
  const { rig, client } = await startApi();
  const { dialId } = await rig.dial();
  rig.live.publish(dialId, interim("hello"));
  rig.live.publish(dialId, OVER);
  const seen: unknown[] = [];
  for await (const { event } of client.followDial(dialId)) seen.push(event);
  expect(seen).toEqual([{ type: "status", status: "queued", systemResultType: null }, interim("hello"), OVER]);
});

test("a sound goes up as it is, with its name", async () => {
  const { client } = await startApi();
  const wav = writeWav({ samples: Int16Array.from({ length: 800 }, (_, at) => at), sampleRate: 8000 });
  const audio = await client.uploadAudio({ name: "Office", body: new Blob([Buffer.from(wav)]) });
  expect(audio).toMatchObject({ name: "Office", durationMs: 100, sampleRate: 8000 });
  expect((await client.listAudio()).data).toEqual([audio]);
  expect(await client.deleteAudio({ id: audio.id })).toEqual(audio);
});
