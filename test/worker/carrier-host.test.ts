import { expect, test } from "vitest";
import { InboundCalls } from "../../src/dials/answer-inbound.ts";
import type { Carrier, CarrierCall } from "../../src/ports/carrier.ts";
import type { MediaTicket } from "../../src/ports/live.ts";
import type { Transport } from "../../src/ports/transport.ts";
import { carrierHost, type CarrierHostDeps } from "../../src/worker/carrier-host.ts";
import { silentLogger } from "../kit/silent-logger.ts";
import { VirtualClock } from "../kit/virtual-clock.ts";

const TICKET: MediaTicket = { dialId: "dial-1", epoch: 1, carrier: "sip" };

const rig = (given: Partial<CarrierHostDeps> = {}) => {
  const clock = new VirtualClock();
  const happened: string[] = [];
  const row = { state: "RINGING", carrierCallId: null, epoch: 1 };
  const deps = {
    clock,
    logger: silentLogger(),
    metrics: { dialEnded: () => undefined },
    live: {
      publish: () => happened.push("published"),
      takeTicket: async (token: string) => (token === "good" ? TICKET : undefined),
    },
    dials: {
      peek: async () => row,
      findByCall: async (_account: string, callId: string) => (callId === "known" ? "dial-2" : undefined),
      advance: async (dialId: string, state: string) => {
        happened.push(`${dialId} ${state}`);
        return true;
      },
      end: async () => undefined,
    },
    lines: { arrived: (ticket: MediaTicket) => ticket.epoch === 1 },
    inbound: Object.create(InboundCalls.prototype) as InboundCalls,
    onReport: (dialId: string) => happened.push(`nudged ${dialId}`),
    ...given,
  } as unknown as CarrierHostDeps;
  const carrier = {
    name: "sip",
    decline: async () => {
      happened.push("declined");
      return { status: 204, contentType: "", body: "" };
    },
  } as unknown as Carrier;
  const line = { close: () => happened.push("closed") } as unknown as Transport;
  return { clock, happened, line, host: carrierHost(deps, carrier) };
};

test("a line is let in by the token of its address, and others are closed", async () => {
  const { clock, happened, line, host } = rig();
  host.line("wss://calls.test/media/sip/good", line);
  await clock.settle();
  expect(happened).toEqual([]);
  host.line("wss://calls.test/media/sip/used", line);
  await clock.settle();
  expect(happened).toEqual(["closed"]);
});

test("a line that nobody waits for, or whose token cannot be checked, is closed", async () => {
  const nobody = rig({ lines: { arrived: () => false } });
  nobody.host.line("wss://calls.test/media/sip/good", nobody.line);
  await nobody.clock.settle();
  expect(nobody.happened).toEqual(["closed"]);
  const never = { takeTicket: () => new Promise(() => undefined) } as unknown as CarrierHostDeps["live"];
  const away = rig({ live: never });
  away.host.line("wss://calls.test/media/sip/good", away.line);
  await away.clock.advance(2001);
  expect(away.happened).toEqual(["closed"]);
});

test("news of a call reaches its dial, by the dial's id or the call's", async () => {
  const { clock, happened, host } = rig();
  const call: CarrierCall = { state: "in-progress", callId: "known" };
  host.report(call, "dial-1");
  await clock.settle();
  host.report(call);
  await clock.settle();
  host.report({ ...call, callId: "unknown" });
  await clock.settle();
  expect(happened.filter((each) => each !== "published")).toEqual([
    "dial-1 IN_PROGRESS",
    "nudged dial-1",
    "dial-2 IN_PROGRESS",
    "nudged dial-2",
  ]);
});

test("somebody who rings and cannot be answered for a fault of ours hears that it is busy", async () => {
  const inbound = { answer: () => Promise.reject(new Error("the store is away")) } as unknown as InboundCalls;
  const { clock, happened, host } = rig({ inbound });
  host.ring({ callId: "one", from: "+12025550101", to: "+12025550102" });
  await clock.settle();
  expect(happened).toEqual(["declined"]);
  expect(clock.pending).toBe(0);
});
