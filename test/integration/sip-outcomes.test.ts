import { afterAll, describe, expect, test } from "vitest";
import type { CarrierEnd, PlaceOutcome } from "../../src/ports/carrier.ts";
import { ringWithSipp, runSipp, type Step } from "../kit/sipp.ts";
import {
  answering,
  freePort,
  openTrunk,
  patience,
  placeRequest,
  type Trunk,
} from "../adapters/carrier/sip/trunk-rig.ts";

const open: Trunk[] = [];

// Not after each: they run side by side.
afterAll(async () => {
  await Promise.all(open.splice(0).map(({ carrier }) => carrier.close()));
});

/** A trunk of ours whose server is SIPp with a scenario. */
const against = async (steps: readonly Step[], settings: Readonly<Record<string, string>> = {}) => {
  const serverPort = await freePort();
  const verdict = runSipp(serverPort, steps);
  const trunk = await openTrunk(await freePort(), serverPort, settings);
  open.push(trunk);
  return { ...trunk, verdict };
};

const REFUSALS: readonly (readonly [
  answer: string,
  end: CarrierEnd,
  outcome: PlaceOutcome,
  headers: readonly string[],
])[] = [
  ["486 Busy Here", { cause: "busy" }, { type: "rejected", reason: "busy" }, []],
  ["600 Busy Everywhere", { cause: "busy" }, { type: "rejected", reason: "busy" }, []],
  ["480 Temporarily Unavailable", { cause: "no-answer" }, { type: "rejected", reason: "no_answer" }, []],
  ["408 Request Timeout", { cause: "no-answer" }, { type: "rejected", reason: "no_answer" }, []],
  ["404 Not Found", { cause: "invalid-number" }, { type: "rejected", reason: "invalid_number" }, []],
  ["484 Address Incomplete", { cause: "invalid-number" }, { type: "rejected", reason: "invalid_number" }, []],
  ["403 Forbidden", { cause: "rejected" }, { type: "rejected", reason: "carrier_rejected" }, []],
  ["603 Decline", { cause: "rejected" }, { type: "rejected", reason: "carrier_rejected" }, []],
  ["500 Server Internal Error", { cause: "failed" }, { type: "rejected", reason: "carrier_error" }, []],
  ["302 Moved Temporarily", { cause: "failed" }, { type: "rejected", reason: "carrier_error" }, []],
  [
    "503 Service Unavailable",
    { cause: "rate-limited" },
    { type: "rate-limited", retryAfterMs: 7000 },
    ["Retry-After: 7"],
  ],
  ["429 Too Many", { cause: "rate-limited" }, { type: "rate-limited", retryAfterMs: 1000 }, []],
];

describe.concurrent("a server that rings first", () => {
  test.each(REFUSALS)(
    "that answers %s after ringing ends the call as it says",
    async (answer, end, _outcome, headers) => {
      const { carrier, host, verdict } = await against([
        { expect: "INVITE" },
        { answer: "180 Ringing" },
        { pauseMs: 100 },
        { answer, headers },
        { expect: "ACK" },
      ]);
      const request = placeRequest("+12025550123");
      expect(await carrier.place(request, patience())).toEqual({ type: "accepted", callId: request.dialId });
      expect(await host.anEnd()).toEqual({ state: "ended", callId: request.dialId, end });
      expect(await carrier.lookUp({ dialId: request.dialId }, patience())).toMatchObject({ state: "ended", end });
      expect((await verdict).ok).toBe(true);
    },
  );
});

describe.concurrent("a server", () => {
  test.each(REFUSALS)("that answers %s at once has refused the request", async (answer, _end, outcome, headers) => {
    const { carrier, host, verdict } = await against([{ expect: "INVITE" }, { answer, headers }, { expect: "ACK" }]);
    expect(await carrier.place(placeRequest("+12025550123"), patience())).toEqual(outcome);
    expect(host.reports).toEqual([]);
    expect((await verdict).ok).toBe(true);
  });
});

