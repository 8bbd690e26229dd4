import { describe, expect, test } from "vitest";
import type { CarrierFaults, CarrierSimulator } from "../../../../src/ports/carrier-simulator.ts";
import type { CarrierDescriptor } from "../../../../src/ports/carrier.ts";
import { bytesOf } from "../../../../src/model/audio.ts";
import { encodeSamples } from "../../../../src/audio/convert.ts";
import { carrierContract } from "../../../contract/carrier.contract.ts";
import { simulatorRig, type SimulatorRig } from "./simulator-rig.ts";

/** What the adapter of a carrier and the simulator of the same carrier must do together. */
export const simulatedCarrier = (
  simulator: CarrierSimulator,
  descriptor: CarrierDescriptor,
  /** What is in the first callback of a call to somebody busy, when each is overtaken by the next. */
  overtaking: string,
  settings: Readonly<Record<string, string>> = {},
): void => {
  const withRig = async (work: (rig: SimulatorRig) => Promise<void>, faults: CarrierFaults = {}): Promise<void> => {
    const rig = await simulatorRig(simulator, descriptor, faults, settings);
    try {
      await work(rig);
    } finally {
      await rig.close();
    }
  };
  carrierContract(
    async () => {
      const rig = await simulatorRig(simulator, descriptor, {}, settings);
      return { ...rig, placed: () => rig.running.placed };
    },
    {
      answers: "+12025550124",
      outcomes: [
        ["+12025550134", { type: "rejected", reason: "invalid_number" }, 0],
        ["+12025550135", { type: "rejected", reason: "carrier_rejected" }, 0],
        ["+12025550137", { type: "rate-limited" }, 0],
        ["+12025550139", { type: "ambiguous" }, 1],
        ["+12025550150", { type: "ambiguous" }, 0],
      ],
    },
  );

  const placed = async (rig: SimulatorRig, to: string, given = {}) => {
    const request = rig.request(to, given);
    const outcome = await rig.carrier.place(request, rig.patience);
    if (outcome.type !== "accepted") throw new Error(`not accepted: ${outcome.type}`);
    return { request, callId: outcome.callId };
  };

  describe("asking for a number", () => {
    test.concurrent.each([
      ["+12025550134", { type: "rejected", reason: "invalid_number" }],
      ["+12025550199", { type: "rejected", reason: "invalid_number" }],
      ["+12025550135", { type: "rejected", reason: "carrier_rejected" }],
      ["+12025550136", { type: "ambiguous" }],
      ["+12025550137", { type: "rate-limited", retryAfterMs: 1000 }],
      ["+12025550139", { type: "ambiguous" }],
      ["+12025550150", { type: "ambiguous" }],
    ])("%s comes to %o", (to, outcome) =>
      withRig(async ({ carrier, request, patience }) => {
        expect(await carrier.place(request(to), patience)).toMatchObject(outcome);
      }),
    );
  });

  test.concurrent.each([
    ["+12025550130", "busy"],
    ["+12025550133", "invalid-number"],
    ["+12025550138", "failed"],
  ])("the end of %s is reported as %s, and found again", (to, cause) =>
    withRig(async (rig) => {
      const { callId, request } = await placed(rig, to);
      const report = await rig.end();
      expect(report).toMatchObject({ dialId: request.dialId, call: { state: "ended", callId, end: { cause } } });
      expect(rig.reports.map(({ call }) => call.state)).toEqual(["ringing", "ended"]);
      expect(await rig.carrier.lookUp({ dialId: request.dialId, callId }, rig.patience)).toMatchObject({
        end: { cause },
      });
    }),
  );

  test.concurrent("a telephone that nobody answers is given up after the time that was asked for", () =>
    withRig(async (rig) => {
      await placed(rig, "+12025550131", { ringTimeoutMs: 1000 });
      expect((await rig.end()).call).toMatchObject({ end: { cause: "no-answer" } });
    }));

  test.concurrent("hanging up while it rings cancels the call, and again is no error", () =>
    withRig(async (rig) => {
      const { callId, request } = await placed(rig, "+12025550124");
      await rig.when(() => rig.reports[0]);
      expect(await rig.carrier.lookUp({ dialId: request.dialId, callId }, rig.patience)).toMatchObject({
        state: "ringing",
      });
      await rig.carrier.hangUp(callId, rig.patience);
      expect((await rig.end()).call).toMatchObject({ end: { cause: "canceled" } });
      await rig.carrier.hangUp(callId, rig.patience);
    }));

  test.concurrent("a call is found by our reference or its numbers; what never was is absent", () =>
    withRig(async (rig) => {
      const { callId, request } = await placed(rig, "+12025550124");
      const since = request.dialId === "" ? 0 : 1;
      await rig.when(() => rig.reports[0]);
      const { dialId, to, from } = request;
      expect(await rig.carrier.lookUp({ dialId, to, from, since }, rig.patience)).toMatchObject({
        state: "ringing",
        callId,
      });
      const other = { dialId: "nobody", to: "+12025550123", from, since };
      expect(await rig.carrier.lookUp(other, rig.patience)).toEqual({ state: "absent", final: false });
    }));

  test.concurrent("sound goes both ways, marks come back when it was played, keys arrive, and the person hangs up", () =>
    withRig(async (rig) => {
      const { callId } = await placed(rig, "+12025550122", { detectMachine: true });
      const { line, log } = await rig.when(() => rig.lines[0]);
      expect([callId, undefined]).toContain(line.carrierCallId);
      // What the opening was made in while it rang.
      expect(line.format).toEqual(rig.carrier.format ?? { encoding: "mulaw", sampleRate: 8000 });
      const samples = Int16Array.from(
        { length: bytesOf({ ...line.format, encoding: "linear16" }, 400) / 2 },
        (_, index) => 8000 * Math.sin(index / 5),
      );
      line.send(encodeSamples(line.format.encoding, samples));
      line.mark("greeting");
      await log.until(() => log.marks.length === 1);
      expect(log.marks[0]?.name).toBe("greeting");
      line.mark("never");
      line.send(encodeSamples(line.format.encoding, samples));
      line.mark("overtaken");
      line.clear();
      line.mark("after");
      await log.until(() => log.marks.some(({ name }) => name === "after"));
      expect(log.marks.map(({ name }) => name)).not.toContain("overtaken");
      await log.until(() => log.digits.length === 5);
      expect(log.digits.join("")).toBe("1234#");
      expect(log.frames.length).toBeGreaterThan(20);
      await rig.carrier.hangUp(callId, rig.patience);
      expect((await rig.end()).call).toMatchObject({ end: { cause: "completed" } });
      await log.until(() => log.gone_ !== undefined);
      expect(rig.reports.some(({ answeredBy }) => answeredBy === "human")).toBe(true);
      expect(rig.requests.every(({ body, url }) => body.length > 0 || url.includes("?"))).toBe(true);
    }));

  test.concurrent("who hangs up is told: the person", () =>
    withRig(async (rig) => {
      await placed(rig, "+12025550141");
      expect((await rig.end()).call).toMatchObject({ end: { cause: "completed", endedBy: "remote" } });
      const { log } = await rig.when(() => rig.lines[0]);
      await log.until(() => log.gone_ !== undefined);
    }));

  test.concurrent("a transfer that is answered takes the person away", () =>
    withRig(async (rig) => {
      const { callId, request } = await placed(rig, "+12025550126");
      await rig.when(() => rig.lines[0]);
      const result = await rig.carrier.transfer?.(callId, "+12025550130", rig.patience, rig.back(request.dialId));
      expect(result).toBe("failed");
      const again = rig.carrier.transfer?.(callId, "+12025550123", rig.patience, rig.back(request.dialId));
      expect(await again).toBe("transferred");
      expect((await rig.end()).call).toMatchObject({ end: { cause: "completed", endedBy: "remote" } });
    }));

  test.concurrent("somebody who rings is answered, and a number of ours that is busy is not", () =>
    withRig(async (rig) => {
      const ring = { from: "+12025550141", webhookUrl: rig.noticeUrl };
      const callId = await rig.running.ring({ ...ring, to: "+12025550100" });
      await rig.when(() => rig.lines[0]);
      expect(rig.notices[0]).toEqual({ type: "ringing", call: { callId, from: "+12025550141", to: "+12025550100" } });
      const ended = () => [...rig.reports, ...rig.notices.filter((notice) => notice.type === "report")];
      const ends = () => ended().filter(({ call }) => call.state === "ended");
      await rig.when(() => ends()[0]);
      expect(ends()[0]?.call).toMatchObject({ callId, end: { cause: "completed", endedBy: "remote" } });
      await rig.running.ring({ ...ring, to: "+12025550166" });
      await rig.when(() => ends()[1]);
      expect(rig.lines).toHaveLength(1);
    }));

  describe("with faults", () => {
    test.concurrent("callbacks come twice", () =>
      withRig(
        async (rig) => {
          await placed(rig, "+12025550130");
          await rig.when(() => (rig.reports.length === 4 ? true : undefined));
        },
        { duplicate: 1 },
      ));

    test.concurrent("callbacks overtake one another", () =>
      withRig(
        async (rig) => {
          await placed(rig, "+12025550130");
          await rig.when(() => (rig.reports.length === 2 ? true : undefined));
          expect(Buffer.from(rig.requests[0]?.body ?? []).toString()).toContain(overtaking);
        },
        { reorder: 1 },
      ));

    test.concurrent("callbacks are lost, and the call is found by asking", () =>
      withRig(
        async (rig) => {
          const { callId, request } = await placed(rig, "+12025550126");
          const { log } = await rig.when(() => rig.lines[0]);
          await rig.carrier.hangUp(callId, rig.patience);
          await log.until(() => log.gone_ !== undefined);
          const found = await rig.carrier.lookUp({ dialId: request.dialId, callId }, rig.patience);
          expect(found).toMatchObject({ state: "ended", end: { cause: "completed" } });
          expect(rig.reports.filter(({ call }) => call.state === "ended")).toEqual([]);
        },
        { drop: 1 },
      ));

    test.concurrent("requests are refused, or granted without an answer", async () => {
      await withRig(
        async ({ carrier, request, patience }) => {
          expect(await carrier.place(request("+12025550130"), patience)).toMatchObject({ type: "rate-limited" });
        },
        { tooMany: 1 },
      );
      await withRig(
        async (rig) => {
          expect(await rig.carrier.place(rig.request("+12025550130"), rig.patience)).toMatchObject({
            type: "ambiguous",
          });
          expect((await rig.end()).call).toMatchObject({ end: { cause: "busy" } });
        },
        { loseAnswer: 1 },
      );
    });
  });
};
