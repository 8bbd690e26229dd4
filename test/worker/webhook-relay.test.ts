import { expect, onTestFinished, test } from "vitest";
import type { HttpOutcome, HttpPost } from "../../src/ports/http-caller.ts";
import { StoreUnavailable } from "../../src/ports/store.ts";
import { WebhookRelay, type WebhookRelayDeps } from "../../src/worker/webhook-relay.ts";
import { MemoryOutbox } from "../kit/memory-outbox.ts";
import { SeededRandom } from "../kit/seeded-random.ts";
import { silentLogger } from "../kit/silent-logger.ts";
import { VirtualClock } from "../kit/virtual-clock.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const answered = (status: number): HttpOutcome => ({
  type: "answered",
  status,
  contentType: "",
  body: new Uint8Array(),
});

type Sent = Readonly<{ at: number; url: string; dialId: string; sequence: number; id: string }>;

/** A relay in virtual time, endpoints that a test answers for, and all that was sent to them. */
const setUp = (
  options: Readonly<{ pollMs?: number; outbox?: (real: MemoryOutbox) => WebhookRelayDeps["outbox"] }> = {},
) => {
  const clock = new VirtualClock();
  const outbox = new MemoryOutbox(clock);
  const sent: Sent[] = [];
  const posts: HttpPost[] = [];
  const counted = { waits: [] as number[], attempts: [] as string[], dead: [] as string[] };
  const rig = { answer: async (_post: HttpPost, _signal: AbortSignal): Promise<HttpOutcome> => answered(200) };
  const relay = new WebhookRelay(
    {
      outbox: options.outbox?.(outbox) ?? outbox,
      http: {
        post: (post, signal) => {
          const { id, sequence, payload } = JSON.parse(post.body) as {
            id: string;
            sequence: number;
            payload: { dial_id: string };
          };
          posts.push(post);
          sent.push({ at: clock.monotonic(), url: post.url, dialId: payload.dial_id, sequence, id });
          return rig.answer(post, signal);
        },
      },
      publicUrl: () => "https://calls.test",
      clock,
      random: new SeededRandom(3),
      logger: silentLogger(),
      metrics: {
        webhookWaited: (ms) => counted.waits.push(ms),
        webhookAttempt: (outcome) => counted.attempts.push(outcome),
        webhookDead: (why) => counted.dead.push(why),
      },
    },
    options.pollMs === undefined ? {} : { pollMs: options.pollMs },
  );
  relay.start();
  const tell = (dialId: string, more: Partial<Parameters<MemoryOutbox["add"]>[0]> = {}) =>
    outbox.add({ workspaceId: "w1", dialId, url: `https://${dialId}.example.com/hook`, ...more });
  const stop = async () => {
    const stopping = relay.stop();
    await clock.advance(6_000);
    await stopping;
    expect(clock.pending).toBe(0);
  };
  onTestFinished(stop);
  return Object.assign(rig, { clock, outbox, relay, sent, posts, counted, tell, stop });
};

test("what happens is told within a quarter of a second, in an envelope, signed", async () => {
  const { clock, tell, sent, posts, counted, outbox } = setUp();
  await clock.advance(10_000);
  const id = tell("d1", { event: "dial.updated", payload: { status: "ringing", system_result_type: null } });
  await clock.advance(250);
  expect(sent).toHaveLength(1);
  const [post] = posts;
  expect(JSON.parse(post?.body ?? "")).toEqual({
    event: "dial.updated",
    payload: { dial_id: "d1", status: "ringing", system_result_type: null },
    id,
    created_at: "2026-01-05T09:00:10.000Z",
    sequence: 1,
  });
  expect(post).toMatchObject({
    url: "https://d1.example.com/hook",
    timeoutMs: 15_000,
    maxBytes: 65_536,
    headers: {
      "content-type": "application/json",
      "webhook-id": id,
      "webhook-signature": expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
    },
  });
  expect(Number(post?.headers["webhook-timestamp"])).toBe(Math.floor(clock.now() / 1000));
  expect(counted.attempts).toEqual(["delivered"]);
  expect(counted.waits[0]).toBeLessThanOrEqual(250);
  expect(outbox.events[0]).toMatchObject({ state: "delivered", attempts: [{ outcome: "delivered", statusCode: 200 }] });
});

