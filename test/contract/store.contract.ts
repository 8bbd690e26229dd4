import { beforeAll, expect, test } from "vitest";
import type { NewDial } from "../../src/ports/store.ts";
import { testAgent, testPhoneNumber, testPlan, testPrompt } from "../kit/dial-plans.ts";
import { catalogueChangeTests } from "./store-catalogue.contract.ts";
import { dialListTests } from "./store-lists.contract.ts";
import { doNotCallTests } from "./store-do-not-call.contract.ts";
import { inboundTests } from "./store-inbound.contract.ts";
import { limitTests } from "./store-limits.contract.ts";
import { windowTests } from "./store-windows.contract.ts";
import { endingTests } from "./store-endings.contract.ts";
import { FOREIGN, observed, StoreRig, type StoreUnderTest, WORKSPACE } from "./store-rig.ts";

/** What every store does. */
export const storeContract = (open: () => Promise<StoreUnderTest>): void => {
  const rig = new StoreRig();
  beforeAll(async () => {
    rig.open(await open());
    const { catalogue } = rig.store;
    for (const workspaceId of [WORKSPACE, FOREIGN])
      await catalogue.putApiKey({ workspaceId, sha256: `hash-${workspaceId}`, kind: "secret", label: "test" });
    const seed = { agent: testAgent(), prompt: testPrompt(), phoneNumber: testPhoneNumber() };
    await catalogue.seed({ workspaceId: WORKSPACE, ...seed });
  }, 60_000);
  catalogueTests(rig);
  catalogueChangeTests(rig);
  dialListTests(rig);
  doNotCallTests(rig);
  windowTests(rig);
  inboundTests(rig);
  creationTests(rig);
  claimTests(rig);
  endingTests(rig);
  limitTests(rig);
  recordTests(rig);
  reaperTests(rig);
};

const catalogueTests = (rig: StoreRig): void => {
  test("a key is found by its hash and belongs to the workspace that put it first", async () => {
    const key = { sha256: "hash-of-a-key", kind: "public", label: "a key" } as const;
    await rig.store.catalogue.putApiKey({ workspaceId: WORKSPACE, ...key });
    await rig.store.catalogue.putApiKey({ workspaceId: WORKSPACE, ...key });
    expect(await rig.store.catalogue.findApiKey("hash-of-a-key")).toMatchObject({
      workspaceId: WORKSPACE,
      kind: "public",
    });
    expect(await rig.store.catalogue.findApiKey("hash-of-none")).toBeUndefined();
  });

  test("what was seeded is found by its own workspace and by no other", async () => {
    const { catalogue } = rig.store;
    expect(await catalogue.findAgent(WORKSPACE, "agent-1")).toEqual(testAgent());
    expect(await catalogue.findPrompt(WORKSPACE, "agent-1", "prompt-1")).toEqual(testPrompt());
    expect(await catalogue.newestPrompt(WORKSPACE, "agent-1")).toEqual(testPrompt());
    expect(await catalogue.findPhoneNumber(WORKSPACE, "number-1")).toEqual(testPhoneNumber());
    expect(await catalogue.findPrompt(WORKSPACE, "agent-2", "prompt-1")).toBeUndefined();
    expect(await catalogue.findAgent(FOREIGN, "agent-1")).toBeUndefined();
    expect(await catalogue.findPrompt(FOREIGN, "agent-1", "prompt-1")).toBeUndefined();
    expect(await catalogue.newestPrompt(FOREIGN, "agent-1")).toBeUndefined();
    expect(await catalogue.findPhoneNumber(FOREIGN, "number-1")).toBeUndefined();
    expect((await catalogue.listAgents(FOREIGN, { limit: 10 })).items).toEqual([]);
    expect((await catalogue.listPhoneNumbers(FOREIGN, { limit: 10 })).items).toEqual([]);
  });

  test("seeding again changes nothing", async () => {
    const agent = { ...testAgent(), name: "Another name" };
    const seed = { workspaceId: WORKSPACE, agent, prompt: testPrompt(), phoneNumber: testPhoneNumber() };
    await rig.store.catalogue.seed(seed);
    expect(await rig.store.catalogue.findAgent(WORKSPACE, "agent-1")).toEqual(testAgent());
  });

  test("an id that nothing can have is not found", async () => {
    for (const id of ["", "unknown", "\0", "a\0b", "'", "\u{D800}"]) {
      expect(await rig.store.catalogue.findAgent(WORKSPACE, id)).toBeUndefined();
      expect(await rig.store.catalogue.findPhoneNumber(WORKSPACE, id)).toBeUndefined();
      expect(await rig.store.catalogue.findFunctions(WORKSPACE, [id])).toEqual([]);
      expect(await rig.store.dials.find(WORKSPACE, id)).toBeUndefined();
      expect(await rig.store.dials.workspaceOf(id)).toBeUndefined();
      expect(await rig.store.dials.peek(id)).toBeUndefined();
    }
  });

  test("pages of agents join to the whole list in order of creation, whatever their size", async () => {
    const names = Array.from({ length: 7 }, (_, index) => `agent-of-page-${index}`);
    for (const id of names)
      await rig.store.catalogue.seed({
        workspaceId: FOREIGN,
        agent: testAgent(id),
        prompt: testPrompt(`prompt-of-${id}`),
        phoneNumber: testPhoneNumber("number-of-pages"),
      });
    for (const limit of [1, 2, 3, 7, 8]) {
      const found: string[] = [];
      let page = await rig.store.catalogue.listAgents(FOREIGN, { limit });
      for (;;) {
        expect(page.items.length).toBeLessThanOrEqual(limit);
        found.push(...page.items.map(({ id }) => id));
        if (page.next === null) break;
        page = await rig.store.catalogue.listAgents(FOREIGN, { limit, after: page.next });
      }
      expect(found).toEqual(names);
    }
  });
};

