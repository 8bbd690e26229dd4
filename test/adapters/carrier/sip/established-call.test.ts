import { expect, test } from "vitest";
import { Dialog } from "../../../../src/adapters/carrier/sip/dialog.ts";
import { EstablishedCall } from "../../../../src/adapters/carrier/sip/established-call.ts";
import { headerOf, sipRequest, type SipHeader } from "../../../../src/adapters/carrier/sip/message.ts";
import {
  describe as describeSound,
  parseDescription,
  type Direction,
  type SoundCodec,
} from "../../../../src/adapters/carrier/sip/session-description.ts";
import type { SessionTerms } from "../../../../src/adapters/carrier/sip/session-timer.ts";
import { SipLine } from "../../../../src/adapters/carrier/sip/sip-line.ts";
import type { CarrierEnd } from "../../../../src/ports/carrier.ts";
import { MemoryNetwork, memoryPair } from "./memory-network.ts";

const sound = (direction: Direction = "sendrecv", codecs: readonly SoundCodec[] = ["mulaw"]): Uint8Array =>
  describeSound({ address: "192.0.2.1", port: 4000, session: { id: 1, version: 1 }, codecs, keys: 101, direction });

const rig = (terms?: SessionTerms) => {
  const network = new MemoryNetwork();
  const deps = network.deps();
  const { pair } = memoryPair();
  const ends: CarrierEnd[] = [];
  const line = new SipLine({ ...deps, callId: "one", codec: "mulaw", pair, closed: () => call.hangUp() });
  const dialog = new Dialog({
    callId: "one",
    local: "<sip:us@192.0.2.7>;tag=ours",
    remote: "<sip:them@192.0.2.1>;tag=theirs",
    target: "sip:them@192.0.2.1:5062",
    route: [],
    localSequence: 1,
    remoteSequence: 1,
  });
  const peer = parseDescription(sound());
  const call = new EstablishedCall({
    deps,
    dialog,
    line,
    port: 6000,
    peer,
    terms,
    timeLimitMs: 3_600_000,
    over: (end) => ends.push(end),
  });
  if (peer !== undefined) line.agree(peer, "sendrecv");
  let sequence = 1;
  /** The peer asks for something within the call; answers what it is told. */
  const asked = async (method: string, headers: readonly SipHeader[] = [], body?: Uint8Array) => {
    sequence += 1;
    const own: SipHeader[] = [
      ["via", `SIP/2.0/UDP 192.0.2.1;branch=z9hG4bK${sequence}`],
      ["from", "<sip:them@192.0.2.1>;tag=theirs"],
      ["to", "<sip:us@192.0.2.7>;tag=ours"],
      ["call-id", "one"],
      ["cseq", `${sequence} ${method}`],
      ["contact", "<sip:them@192.0.2.1:5063>"],
      ...headers,
    ];
    await network.receive(sipRequest(method, "sip:us@192.0.2.7", own, body));
    const got = network.asked.at(-1);
    if (got?.transaction === undefined) throw new Error("not received");
    call.receive(got.request, got.transaction);
    await network.clock.settle();
    const answer = network.sent.findLast(
      (each) => each.type === "response" && headerOf(each, "cseq") === `${sequence} ${method}`,
    );
    if (answer?.type !== "response") throw new Error("not answered");
    got.transaction.acknowledged();
    return answer;
  };
  return { network, call, line, ends, asked };
};

test("a peer that holds the call and takes it up again is answered each time", async () => {
  const { asked, call } = rig();
  const held = await asked("INVITE", [], sound("sendonly"));
  expect(held.status).toBe(200);
  expect(parseDescription(held.body)?.direction).toBe("recvonly");
  expect(parseDescription((await asked("INVITE", [], sound("inactive"))).body)?.direction).toBe("inactive");
  const back = await asked("INVITE", [], sound("sendrecv", ["alaw", "mulaw"]));
  expect(parseDescription(back.body)).toMatchObject({ direction: "sendrecv", port: 6000, keys: 101 });
  expect(parseDescription(back.body)?.codecs.map(({ codec }) => codec)).toEqual(["mulaw"]);
  // An INVITE that leaves the offer to us.
  expect(parseDescription((await asked("INVITE")).body)?.port).toBe(6000);
  call.hangUp();
});

test("what the call cannot become is refused, and the call goes on", async () => {
  const { asked, ends, call } = rig();
  expect((await asked("INVITE", [], sound("sendrecv", ["alaw"]))).status).toBe(488);
  expect((await asked("UPDATE", [], Buffer.from("nonsense"))).status).toBe(488);
  expect((await asked("UPDATE", [["session-expires", "60"]])).status).toBe(422);
  expect((await asked("REFER", [["refer-to", "<sip:x@y>"]])).status).toBe(603);
  expect((await asked("NOTIFY")).status).toBe(481);
  expect((await asked("PRACK")).status).toBe(405);
  expect((await asked("OPTIONS")).status).toBe(200);
  expect((await asked("INFO")).status).toBe(200);
  expect(ends).toEqual([]);
  call.hangUp();
});