test("a recording is told by the address that it can be fetched from", async () => {
  const { clock, tell, posts } = setUp();
  tell("d/1", { event: "dial.recording_created", payload: { recording_id: "r 1" }, url: "https://e.example.com" });
  await clock.advance(250);
  expect(JSON.parse(posts[0]?.body ?? "")).toMatchObject({
    payload: { dial_id: "d/1", recording_url: "https://calls.test/api/dials/d%2F1/recordings/r%201" },
  });
});

test("after failures the pauses are 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 h, give or take a fifth; then it is dead", async () => {
  const rig = setUp({ pollMs: 4_000 });
  rig.answer = async () => answered(500);
  rig.tell("d1");
  await rig.clock.advance(100 * HOUR);
  expect(rig.sent).toHaveLength(10);
  const pauses = rig.sent.slice(1).map(({ at }, index) => at - (rig.sent[index]?.at ?? 0));
  const planned = [5_000, 5 * MINUTE, 30 * MINUTE, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR)];
  for (const [index, pause] of pauses.entries()) {
    expect(pause).toBeGreaterThanOrEqual((planned[index] ?? 0) * 0.8);
    expect(pause).toBeLessThanOrEqual((planned[index] ?? 0) * 1.2 + 4_000);
  }
  expect(new Set(pauses.map((pause, index) => Math.sign(pause - (planned[index] ?? 0)))).size).toBe(2);
  expect(rig.outbox.events[0]).toMatchObject({ state: "dead" });
  expect(rig.counted.dead).toEqual(["exhausted"]);
});

test("an endpoint that is away for three hours gets everything afterwards, each dial in its order", async () => {
  const rig = setUp({ pollMs: 2_000 });
  let away = true;
  rig.answer = async () => (away ? { type: "not-sent", cause: new Error("refused") } : answered(204));
  const delivered: Sent[] = [];
  const url = "https://down.example.com/hook";
  for (let dial = 0; dial < 40; dial++) rig.tell(`d${dial}`, { url });
  await rig.clock.advance(HOUR);
  for (let dial = 0; dial < 40; dial++) for (let event = 0; event < 4; event++) rig.tell(`d${dial}`, { url });
  await rig.clock.advance(2 * HOUR);
  away = false;
  const before = rig.sent.length;
  await rig.clock.advance(6 * HOUR + 10 * MINUTE);
  delivered.push(...rig.sent.slice(before));
  expect(rig.outbox.events.filter(({ state }) => state !== "delivered")).toEqual([]);
  expect(delivered).toHaveLength(200);
  for (let dial = 0; dial < 40; dial++)
    expect(delivered.filter(({ dialId }) => dialId === `d${dial}`).map(({ sequence }) => sequence)).toEqual([
      1, 2, 3, 4, 5,
    ]);
});

test("an endpoint that never answers has five requests at a time and delays nobody else", async () => {
  const rig = setUp();
  let open = 0;
  let most = 0;
  rig.answer = async ({ url, timeoutMs }) => {
    if (!url.includes("slow")) return answered(200);
    open += 1;
    most = Math.max(most, open);
    await new Promise<void>((resolve) => void rig.clock.setTimer(timeoutMs, resolve));
    open -= 1;
    return { type: "timeout" };
  };
  for (let dial = 0; dial < 200; dial++) rig.tell(`slow${dial}`, { url: "https://slow.example.com/hook" });
  await rig.clock.advance(1_000);
  const told: number[] = [];
  for (let dial = 0; dial < 50; dial++) {
    rig.tell(`quick${dial}`);
    told.push(rig.clock.monotonic());
    await rig.clock.advance(500);
  }
  const quick = rig.sent.filter(({ dialId }) => dialId.startsWith("quick"));
  expect(quick).toHaveLength(50);
  for (const [index, { at }] of quick.entries()) expect(at - (told[index] ?? 0)).toBeLessThanOrEqual(250);
  expect(most).toBe(5);
  rig.answer = async () => answered(200);
});