const creationTests = (rig: StoreRig): void => {
  test("a new dial is queued, and another workspace does not see it", async () => {
    const dialId = await rig.makeDial({ inputs: { name: "Ada", odd: "\0\u{D800}" }, warnings: ["careful"] });
    expect(await rig.store.dials.find(WORKSPACE, dialId)).toMatchObject({
      id: dialId,
      status: "queued",
      systemResultType: null,
      direction: "outbound",
      agent: testAgent(),
      inputs: { name: "Ada", odd: "\0\u{D800}" },
      warnings: ["careful"],
      transcript: [],
      recordings: [],
    });
    expect(await rig.store.dials.find(FOREIGN, dialId)).toBeUndefined();
    expect(await rig.store.dials.workspaceOf(dialId)).toBe(WORKSPACE);
    expect(await rig.store.dials.peek(dialId)).toMatchObject({ state: "QUEUED", epoch: 0, pastHorizon: false });
  });

  test("a key answers its first dial, and refuses another body", async () => {
    const dial = (dialId: string, fingerprint: string): NewDial => ({
      plan: testPlan({ dialId }),
      sessionId: `session-of-${dialId}`,
      idempotency: { key: "key-1", fingerprint },
    });
    const first = { dialId: "idempotent-1", sessionId: "session-of-idempotent-1" };
    expect(await rig.store.dials.create(dial("idempotent-1", "body"))).toEqual({ type: "created", ...first });
    expect(await rig.store.dials.create(dial("idempotent-2", "body"))).toEqual({ type: "replayed", ...first });
    expect(await rig.store.dials.create(dial("idempotent-3", "other"))).toEqual({ type: "key-reused" });
    expect(await rig.store.dials.peek("idempotent-2")).toBeUndefined();
    const foreign = {
      ...dial("idempotent-4", "other"),
      plan: testPlan({ dialId: "idempotent-4", workspaceId: FOREIGN }),
    };
    expect(await rig.store.dials.create(foreign)).toMatchObject({ type: "created" });
  });

  test("fifty twins at once make one dial", async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        rig.store.dials.create({
          plan: testPlan({ dialId: `twin-${index}` }),
          sessionId: `twin-session-${index}`,
          idempotency: { key: "twins", fingerprint: "same" },
        }),
      ),
    );
    expect(outcomes.filter(({ type }) => type === "created")).toHaveLength(1);
    expect(new Set(outcomes.map((outcome) => (outcome.type === "key-reused" ? "" : outcome.dialId))).size).toBe(1);
    const there = await Promise.all(outcomes.map((_, index) => rig.store.dials.peek(`twin-${index}`)));
    expect(there.filter((dial) => dial !== undefined)).toHaveLength(1);
  });
};

