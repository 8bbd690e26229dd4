import * as fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { SystemClock } from "../../src/adapters/clock/system.ts";
import { CarrierHttpClient } from "../../src/adapters/http/carrier-http-client.ts";
import type {
  CallbackRequest,
  Carrier,
  CarrierDeps,
  CarrierEnd,
  InboundCall,
  PlaceRequest,
} from "../../src/ports/carrier.ts";
import { CarrierStandIn, type StandInAnswer } from "../kit/carrier-stand-in.ts";
import { SeededRandom } from "../kit/seeded-random.ts";
import { silentLogger } from "../kit/silent-logger.ts";

/** What a vendor's server and callbacks look like; every callback is genuine, signed as the vendor signs. */
export type Vendor = Readonly<{
  name: string;
  /** Makes the account against the stand-in's address. */
  open(baseUrl: string, deps: CarrierDeps): Carrier;
  /** An id as the vendor makes them. */
  callId: string;
  answers: Readonly<{
    accepted: StandInAnswer;
    tooMany: StandInAnswer;
    invalidNumber: StandInAnswer;
    unauthorized: StandInAnswer;
    serverError: StandInAnswer;
    hungUp: StandInAnswer;
    /** To a hang-up of a call that is over. */
    alreadyOver: StandInAnswer;
    ringing: StandInAnswer;
    inProgress: StandInAnswer;
    busy: StandInAnswer;
    noSuchCall: StandInAnswer;
  }>;
  /** Progress, at the dial's own address. */
  ringing(): CallbackRequest;
  answered(): CallbackRequest;
  /** Every way that a call can end, and what it has to be read as. */
  ends: readonly (readonly [what: string, callback: () => CallbackRequest, end: CarrierEnd])[];
  /** Somebody rings, at the account's address. */
  rings?: () => CallbackRequest;
  /** Who rings in it. */
  caller?: InboundCall;
}>;

export const PLACE: PlaceRequest = {
  dialId: "01988f5e-7c1b-7203-8a31-0d2f9b7e6c10",
  to: "+14155550123",
  from: "+14155550100",
  ringTimeoutMs: 45_000,
  timeLimitMs: 660_000,
  mediaUrl: "wss://calls.test/media/account/token-token-token",
  statusUrl: "https://calls.test/carriers/account/status/dial/token",
  answerUrl: "https://calls.test/carriers/account/answer/dial/token",
};

