import { describe, expect, test } from "vitest";
import plivo from "../../../../src/adapters/carrier/plivo/plivo.ts";
import { plivoSignature } from "../../../../src/adapters/carrier/plivo/signature.ts";
import type { CallbackRequest } from "../../../../src/ports/carrier.ts";
import {
  accountRig,
  ANSWER_URL,
  BACK,
  callback,
  json,
  LOST,
  MEDIA_URL,
  PLACE_OUTCOMES,
  placeRequest,
  STATUS_URL,
} from "../rest/account-rig.ts";

const TOKEN = "token-of-the-account";
const rigOf = () => accountRig(plivo, { PLIVO_AUTH_ID: "MAXXXXXXXXXXXXXXXXXX", PLIVO_AUTH_TOKEN: TOKEN });
const ACCOUNT = "https://api.plivo.com/v1/Account/MAXXXXXXXXXXXXXXXXXX";
const CALL = "9834029e-58b6-11e1-b8b7-a5bd0e4e126f";

const signed = (fields: Readonly<Record<string, string>>, url = STATUS_URL): CallbackRequest => {
  const form = new URLSearchParams({ CallUUID: CALL, From: "12025550100", To: "12025550123", ...fields });
  const nonce = "05429567804466091622";
  return callback(
    form.toString(),
    {
      "content-type": "application/x-www-form-urlencoded",
      "x-plivo-signature-v3": plivoSignature({ url, fields: form, nonce, authToken: TOKEN }),
      "x-plivo-signature-v3-nonce": nonce,
    },
    url,
  );
};

test("a call is placed by one request with everything in it", async () => {
  const { carrier, http, patience } = rigOf();
  http.answer(json(201, { api_id: "a", message: "call fired", request_uuid: CALL }));
  expect(await carrier.place(placeRequest({ detectMachine: true }), patience)).toEqual({
    type: "accepted",
    callId: CALL,
  });
  expect(http.requests).toHaveLength(1);
  expect(http.requests[0]).toMatchObject({
    method: "POST",
    url: `${ACCOUNT}/Call/`,
    headers: { authorization: `Basic ${Buffer.from(`MAXXXXXXXXXXXXXXXXXX:${TOKEN}`).toString("base64")}` },
  });
  expect(http.said).toEqual({
    to: "12025550123",
    from: "12025550100",
    answer_url: ANSWER_URL,
    answer_method: "POST",
    ring_url: STATUS_URL,
    ring_method: "POST",
    hangup_url: STATUS_URL,
    hangup_method: "POST",
    ring_timeout: 30,
    time_limit: 3600,
    machine_detection: "true",
    machine_detection_url: STATUS_URL,
    machine_detection_method: "POST",
  });
});

test.each(PLACE_OUTCOMES)("%s is that, and nothing is asked again", async (_, answer, outcome) => {
  const { carrier, http, patience } = rigOf();
  http.answer(answer);
  expect(await carrier.place(placeRequest(), patience)).toMatchObject(outcome);
  expect(http.requests).toHaveLength(1);
});

test("a number that Plivo does not take is an invalid number", async () => {
  const { carrier, http, patience } = rigOf();
  http.answer(json(400, { error: "to parameter is invalid" }));
  expect(await carrier.place(placeRequest(), patience)).toEqual({ type: "rejected", reason: "invalid_number" });
});

test("the document connects the sound both ways, and comes back when the socket breaks", () => {
  const { carrier } = rigOf();
  expect(carrier.connect?.({ ...placeRequest(), mediaUrl: `${MEDIA_URL}?a=1&b=2` })).toEqual({
    status: 200,
    contentType: "text/xml; charset=utf-8",
    body: `<?xml version="1.0" encoding="UTF-8"?><Response><Stream bidirectional="true" keepCallAlive="true" audioTrack="inbound" streamTimeout="86400" contentType="audio/x-mulaw;rate=8000" statusCallbackUrl="${STATUS_URL}" statusCallbackMethod="POST">${MEDIA_URL}?a=1&amp;b=2</Stream><Redirect method="POST">${ANSWER_URL}</Redirect></Response>`,
  });
  expect(carrier.connect?.(undefined).body).toContain("<Hangup/>");
  expect(carrier.readConnect?.(signed({ CallStatus: "in-progress", Event: "StartApp" }, ANSWER_URL))).toBe("connect");
  expect(carrier.readConnect?.(callback("", {}, ANSWER_URL))).toBe("forged");
});

