import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { SystemClock } from "../../src/adapters/clock/system.ts";
import { GuardedHttpCaller } from "../../src/adapters/http/guarded-http-caller.ts";
import { SystemRandom } from "../../src/adapters/random/system.ts";
import { openPostgresStore } from "../../src/adapters/store/postgres/store.ts";
import { callEnd } from "../../src/model/call-end.ts";
import { sleep } from "../../src/ports/clock.ts";
import type { Store } from "../../src/ports/store.ts";
import { WebhookRelay, type WebhookRelayDeps } from "../../src/worker/webhook-relay.ts";
import { testAgent, testPhoneNumber, testPlan, testPrompt } from "../kit/dial-plans.ts";
import { createTestDatabase, type TestDatabase } from "../kit/postgres.ts";
import { silentLogger } from "../kit/silent-logger.ts";
import { receiveWebhooks, type WebhookReceiver } from "../kit/webhook-receiver.ts";

const clock = new SystemClock();
const random = new SystemRandom();
const WORKSPACE = "workspace-1";

let database: TestDatabase;
let store: Store;
let secret = "";
const releasers: (() => Promise<void>)[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  store = await openPostgresStore({ url: database.url, clock, random });
  const seed = { agent: testAgent(), prompt: testPrompt(), phoneNumber: testPhoneNumber() };
  await store.catalogue.seed({ workspaceId: WORKSPACE, ...seed });
  ({ secret } = await store.outbox.secret(WORKSPACE));
});

afterEach(async () => {
  for (const release of releasers.splice(0).toReversed()) await release();
});

afterAll(async () => {
  await store.close();
  await database.close();
});

const receive = async (answer?: Parameters<typeof receiveWebhooks>[1]): Promise<WebhookReceiver> => {
  const receiver = await receiveWebhooks(() => secret, answer);
  releasers.push(() => receiver.close());
  return receiver;
};

const relay = (more: Partial<WebhookRelayDeps> = {}, allowPrivateNetwork = true): WebhookRelay => {
  const http = new GuardedHttpCaller({ clock, allowPrivateNetwork });
  const ignore = () => undefined;
  const made = new WebhookRelay({
    outbox: store.outbox,
    http,
    publicUrl: () => "https://calls.test",
    clock,
    random,
    logger: silentLogger(),
    metrics: { webhookWaited: ignore, webhookAttempt: ignore, webhookDead: ignore },
    ...more,
  });
  made.start();
  releasers.push(async () => {
    await made.stop();
    await http.close();
  });
  return made;
};

let dials = 0;
/** A dial that was created, answered and ended: five events. */
const live = async (webhookUrl: string): Promise<string> => {
  dials += 1;
  const dialId = `dial-${dials}`;
  const plan = testPlan({ dialId, workspaceId: WORKSPACE, toNumber: `+1202555${String(dials).padStart(4, "0")}` });
  await store.dials.create({ plan, sessionId: `session-${dials}`, webhookUrl });
  await store.dials.claim(dialId, "worker");
  await store.dials.advance(dialId, "RINGING");
  await store.dials.advance(dialId, "IN_PROGRESS");
  await store.dials.end(dialId, { type: "observed", evidence: 2, end: callEnd("agent_hangup", "agent") });
  await store.dials.transcriptComplete(dialId);
  return dialId;
};

const until = async (what: string, condition: () => boolean | Promise<boolean>): Promise<void> => {
  const giveUpAt = clock.monotonic() + 60_000;
  while (!(await condition())) {
    if (clock.monotonic() > giveUpAt) throw new Error(`${what} did not happen within a minute`);
    await sleep(clock, 20);
  }
};

const log = async (dialId: string) => (await store.outbox.list(WORKSPACE, { dialId }, { limit: 10 })).items;

test("several relays deliver everything once, signed, in order, and the first within a second", async () => {
  const receiver = await receive();
  for (let index = 0; index < 3; index++) relay();
  const made = await Promise.all(Array.from({ length: 30 }, (_, index) => live(`${receiver.url}/${index}`)));
  await until("everything", () => receiver.received.length >= 150);
  await sleep(clock, 600);
  expect(receiver.refused).toEqual([]);
  expect(receiver.received).toHaveLength(150);
  for (const dialId of made) {
    const told = receiver.received.filter(({ payload }) => payload.dial_id === dialId);
    expect(told.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5]);
    expect(told.map(({ event, payload }) => payload["status"] ?? event)).toEqual([
      "dial.created",
      "ringing",
      "in-progress",
      "completed",
      "dial.transcript",
    ]);
  }
  const receiver2 = await receive();
  const waits: number[] = [];
  for (let index = 0; index < 10; index++) {
    const dialId = await live(`${receiver2.url}/`);
    await until("the first", () => receiver2.received.some(({ payload }) => payload.dial_id === dialId));
    const first = receiver2.received.find(({ payload }) => payload.dial_id === dialId);
    waits.push((first?.at ?? 0) - new Date(first?.created_at ?? "").getTime());
  }
  expect(Math.max(...waits)).toBeLessThan(1_000);
});

