import twilio from "twilio";
import { afterEach, describe, expect, test } from "vitest";
import { SystemClock } from "../../../../src/adapters/clock/system.ts";
import signalwire from "../../../../src/adapters/carrier/twilio/signalwire.ts";
import { signatureOf } from "../../../../src/adapters/carrier/twilio/signature.ts";
import descriptor from "../../../../src/adapters/carrier/twilio/twilio.ts";
import { CarrierHttpClient } from "../../../../src/adapters/http/carrier-http-client.ts";
import { SecretString } from "../../../../src/kit/secret-string.ts";
import type { CallbackRequest, CarrierDeps, CarrierDescriptor, CarrierEnd } from "../../../../src/ports/carrier.ts";
import type { Clock } from "../../../../src/ports/clock.ts";
import { accountContract, PLACE, type Vendor } from "../../../contract/account.contract.ts";
import { CarrierStandIn } from "../../../kit/carrier-stand-in.ts";
import { silentLogger } from "../../../kit/silent-logger.ts";
import { VirtualClock } from "../../../kit/virtual-clock.ts";

const SID = `AC${"1".repeat(32)}`;
const TOKEN = "a-token-of-the-account";
const KEY = new SecretString(TOKEN);
const STATUS_URL = "https://calls.test/carriers/twilio/status/dial/token";

type Fields = Readonly<Record<string, string>>;

const vendorOf = (
  name: string,
  callId: string,
  make: CarrierDescriptor,
  settings: (url: string) => Fields,
  header: string,
): Vendor => {
  const signed = (url: string, fields: Fields): CallbackRequest => ({
    method: "POST",
    url,
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      // The official client's own signer, not ours.
      [header]: twilio.getExpectedTwilioSignature(TOKEN, url, { ...fields }),
    },
    body: Buffer.from(new URLSearchParams(fields).toString()),
  });
  const status =
    (CallStatus: string, more: Fields = {}) =>
    () =>
      signed(STATUS_URL, {
        CallSid: callId,
        AccountSid: SID,
        CallStatus,
        From: PLACE.from,
        To: PLACE.to,
        Unknown: "é +",
        ...more,
      });
  const call = (word: string) => ({
    status: 200,
    body: JSON.stringify({ sid: callId, status: word, direction: "outbound-api" }),
  });
  const failure = (http: number, code: number, headers = {}) => ({
    status: http,
    body: JSON.stringify({ code }),
    headers,
  });
  const ends: readonly (readonly [string, () => CallbackRequest, CarrierEnd])[] = [
    ["busy", status("busy"), { cause: "busy" }],
    ["nobody answers", status("no-answer"), { cause: "no-answer" }],
    ["canceled", status("canceled"), { cause: "canceled" }],
    ["failed", status("failed"), { cause: "failed" }],
    ["failed, no such number", status("failed", { SipResponseCode: "404" }), { cause: "invalid-number" }],
    ["failed, declined", status("failed", { SipResponseCode: "603" }), { cause: "rejected" }],
    ["completed", status("completed", { CallDuration: "12" }), { cause: "completed" }],
  ];
  return {
    name,
    callId,
    open: (url, deps) => make.create({ id: name, settings: settings(url) }, deps),
    answers: {
      accepted: { ...call("queued"), status: 201 },
      tooMany: failure(429, 20_429, { "retry-after": "2" }),
      invalidNumber: failure(400, 21_211),
      unauthorized: failure(401, 20_003),
      serverError: failure(500, 20_500),
      hungUp: call("completed"),
      alreadyOver: failure(400, 21_220),
      ringing: call("ringing"),
      inProgress: call("in-progress"),
      busy: call("busy"),
      noSuchCall: failure(404, 20_404),
    },
    ringing: status("ringing"),
    answered: status("in-progress"),
    ends,
    rings: status("ringing", { Direction: "inbound" }),
    caller: { callId, from: PLACE.from, to: PLACE.to },
  };
};

const settings = (TWILIO_BASE_URL: string) => ({ TWILIO_ACCOUNT_SID: SID, TWILIO_AUTH_TOKEN: TOKEN, TWILIO_BASE_URL });
const TWILIO = vendorOf("twilio", `CA${"a".repeat(32)}`, descriptor, settings, "x-twilio-signature");
const SIGNALWIRE = vendorOf(
  "signalwire",
  "0d2f9b7e-7c1b-4203-8a31-01988f5e6c10",
  signalwire,
  (SIGNALWIRE_BASE_URL) => ({
    SIGNALWIRE_SPACE: "example.signalwire.com",
    SIGNALWIRE_PROJECT_ID: "4f2a9b7e-7c1b-4203-8a31-01988f5e6c10",
    SIGNALWIRE_API_TOKEN: "PT-something",
    SIGNALWIRE_SIGNING_KEY: TOKEN,
    SIGNALWIRE_BASE_URL,
  }),
  "x-signalwire-signature",
);