const claimTests = (rig: StoreRig): void => {
  test("of many workers who claim a dial one gets it, with the plan as it was created", async () => {
    const dialId = await rig.makeDial({ maxDurationMs: 61_000, openingLine: "Hello" });
    const claims = await Promise.all(
      Array.from({ length: 20 }, (_, index) => rig.store.dials.claim(dialId, `worker-${index}`)),
    );
    const [claim, ...others] = claims.filter((one) => one !== undefined);
    expect(others).toEqual([]);
    expect(claim).toMatchObject({ dialId, epoch: 1, plan: { dialId, maxDurationMs: 61_000, openingLine: "Hello" } });
    expect(claim?.queuedMs).toBeGreaterThanOrEqual(0);
    expect(await rig.store.dials.claim(dialId, "worker-1")).toBeUndefined();
    expect(await rig.store.dials.claim("no such dial", "worker-1")).toBeUndefined();
  });

  test("of two dials between the same numbers the second waits until the first one's placing is settled", async () => {
    const numbers = { fromNumber: "+12025550001", toNumber: "+12025550002" };
    const [first, second] = [await rig.makeDial(numbers), await rig.makeDial(numbers)];
    expect(await rig.store.dials.claim(first, "worker-1")).toBeDefined();
    expect(await rig.store.dials.claim(second, "worker-1")).toBeUndefined();
    expect(await rig.store.dials.peek(second)).toMatchObject({ state: "QUEUED", epoch: 0 });
    await rig.store.dials.advance(first, "RINGING");
    expect(await rig.store.dials.claim(second, "worker-1")).toBeDefined();
  });

  test("after a take-over the old owner can write nothing", async () => {
    const claim = await rig.claimed();
    expect(await rig.store.dials.beat(claim)).toBe(true);
    expect(await rig.store.dials.attachCall(claim, `call-of-${claim.dialId}`)).toBe(true);
    expect(await rig.store.dials.attachCall(claim, `call-of-${claim.dialId}`)).toBe(true);
    expect(await rig.store.dials.attachCall(claim, "another call")).toBe(false);
    await rig.age(claim.dialId, 16_000);
    const taken = await rig.store.dials.takeOverLapsed("reaper-1", 1000);
    expect(taken.find(({ dialId }) => dialId === claim.dialId)).toMatchObject({
      epoch: 2,
      carrierCallId: `call-of-${claim.dialId}`,
      state: "PLACING",
    });
    expect(await rig.store.dials.beat(claim)).toBe(false);
    expect(await rig.store.dials.attachCall(claim, `call-of-${claim.dialId}`)).toBe(false);
    expect(await rig.store.dials.intendHangUp(claim.dialId, "agent_hangup", "agent", claim)).toBe(false);
    expect(await rig.store.dials.beat({ ...claim, epoch: 2 })).toBe(true);
  });

  test("a call that is attached after the end is noted, but must be hung up", async () => {
    const claim = await rig.claimed();
    await rig.store.dials.end(claim.dialId, observed("canceled"));
    expect(await rig.store.dials.attachCall(claim, "a late call")).toBe(false);
    expect(await rig.store.dials.peek(claim.dialId)).toMatchObject({ state: "ENDED", carrierCallId: "a late call" });
  });

  test("a dial only moves forward", async () => {
    const { dialId } = await rig.claimed();
    expect(await rig.store.dials.advance(dialId, "RINGING")).toBe(true);
    expect(await rig.store.dials.advance(dialId, "RINGING")).toBe(false);
    expect(await rig.store.dials.find(WORKSPACE, dialId)).toMatchObject({ status: "ringing" });
    expect(await rig.store.dials.advance(dialId, "IN_PROGRESS")).toBe(true);
    expect(await rig.store.dials.advance(dialId, "RINGING")).toBe(false);
    expect(await rig.store.dials.find(WORKSPACE, dialId)).toMatchObject({ status: "in-progress" });
    await rig.store.dials.end(dialId, observed("idle"));
    expect(await rig.store.dials.advance(dialId, "IN_PROGRESS")).toBe(false);
    expect(await rig.store.dials.advance("no such dial", "RINGING")).toBe(false);
  });

  test("nobody advances a phone dial that was not placed; a browser's waits for its client", async () => {
    expect(await rig.store.dials.advance(await rig.makeDial(), "RINGING")).toBe(false);
    expect(await rig.store.dials.advance(await rig.makeDial({ direction: "browser" }), "RINGING")).toBe(true);
  });
};