test("who dies after the delivery and before the mark is followed by another delivery under the same id", async () => {
  const receiver = await receive();
  const dying = relay({ outbox: { ...store.outbox, settle: () => Promise.reject(new Error("killed")) } });
  const dialId = await live(`${receiver.url}/`);
  await until("the first delivery", () => receiver.received.length > 0);
  await dying.stop();
  relay();
  await sleep(clock, 600);
  expect(receiver.received).toHaveLength(1);
  await database.query("UPDATE webhook_stream SET next_at = now() WHERE dial_id = $1", [dialId]);
  await until("the rest", () => receiver.received.length >= 6);
  expect(receiver.received.map(({ sequence }) => sequence)).toEqual([1, 1, 2, 3, 4, 5]);
  expect(receiver.received[0]?.id).toBe(receiver.received[1]?.id);
});

test("an endpoint that fails is tried again by its schedule, and the log says how it went", async () => {
  let failures = 1;
  const receiver = await receive((_request, response) => {
    if (failures > 0) response.writeHead(503).end("later");
    else response.writeHead(200).end();
    failures -= 1;
  });
  relay();
  const dialId = await live(`${receiver.url}/`);
  await until("the first attempt", async () => (await log(dialId)).at(-1)?.attemptCount === 1);
  const [waiting] = (await log(dialId)).toReversed();
  expect(waiting).toMatchObject({ status: "pending", attempts: [{ outcome: "rejected", statusCode: 503 }] });
  const pause = new Date(waiting?.nextAttemptAt ?? "").getTime() - clock.now();
  expect(pause).toBeGreaterThan(3_000);
  expect(pause).toBeLessThan(6_000);
  expect((await log(dialId)).slice(0, -1).every(({ attemptCount }) => attemptCount === 0)).toBe(true);
  await until("the rest", () => receiver.received.length >= 6);
  expect(receiver.received.map(({ sequence }) => sequence)).toEqual([1, 1, 2, 3, 4, 5]);
});

test("an address that leads into a private network when it is called is not called, also after it was accepted", async () => {
  const receiver = await receive();
  relay({}, false);
  const dialId = await live(receiver.url.replace("http:", "https:"));
  await until("the attempt", async () => (await log(dialId)).at(-1)?.attemptCount === 1);
  expect((await log(dialId)).at(-1)).toMatchObject({ status: "pending", attempts: [{ outcome: "refused" }] });
  expect([...receiver.received, ...receiver.refused]).toEqual([]);
});

test("redirects are not followed, and an answer without end is read to 64 kB and counts by its status", async () => {
  const elsewhere = await receive();
  let written = 0;
  const receiver = await receive((request, response) => {
    if (request.url === "/moved") response.writeHead(307, { location: elsewhere.url }).end();
    else {
      response.writeHead(200);
      const more = () => {
        while (!response.destroyed && written < 100_000_000) {
          written += 65_536;
          if (!response.write(Buffer.alloc(65_536))) break;
        }
      };
      response.on("drain", more);
      more();
    }
  });
  relay();
  const [moved, endless] = await Promise.all([live(`${receiver.url}/moved`), live(`${receiver.url}/endless`)]);
  await until("the redirect", async () => (await log(moved)).at(-1)?.attemptCount === 1);
  await until("the end", async () => (await log(endless)).every(({ status }) => status === "delivered"));
  expect((await log(moved)).at(-1)?.attempts[0]).toMatchObject({ outcome: "rejected", statusCode: 307 });
  expect(elsewhere.received).toEqual([]);
  expect(written).toBeLessThan(100_000_000);
});

test("a replay delivers again what was delivered, signed with the secret of now and the one before", async () => {
  const receiver = await receive();
  relay();
  const dialId = await live(`${receiver.url}/`);
  await until("everything", async () => (await log(dialId)).every(({ status }) => status === "delivered"));
  const [last] = await log(dialId);
  await store.outbox.rotateSecret(WORKSPACE);
  await store.outbox.replay(WORKSPACE, last?.id ?? "");
  await until("the replay", () => receiver.received.length === 6);
  const rotated = (await store.outbox.secret(WORKSPACE)).secret;
  expect(rotated).not.toBe(secret);
  secret = rotated;
  await until("the mark", async () => (await log(dialId))[0]?.status === "delivered");
  await store.outbox.replay(WORKSPACE, last?.id ?? "");
  await until("the second replay", () => receiver.received.length === 7);
  expect(receiver.refused).toEqual([]);
  expect(receiver.received.slice(-2).map(({ id }) => id)).toEqual([last?.id, last?.id]);
});
