import { generateKeyPairSync, sign } from "node:crypto";
import { describe, expect, test } from "vitest";
import telnyx from "../../../../src/adapters/carrier/telnyx/telnyx.ts";
import type { CallbackRequest } from "../../../../src/ports/carrier.ts";
import type { VirtualClock } from "../../../kit/virtual-clock.ts";
import {
  accountRig,
  callback,
  json,
  LOST,
  MEDIA_URL,
  BACK,
  PLACE_OUTCOMES,
  placeRequest,
  STATUS_URL,
} from "../rest/account-rig.ts";

const { publicKey, privateKey } = generateKeyPairSync("ed25519");
const rawKey = Buffer.from(publicKey.export({ format: "jwk" }).x ?? "", "base64url").toString("base64");

const rigOf = (more: Readonly<Record<string, string>> = {}) =>
  accountRig(telnyx, {
    TELNYX_API_KEY: "KEY1",
    TELNYX_CONNECTION_ID: "1494404757140276705",
    TELNYX_PUBLIC_KEY: rawKey,
    ...more,
  });

const CALL = "v3:T02llQxIyaRkhfRKxgAP8nY511EhFLizdvdUKJiSw8d6A9BborherQ";
const state = (role: string) => Buffer.from(`${role}:dial-1`).toString("base64");

const signed = (clock: VirtualClock, event_type: string, payload: object, ageSeconds = 0): CallbackRequest => {
  const body = JSON.stringify({
    data: {
      event_type,
      id: "e1",
      occurred_at: "2026-01-05T09:00:00Z",
      payload: { call_control_id: CALL, ...payload },
      record_type: "event",
    },
    meta: { attempt: 1 },
  });
  const timestamp = String(Math.floor(clock.now() / 1000) - ageSeconds);
  const signature = sign(null, Buffer.from(`${timestamp}|${body}`), privateKey).toString("base64");
  return callback(body, {
    "content-type": "application/json",
    "telnyx-signature-ed25519": signature,
    "telnyx-timestamp": timestamp,
  });
};

test("a call is placed by one request with everything in it", async () => {
  const { carrier, http, patience } = rigOf();
  http.answer(json(200, { data: { call_control_id: CALL, call_leg_id: "l", call_session_id: "s", is_alive: false } }));
  expect(await carrier.place(placeRequest({ detectMachine: true }), patience)).toEqual({
    type: "accepted",
    callId: CALL,
  });
  expect(http.requests).toHaveLength(1);
  expect(http.requests[0]).toMatchObject({
    method: "POST",
    url: "https://api.telnyx.com/v2/calls",
    headers: { authorization: "Bearer KEY1" },
  });
  expect(http.said).toEqual({
    connection_id: "1494404757140276705",
    to: "+12025550123",
    from: "+12025550100",
    timeout_secs: 30,
    time_limit_secs: 3600,
    client_state: state("outbound"),
    command_id: "dial-1",
    answering_machine_detection: "detect",
    webhook_url: STATUS_URL,
    webhook_url_method: "POST",
    stream_url: MEDIA_URL,
    stream_track: "inbound_track",
    stream_codec: "PCMU",
    stream_bidirectional_mode: "rtp",
    stream_bidirectional_codec: "PCMU",
    stream_bidirectional_sampling_rate: 8000,
    stream_bidirectional_target_legs: "self",
    stream_auth_token: expect.stringMatching(/^[\w-]{43}$/),
  });
});

test("an account may ask for 16-bit sound", async () => {
  const { carrier, http, patience } = rigOf({ TELNYX_CODEC: "L16", TELNYX_BASE_URL: "http://127.0.0.1:9" });
  await carrier.place(placeRequest(), patience);
  expect(http.requests[0]?.url).toBe("http://127.0.0.1:9/v2/calls");
  expect(http.said).toMatchObject({ stream_codec: "L16", stream_bidirectional_sampling_rate: 16_000 });
});

test.each(PLACE_OUTCOMES)("%s is that, and nothing is asked again", async (_, answer, outcome) => {
  const { carrier, http, patience } = rigOf();
  http.answer(answer);
  expect(await carrier.place(placeRequest(), patience)).toMatchObject(outcome);
  expect(http.requests).toHaveLength(1);
});

test("a number that Telnyx does not take is an invalid number", async () => {
  const { carrier, http, patience } = rigOf();
  http.answer(
    json(422, {
      errors: [{ code: "10016", title: "Phone number must be in +E164 format", source: { pointer: "/to" } }],
    }),
  );
  expect(await carrier.place(placeRequest(), patience)).toEqual({ type: "rejected", reason: "invalid_number" });
});

test("only a media handshake with the right token, or none, is let in", async () => {
  const { carrier, http, patience } = rigOf();
  await carrier.place(placeRequest(), patience);
  const given = (token: string | undefined) =>
    carrier.verifyMedia?.({ url: MEDIA_URL, headers: { "x-telnyx-streaming-auth-token": token } });
  expect([given(String(http.said["stream_auth_token"])), given(undefined), given("other")]).toEqual([
    true,
    true,
    false,
  ]);
});