test("hanging up ends the call, or takes back what has not become one yet", async () => {
  const { carrier, http, patience } = rigOf();
  http.answer(json(204, ""));
  await carrier.hangUp(CALL, patience);
  http.answer(json(404, {}), json(204, ""));
  await carrier.hangUp(CALL, patience);
  http.answer(json(404, {}));
  await carrier.hangUp(CALL, patience);
  expect(http.requests.map(({ method, url }) => `${method} ${url.slice(ACCOUNT.length)}`)).toEqual([
    `DELETE /Call/${CALL}/`,
    `DELETE /Call/${CALL}/`,
    `DELETE /Request/${CALL}/`,
    `DELETE /Call/${CALL}/`,
    `DELETE /Request/${CALL}/`,
  ]);
  http.answer(LOST);
  await expect(carrier.hangUp(CALL, patience)).rejects.toThrow("hanging up found no answer");
});

describe("the outcome table", () => {
  test.each<[string, Record<string, string>, object]>([
    ["busy", { HangupCauseCode: "3010" }, { cause: "busy" }],
    ["no-answer", {}, { cause: "no-answer" }],
    ["timeout", {}, { cause: "no-answer" }],
    ["cancel", { HangupCauseCode: "1000" }, { cause: "canceled" }],
    ["failed", { HangupCauseCode: "2000" }, { cause: "invalid-number" }],
    ["failed", { HangupCauseCode: "2010" }, { cause: "invalid-number" }],
    ["failed", { HangupCauseCode: "1020" }, { cause: "rate-limited" }],
    ["failed", { HangupCauseName: "Rejected" }, { cause: "rejected" }],
    ["failed", {}, { cause: "failed" }],
    ["completed", { HangupSource: "Callee" }, { cause: "completed", endedBy: "remote" }],
    ["completed", { HangupSource: "Call recipient" }, { cause: "completed", endedBy: "remote" }],
    ["completed", { HangupSource: "Caller" }, { cause: "completed" }],
    ["completed", { HangupSource: "Caller", Direction: "inbound" }, { cause: "completed", endedBy: "remote" }],
    ["completed", { HangupSource: "API Request" }, { cause: "completed" }],
    ["completed", { HangupSource: "Carrier" }, { cause: "completed", endedBy: "carrier" }],
    [
      "completed",
      { HangupCauseName: "Scheduled Hangup", HangupSource: "Plivo" },
      { cause: "time-limit", endedBy: "carrier" },
    ],
  ])("%s %o is %o", (CallStatus, more, end) => {
    const { carrier } = rigOf();
    const said = carrier.readCallback("dial-1", signed({ Event: "Hangup", CallStatus, ...more }));
    expect(said).toEqual({ dialId: "dial-1", call: { state: "ended", callId: CALL, end } });
  });

  test.each<[string, Record<string, string>, string, string | undefined]>([
    ["a phone that rings", { Event: "Ring", CallStatus: "ringing" }, "ringing", undefined],
    ["a stream that starts", { Event: "StartStream" }, "in-progress", undefined],
    ["a machine", { Event: "MachineDetection", Machine: "true" }, "in-progress", "machine"],
    ["no machine", { Event: "MachineDetection", Machine: "false" }, "in-progress", "human"],
  ])("%s is told", (_, fields, state, answeredBy) => {
    const { carrier } = rigOf();
    const said = carrier.readCallback("dial-1", signed(fields));
    expect(said).toEqual({ dialId: "dial-1", call: { state, callId: CALL }, ...(answeredBy && { answeredBy }) });
  });

  test("a call that we placed is known by the id of its request", () => {
    const { carrier } = rigOf();
    const said = carrier.readCallback("dial-1", signed({ Event: "Ring", CallStatus: "ringing", RequestUUID: "r1" }));
    expect(said).toMatchObject({ call: { callId: "r1" } });
  });

  test("what changes nothing is passed over", () => {
    const { carrier } = rigOf();
    expect(carrier.readCallback("dial-1", signed({ Event: "StopStream" }))).toBeUndefined();
    expect(carrier.readCallback("dial-1", signed({ CallStatus: "queued" }))).toBeUndefined();
    expect(carrier.readCallback("dial-1", signed({ CallUUID: '"', CallStatus: "ringing" }))).toBeUndefined();
  });
});

