import { Webhook } from "standardwebhooks";
import { beforeEach, expect, test } from "vitest";
import { createCallbackTokens } from "../../src/dials/callback-token.ts";
import type { CallbackRequest, CarrierNotice, InboundCall } from "../../src/ports/carrier.ts";
import type { HttpOutcome, HttpPost } from "../../src/ports/http-caller.ts";
import { ApiRig } from "../kit/api-rig.ts";

const CALL: InboundCall = { callId: "call-1", from: "+14155550123", to: "+12025550109" };
const answered = (body: unknown): HttpOutcome => ({
  type: "answered",
  status: 200,
  contentType: "application/json",
  body: Buffer.from(typeof body === "string" ? body : JSON.stringify(body)),
});

let rig: ApiRig;
let asked: HttpPost[];
/** What became of calls at the carrier. */
let told: string[];

beforeEach(() => {
  rig = new ApiRig();
  asked = [];
  told = [];
  rig.post = async (request) => {
    asked.push(request);
    return answered("");
  };
  rig.carrier.readNotice = () => ({ type: "ringing", call: CALL });
  rig.carrier.answer = async (call, { mediaUrl }) => {
    told.push(`answered ${call.callId}`);
    return { status: 200, contentType: "text/xml", body: mediaUrl };
  };
  rig.carrier.decline = async (call, why) => {
    told.push(`${why} ${call.callId}`);
    return { status: 200, contentType: "text/xml", body: why };
  };
  const url = "https://customer.test/hook";
  const number = {
    id: "n9",
    number: CALL.to,
    type: "PSTN",
    agentId: "a1",
    carrier: "loopback",
    webhookUrl: url,
  } as const;
  rig.memory.addPhoneNumber("w1", number);
});

const announce = () => rig.request("POST", "/carriers/loopback/inbound", { key: null, body: "" });
const settle = async () => {
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
};
/** A worker takes the dial and is ready to speak. */
const hold = async (dialId: string) => {
  const claim = await rig.memory.store.dials.claim(dialId, "worker");
  rig.live.publish(dialId, { type: "status", status: "ringing", systemResultType: null });
  return claim;
};
const only = (): string => {
  const dials = [...rig.memory.rows.values()];
  expect(dials).toHaveLength(1);
  return dials[0]?.dial.plan.dialId ?? "";
};

test("a call becomes a dial whose customer is asked first, and is answered once a worker holds it", async () => {
  rig.post = async (request) => {
    asked.push(request);
    return answered({ call_agent_input: { name: "Ada" }, keywords: ["lovelace"], other: 1 });
  };
  const answering = announce();
  await settle();
  const dialId = only();
  expect(told).toEqual([]);
  const claim = await hold(dialId);
  const response = await answering;
  expect(response.statusCode).toBe(200);
  expect(told).toEqual(["answered call-1"]);
  const token = /^wss:\/\/calls\.test\/media\/loopback\/([\w-]{32})$/u.exec(response.body)?.[1] ?? "";
  expect(rig.live.tickets.get(token)).toEqual({ dialId, epoch: claim?.epoch, carrier: "loopback" });
  expect(claim?.plan).toMatchObject({
    direction: "inbound",
    fromNumber: CALL.from,
    toNumber: CALL.to,
    carrierCallId: CALL.callId,
    inputs: { name: "Ada" },
    transcriber: { keywords: ["lovelace"] },
  });
  const dial = (await rig.request("GET", `/api/dials/${dialId}`)).json<Record<string, unknown>>();
  expect(dial).toMatchObject({ direction: "inbound", toNumber: CALL.to, fromNumber: CALL.from, fromNumberId: null });
  const [hook] = asked;
  expect(hook).toMatchObject({ url: "https://customer.test/hook", timeoutMs: 3000 });
  const { secret } = await rig.memory.store.outbox.secret("w1");
  const id = hook?.headers["webhook-id"] ?? "";
  const at = new Date(Number(hook?.headers["webhook-timestamp"]) * 1000);
  expect(hook?.headers["webhook-signature"]).toBe(new Webhook(secret).sign(id, at, hook?.body ?? ""));
  expect(JSON.parse(hook?.body ?? "")).toMatchObject({
    event: "dial.inbound",
    payload: {
      dial_id: dialId,
      dial_session_id: rig.memory.row(dialId).dial.sessionId,
      dest_number_id: "n9",
      call_agent_id: "a1",
      source_number: CALL.from,
    },
  });
});

test("a call that is announced again, at once or later, is the same dial", async () => {
  const [one, two] = [announce(), announce()];
  await settle();
  const dialId = only();
  await hold(dialId);
  expect((await one).body).toBe((await two).body);
  const later = await announce();
  expect(later.statusCode).toBe(200);
  expect(only()).toBe(dialId);
  expect(asked).toHaveLength(1);
});

