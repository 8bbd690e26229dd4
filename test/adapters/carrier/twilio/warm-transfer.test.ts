import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import twilio from "twilio";
import { afterEach, expect, test, vi } from "vitest";
import { SystemClock } from "../../../../src/adapters/clock/system.ts";
import { readDocument } from "../../../../src/adapters/carrier/simulation/markup.ts";
import { briefingDocument, waitingDocument } from "../../../../src/adapters/carrier/twilio/call-document.ts";
import { simulator } from "../../../../src/adapters/carrier/twilio/simulator.ts";
import descriptor from "../../../../src/adapters/carrier/twilio/twilio.ts";
import { transferWarmly, type Conferencing } from "../../../../src/adapters/carrier/twilio/warm-transfer.ts";
import { CarrierHttpClient } from "../../../../src/adapters/http/carrier-http-client.ts";
import type { CarrierCall } from "../../../../src/ports/carrier.ts";
import { adapterDeps } from "../../../kit/adapter-deps.ts";
import { VirtualClock } from "../../../kit/virtual-clock.ts";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const close of closing.splice(0).toReversed()) await close();
});

const TRANSFER = {
  callId: "person",
  to: "+12025550199",
  room: "room",
  answerUrl: "https://calls.test/answer?a=1&b=2",
  callerId: "+12025550100",
  summary: { text: 'Ada <asks> & "wants" a table.', language: "en" },
} as const;

type Leg = Readonly<{ from: number; is: "ringing" | "in-progress" | "ended" | "unknown" }>;

/** An account whose calls change their state at given seconds, and what it was asked to do. */
const account = (
  other: readonly Leg[],
  open = Number.POSITIVE_INFINITY,
  person: readonly Leg[] = [],
  more: Partial<Conferencing> = {},
) => {
  const clock = new VirtualClock();
  const done: string[] = [];
  const stateOf = (legs: readonly Leg[], fallback: Leg["is"]): CarrierCall | undefined => {
    const is = legs.findLast(({ from }) => from * 1000 <= clock.monotonic())?.is ?? fallback;
    if (is === "unknown") return undefined;
    return is === "ended" ? { state: is, callId: "x", end: { cause: "completed" } } : { state: is, callId: "x" };
  };
  const verbOf = (document: string) => {
    const [first] = readDocument(document) ?? [];
    const [room] = first?.children ?? [];
    return `${first?.name} ${first?.text || room?.name}`;
  };
  const conferencing: Conferencing = {
    clock,
    ring: (to, from, document) => {
      done.push(`ring ${to} from ${from}: ${verbOf(document)}`);
      return Promise.resolve("other");
    },
    redirect: (callId, document) => {
      done.push(`${callId}: ${verbOf(document)}`);
      return Promise.resolve(true);
    },
    hangUp: (callId) => {
      done.push(`hang up ${callId}`);
      return Promise.resolve();
    },
    look: (callId) => Promise.resolve(callId === "other" ? stateOf(other, "ringing") : stateOf(person, "in-progress")),
    isOpen: () => Promise.resolve(clock.monotonic() >= open * 1000),
    ...more,
  };
  const controller = new AbortController();
  const begin = () => transferWarmly(conferencing, TRANSFER, controller.signal);
  const outcome = async () => {
    const ended = begin();
    const settled = ended.then(
      () => true,
      () => true,
    );
    for (let over = false; !over; over = await Promise.race([settled, Promise.resolve(false)]))
      await clock.advance(500);
    return ended;
  };
  return { clock, done, controller, begin, outcome };
};

const RUNG = 'ring +12025550199 from +12025550100: Say Ada <asks> & "wants" a table.';
const WAITS = "person: Dial Conference";
const BACK = "person: Redirect https://calls.test/answer?a=1&b=2";

test("whoever picks up is told what it is about while the person hears music, and then they talk without us", async () => {
  const { clock, done, outcome } = account([{ from: 4, is: "in-progress" }], 9);
  expect(await outcome()).toBe("transferred");
  expect(done).toEqual([RUNG, WAITS]);
  expect(clock.monotonic()).toBeLessThan(10_500);
});

test.each<readonly [string, readonly Leg[], maxMs: number]>([
  ["is busy", [{ from: 1, is: "ended" }], 2000],
  [
    "hangs up while being told",
    [
      { from: 3, is: "in-progress" },
      { from: 6, is: "ended" },
    ],
    7000,
  ],
  ["never comes", [{ from: 3, is: "in-progress" }], 51_000],
  ["cannot be looked at", [{ from: 0, is: "unknown" }], 51_000],
])("a person is brought back when somebody %s, and nobody is left ringing", async (_, other, maxMs) => {
  const { clock, done, outcome } = account(other);
  expect(await outcome()).toBe("failed");
  expect(done).toEqual([RUNG, WAITS, BACK, "hang up other"]);
  expect(clock.monotonic()).toBeLessThanOrEqual(maxMs);
});

test("nobody is left ringing for a person who hung up", async () => {
  const { done, outcome } = account([], undefined, [{ from: 2, is: "ended" }]);
  expect(await outcome()).toBe("failed");
  expect(done).toContain("hang up other");
  const over = account([], undefined, [], { redirect: () => Promise.resolve(false) });
  expect(await over.outcome()).toBe("failed");
  expect(over.done).toEqual([RUNG, "hang up other"]);
});