describe("twilio", () => accountContract(TWILIO));
describe("signalwire", () => accountContract(SIGNALWIRE));

const standIns: CarrierStandIn[] = [];
afterEach(() => Promise.all(standIns.splice(0).map((one) => one.close())));
const account = async (clock: Clock = new SystemClock()) => {
  const standIn = new CarrierStandIn();
  standIns.push(standIn);
  await standIn.listen();
  const deps = { clock, logger: silentLogger(), http: new CarrierHttpClient({ clock: new SystemClock() }) };
  return { standIn, carrier: TWILIO.open(standIn.url, deps as unknown as CarrierDeps) };
};
const patience = () => new AbortController().signal;

test("a request for a call has every field that the carrier's own client would send", async () => {
  const { standIn, carrier } = await account();
  standIn.answers = [TWILIO.answers.accepted];
  await carrier.place({ ...PLACE, detectMachine: true }, patience());
  const [ours] = standIn.requests;
  const form = new URLSearchParams(ours?.body);
  expect(ours).toMatchObject({ method: "POST", url: `/2010-04-01/Accounts/${SID}/Calls.json` });
  const client = twilio(SID, TOKEN);
  client.api.baseUrl = standIn.url;
  await client.calls.create({
    to: PLACE.to,
    from: PLACE.from,
    twiml: form.get("Twiml") ?? "",
    statusCallback: PLACE.statusUrl,
    statusCallbackMethod: "POST",
    statusCallbackEvent: ["initiated", "ringing", "answered", "completed"],
    timeout: 45,
    timeLimit: 660,
    machineDetection: "Enable",
    asyncAmd: "true",
    asyncAmdStatusCallback: PLACE.statusUrl,
    asyncAmdStatusCallbackMethod: "POST",
  });
  const [, theirs] = standIn.requests;
  const sorted = (body = "") => [...new URLSearchParams(body)].map(([name, value]) => `${name}=${value}`).toSorted();
  expect(sorted(ours?.body)).toEqual(sorted(theirs?.body));
  expect(theirs?.headers["authorization"]).toBe(ours?.headers["authorization"]);
  expect(theirs?.url).toBe(ours?.url);
});

test("the document that connects the sound is the one that the carrier's own builder writes", async () => {
  const { carrier } = await account();
  const response = new twilio.twiml.VoiceResponse();
  response.connect().stream({ url: PLACE.mediaUrl });
  response.redirect({ method: "POST" }, PLACE.answerUrl);
  expect(carrier.connect?.(PLACE).body).toBe(response.toString());
});

test.each([
  ["https://calls.test/x", "https://calls.test:443/x"],
  ["https://calls.test:443/x?a=1", "https://calls.test/x?a=1"],
  ["https://calls.test:8443/x", "https://calls.test/x"],
])("a signature over %s is good for %s", async (reached, signedUrl) => {
  const { carrier } = await account();
  const fields = { CallSid: TWILIO.callId, CallStatus: "ringing" };
  const body = Buffer.from(new URLSearchParams(fields).toString());
  const headers = {
    "content-type": "application/x-www-form-urlencoded; charset=UTF-8",
    "x-twilio-signature": twilio.getExpectedTwilioSignature(TOKEN, signedUrl, fields),
  };
  expect(carrier.readCallback("d", { url: reached, headers, body })).toMatchObject({ call: { state: "ringing" } });
});

test("our signatures are good for the carrier's own verifier, also of a media handshake and of fields that come twice", () => {
  const fields = new URLSearchParams("b=2&a=1&b=3&b=2");
  const url = "wss://calls.test/media/twilio/token";
  const own = signatureOf(KEY, url, fields);
  expect(twilio.validateRequest(TOKEN, own, url, { b: ["2", "3", "2"], a: "1" })).toBe(true);
  expect(twilio.validateRequest(TOKEN, signatureOf(KEY, url, new URLSearchParams()), url, {})).toBe(true);
});

test("a media handshake is let in with the carrier's signature over the public address only", async () => {
  const { carrier } = await account();
  const url = "wss://calls.test/media/twilio/token-token-token";
  const signature = twilio.getExpectedTwilioSignature(TOKEN, url, {});
  expect(carrier.verifyMedia?.({ url, headers: { "x-twilio-signature": signature } })).toBe(true);
  expect(carrier.verifyMedia?.({ url: `${url}x`, headers: { "x-twilio-signature": signature } })).toBe(false);
  expect(carrier.verifyMedia?.({ url, headers: {} })).toBe(false);
});

test("a signed JSON body is held to the hash in its address", async () => {
  const { carrier } = await account();
  const body = Buffer.from('{"a":1}');
  const sha = "015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862";
  const url = `https://calls.test/x?bodySHA256=${sha}`;
  const headers = {
    "content-type": "application/json",
    "x-twilio-signature": twilio.getExpectedTwilioSignature(TOKEN, url, {}),
  };
  expect(carrier.readCallback("d", { url, headers, body })).toBeUndefined();
  expect(carrier.readCallback("d", { url, headers, body: Buffer.from('{"a":2}') })).toBe("forged");
});