const recordTests = (rig: StoreRig): void => {
  const entry = (text: string) => ({ text, speaker: "HUMAN", detailType: null, startTimeMs: 0, endTimeMs: 1 }) as const;

  test("the transcript is kept by index, and a retry does no harm", async () => {
    const { dialId } = await rig.claimed();
    await rig.store.dials.saveTranscript(dialId, [
      { index: 1, entry: entry("second") },
      { index: 0, entry: entry("first") },
    ]);
    await rig.store.dials.saveTranscript(dialId, [
      { index: 1, entry: entry("second, longer") },
      { index: 2, entry: entry("third \0 '\"{}") },
    ]);
    await rig.store.dials.saveTranscript(dialId, []);
    const dial = await rig.store.dials.find(WORKSPACE, dialId);
    expect(dial?.transcript).toEqual([entry("first"), entry("second, longer"), entry("third \0 '\"{}")]);
  });

  test("what calls say at the same time is kept with each of them, and one that cannot be kept harms no other", async () => {
    const dials = await Promise.all([rig.claimed(), rig.claimed(), rig.claimed()]);
    const turn = { index: 0, startMs: 1, endReason: "opening", interrupted: false } as const;
    await Promise.all(
      dials.flatMap(({ dialId }) => [
        rig.store.dials.saveTranscript(dialId, [{ index: 0, entry: entry(dialId) }]),
        rig.store.dials.saveTurns(dialId, [turn]),
      ]),
    );
    const late = dials.map(({ dialId }, count) =>
      rig.store.dials.saveTranscript(dialId, [{ index: count === 1 ? 2 ** 40 : 1, entry: entry("late") }]),
    );
    await Promise.allSettled(late);
    for (const [count, { dialId }] of dials.entries()) {
      const dial = await rig.store.dials.find(WORKSPACE, dialId);
      expect(dial?.transcript?.slice(0, 2)).toMatchObject(
        count === 1 ? [{ text: dialId }] : [{ text: dialId }, { text: "late" }],
      );
      expect(dial?.turns).toEqual([turn]);
    }
  });

  test("turns and recordings are kept with the dial", async () => {
    const { dialId } = await rig.claimed();
    const turn = { index: 0, startMs: 12.5, endReason: "opening", interrupted: false } as const;
    await rig.store.dials.saveTurns(dialId, [turn]);
    const recording = { id: "rec-1", channels: 2, durationMs: 1234, startedAt: "2026-01-05T09:00:00.123Z" };
    await rig.store.dials.saveRecording(dialId, { ...recording, durationMs: 0 });
    await rig.store.dials.saveRecording(dialId, recording);
    const dial = await rig.store.dials.find(WORKSPACE, dialId);
    expect(dial?.turns).toEqual([turn]);
    expect(dial?.recordings).toMatchObject([recording]);
    expect(await rig.store.dials.findRecording(WORKSPACE, dialId, "rec-1")).toEqual(recording);
    expect(await rig.store.dials.findRecording(WORKSPACE, dialId, "rec-2")).toBeUndefined();
    expect(await rig.store.dials.findRecording(FOREIGN, dialId, "rec-1")).toBeUndefined();
  });

  test("a call lasts from its answer to its end, and one that was never answered has no length", async () => {
    const [answered, unanswered] = [await rig.claimed(), await rig.claimed()];
    await rig.store.dials.advance(answered.dialId, "IN_PROGRESS");
    await rig.age(answered.dialId, 61_000);
    await rig.store.dials.end(answered.dialId, observed("idle"));
    await rig.store.dials.end(unanswered.dialId, observed("no_answer"));
    expect((await rig.store.dials.find(WORKSPACE, answered.dialId))?.durationSeconds).toBe(61);
    const dial = await rig.store.dials.find(WORKSPACE, unanswered.dialId);
    expect(dial).toMatchObject({ status: "no-answer", systemResultType: "NO_ANSWER" });
    expect(dial).not.toHaveProperty("durationSeconds");
    expect(dial).not.toHaveProperty("startedAt");
  });

  test("the secret of a deployment is made once", async () => {
    const [one, two] = await Promise.all([rig.store.deploymentSecret(), rig.store.deploymentSecret()]);
    expect(one).toBe(two);
    expect(Buffer.from(one, "base64url")).toHaveLength(32);
  });
};