test("a person stays where they are when the carrier does not ring, and nothing is undone then", async () => {
  const refused = account([], undefined, [], { ring: () => Promise.resolve(undefined) });
  expect(await refused.outcome()).toBe("failed");
  const lost = account([], undefined, [], { ring: () => Promise.reject(new Error("lost")) });
  await expect(lost.outcome()).rejects.toThrow("lost");
  expect([...refused.done, ...lost.done]).toEqual([]);
});

test("a transfer that nobody waits for any more is undone", async () => {
  const { clock, done, controller, begin } = account([]);
  const given = begin();
  await clock.advance(3000);
  controller.abort();
  await expect(given).rejects.toThrow();
  expect(done).toEqual([RUNG, WAITS, BACK, "hang up other"]);
});

test("the documents are those that the carrier's own builder writes", () => {
  const waiting = new twilio.twiml.VoiceResponse();
  waiting
    .dial({ action: TRANSFER.answerUrl, method: "POST" })
    .conference({ beep: "false", startConferenceOnEnter: false, endConferenceOnExit: true }, "a room");
  expect(waitingDocument("a room", TRANSFER.answerUrl)).toBe(waiting.toString());
  const told = new twilio.twiml.VoiceResponse();
  told.say({ language: "de-DE" }, "Ada wünscht einen Tisch.");
  told.dial().conference({ beep: "false", startConferenceOnEnter: true, endConferenceOnExit: true }, "a room");
  expect(briefingDocument("a room", { text: "Ada wünscht einen Tisch.", language: "de" })).toBe(told.toString());
  expect(briefingDocument("a room", { text: "Hi.", language: "pt-BR" })).toContain('language="pt-BR"');
});

/** An account at the simulated carrier with a call that is in progress, and what its service is asked for. */
const simulated = async () => {
  const came: string[] = [];
  const server: Server = createServer((request, response) => {
    let body = "";
    request.on("data", (part) => (body += String(part)));
    request.on("end", () => {
      came.push(new URLSearchParams(body).get("DialCallStatus") ?? "back");
      response.end('<Response><Pause length="60"/></Response>');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => new Promise((resolve) => server.close(resolve)));
  let underWay = 0;
  const counted = async <T>(work: Promise<T>): Promise<T> => {
    underWay += 1;
    return work.finally(() => (underWay -= 1));
  };
  const { fetch } = globalThis;
  vi.spyOn(globalThis, "fetch").mockImplementation((...request) => counted(fetch(...request)));
  const clock = new VirtualClock();
  const deps = adapterDeps({ clock });
  const network = await simulator.start({ port: 0, host: "127.0.0.1", settings: {}, faults: {}, deps });
  closing.push(() => network.close());
  const client = new CarrierHttpClient({ clock: new SystemClock() });
  closing.push(() => client.close());
  const http = { request: counting(client, counted), close: () => Promise.resolve() };
  const carrier = descriptor.create({ id: "twilio", settings: network.environment }, { ...deps, http });
  const { TWILIO_ACCOUNT_SID: sid = "", TWILIO_AUTH_TOKEN: token = "" } = network.environment;
  const official = twilio(sid, token);
  official.api.baseUrl = network.url;
  /** Lets time pass until something holds; it stands still while a request is on its way, which takes real time. */
  const until = async (done: () => boolean) => {
    while (!done()) {
      await new Promise((resolve) => setImmediate(resolve));
      if (underWay === 0) await clock.advance(100);
    }
  };
  const twiml = '<Response><Pause length="600"/></Response>';
  const { sid: callId } = await official.calls.create({ to: "+12025550126", from: TRANSFER.callerId, twiml });
  await clock.advance(3000);
  const status = async () => (await official.calls(callId).fetch()).status;
  expect(await status()).toBe("in-progress");
  const answerUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/answer`;
  const transfer = async (to: string) => {
    let outcome: string | undefined;
    const back = { ...TRANSFER, answerUrl };
    void carrier.transfer?.(callId, to, new AbortController().signal, back).then((said) => (outcome = said));
    await until(() => outcome !== undefined);
    return outcome;
  };
  return { came, official, until, status, transfer };
};

const counting =
  (client: CarrierHttpClient, counted: <T>(work: Promise<T>) => Promise<T>): CarrierHttpClient["request"] =>
  (request, signal) =>
    counted(client.request(request, signal));

test("a warm transfer goes through the carrier's own requests, as its official client sees them", async () => {
  const { official, until, transfer, came, status } = await simulated();
  expect(await transfer("+12025550123")).toBe("transferred");
  const [other] = await official.calls.list({ to: "+12025550123" });
  expect(other).toMatchObject({ from: TRANSFER.callerId, status: "in-progress" });
  expect(await status()).toBe("in-progress");
  // They have talked, and the service is asked whether there is something to go on with.
  await until(() => came.length > 0);
  expect(came).toEqual(["answered"]);
});

test("who is not reached in a warm transfer leaves the person with us", async () => {
  const { official, until, transfer, came, status } = await simulated();
  expect(await transfer("+12025550130")).toBe("failed");
  await until(() => came.length > 0);
  expect(came).toEqual(["back"]);
  expect(await status()).toBe("in-progress");
  expect((await official.calls.list({ to: "+12025550130" }))[0]?.status).toBe("busy");
});