test("with nobody free in five seconds the caller hears that it is busy, and no worker takes the call any more", async () => {
  const answering = announce();
  await settle();
  const dialId = only();
  await rig.clock.advance(5_000);
  expect((await answering).body).toBe("busy");
  expect(rig.memory.row(dialId)).toMatchObject({ state: "ENDED", end: { reason: "expired" } });
  expect(await rig.memory.store.dials.claim(dialId, "worker")).toBeUndefined();
});

test("a number that nobody has, of another account or without an agent that can speak is declined without a dial", async () => {
  rig.carrier.readNotice = () => ({ type: "ringing", call: { ...CALL, to: "+12025550199" } });
  expect((await announce()).body).toBe("unknown-number");
  const elsewhere = { id: "n10", number: "+12025550110", type: "PSTN", agentId: "a1", carrier: "acme" } as const;
  rig.memory.addPhoneNumber("w1", elsewhere);
  rig.carrier.readNotice = () => ({ type: "ringing", call: { ...CALL, to: elsewhere.number } });
  expect((await announce()).body).toBe("unknown-number");
  rig.memory.addAgent("w1", { id: "mute", name: "Mute", language: "en" });
  rig.memory.addPhoneNumber("w1", {
    ...elsewhere,
    id: "n11",
    number: "+12025550111",
    agentId: "mute",
    carrier: "loopback",
  });
  rig.carrier.readNotice = () => ({ type: "ringing", call: { ...CALL, to: "+12025550111" } });
  expect((await announce()).body).toBe("unknown-number");
  expect(rig.memory.rows.size).toBe(0);
});

test.each<[string, HttpOutcome]>([
  ["late", { type: "timeout" }],
  ["refused", { ...(answered({ call_agent_input: { name: "Eve" } }) as object), status: 500 } as HttpOutcome],
  ["no JSON", answered("{")],
  ["of another form", answered({ call_agent_input: "Eve" })],
  ["too long", answered({ call_agent_input: { name: "x".repeat(200_000) } })],
])("a reply that is %s leaves the call as it is", async (_what, outcome) => {
  rig.post = async () => outcome;
  const answering = announce();
  await settle();
  const claim = await hold(only());
  expect((await answering).statusCode).toBe(200);
  expect(claim?.plan.inputs).toEqual({});
});

test("what is not signed by the carrier is refused, and a carrier without inbound calls has no such address", async () => {
  rig.carrier.readNotice = () => "forged";
  expect((await announce()).statusCode).toBe(403);
  delete rig.carrier.readNotice;
  expect((await announce()).statusCode).toBe(404);
  expect((await rig.request("POST", "/carriers/nobody/inbound", { key: null, body: "" })).statusCode).toBe(404);
});

test("news of a call ends its dial, and of an unknown one nothing", async () => {
  const answering = announce();
  await settle();
  const dialId = only();
  const claim = await hold(dialId);
  await answering;
  if (claim !== undefined) await rig.memory.store.dials.attachCall(claim, CALL.callId);
  const report = (callId: string): CarrierNotice => ({
    type: "report",
    call: { state: "ended", callId, end: { cause: "completed", endedBy: "remote" } },
  });
  rig.carrier.readNotice = () => report("another");
  expect((await announce()).statusCode).toBe(204);
  expect(rig.reported).toEqual([]);
  rig.carrier.readNotice = () => report(CALL.callId);
  expect((await announce()).statusCode).toBe(204);
  expect(rig.memory.row(dialId)).toMatchObject({ state: "ENDED", end: { reason: "counterparty_hangup" } });
  expect(rig.reported).toEqual([dialId]);
});

test("a carrier that comes back for the sound of a live call gets a fresh address, and of one that is over none", async () => {
  let seen: CallbackRequest | undefined;
  rig.carrier.readConnect = (request) => {
    seen = request;
    return "connect";
  };
  rig.carrier.connect = (to) => ({ status: 200, contentType: "text/xml", body: to?.mediaUrl ?? "hang up" });
  const { dialId } = await rig.dial();
  const path = createCallbackTokens(rig.deps.deploymentSecret).answerUrl("", "loopback", dialId);
  const come = (method: "GET" | "POST") => rig.request(method, path, { key: null });
  expect((await come("GET")).body).toBe("hang up");
  const claim = await rig.memory.store.dials.claim(dialId, "worker");
  const [one, two] = [(await come("GET")).body, (await come("POST")).body];
  expect(one).toMatch(/^wss:\/\/calls\.test\/media\/loopback\/[\w-]{32}$/u);
  expect(two).not.toBe(one);
  expect(seen).toMatchObject({ method: "POST", url: `https://calls.test${path}` });
  if (claim !== undefined) await rig.memory.store.dials.intendHangUp(dialId, "agent_hangup", "agent", claim);
  expect((await come("GET")).body).toBe("hang up");
  rig.carrier.readConnect = () => "forged";
  expect((await come("GET")).statusCode).toBe(403);
  expect((await rig.request("GET", `${path}x`, { key: null })).statusCode).toBe(404);
});
