import { afterEach, beforeEach, expect, test } from "vitest";
import { createCallbackTokens } from "../../src/dials/callback-token.ts";
import { callEnd } from "../../src/model/call-end.ts";
import type { CallbackRequest, CarrierCall } from "../../src/ports/carrier.ts";
import { ApiRig } from "../kit/api-rig.ts";

let rig: ApiRig;
beforeEach(() => {
  rig = new ApiRig();
});
afterEach(() => rig.close());

test("a process that lives says so, also when it cannot work", async () => {
  rig.memory.away = true;
  rig.readiness = { draining: true, notReady: ["Models are loading."] };
  const response = await rig.request("GET", "/healthz", { key: null });
  expect([response.statusCode, response.json()]).toEqual([200, { status: "ok" }]);
  expect((await rig.request("HEAD", "/healthz", { key: null })).statusCode).toBe(200);
});

test("readiness names everything that stands against it", async () => {
  expect((await rig.request("GET", "/readyz", { key: null })).json()).toEqual({ status: "ready", reasons: [] });
  rig.memory.away = true;
  rig.readiness = { draining: true, notReady: ["Models are loading."] };
  const response = await rig.request("GET", "/readyz", { key: null });
  expect(response.statusCode).toBe(503);
  expect(response.json()).toEqual({
    status: "not-ready",
    reasons: ["The process is stopping.", "Models are loading.", "The database does not answer."],
  });
});

test("metrics are plain text", async () => {
  const response = await rig.request("GET", "/metrics", { key: null });
  expect(response.headers["content-type"]).toBe("text/plain; version=0.0.4");
  expect(response.body).toBe("call_engine_up 1\n");
});

const callbackPath = (dialId: string, carrier = "loopback") =>
  createCallbackTokens(rig.deps.deploymentSecret).statusUrl("", carrier, dialId);

test("a carrier's report reaches its adapter as it came, and ends the dial by the carrier's word", async () => {
  const { dialId } = await rig.dial();
  await rig.memory.store.dials.claim(dialId, "worker");
  let seen: CallbackRequest | undefined;
  rig.readCallback = (id, request) => {
    seen = request;
    return { dialId: id, call: { state: "ended", callId: "c1", end: { cause: "busy" } } };
  };
  const path = callbackPath(dialId);
  const response = await rig.request("POST", `${path}?x=1`, {
    key: null,
    body: "CallStatus=busy&x=%ff",
    headers: { "content-type": "application/x-www-form-urlencoded", "x-signature": "abc" },
  });
  expect(response.statusCode).toBe(204);
  expect(seen?.url).toBe(`https://calls.test${path}?x=1`);
  expect(Buffer.from(seen?.body ?? []).toString()).toBe("CallStatus=busy&x=%ff");
  expect(seen?.headers["x-signature"]).toBe("abc");
  expect(rig.memory.row(dialId)).toMatchObject({ state: "ENDED", evidence: 3, end: { reason: "busy" } });
  expect(rig.seen.ended).toEqual([callEnd("busy", "remote")]);
});

test("reports in any order, twice and late, move a dial only forward", async () => {
  const { dialId } = await rig.dial();
  await rig.memory.store.dials.claim(dialId, "worker");
  const ended = { state: "ended", callId: "c1", end: { cause: "completed" } } as const;
  const calls: CarrierCall[] = [
    { state: "in-progress", callId: "c1" },
    { state: "ringing", callId: "c1" },
    ended,
    { state: "in-progress", callId: "c1" },
    ended,
  ];
  for (const call of calls) {
    rig.readCallback = (id) => ({ dialId: id, call });
    expect((await rig.request("POST", callbackPath(dialId), { key: null, body: {} })).statusCode).toBe(204);
  }
  const states = rig.live.published.map(({ event }) => (event.type === "status" ? event.status : ""));
  expect(states).toEqual(["queued", "in-progress", "completed"]);
  expect(rig.seen.ended).toHaveLength(1);
});

test("a report on another call of the same dial changes nothing", async () => {
  const { dialId } = await rig.dial();
  const claim = await rig.memory.store.dials.claim(dialId, "worker");
  await rig.memory.store.dials.attachCall(claim!, "c1");
  rig.readCallback = (id) => ({ dialId: id, call: { state: "ended", callId: "c2", end: { cause: "failed" } } });
  await rig.request("POST", callbackPath(dialId), { key: null });
  expect(rig.memory.row(dialId).state).toBe("PLACING");
});

test("a report that the adapter does not take is answered and changes nothing", async () => {
  const { dialId } = await rig.dial();
  expect((await rig.request("POST", callbackPath(dialId), { key: null, body: "?" })).statusCode).toBe(204);
  expect(rig.memory.row(dialId).state).toBe("QUEUED");
});

test("a callback with a wrong token, for another dial or from another carrier is not there", async () => {
  const one = await rig.dial();
  const two = await rig.dial();
  const token = callbackPath(one.dialId).split("/").at(-1) ?? "";
  let read = 0;
  rig.readCallback = () => {
    read += 1;
    return undefined;
  };
  for (const path of [
    `/carriers/loopback/status/${two.dialId}/${token}`,
    `/carriers/acme/status/${one.dialId}/${token}`,
    callbackPath(one.dialId, "acme"),
    `/carriers/loopback/status/${one.dialId}/${token.slice(0, -1)}`,
    `/carriers/loopback/status/${one.dialId}/x`,
  ]) {
    const response = await rig.request("POST", path, { key: null, body: {} });
    expect(response.json()).toMatchObject({ status: 404, code: "not_found" });
  }
  expect(read).toBe(0);
});