test("a peer that refreshes keeps the call; one that stops loses it before the time is up", async () => {
  const { network, asked, ends } = rig({ seconds: 90, refresher: "peer" });
  await network.clock.advance(50_000);
  const answer = await asked("UPDATE", [
    ["session-expires", "90;refresher=uac"],
    ["supported", "timer"],
  ]);
  expect(headerOf(answer, "session-expires")).toBe("90;refresher=uac");
  expect(headerOf(answer, "require")).toBe("timer");
  await network.clock.advance(59_000);
  expect(ends).toEqual([]);
  await network.clock.advance(2000);
  expect(ends).toEqual([{ cause: "failed" }]);
  expect(network.requests("BYE")).not.toEqual([]);
});

test("where refreshing is ours, an INVITE shows at half the time that we are here, and no answer ends the call", async () => {
  const { network, ends } = rig({ seconds: 90, refresher: "us" });
  await network.clock.advance(45_100);
  const [refresh] = network.requests("INVITE");
  if (refresh === undefined) throw new Error("not refreshed");
  expect(refresh.uri).toBe("sip:them@192.0.2.1:5062");
  expect(headerOf(refresh, "session-expires")).toBe("90;refresher=uac");
  await network.answer("INVITE", 200, { headers: [["session-expires", "90;refresher=uac"]], body: sound() });
  expect(network.requests("ACK")).toHaveLength(1);
  await network.clock.advance(45_100);
  expect(network.requests("INVITE")).toHaveLength(2);
  await network.clock.advance(33_000);
  expect(ends).toEqual([{ cause: "failed" }]);
});

test("an INVITE that crosses ours is asked to come later", async () => {
  const { network, asked, call } = rig({ seconds: 90, refresher: "us" });
  await network.clock.advance(45_100);
  expect((await asked("INVITE", [], sound())).status).toBe(491);
  call.hangUp();
});

test("a call ends at its limit, with a goodbye", async () => {
  const { network, ends } = rig();
  await network.clock.advance(3_600_001);
  expect(ends).toEqual([{ cause: "time-limit" }]);
  await network.answer("BYE", 200);
  await network.clock.advance(40_000);
  expect(network.clock.pending).toBe(0);
});

test("a goodbye that is asked for a password is said with it", async () => {
  const { network, call, ends } = rig();
  call.hangUp();
  call.hangUp();
  await network.clock.settle();
  await network.answer("BYE", 407, { headers: [["proxy-authenticate", 'Digest realm="t", nonce="n"']] });
  expect(headerOf(network.requests("BYE").at(-1) ?? sipRequest("", "", []), "proxy-authorization")).toContain("alice");
  expect(ends).toEqual([{ cause: "completed" }]);
});

const NOTIFY = (status: string, state = "active"): readonly [readonly SipHeader[], Uint8Array] => [
  [
    ["event", "refer"],
    ["subscription-state", state],
    ["content-type", "message/sipfrag"],
  ],
  Buffer.from(`SIP/2.0 ${status}\r\n`),
];

test.each([
  ["picks up", ["100 Trying", "180 Ringing", "200 OK"], "transferred"],
  ["is busy", ["100 Trying", "486 Busy Here"], "failed"],
  ["is never told of", ["100 Trying"], "failed"],
] as const)("a transfer to somebody who %s", async (_who, told, result) => {
  const { network, asked, call, ends } = rig();
  const transfer = call.transfer("sip:+12025550123@192.0.2.1", "sip:us@192.0.2.1", new AbortController().signal);
  await network.clock.settle();
  expect(headerOf(network.requests("REFER")[0] ?? sipRequest("", "", []), "refer-to")).toBe(
    "<sip:+12025550123@192.0.2.1>",
  );
  await network.answer("REFER", 202);
  for (const status of told) expect((await asked("NOTIFY", ...NOTIFY(status))).status).toBe(200);
  await network.clock.advance(26_000);
  expect(await transfer).toBe(result);
  // Whoever was connected elsewhere is let go of; whoever was not is still here.
  expect(ends).toEqual(result === "transferred" ? [{ cause: "completed" }] : []);
  call.hangUp();
});

test("a transfer that the peer refuses, or whose wait is given up, leaves the call as it is", async () => {
  const { network, call, ends } = rig();
  const refused = call.transfer("sip:x@y", "sip:us@y", new AbortController().signal);
  await network.clock.settle();
  await network.answer("REFER", 603);
  expect(await refused).toBe("failed");
  const patience = new AbortController();
  const abandoned = call.transfer("sip:x@y", "sip:us@y", patience.signal);
  await network.clock.settle();
  await network.answer("REFER", 202);
  patience.abort(new Error("enough"));
  await expect(abandoned).rejects.toThrow("enough");
  expect(ends).toEqual([]);
  call.hangUp();
});

test("requests of an older number are refused, and a goodbye ends the call once", async () => {
  const { asked, ends, line } = rig();
  expect((await asked("BYE")).status).toBe(200);
  expect((await asked("OPTIONS")).status).toBe(481);
  line.close();
  expect(ends).toEqual([{ cause: "completed", endedBy: "remote" }]);
});