test("hanging up is one command, and a call that is over is no error", async () => {
  const { carrier, http, patience } = rigOf();
  for (const status of [200, 404, 422]) {
    http.answer(json(status, {}));
    await carrier.hangUp(CALL, patience);
  }
  expect(http.requests[0]?.url).toBe(`https://api.telnyx.com/v2/calls/${encodeURIComponent(CALL)}/actions/hangup`);
  http.answer(LOST);
  await expect(carrier.hangUp(CALL, patience)).rejects.toThrow("hanging up found no answer");
});

describe("the outcome table", () => {
  test.each<[string, object, object]>([
    ["user_busy", {}, { cause: "busy" }],
    ["no_answer", {}, { cause: "no-answer" }],
    ["timeout", {}, { cause: "no-answer" }],
    ["originator_cancel", {}, { cause: "canceled" }],
    ["not_found", {}, { cause: "invalid-number" }],
    ["call_rejected", {}, { cause: "rejected" }],
    ["unspecified", {}, { cause: "failed" }],
    ["a cause of tomorrow", {}, { cause: "failed" }],
    ["normal_clearing", { hangup_source: "callee" }, { cause: "completed", endedBy: "remote" }],
    ["normal_clearing", { hangup_source: "caller" }, { cause: "completed" }],
    ["normal_clearing", { hangup_source: "unknown" }, { cause: "completed" }],
    [
      "normal_clearing",
      { hangup_source: "caller", client_state: state("inbound") },
      { cause: "completed", endedBy: "remote" },
    ],
    ["normal_clearing", { hangup_source: "callee", client_state: state("inbound") }, { cause: "completed" }],
    ["time_limit", {}, { cause: "time-limit", endedBy: "carrier" }],
  ])("%s %o is %o", (hangup_cause, more, end) => {
    const { carrier, clock } = rigOf();
    const request = signed(clock, "call.hangup", { hangup_cause, ...more });
    expect(carrier.readCallback("dial-1", request)).toEqual({
      dialId: "dial-1",
      call: { state: "ended", callId: CALL, end },
    });
  });

  test.each([
    ["call.initiated", { state: "ringing", callId: CALL }],
    ["call.answered", { state: "in-progress", callId: CALL }],
  ])("%s is %o", (type, call) => {
    const { carrier, clock } = rigOf();
    expect(carrier.readCallback("dial-1", signed(clock, type, {}))).toEqual({ dialId: "dial-1", call });
  });

  test.each<[string, string, string | undefined]>([
    ["call.machine.detection.ended", "human", "human"],
    ["call.machine.detection.ended", "machine", "machine"],
    ["call.machine.detection.ended", "not_sure", undefined],
    ["call.machine.premium.detection.ended", "human_residence", "human"],
    ["call.machine.premium.detection.ended", "human_business", "human"],
    ["call.machine.premium.detection.ended", "fax_detected", "fax"],
    ["call.machine.premium.detection.ended", "silence", undefined],
  ])("%s with %s is evidence of %s", (type, result, answeredBy) => {
    const { carrier, clock } = rigOf();
    const said = carrier.readCallback("dial-1", signed(clock, type, { result }));
    expect(typeof said === "object" ? said.answeredBy : said).toBe(answeredBy);
  });
});

test("what Telnyx has not signed, or not lately, is forged", () => {
  const { carrier, clock } = rigOf();
  const good = signed(clock, "call.answered", {});
  const read = (request: CallbackRequest) => carrier.readCallback("dial-1", request);
  expect(read(good)).not.toBe("forged");
  expect(read({ ...good, body: Buffer.concat([good.body, Buffer.from(" ")]) })).toBe("forged");
  expect(read({ ...good, headers: { ...good.headers, "telnyx-timestamp": "1" } })).toBe("forged");
  expect(read({ ...good, headers: {} })).toBe("forged");
  expect(read(signed(clock, "call.answered", {}, 301))).toBe("forged");
  expect(read(signed(clock, "call.answered", {}, -301))).toBe("forged");
  expect(read(signed(clock, "call.speak.ended", {}))).toBeUndefined();
  expect(read(signed(clock, "call.hangup", { call_control_id: 5 }))).toBeUndefined();
});

test("somebody who rings is announced, answered and declined by commands", async () => {
  const { carrier, clock, http, patience } = rigOf();
  const payload = { direction: "incoming", from: "+12025550177", to: "+12025550100", state: "parked" };
  const notice = carrier.readNotice?.(signed(clock, "call.initiated", payload));
  const call = { callId: CALL, from: "+12025550177", to: "+12025550100" };
  expect(notice).toEqual({ type: "ringing", call });
  expect(carrier.readNotice?.(signed(clock, "call.hangup", { hangup_cause: "originator_cancel" }))).toEqual({
    type: "report",
    call: { state: "ended", callId: CALL, end: { cause: "canceled" } },
  });
  http.answer(json(200, { data: { result: "ok" } }));
  await carrier.answer?.(call, placeRequest(), patience);
  expect(http.requests.at(-1)?.url).toMatch(/\/actions\/answer$/);
  expect(http.said).toMatchObject({ client_state: state("inbound"), stream_url: MEDIA_URL, webhook_url: STATUS_URL });
  await carrier.decline?.(call, "busy", patience);
  expect(http.requests.at(-1)?.url).toMatch(/\/actions\/reject$/);
  expect(http.said).toEqual({ cause: "USER_BUSY" });
  http.answer(LOST);
  await expect(carrier.answer?.(call, placeRequest(), patience)).rejects.toThrow("answering found no answer");
});