describe("the signature", () => {
  test.each([
    [
      "a form",
      "https://calls.example.com/a/b",
      "POST",
      [
        ["CallUUID", "x"],
        ["Also", "a"],
        ["CallUUID", "b"],
      ],
    ],
    ["a form at an address with a query", "https://calls.example.com/a?z=1&b=2&b=1", "POST", [["To", "ü +1"]]],
    ["no form", "https://calls.example.com/a?z=1&b=%20x", "GET", []],
    ["nothing at all", "https://calls.example.com:8443/a", "POST", []],
  ] as const)("of %s is accepted, and of anything else is not", (_, url, method, pairs) => {
    const { carrier } = rigOf();
    const form = new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, value]));
    const nonce = "12345";
    const signature = plivoSignature({ url, fields: form, nonce, authToken: TOKEN });
    const request = (given: string, at: string = url): CallbackRequest => ({
      method,
      url: at,
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        "x-plivo-signature-v3": given,
        "x-plivo-signature-v3-nonce": nonce,
      },
      body: Buffer.from(method === "GET" ? "" : form.toString()),
    });
    const read = (given: CallbackRequest) => carrier.readCallback("dial-1", given);
    expect(read(request(signature))).not.toBe("forged");
    expect(read(request(`b3RoZXI=, ${signature}`))).not.toBe("forged");
    expect(read(request("b3RoZXI="))).toBe("forged");
    expect(read(request(signature, `${url}x`))).toBe("forged");
    expect(read({ ...request(signature), headers: {} })).toBe("forged");
  });
});

test("somebody who rings is announced, answered and declined with documents", async () => {
  const { carrier, patience } = rigOf();
  const fields = { Direction: "inbound", From: "12025550177", To: "12025550100" };
  const call = { callId: CALL, from: "+12025550177", to: "+12025550100" };
  const ringing = { ...fields, CallStatus: "ringing", Event: "StartApp" };
  expect(carrier.readNotice?.(signed(ringing))).toEqual({ type: "ringing", call });
  expect(
    carrier.readNotice?.(signed({ ...fields, CallStatus: "completed", Event: "Hangup", HangupSource: "Caller" })),
  ).toEqual({
    type: "report",
    call: { state: "ended", callId: CALL, end: { cause: "completed", endedBy: "remote" } },
  });
  expect((await carrier.answer?.(call, placeRequest(), patience))?.body).toContain(MEDIA_URL);
  expect((await carrier.decline?.(call, "busy", patience))?.body).toContain('<Hangup reason="busy"/>');
  expect((await carrier.decline?.(call, "unknown-number", patience))?.body).toContain('<Hangup reason="rejected"/>');
});