const reaperTests = (rig: StoreRig): void => {
  test("a dial without a job for five seconds is found until it has one", async () => {
    const dialId = await rig.makeDial();
    expect(await rig.store.dials.findUnqueued(1000)).not.toContain(dialId);
    await rig.age(dialId, 6_000);
    expect(await rig.store.dials.findUnqueued(1000)).toContain(dialId);
    await rig.store.dials.enqueued(dialId, "job-1");
    expect(await rig.store.dials.findUnqueued(1000)).not.toContain(dialId);
    expect(await rig.store.dials.find(WORKSPACE, dialId)).toMatchObject({ dialTaskId: "job-1" });
    await rig.age(dialId, 6_000);
    expect(await rig.store.dials.findUnqueued(1000)).toContain(dialId);
  });

  test("the backlog tells how many phone dials wait, and for how long the first of them", async () => {
    const before = await rig.store.dials.backlog();
    const old = await rig.makeDial();
    await rig.makeDial({ direction: "browser", carrier: "browser" });
    await rig.age(old, 7_200_000);
    const with2h = await rig.store.dials.backlog();
    expect(with2h.count).toBe(before.count + 1);
    expect(with2h.oldestMs).toBeGreaterThanOrEqual(7_200_000);
    expect(with2h.oldestMs).toBeLessThan(7_300_000);
    await rig.store.dials.claim(old, "worker-1");
    expect((await rig.store.dials.backlog()).count).toBe(before.count);
  });

  test("a browser dial waits for its visitor: without a job, without expiring, and not for ever", async () => {
    const browser = { direction: "browser", carrier: "browser" } as const;
    const [old, young, phone] = [await rig.makeDial(browser), await rig.makeDial(browser), await rig.makeDial()];
    const held = await rig.claimed(browser);
    for (const dialId of [old, phone, held.dialId]) await rig.age(dialId, 130_000);
    expect(await rig.store.dials.findUnqueued(1000)).not.toContain(old);
    const expired = await rig.store.dials.expireQueued(125_000);
    expect(expired).toContain(phone);
    for (const dialId of [old, held.dialId]) expect(expired).not.toContain(dialId);
    expect(await rig.store.dials.endClientless(120_000)).toEqual([old]);
    expect(await rig.store.dials.endClientless(120_000)).toEqual([]);
    expect(await rig.store.dials.find(WORKSPACE, old)).toMatchObject({
      status: "no-answer",
      systemResultType: "NO_ANSWER",
      endReason: "no_client",
    });
    expect(await rig.store.dials.find(WORKSPACE, young)).toMatchObject({ status: "queued" });
  });

  test("a token opens a dial's media once, another token too, and none when the dial is over", async () => {
    const dialId = await rig.makeDial({ direction: "browser", carrier: "browser" });
    const { dials } = rig.store;
    const tries = await Promise.all(["a", "a"].map((token) => dials.spendToken(dialId, token)));
    expect(tries.filter(Boolean)).toHaveLength(1);
    expect(await dials.spendToken(dialId, "b")).toBe(true);
    expect(await dials.spendToken("nobody", "a")).toBe(false);
    await rig.age(dialId, 130_000);
    await dials.endClientless(120_000);
    expect(await dials.spendToken(dialId, "c")).toBe(false);
  });

  test("a dial that waited too long expires, a claimed one does not", async () => {
    const [old, young, held] = [await rig.makeDial(), await rig.makeDial(), await rig.claimed()];
    await rig.age(old, 700_000);
    await rig.age(held.dialId, 700_000);
    expect(await rig.store.dials.expireQueued(600_000)).toEqual([old]);
    expect(await rig.store.dials.expireQueued(600_000)).toEqual([]);
    expect(await rig.store.dials.find(WORKSPACE, old)).toMatchObject({
      status: "failed",
      systemResultType: "RATE_LIMITED",
      endReason: "expired",
    });
    expect(await rig.store.dials.peek(young)).toMatchObject({ state: "QUEUED" });
    expect(await rig.store.dials.peek(held.dialId)).toMatchObject({ state: "PLACING", pastHorizon: true });
  });

  test("two reapers never take over the same dial", async () => {
    const claims = await Promise.all(Array.from({ length: 10 }, () => rig.claimed()));
    await Promise.all(claims.map(({ dialId }) => rig.age(dialId, 16_000)));
    const taken = await Promise.all(["one", "two", "three"].map((name) => rig.store.dials.takeOverLapsed(name, 1000)));
    const mine = new Set(claims.map(({ dialId }) => dialId));
    const ids = taken.flat().flatMap(({ dialId }) => (mine.has(dialId) ? [dialId] : []));
    expect(ids).toHaveLength(10);
    expect(new Set(ids).size).toBe(10);
  });

  test("an open dial is asked about every minute, whatever its lease", async () => {
    const claim = await rig.claimed();
    await rig.age(claim.dialId, 61_000);
    await rig.store.dials.beat(claim);
    const mine = async () =>
      (await rig.store.dials.findUnconfirmed(1000)).some(({ dialId }) => dialId === claim.dialId);
    expect(await mine()).toBe(true);
    expect(await mine()).toBe(false);
    await rig.age(claim.dialId, 61_000);
    await rig.store.dials.advance(claim.dialId, "RINGING");
    expect(await mine()).toBe(false);
    await rig.store.dials.end(claim.dialId, observed("no_answer"));
    await rig.age(claim.dialId, 61_000);
    expect(await mine()).toBe(false);
  });

  test("a dial that rings or lasts too long is asked about earlier", async () => {
    const [ringing, talking] = [
      await rig.claimed({ ringTimeoutMs: 1_000 }),
      await rig.claimed({ maxDurationMs: 1_000 }),
    ];
    await rig.store.dials.advance(ringing.dialId, "RINGING");
    await rig.store.dials.advance(talking.dialId, "IN_PROGRESS");
    await rig.age(ringing.dialId, 50_000);
    await rig.age(talking.dialId, 50_000);
    const found = (await rig.store.dials.findUnconfirmed(1000)).map(({ dialId }) => dialId);
    expect(found).toContain(ringing.dialId);
    expect(found).not.toContain(talking.dialId);
  });
};