describe("a transfer", () => {
  const begun = async () => {
    const rig = rigOf();
    rig.http.answer(json(200, { data: { call_control_id: CALL } }));
    await rig.carrier.place(placeRequest(), rig.patience);
    rig.http.answer(json(200, { data: { result: "ok" } }));
    const result = rig.carrier.transfer?.(CALL, "+12025550188", rig.patience, BACK);
    await rig.clock.settle();
    return { ...rig, result };
  };

  test("is one command, and is told by the event that joins both", async () => {
    const { http, result, carrier, clock } = await begun();
    expect(http.said).toMatchObject({
      to: "+12025550188",
      from: "+12025550100",
      timeout_secs: 20,
    });
    expect(carrier.readCallback("dial-1", signed(clock, "call.bridged", {}))).toBeUndefined();
    expect(await result).toBe("transferred");
    expect(clock.pending).toBe(0);
  });

  test("fails when the other telephone does not answer, whose end is not that of the call", async () => {
    const { result, carrier, clock, http } = await begun();
    const client_state = http.said["target_leg_client_state"];
    const hangup = signed(clock, "call.hangup", { call_control_id: "other", client_state, hangup_cause: "user_busy" });
    expect(carrier.readNotice?.(hangup)).toBeUndefined();
    expect(await result).toBe("failed");
  });

  test("is found out by asking where the events come to another process", async () => {
    const { http, result, clock } = await begun();
    const events = { data: [{ name: "call.bridged", metadata: { payload: { call_control_id: CALL } } }] };
    http.answer(json(200, { data: { call_session_id: "s1" } }), json(200, events));
    await clock.advance(2000);
    expect(await result).toBe("transferred");
    expect(http.requests.at(-1)?.url).toContain("filter%5Bapplication_session_id%5D=s1");
  });

  test("of which nothing is heard has failed after half a minute", async () => {
    const { result, clock } = await begun();
    await clock.advance(30_000);
    expect(await result).toBe("failed");
    expect(clock.pending).toBe(0);
  });

  test("whose answer is lost rejects", async () => {
    const { carrier, http, patience } = rigOf();
    http.answer(LOST);
    await expect(carrier.transfer?.(CALL, "+12025550188", patience, BACK)).rejects.toThrow(
      "transferring found no answer",
    );
  });
});

describe("looking a call up", () => {
  const status = (alive: boolean, call_duration = 0) =>
    json(200, {
      data: { call_control_id: CALL, call_leg_id: "l1", call_session_id: "s1", is_alive: alive, call_duration },
    });
  const events = (...list: readonly (readonly [name: string, payload: object])[]) =>
    json(200, {
      data: list.map(([name, payload]) => ({ name, metadata: { payload: { call_control_id: CALL, ...payload } } })),
    });

  test.each([
    ["rings", status(true), events(["call.initiated", {}]), { state: "ringing", callId: CALL }],
    [
      "talks",
      status(true),
      events(["call.initiated", {}], ["call.answered", {}]),
      { state: "in-progress", callId: CALL },
    ],
    ["talks, whatever became of its events", status(true, 5), LOST, { state: "in-progress", callId: CALL }],
    [
      "was busy",
      status(false),
      events(["call.hangup", { hangup_cause: "user_busy" }]),
      { state: "ended", callId: CALL, end: { cause: "busy" } },
    ],
    [
      "is over, nobody knows why",
      status(false),
      json(500, {}),
      { state: "ended", callId: CALL, end: { cause: "failed" } },
    ],
    ["is unknown", json(404, {}), json(404, {}), { state: "absent", final: false }],
  ])("that %s", async (_, first, second, found) => {
    const { carrier, http, patience } = rigOf();
    http.answer(first, second);
    expect(await carrier.lookUp({ dialId: "dial-1", callId: CALL }, patience)).toEqual(found);
  });

  test("by our reference goes by what the call was marked with", async () => {
    const { carrier, http, patience } = rigOf();
    const initiated = events(["call.initiated", { client_state: state("outbound") }]);
    http.answer(initiated, status(true), initiated);
    expect(await carrier.lookUp({ dialId: "dial-1" }, patience)).toEqual({ state: "ringing", callId: CALL });
    http.answer(initiated);
    expect(await carrier.lookUp({ dialId: "dial-2" }, patience)).toEqual({ state: "absent", final: false });
    http.answer(LOST);
    await expect(carrier.lookUp({ dialId: "dial-2" }, patience)).rejects.toThrow("found no answer");
  });
});