describe.concurrent("a called party", () => {
  test("that is not there is rung until our time is up, and then left alone", async () => {
    const { carrier, host, verdict } = await against([
      { expect: "INVITE" },
      { answer: "180 Ringing" },
      { expect: "CANCEL" },
      { answer: "200 OK" },
    ]);
    const request = placeRequest("+12025550123", { ringTimeoutMs: 500 });
    expect(await carrier.place(request, patience())).toMatchObject({ type: "accepted" });
    expect(await host.anEnd()).toMatchObject({ end: { cause: "no-answer" } });
    expect((await verdict).ok).toBe(true);
  });

  test("that we no longer want to speak to is not rung any more", async () => {
    const { carrier, host, verdict } = await against([
      { expect: "INVITE" },
      { answer: "183 Session Progress", sound: true },
      { expect: "CANCEL" },
      { answer: "200 OK" },
    ]);
    const request = placeRequest("+12025550123");
    expect(await carrier.place(request, patience())).toMatchObject({ type: "accepted" });
    await carrier.hangUp(request.dialId, patience());
    await carrier.hangUp(request.dialId, patience());
    expect(await host.anEnd()).toMatchObject({ end: { cause: "canceled" } });
    expect((await verdict).ok).toBe(true);
  });

  test("that hangs up after early sound and an answer without a description has ended the call", async () => {
    const { carrier, host, verdict } = await against([
      { expect: "INVITE" },
      { answer: "183 Session Progress", sound: true },
      { answer: "200 OK" },
      { expect: "ACK" },
      { pauseMs: 200 },
      { ask: "BYE" },
      { expectAnswer: 200 },
    ]);
    await carrier.place(placeRequest("+12025550123"), patience());
    expect(await (await host.aLine()).gone).toBe("hung-up");
    expect(await host.anEnd()).toMatchObject({ end: { cause: "completed", endedBy: "remote" } });
    expect((await verdict).ok).toBe(true);
  });

  test("whose sound does not come for 3 s is lost", async () => {
    const { carrier, host, verdict } = await against([
      { expect: "INVITE" },
      { answer: "200 OK", sound: true },
      { expect: "ACK" },
      { expect: "BYE" },
      { answer: "200 OK" },
    ]);
    const request = placeRequest("+12025550123");
    await carrier.place(request, patience());
    expect(await (await host.aLine()).gone).toBe("lost");
    expect(await carrier.lookUp({ dialId: request.dialId }, patience())).toMatchObject({ state: "in-progress" });
    await carrier.hangUp(request.dialId, patience());
    expect((await verdict).ok).toBe(true);
  });
});

describe.concurrent("a server that asks for a password", () => {
  const user = { SIP_USERNAME: "alice", SIP_PASSWORD: "secret", SIP_REGISTER: "false" };
  const challenge = {
    answer: "407 Proxy Authentication Required",
    headers: ['Proxy-Authenticate: Digest realm="t", nonce="n", qop="auth"'],
  };

  test("is told it once, and not again when it refuses it", async () => {
    const refused = [{ expect: "INVITE" }, challenge, { expect: "ACK" }] as const;
    const { carrier, verdict } = await against([...refused, ...refused, { pauseMs: 700 }], user);
    expect(await carrier.place(placeRequest("+12025550123"), patience())).toEqual({
      type: "rejected",
      reason: "carrier_error",
    });
    // A third INVITE would be one that the scenario does not know.
    expect((await verdict).ok).toBe(true);
  });

  test("rings once it knows it", async () => {
    const { carrier, host, verdict } = await against(
      [
        { expect: "INVITE" },
        challenge,
        { expect: "ACK" },
        { expect: "INVITE" },
        { answer: "486 Busy Here" },
        { expect: "ACK" },
      ],
      user,
    );
    expect(await carrier.place(placeRequest("+12025550123"), patience())).toEqual({ type: "rejected", reason: "busy" });
    expect(host.reports).toEqual([]);
    expect((await verdict).ok).toBe(true);
  });
});

test.concurrent.for(["udp", "tcp"] as const)(
  "thirty callers who ring at once over %s are answered, and their goodbyes end the calls",
  async (transport) => {
    const own = await freePort();
    const trunk = await openTrunk(await freePort(), own);
    open.push(trunk);
    answering(trunk);
    const { ok, said } = await ringWithSipp(trunk.port, own, { transport, calls: 30 });
    expect(ok, said).toBe(true);
    const ended = trunk.host.reports.filter((call) => call.state === "ended");
    expect(ended).toHaveLength(30);
    for (const call of ended) expect(call).toMatchObject({ end: { cause: "completed", endedBy: "remote" } });
  },
);