test("410 ends the deliveries of its dial, and of no other", async () => {
  const rig = setUp();
  rig.answer = async ({ url }) => answered(url.includes("d1.") ? 410 : 200);
  rig.tell("d1");
  rig.tell("d1");
  rig.tell("d2");
  await rig.clock.advance(1_000);
  rig.tell("d1");
  await rig.clock.advance(HOUR);
  expect(rig.sent.map(({ dialId }) => dialId)).toEqual(["d1", "d2"]);
  expect(rig.outbox.events.map(({ state }) => state)).toEqual(["dead", "dead", "delivered", "dead"]);
  expect(rig.counted.dead).toEqual(["gone"]);
});

test.for([
  [{ type: "answered", status: 200, contentType: "", body: new Uint8Array() }, "delivered", 200],
  [{ type: "too-large", status: 201 }, "delivered", 201],
  [{ type: "too-large", status: 500 }, "rejected", 500],
  [{ type: "answered", status: 302, contentType: "", body: new Uint8Array() }, "rejected", 302],
  [{ type: "answered", status: 404, contentType: "", body: new Uint8Array() }, "rejected", 404],
  [{ type: "refused", why: "private" }, "refused", undefined],
  [{ type: "not-sent", cause: new Error("no such name") }, "not_sent", undefined],
  [{ type: "timeout" }, "timeout", undefined],
  [{ type: "broken", cause: new Error("reset") }, "broken", undefined],
] as const)("%o is logged as %s", async ([outcome, word, statusCode]) => {
  const rig = setUp();
  rig.answer = async () => outcome;
  rig.tell("d1");
  await rig.clock.advance(1_000);
  const [event] = rig.outbox.events;
  expect(event?.state).toBe(word === "delivered" ? "delivered" : "pending");
  expect(event?.attempts).toEqual([
    { at: expect.any(String), outcome: word, durationMs: 0, ...(statusCode === undefined ? {} : { statusCode }) },
  ]);
});

test("a death between the delivery and its mark delivers again, under the same id", async () => {
  let dies = true;
  const { clock, tell, sent, outbox } = setUp({
    outbox: (real) => ({
      claim: (limit) => real.claim(limit),
      open: (lease) => real.open(lease),
      release: (lease) => real.release(lease),
      settle: (...settled) => (dies ? new Promise(() => undefined) : real.settle(...settled)),
    }),
  });
  const id = tell("d1");
  await clock.advance(29_000);
  expect(sent).toHaveLength(1);
  dies = false;
  await clock.advance(2_000);
  expect(sent.map((one) => one.id)).toEqual([id, id]);
  expect(outbox.events[0]?.state).toBe("delivered");
});

test("while the store is away it is asked ever more rarely, and everything is told once it is back", async () => {
  let away = true;
  let asked = 0;
  const { clock, tell, sent } = setUp({
    outbox: (real) => ({
      open: (lease) => real.open(lease),
      release: (lease) => real.release(lease),
      settle: (...settled) => real.settle(...settled),
      claim: async (limit) => {
        asked += 1;
        if (away) throw new StoreUnavailable("away");
        return real.claim(limit);
      },
    }),
  });
  tell("d1");
  await clock.advance(60_000);
  expect(asked).toBeGreaterThan(10);
  expect(asked).toBeLessThan(80);
  away = false;
  await clock.advance(6_000);
  expect(sent).toHaveLength(1);
});

test("a stop takes nothing more and lets attempts end; what does not end is given back without counting", async () => {
  const rig = setUp();
  rig.answer = async ({ url }, signal) => {
    if (url.includes("quick")) {
      await new Promise<void>((resolve) => void rig.clock.setTimer(2_000, resolve));
      return answered(200);
    }
    await new Promise<void>((resolve) => {
      signal.addEventListener("abort", () => {
        resolve();
      });
    });
    return { type: "timeout" };
  };
  rig.tell("quick");
  rig.tell("never");
  await rig.clock.advance(300);
  const stopping = rig.relay.stop();
  expect(rig.relay.stop()).toBe(stopping);
  rig.tell("late");
  await rig.clock.advance(4_000);
  expect(rig.outbox.events.map(({ state }) => state)).toEqual(["delivered", "pending", "pending"]);
  await rig.clock.advance(1_500);
  await stopping;
  expect(rig.outbox.events[1]).toMatchObject({ state: "pending", attempts: [], step: 0 });
  const next = (await rig.outbox.claim(10)).map(({ dialId }) => dialId);
  expect(new Set(next)).toEqual(new Set(["never", "late"]));
  expect(rig.sent).toHaveLength(2);
});