test("what the carrier hears of an answering machine comes with the call", async () => {
  const { carrier } = await account();
  const url = STATUS_URL;
  const told = (AnsweredBy: string) => {
    const fields = { CallSid: TWILIO.callId, AnsweredBy, MachineDetectionDuration: "2000" };
    const headers = {
      "content-type": "application/x-www-form-urlencoded",
      "x-twilio-signature": twilio.getExpectedTwilioSignature(TOKEN, url, fields),
    };
    return carrier.readCallback("d", { url, headers, body: Buffer.from(new URLSearchParams(fields).toString()) });
  };
  expect(told("machine_end_beep")).toMatchObject({ answeredBy: "machine", call: { state: "in-progress" } });
  expect(told("human")).toMatchObject({ answeredBy: "human" });
  expect(told("fax")).toMatchObject({ answeredBy: "fax" });
  expect(told("unknown")).toBeUndefined();
});

test("a call whose answer was lost is found by both numbers and the time, never an older one", async () => {
  const { standIn, carrier } = await account();
  const now = Date.parse("2026-11-20T10:00:00Z");
  const listed = (sid: string, seconds: number, direction = "outbound-api") => ({
    sid: `CA${sid.repeat(32)}`,
    status: "in-progress",
    direction,
    date_created: new Date(now + seconds * 1000).toUTCString(),
  });
  const look = (calls: readonly unknown[]) => {
    standIn.answers = [{ status: 200, body: JSON.stringify({ calls }) }];
    return carrier.lookUp({ dialId: "d", to: PLACE.to, from: PLACE.from, since: now }, patience());
  };
  expect(await look([listed("b", 5, "inbound"), listed("c", 2)])).toEqual({
    state: "in-progress",
    callId: `CA${"c".repeat(32)}`,
  });
  expect(await look([listed("d", -3600)])).toEqual({ state: "absent", final: false });
  expect(await look([])).toEqual({ state: "absent", final: false });
  expect(new URL(standIn.requests[0]?.url ?? "", "http://x").searchParams.get("To")).toBe(PLACE.to);
});

test("a transfer rings the other number and tells whether they came to talk", async () => {
  const clock = new VirtualClock();
  const back = { answerUrl: PLACE.answerUrl, callerId: PLACE.from };
  const leg = (status: string) => ({ status: 200, body: JSON.stringify({ calls: [{ sid: TWILIO.callId, status }] }) });
  for (const [legs, outcome] of [
    [[leg("ringing"), leg("in-progress")], "transferred"],
    [[leg("ringing"), leg("busy")], "failed"],
    [[leg("no-answer")], "failed"],
    [[leg("completed")], "transferred"],
  ] as const) {
    const { standIn, carrier } = await account(clock);
    standIn.answers = [{ status: 200, body: "{}" }, ...legs];
    const transferred = carrier.transfer?.(TWILIO.callId, "+14155550177", patience(), back);
    while (standIn.requests.length <= legs.length) {
      await new Promise((resolve) => setImmediate(resolve));
      await clock.advance(1000);
    }
    expect(await transferred).toBe(outcome);
    const form = new URLSearchParams(standIn.requests[0]?.body);
    const response = new twilio.twiml.VoiceResponse();
    response
      .dial({ action: PLACE.answerUrl, method: "POST", timeout: 20, callerId: PLACE.from })
      .number("+14155550177");
    expect(form.get("Twiml")).toBe(response.toString());
  }
});

test("a call that is over cannot be transferred", async () => {
  const { standIn, carrier } = await account();
  standIn.answers = [TWILIO.answers.alreadyOver];
  const back = { answerUrl: PLACE.answerUrl, callerId: undefined };
  expect(await carrier.transfer?.(TWILIO.callId, "+14155550177", patience(), back)).toBe("failed");
});

test("somebody who comes back from a transfer is connected, and one who has talked there is done", async () => {
  const { carrier } = await account();
  const url = PLACE.answerUrl;
  const came = (fields: Fields) => {
    const headers = {
      "content-type": "application/x-www-form-urlencoded",
      "x-twilio-signature": twilio.getExpectedTwilioSignature(TOKEN, url, fields),
    };
    return carrier.readConnect?.({ url, headers, body: Buffer.from(new URLSearchParams(fields).toString()) });
  };
  expect(came({ DialCallStatus: "no-answer" })).toBe("connect");
  expect(came({})).toBe("connect");
  expect(came({ DialCallStatus: "completed" })).toBe("over");
  expect(carrier.connect?.(undefined).body).toContain("<Hangup/>");
});

test("a token that is wrong shows in no error", async () => {
  const { standIn, carrier } = await account();
  standIn.answers = [TWILIO.answers.unauthorized];
  await expect(carrier.hangUp(TWILIO.callId, patience())).rejects.not.toThrow(TOKEN);
});
