import { expect, test } from "vitest";
import { callEnd } from "../../src/model/call-end.ts";
import type { Clock } from "../../src/ports/clock.ts";
import { notListed, queueAge } from "../../src/worker/gates.ts";
import type { Script } from "./sim-carrier.ts";
import { expectTidy, started } from "./tidy.ts";
import type { WorkerRig } from "./worker-rig.ts";

const ANSWERS: Script = { answers: ["accepted"], person: "answers", ringMs: 2_000 };

test.each([
  ["invalid_number", { rejected: "invalid_number" }, 100],
  ["carrier_rejected", { rejected: "carrier_rejected" }, 100],
  ["rate_limited", { retryAfterMs: 60_000 }, 100],
] as const)("a carrier that refuses at once ends the dial as %s on its word", async (reason, answer, at) => {
  const rig = await started();
  await rig.dial("d1", { answers: [answer], person: "answers" });
  expect(await rig.ended("d1")).toEqual({ ...callEnd(reason, "carrier"), at, evidence: 3 });
  expect(rig.carrier.posts).toHaveLength(1);
  await expectTidy(rig);
});

test("a carrier that is busy for a moment is asked again within five seconds of the claim", async () => {
  const rig = await started();
  await rig.dial("d1", {
    ...ANSWERS,
    answers: [{ retryAfterMs: 1_000 }, { retryAfterMs: 1_000 }, "accepted"],
    talkMs: 1_000,
  });
  expect(await rig.ended("d1")).toMatchObject({ reason: "counterparty_hangup" });
  expect(rig.carrier.posts.map((post) => post.at)).toEqual([0, 1_100, 2_200]);
});

test("a carrier that stays busy is not asked later than five seconds after the claim", async () => {
  const rig = await started();
  await rig.dial("d1", { ...ANSWERS, answers: [{ retryAfterMs: 1_000 }] });
  expect(await rig.ended("d1")).toMatchObject({ reason: "rate_limited", evidence: 3 });
  expect(rig.carrier.posts.map((post) => post.at)).toEqual([0, 1_100, 2_200, 3_300, 4_400]);
});

test("a request that did not leave is made three times, no more", async () => {
  const rig = await started();
  await rig.dial("d1", { ...ANSWERS, answers: ["not-sent"] });
  expect(await rig.ended("d1")).toMatchObject({ reason: "carrier_error", endedBy: "carrier", evidence: 2 });
  expect(rig.carrier.posts.map((post) => post.at)).toEqual([0, 200, 500]);
  await expectTidy(rig);
});

test("a carrier that does not answer in ten seconds is not asked again", async () => {
  const rig = await started();
  await rig.dial("d1", { ...ANSWERS, answers: ["hangs"] });
  expect(await rig.ended("d1")).toMatchObject({ reason: "carrier_error", evidence: 1 });
  expect(rig.carrier.posts).toHaveLength(1);
});

test("a dial that waited too long is not placed after it was claimed", async () => {
  const rig = await started({}, (deps) => ({
    ...deps,
    gates: [queueAge(600_000)],
    dials: {
      ...deps.dials,
      claim: async (dialId, owner) => {
        const claim = await deps.dials.claim(dialId, owner);
        return claim && { ...claim, queuedMs: 600_001 };
      },
    },
  }));
  await rig.dial("d1", ANSWERS);
  expect(await rig.ended("d1")).toMatchObject({ reason: "expired", at: 0 });
  expect(rig.carrier.posts).toEqual([]);
  await expectTidy(rig);
});

test("the five seconds in which a dial may be placed count from before its claim was sent", async () => {
  const slow = <T>(clock: Clock, ms: number, value: T) =>
    new Promise<T>((resolve) => clock.setTimer(ms, () => resolve(value)));
  const place = async (claimMs: number, gateMs: number) => {
    const rig: WorkerRig = await started({}, (deps) => ({
      ...deps,
      gates: [() => slow(deps.clock, gateMs, undefined)],
      dials: {
        ...deps.dials,
        claim: async (dialId, owner) => slow(deps.clock, claimMs, await deps.dials.claim(dialId, owner)),
      },
    }));
    await rig.dial("d1", { ...ANSWERS, talkMs: 1_000 });
    return { end: await rig.ended("d1"), posts: rig.carrier.posts.length };
  };
  expect(await place(2_500, 2_400)).toMatchObject({ posts: 1, end: { reason: "counterparty_hangup" } });
  expect(await place(2_500, 2_501)).toMatchObject({ posts: 0, end: { reason: "worker_lost", evidence: 2 } });
});

test("a dial whose media could not be let in is not placed", async () => {
  const rig = await started();
  rig.live.away = true;
  await rig.dial("d1", ANSWERS);
  expect(await rig.ended("d1")).toMatchObject({ reason: "worker_lost" });
  expect(rig.carrier.posts).toEqual([]);
});

test("a dial whose carrier is not configured fails and says so in the log", async () => {
  const rig = await started();
  await rig.dial("d1", ANSWERS, { carrier: "gone" });
  expect(await rig.ended("d1")).toMatchObject({ reason: "carrier_error", endedBy: "system" });
  expect(rig.log.lines).toContain("a dial has no carrier that could place it");
});

test("a dial whose number was listed while it waited is not placed", async () => {
  const rig = await started({}, (deps) => ({
    ...deps,
    gates: [notListed],
    dials: {
      ...deps.dials,
      claim: async (dialId, owner) => {
        const claim = await deps.dials.claim(dialId, owner);
        return claim && { ...claim, doNotCall: true };
      },
    },
  }));
  await rig.dial("d1", ANSWERS);
  expect(await rig.ended("d1")).toMatchObject({ reason: "compliance_blocked", at: 0 });
  expect(rig.carrier.posts).toEqual([]);
  await expectTidy(rig);
});