/** What every account at a carrier has to do, whatever its protocol. */
export const accountContract = (vendor: Vendor): void => {
  let standIn: CarrierStandIn;
  let http: CarrierHttpClient;
  let carrier: Carrier;
  beforeEach(async () => {
    standIn = new CarrierStandIn();
    await standIn.listen();
    http = new CarrierHttpClient({ clock: new SystemClock(), timeoutMs: 2000 });
    carrier = vendor.open(standIn.url, {
      clock: new SystemClock(),
      random: new SeededRandom(),
      logger: silentLogger(),
      http,
    } as unknown as CarrierDeps);
  });
  afterEach(async () => {
    await carrier.close();
    await http.close();
    await standIn.close();
  });
  const patience = () => new AbortController().signal;
  const { answers, callId } = vendor;

  test("a call that is granted is named, and was asked for once", async () => {
    standIn.answers = [answers.accepted];
    expect(await carrier.place(PLACE, patience())).toEqual({ type: "accepted", callId });
    expect(standIn.requests).toHaveLength(1);
    const [{ body } = { body: "" }] = standIn.requests;
    const told = decodeURIComponent(body.replaceAll("+", " "));
    expect(told).toContain(PLACE.to.slice(1));
    expect(told).toContain(PLACE.from.slice(1));
  });

  test.each([
    ["too many requests", answers.tooMany, "rate-limited"],
    ["a number that is none", answers.invalidNumber, "rejected"],
    ["a key that is not known", answers.unauthorized, "rejected"],
    ["a server that breaks down", answers.serverError, "ambiguous"],
    ["an answer that is lost", "lost", "ambiguous"],
  ] as const)("%s: no call is believed in, and nothing is asked twice", async (_what, answer, type) => {
    standIn.answers = [answer];
    expect(await carrier.place(PLACE, patience())).toMatchObject({ type });
    expect(standIn.requests).toHaveLength(1);
  });

  test("a carrier that is not there was not asked", async () => {
    await standIn.close();
    expect(await carrier.place(PLACE, patience())).toMatchObject({ type: "not-sent" });
  });

  test("a call is hung up once, one that is over is no error, and an answer that is lost is one", async () => {
    standIn.answers = [answers.hungUp];
    await carrier.hangUp(callId, patience());
    standIn.answers = [answers.alreadyOver];
    await carrier.hangUp(callId, patience());
    expect(standIn.requests).toHaveLength(2);
    standIn.answers = ["lost"];
    await expect(carrier.hangUp(callId, patience())).rejects.toThrow();
    standIn.answers = [answers.serverError];
    await expect(carrier.hangUp(callId, patience())).rejects.toThrow();
  });

  test("a call is looked up by its id", async () => {
    const look = () => carrier.lookUp({ dialId: PLACE.dialId, callId }, patience());
    standIn.answers = [answers.ringing];
    expect(await look()).toEqual({ state: "ringing", callId });
    standIn.answers = [answers.inProgress];
    expect(await look()).toEqual({ state: "in-progress", callId });
    standIn.answers = [answers.busy];
    expect(await look()).toMatchObject({ state: "ended", callId, end: { cause: "busy" } });
    standIn.answers = [answers.noSuchCall];
    expect(await look()).toMatchObject({ state: "absent" });
    standIn.answers = ["lost"];
    await expect(look()).rejects.toThrow();
  });

  test("progress is read from callbacks that are signed", () => {
    expect(carrier.readCallback("dial", vendor.ringing())).toMatchObject({
      dialId: "dial",
      call: { state: "ringing", callId },
    });
    expect(carrier.readCallback("dial", vendor.answered())).toMatchObject({ call: { state: "in-progress", callId } });
  });

  test.each(vendor.ends)("the end of a call is read: %s", (_what, callback, end) => {
    expect(carrier.readCallback("dial", callback())).toEqual({ dialId: "dial", call: { state: "ended", callId, end } });
  });

  test("a callback without its signature, for another address or with another body is forged", () => {
    const genuine = vendor.answered();
    const { authorization: _authorization, "content-type": type, ...others } = genuine.headers;
    const bare = Object.keys(others).some((name) => name.includes("signature")) ? { "content-type": type } : others;
    expect(carrier.readCallback("dial", { ...genuine, headers: bare })).toBe("forged");
    expect(carrier.readCallback("dial", { ...genuine, body: Buffer.concat([genuine.body, Buffer.from("x")]) })).toBe(
      "forged",
    );
  });

  test("no mutation of a callback is believed, and none breaks anything", () => {
    const genuine = vendor.answered();
    fc.assert(
      fc.property(fc.nat(Math.max(0, genuine.body.length - 1)), fc.integer({ min: 1, max: 255 }), (at, by) => {
        const body = Buffer.from(genuine.body);
        body[at] = (body[at] ?? 0) ^ by;
        // A byte that changes nothing of what the fields say leaves the callback what it was.
        const read = carrier.readCallback("dial", { ...genuine, body });
        if (read !== "forged" && read !== undefined) expect(read).toEqual(carrier.readCallback("dial", genuine));
      }),
      { numRuns: 200 },
    );
  });

  const { rings, caller } = vendor;
  if (rings === undefined || caller === undefined) return;
  test("somebody who rings is announced by the carrier alone, and connected or turned away", async () => {
    expect(carrier.readNotice?.(rings())).toEqual({ type: "ringing", call: caller });
    const forged = { ...rings(), headers: { "content-type": rings().headers["content-type"] } };
    expect(carrier.readNotice?.(forged)).toBe("forged");
    standIn.answers = [answers.hungUp];
    const { to: _to, from: _from, ringTimeoutMs: _ring, ...request } = PLACE;
    const taken = await carrier.answer?.(caller, request, patience());
    const declined = await carrier.decline?.(caller, "busy", patience());
    expect(taken?.status).toBeLessThan(300);
    expect(declined?.status).toBeLessThan(300);
    const told = [taken?.body ?? "", ...standIn.requests.map(({ body }) => body)].join("\n");
    expect(told).toContain(PLACE.mediaUrl);
  });
};
