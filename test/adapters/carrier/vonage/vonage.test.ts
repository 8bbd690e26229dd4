import { createHash, createHmac, createVerify, generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import vonage from "../../../../src/adapters/carrier/vonage/vonage.ts";
import type { CallbackRequest } from "../../../../src/ports/carrier.ts";
import type { VirtualClock } from "../../../kit/virtual-clock.ts";
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

const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const PEM = privateKey.export({ format: "pem", type: "pkcs8" }).toString();
const APPLICATION = "78d335fa-323d-0114-9c3d-d6f0d48968cf";
const SECRET = "signature-secret-of-the-account";

const rigOf = (more: Readonly<Record<string, string>> = {}) =>
  accountRig(vonage, {
    VONAGE_APPLICATION_ID: APPLICATION,
    VONAGE_PRIVATE_KEY: PEM.replaceAll("\n", "\\n"),
    VONAGE_SIGNATURE_SECRET: SECRET,
    ...more,
  });

const CALL = "63f61863-4a51-4f6b-86e1-46edebcf9356";
const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");

type Claims = Readonly<Record<string, unknown>>;
const tokenOf = (
  clock: VirtualClock,
  body: string,
  claims: Claims = {},
  header: object = {},
  secret = SECRET,
): string => {
  const content = `${encode({ alg: "HS256", typ: "JWT", ...header })}.${encode({
    iat: Math.floor(clock.now() / 1000),
    jti: "c5ba8f24",
    iss: "Vonage",
    payload_hash: createHash("sha256").update(body).digest("hex"),
    api_key: "a1b2c3d",
    application_id: APPLICATION,
    ...claims,
  })}`;
  return `Bearer ${content}.${createHmac("sha256", secret).update(content).digest("base64url")}`;
};

const signed = (clock: VirtualClock, fields: object, url = STATUS_URL): CallbackRequest => {
  const body = JSON.stringify(fields);
  return callback(body, { "content-type": "application/json", authorization: tokenOf(clock, body) }, url);
};

const event = (status: string, more: object = {}) => ({
  from: "12025550100",
  to: "12025550123",
  uuid: CALL,
  conversation_uuid: "CON-1",
  status,
  direction: "outbound",
  timestamp: "2026-01-05T09:00:00.000Z",
  ...more,
});

test("a call is placed by one request, with a document that connects its sound", async () => {
  const { carrier, http, patience } = rigOf();
  http.answer(json(201, { uuid: CALL, status: "started", direction: "outbound", conversation_uuid: "CON-1" }));
  expect(await carrier.place(placeRequest({ detectMachine: true }), patience)).toEqual({
    type: "accepted",
    callId: CALL,
  });
  expect(http.requests).toHaveLength(1);
  expect(http.requests[0]).toMatchObject({ method: "POST", url: "https://api.nexmo.com/v1/calls" });
  expect(http.said).toEqual({
    to: [{ type: "phone", number: "12025550123" }],
    from: { type: "phone", number: "12025550100" },
    ncco: [
      {
        action: "connect",
        eventType: "synchronous",
        eventUrl: [ANSWER_URL],
        eventMethod: "POST",
        endpoint: [
          { type: "websocket", uri: MEDIA_URL, "content-type": "audio/l16;rate=16000", headers: { dialId: "dial-1" } },
        ],
      },
    ],
    event_url: [STATUS_URL],
    event_method: "POST",
    ringing_timer: 30,
    length_timer: 3600,
    machine_detection: "continue",
  });
});

test("each request has a token of the application, good for five minutes", async () => {
  const { carrier, http, patience, clock } = rigOf();
  await carrier.place(placeRequest(), patience);
  await carrier.hangUp(CALL, patience);
  const tokens = http.requests.map(({ headers }) => headers["authorization"]?.slice(7) ?? "");
  expect(new Set(tokens).size).toBe(2);
  const [header = "", payload = "", signature = ""] = (tokens[0] ?? "").split(".");
  const genuine = createVerify("RSA-SHA256").update(`${header}.${payload}`).verify(publicKey, signature, "base64url");
  expect(genuine).toBe(true);
  const now = clock.now() / 1000;
  expect(JSON.parse(Buffer.from(header, "base64url").toString())).toEqual({ alg: "RS256", typ: "JWT" });
  expect(JSON.parse(Buffer.from(payload, "base64url").toString())).toMatchObject({
    application_id: APPLICATION,
    iat: now,
    exp: now + 300,
  });
});

test("what is no private key is told so, without showing it", () => {
  expect(() => rigOf({ VONAGE_PRIVATE_KEY: "-----BEGIN PRIVATE KEY-----\\nsecret" })).toThrow(
    /^VONAGE_PRIVATE_KEY is no/,
  );
});

test.each(PLACE_OUTCOMES)("%s is that, and nothing is asked again", async (_, answer, outcome) => {
  const { carrier, http, patience } = rigOf();
  http.answer(answer);
  expect(await carrier.place(placeRequest(), patience)).toMatchObject(outcome);
  expect(http.requests).toHaveLength(1);
});

test("a number that Vonage does not take is an invalid number", async () => {
  const { carrier, http, patience } = rigOf();
  http.answer(json(400, { title: "Bad Request", invalid_parameters: [{ name: "to[0].number", reason: "Invalid" }] }));
  expect(await carrier.place(placeRequest(), patience)).toEqual({ type: "rejected", reason: "invalid_number" });
});

test("hanging up is one change, and a call that is over is no error", async () => {
  const { carrier, http, patience } = rigOf();
  for (const status of [204, 404, 400]) {
    http.answer(json(status, {}));
    await carrier.hangUp(CALL, patience);
  }
  expect(http.requests[0]).toMatchObject({ method: "PUT", url: `https://api.nexmo.com/v1/calls/${CALL}` });
  expect(http.said).toEqual({ action: "hangup" });
  http.answer(LOST);
  await expect(carrier.hangUp(CALL, patience)).rejects.toThrow("hanging up found no answer");
});

describe("the outcome table", () => {
  test.each<[string, object, object]>([
    ["busy", {}, { cause: "busy" }],
    ["unanswered", {}, { cause: "no-answer" }],
    ["timeout", {}, { cause: "no-answer" }],
    ["cancelled", {}, { cause: "canceled" }],
    ["rejected", {}, { cause: "rejected" }],
    ["failed", {}, { cause: "failed" }],
    ["failed", { detail: "number_out_of_service" }, { cause: "invalid-number" }],
    ["completed", {}, { cause: "completed" }],
    ["completed", { disconnected_by: "user" }, { cause: "completed", endedBy: "remote" }],
    ["completed", { disconnected_by: "platform" }, { cause: "completed" }],
  ])("%s %o is %o", (status, more, end) => {
    const { carrier, clock } = rigOf();
    const said = carrier.readCallback("dial-1", signed(clock, event(status, more)));
    expect(said).toEqual({ dialId: "dial-1", call: { state: "ended", callId: CALL, end } });
  });

  test.each<[string, string, string | undefined]>([
    ["ringing", "ringing", undefined],
    ["answered", "in-progress", undefined],
    ["human", "in-progress", "human"],
    ["machine", "in-progress", "machine"],
  ])("%s is %s", (status, state, answeredBy) => {
    const { carrier, clock } = rigOf();
    const said = carrier.readCallback("dial-1", signed(clock, event(status)));
    expect(said).toEqual({ dialId: "dial-1", call: { state, callId: CALL }, ...(answeredBy && { answeredBy }) });
  });

  test.each([
    ["started", event("started")],
    ["a status of tomorrow", event("teleported")],
    ["the leg to our own websocket", event("completed", { to: MEDIA_URL })],
    ["an event without a call", { status: "completed" }],
  ])("%s changes nothing", (_, fields) => {
    const { carrier, clock } = rigOf();
    expect(carrier.readCallback("dial-1", signed(clock, fields))).toBeUndefined();
  });
});

test("what Vonage has not signed for this application, or not lately, is forged", () => {
  const { carrier, clock } = rigOf();
  const body = JSON.stringify(event("answered"));
  const with_ = (authorization: string | undefined, said = body) =>
    carrier.readCallback("dial-1", callback(said, authorization === undefined ? {} : { authorization }));
  const now = Math.floor(clock.now() / 1000);
  expect(with_(tokenOf(clock, body))).not.toBe("forged");
  expect(with_(tokenOf(clock, body), `${body} `)).toBe("forged");
  expect(with_(undefined)).toBe("forged");
  expect(with_("Bearer a.b")).toBe("forged");
  expect(with_(tokenOf(clock, body, {}, {}, "another secret"))).toBe("forged");
  expect(with_(tokenOf(clock, body, {}, { alg: "none" }))).toBe("forged");
  expect(with_(tokenOf(clock, body, { iat: now - 301 }))).toBe("forged");
  expect(with_(tokenOf(clock, body, { iat: undefined }))).toBe("forged");
  expect(with_(tokenOf(clock, body, { exp: now - 1 }))).toBe("forged");
  expect(with_(tokenOf(clock, body, { application_id: "another" }))).toBe("forged");
  expect(with_(tokenOf(clock, body, { payload_hash: undefined }))).toBe("forged");
});

test("somebody who rings is announced and answered with a document", async () => {
  const { carrier, clock, patience } = rigOf();
  const ringing = { from: "12025550177", to: "12025550100", uuid: CALL, conversation_uuid: "CON-1" };
  const call = { callId: CALL, from: "+12025550177", to: "+12025550100" };
  expect(carrier.readNotice?.(signed(clock, ringing))).toEqual({ type: "ringing", call });
  const url = `https://calls.example.com/notice?${new URLSearchParams(ringing).toString()}`;
  const get: CallbackRequest = {
    method: "GET",
    url,
    headers: { authorization: tokenOf(clock, "") },
    body: new Uint8Array(),
  };
  expect(carrier.readNotice?.(get)).toEqual({ type: "ringing", call });
  expect(carrier.readNotice?.(signed(clock, event("completed")))).toMatchObject({
    type: "report",
    call: { state: "ended" },
  });
  const answer = await carrier.answer?.(call, placeRequest(), patience);
  expect(answer).toMatchObject({ status: 200, contentType: "application/json" });
  const [connect] = JSON.parse(answer?.body ?? "") as { endpoint: { headers: object }[] }[];
  expect(connect?.endpoint[0]?.headers).toEqual({ dialId: "dial-1", callId: CALL });
  expect((await carrier.decline?.(call, "busy", patience))?.body).toBe("[]");
});

test("a websocket that broke is connected again, and one that was completed is not", () => {
  const { carrier, clock } = rigOf();
  const read = (status: string) =>
    carrier.readConnect?.(signed(clock, event(status, { to: MEDIA_URL, uuid: "ws-leg" }), ANSWER_URL));
  expect([read("disconnected"), read("failed"), read("unanswered")]).toEqual(["connect", "connect", "connect"]);
  expect(read("completed")).toBe("over");
  expect(read("answered")).toMatchObject({ answer: { status: 204 } });
  expect(carrier.readConnect?.(callback("{}", {}, ANSWER_URL))).toBe("forged");
  const { body } = carrier.connect?.({ ...placeRequest() }) ?? {};
  expect(body).toContain(MEDIA_URL);
  expect(carrier.connect?.(undefined).body).toBe("[]");
});

describe("a transfer", () => {
  const begun = async () => {
    const rig = rigOf();
    rig.http.answer(json(204, ""));
    const result = rig.carrier.transfer?.(CALL, "+12025550188", rig.patience, BACK);
    await rig.clock.settle();
    return { ...rig, result };
  };
  const leg = (clock: VirtualClock, status: string) =>
    signed(clock, event(status, { uuid: "other", to: "12025550188" }), ANSWER_URL);

  test("is one change of the call's document, and is told by the other leg's answer", async () => {
    const { http, result, carrier, clock } = await begun();
    expect(http.said).toEqual({
      action: "transfer",
      destination: {
        type: "ncco",
        ncco: [
          {
            action: "connect",
            from: "12025550100",
            timeout: "20",
            eventType: "synchronous",
            eventUrl: [ANSWER_URL],
            eventMethod: "POST",
            endpoint: [{ type: "phone", number: "12025550188" }],
          },
        ],
      },
    });
    expect(carrier.readConnect?.(leg(clock, "answered"))).toMatchObject({ answer: { status: 204 } });
    expect(await result).toBe("transferred");
    expect(carrier.readConnect?.(leg(clock, "completed"))).toBe("over");
    expect(clock.pending).toBe(0);
  });

  test.each(["busy", "timeout", "rejected", "unanswered", "failed"])(
    "brings the person back when the leg is %s",
    async (status) => {
      const { result, carrier, clock } = await begun();
      expect(carrier.readConnect?.(leg(clock, status))).toBe("connect");
      expect(await result).toBe("failed");
    },
  );

  test("is found out by asking where the events come to another process", async () => {
    const { http, result, clock } = await begun();
    const calls = [{ uuid: "other", status: "answered", to: { type: "phone", number: "12025550188" } }];
    http.answer(json(200, { uuid: CALL, conversation_uuid: "CON-1" }), json(200, { _embedded: { calls } }));
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
  const record = (status: string) => ({
    uuid: CALL,
    status,
    direction: "outbound",
    to: { type: "phone", number: "12025550123" },
    from: { type: "phone", number: "12025550100" },
  });

  test.each([
    ["started", { state: "ringing", callId: CALL }],
    ["ringing", { state: "ringing", callId: CALL }],
    ["answered", { state: "in-progress", callId: CALL }],
    ["completed", { state: "ended", callId: CALL, end: { cause: "completed" } }],
    ["busy", { state: "ended", callId: CALL, end: { cause: "busy" } }],
  ])("that is %s", async (status, found) => {
    const { carrier, http, patience } = rigOf();
    http.answer(json(200, record(status)));
    expect(await carrier.lookUp({ dialId: "dial-1", callId: CALL }, patience)).toEqual(found);
  });

  test("without its id goes by the two numbers and the time", async () => {
    const { carrier, http, patience, clock } = rigOf();
    const other = { ...record("busy"), uuid: "other", to: { type: "phone", number: "12025550199" } };
    http.answer(json(200, { _embedded: { calls: [other, record("answered")] } }));
    const reference = { dialId: "dial-1", to: "+12025550123", from: "+12025550100", since: clock.now() };
    expect(await carrier.lookUp(reference, patience)).toEqual({ state: "in-progress", callId: CALL });
    expect(http.requests[0]?.url).toContain("date_start=2026-01-05T08%3A59%3A00.000Z");
    http.answer(json(200, { _embedded: { calls: [other] } }));
    expect(await carrier.lookUp(reference, patience)).toEqual({ state: "absent", final: false });
    http.answer(json(404, {}));
    expect(await carrier.lookUp({ dialId: "dial-1", callId: CALL }, patience)).toEqual({
      state: "absent",
      final: false,
    });
  });
});
