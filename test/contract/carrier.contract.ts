import { expect, test } from "vitest";
import type { Carrier, PlaceOutcome, PlaceRequest } from "../../src/ports/carrier.ts";

/** A carrier with a network behind it that can be asked what it really did. */
export type CarrierRig = Readonly<{
  carrier: Carrier;
  /** How many calls the network has placed since it began. */
  placed(): number;
  request(to: string): PlaceRequest;
  close(): Promise<void>;
}>;

export type CarrierNumbers = Readonly<{
  answers: string;
  /** Numbers by what asking for them must come to. */
  outcomes: readonly (readonly [to: string, outcome: Partial<PlaceOutcome>, placed: 0 | 1])[];
}>;

/** What every carrier has to do. */
export const carrierContract = (make: () => Promise<CarrierRig>, numbers: CarrierNumbers): void => {
  const withRig = async (work: (rig: CarrierRig) => Promise<void>): Promise<void> => {
    const rig = await make();
    try {
      await work(rig);
    } finally {
      await rig.close();
    }
  };
  const patience = () => new AbortController().signal;

  test("one request places one call, which is found again by its id and by our reference", () =>
    withRig(async ({ carrier, placed, request }) => {
      const asked = request(numbers.answers);
      const outcome = await carrier.place(asked, patience());
      expect(outcome.type).toBe("accepted");
      if (outcome.type !== "accepted") return;
      expect(placed()).toBe(1);
      const byId = await carrier.lookUp({ dialId: asked.dialId, callId: outcome.callId }, patience());
      const { dialId, to, from } = asked;
      expect(byId).toMatchObject({ state: "ringing", callId: outcome.callId });
      // Lists of calls and of their events run behind.
      await expect
        .poll(() => carrier.lookUp({ dialId, to, from, since: 0 }, patience()), { timeout: 10_000, interval: 20 })
        .toMatchObject({ callId: outcome.callId });
      expect(placed()).toBe(1);
    }));

  test.each(numbers.outcomes)("asking for %s comes to %o and places %i calls", (to, outcome, count) =>
    withRig(async ({ carrier, placed, request }) => {
      expect(await carrier.place(request(to), patience())).toMatchObject(outcome);
      expect(placed()).toBe(count);
    }),
  );

  test("a call that was never placed is absent", () =>
    withRig(async ({ carrier }) => {
      const asked = { dialId: "nobody", to: "+12025550101", from: "+12025550102", since: 0 };
      expect(await carrier.lookUp(asked, patience())).toMatchObject({ state: "absent" });
    }));

  test("hanging up while it rings ends the call as canceled, and again is not an error", () =>
    withRig(async ({ carrier, request }) => {
      const asked = request(numbers.answers);
      const outcome = await carrier.place(asked, patience());
      if (outcome.type !== "accepted") throw new Error(`not accepted: ${outcome.type}`);
      await carrier.hangUp(outcome.callId, patience());
      await carrier.hangUp(outcome.callId, patience());
      await carrier.close();
      expect(await carrier.lookUp({ dialId: asked.dialId, callId: outcome.callId }, patience())).toEqual({
        state: "ended",
        callId: outcome.callId,
        end: { cause: "canceled" },
      });
    }));

  test("hanging up a call that nobody knows is not an error", () =>
    withRig(({ carrier }) => carrier.hangUp("CA00000000000000000000000000000000", patience())));

  test("callbacks that are no callbacks are not believed", () =>
    withRig(async ({ carrier }) => {
      const unbelieved = (body: string, type = "application/x-www-form-urlencoded") => {
        const request = { url: "http://x/y", headers: { "content-type": type }, body: Buffer.from(body) };
        expect([undefined, "forged"]).toContain(carrier.readCallback("dial", request));
      };
      unbelieved("");
      unbelieved("CallStatus=completed");
      unbelieved("CallSid=nonsense&CallStatus=completed");
      unbelieved(`CallSid=CA${"0".repeat(32)}&CallStatus=completed`, "text/plain");
      unbelieved(`CallSid=CA${"0".repeat(32)}&CallStatus=exploded`);
      unbelieved(`CallSid=CA${"0".repeat(32)}&CallStatus=completed&Pad=${"x".repeat(20_000)}`);
      unbelieved('{"data":{"event_type":"call.hangup","payload":{"call_control_id":"x"}}}', "application/json");
    }));

  test("closing twice is closing once", () =>
    withRig(async ({ carrier }) => {
      await Promise.all([carrier.close(), carrier.close()]);
    }));
};