describe("a transfer", () => {
  const begun = async () => {
    const rig = rigOf();
    rig.http.answer(json(202, { message: "call transferred" }));
    const result = rig.carrier.transfer?.(CALL, "+12025550188", rig.patience, BACK);
    await rig.clock.settle();
    return { ...rig, result, url: String(rig.http.said["aleg_url"]) };
  };

  test("fetches its document where it was told, and is told when somebody answers", async () => {
    const { http, result, carrier, url, clock } = await begun();
    expect(http.requests[0]?.url).toBe(`${ACCOUNT}/Call/${CALL}/`);
    expect(http.said).toMatchObject({ legs: "aleg", aleg_method: "POST" });
    expect(carrier.readConnect?.(signed({ CallStatus: "in-progress" }, url))).toEqual({
      answer: {
        status: 200,
        contentType: "text/xml; charset=utf-8",
        body: `<?xml version="1.0" encoding="UTF-8"?><Response><Dial callerId="12025550100" timeout="20" action="${ANSWER_URL}" method="POST" redirect="true" callbackUrl="${ANSWER_URL}" callbackMethod="POST"><Number>12025550188</Number></Dial></Response>`,
      },
    });
    expect(carrier.readConnect?.(signed({ Event: "DialAnswer", DialAction: "answer" }, ANSWER_URL))).toMatchObject({
      answer: { status: 204 },
    });
    expect(await result).toBe("transferred");
    expect(carrier.readConnect?.(signed({ DialStatus: "completed" }, ANSWER_URL))).toBe("over");
    expect(clock.pending).toBe(0);
  });

  test.each(["busy", "no-answer", "failed", "timeout"])(
    "brings the person back when the other is %s",
    async (DialStatus) => {
      const { result, carrier } = await begun();
      expect(carrier.readConnect?.(signed({ DialStatus }, ANSWER_URL))).toBe("connect");
      expect(await result).toBe("failed");
    },
  );

  test("is found out by asking where the callbacks come to another process", async () => {
    const { http, result, clock } = await begun();
    http.answer(
      json(200, { call_status: "in-progress" }),
      json(200, { calls: ["other"] }),
      json(200, { call_status: "in-progress", to: "12025550188", from: "12025550100" }),
    );
    await clock.advance(2000);
    expect(await result).toBe("transferred");
  });

  test("whose answer is lost rejects, and one of a call that is over has failed", async () => {
    const { carrier, http, patience } = rigOf();
    http.answer(LOST);
    await expect(carrier.transfer?.(CALL, "+12025550188", patience, BACK)).rejects.toThrow(
      "transferring found no answer",
    );
    http.answer(json(404, {}));
    expect(await carrier.transfer?.(CALL, "+12025550188", patience, BACK)).toBe("failed");
  });
});

describe("looking a call up", () => {
  test.each([
    ["rings", [json(200, { call_status: "ringing" })], { state: "ringing", callId: CALL }],
    ["talks", [json(200, { call_status: "in-progress" })], { state: "in-progress", callId: CALL }],
    [
      "was busy",
      [json(404, {}), json(200, { call_state: "BUSY", hangup_cause_code: 3010 })],
      { state: "ended", callId: CALL, end: { cause: "busy" } },
    ],
    [
      "is over",
      [json(404, {}), json(200, { call_duration: 12, hangup_source: "Callee", hangup_cause_code: 4000 })],
      { state: "ended", callId: CALL, end: { cause: "completed", endedBy: "remote" } },
    ],
    ["is unknown", [json(404, {})], { state: "absent", final: false }],
  ])("that %s", async (_, answers, found) => {
    const { carrier, http, patience } = rigOf();
    http.answer(...answers);
    expect(await carrier.lookUp({ dialId: "dial-1", callId: CALL }, patience)).toEqual(found);
  });

  test("without its id goes by the two numbers and the time", async () => {
    const { carrier, http, patience, clock } = rigOf();
    const reference = { dialId: "dial-1", to: "+12025550123", from: "+12025550100", since: clock.now() };
    const live = { call_status: "ringing", to: "12025550123", from: "12025550100" };
    http.answer(
      json(200, { calls: ["other", CALL] }),
      json(200, { objects: [] }),
      json(200, { ...live, to: "1" }),
      json(200, live),
    );
    expect(await carrier.lookUp(reference, patience)).toEqual({ state: "ringing", callId: CALL });
    expect(http.requests[1]?.url).toContain("end_time__gte=2026-01-05+08%3A59");
    http.answer(
      json(200, { calls: [] }),
      json(200, { objects: [{ call_uuid: CALL }] }),
      json(404, {}),
      json(200, { call_state: "NO_ANSWER" }),
    );
    expect(await carrier.lookUp(reference, patience)).toMatchObject({ state: "ended", end: { cause: "no-answer" } });
    expect(await carrier.lookUp({ dialId: "dial-1" }, patience)).toEqual({ state: "absent", final: false });
  });
});
