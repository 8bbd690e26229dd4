import fc from "fast-check";
import { expect, test } from "vitest";
import type { Transfer } from "../../src/call/invocations.ts";
import type { TransferWish } from "../../src/call/transfer-wish.ts";
import { CallRig } from "../kit/call-rig.ts";
import { says } from "../kit/scripted-dialogue.ts";
import { LETTER_MS } from "../kit/scripted-engines.ts";
import { sleep } from "../../src/ports/clock.ts";

const call = (name: string, args = "{}", id = `id-${name}`) => ({ type: "call", call: { id, name, args } }) as const;

const ASKS = { text: "Please put me through to somebody.", fromMs: 1500, untilMs: 3000 };
const ANNOUNCED = "One moment, I am connecting you.";
const CONNECT = [200, says(ANNOUNCED), call("connect")] as const;
const TO = { type: "transfer", to: "+12025550199" } as const;

/** A rig whose carrier answers after `ms`, and what it was asked when. */
const transferring = (
  options: ConstructorParameters<typeof CallRig>[0],
  outcome: "transferred" | "failed" | Error,
  ms = 3000,
) => {
  const asked: (TransferWish & { at: number })[] = [];
  const transfer: Transfer = async (wish, signal) => {
    asked.push({ ...wish, at: rig.now });
    await sleep(rig.clock, ms, signal);
    if (outcome instanceof Error) throw outcome;
    return outcome;
  };
  const rig = new CallRig({ caller: [ASKS], invoke: () => Promise.resolve(TO), transfer, ...options });
  return { rig, asked };
};

test("a transfer is announced to its end before the carrier is asked, and then the call is somebody else's", async () => {
  const { rig, asked } = transferring({ answers: [CONNECT] }, "transferred");
  await rig.answer();
  const end = await rig.untilEnd();
  expect(end).toEqual({ reason: "transferred", endedBy: "agent", fault: "none" });
  const announced = rig.playback.at(-1);
  expect((announced?.untilMs ?? 0) - (announced?.fromMs ?? 0)).toBeCloseTo(ANNOUNCED.length * LETTER_MS, 0);
  expect(asked).toEqual([{ to: "+12025550199", at: expect.any(Number) }]);
  expect(asked[0]?.at).toBeGreaterThanOrEqual(announced?.untilMs ?? Infinity);
  expect(rig.now - (asked[0]?.at ?? 0)).toBe(3000);
  expect(rig.transcript.map(({ text, detailType }) => text || detailType)).toEqual([
    "Hello there.",
    ASKS.text,
    "function",
    ANNOUNCED,
  ]);
  await rig.close();
});

test("what is told where somebody is connected to goes to the carrier with the number, and failing is explained", async () => {
  const summary = "Ada wants a table for four.";
  const { rig, asked } = transferring(
    {
      answers: [CONNECT, [says("Nobody picks up, sorry.")]],
      invoke: () => Promise.resolve({ ...TO, summary }),
    },
    "failed",
    40_000,
  );
  await rig.answer();
  await rig.at(60_000);
  expect(asked).toEqual([{ to: "+12025550199", summary, at: expect.any(Number) }]);
  expect(rig.transcript.at(-1)?.text).toBe("Nobody picks up, sorry.");
  expect(JSON.stringify(rig.transcript)).not.toContain(summary);
  await rig.close();
});

test("nothing that the caller says cuts the announcement off", async () => {
  const over = { text: "No wait, stop, stop.", fromMs: 4500, untilMs: 6500 };
  const { rig, asked } = transferring({ answers: [CONNECT], caller: [ASKS, over] }, "transferred");
  await rig.answer();
  expect(await rig.untilEnd()).toMatchObject({ reason: "transferred" });
  expect(rig.transcript.find(({ text }) => text === ANNOUNCED)).toBeDefined();
  expect(rig.bargeIns).toEqual([]);
  expect(asked).toHaveLength(1);
  await rig.close();
});

test("a transfer that fails is explained, and the conversation goes on with whatever the caller said meanwhile", async () => {
  const meanwhile = { text: "Are you there?", fromMs: 7000, untilMs: 7800 };
  const { rig } = transferring(
    {
      answers: [CONNECT, [says("Nobody picks up, sorry.")], [says("Yes, I am here.")]],
      caller: [ASKS, meanwhile],
    },
    "failed",
  );
  await rig.answer();
  await rig.at(20_000);
  expect(rig.end).toBeUndefined();
  expect(rig.dialogue.asked[1]?.at(-1)).toMatchObject({
    speaker: "function",
    callId: "id-connect",
    name: "connect",
    result: expect.stringContaining("transfer_failed"),
  });
  expect(rig.dialogue.asked[2]?.at(-1)).toEqual({ speaker: "caller", text: "Are you there?" });
  expect(rig.transcript.map(({ text }) => text).filter((text) => text !== "")).toEqual([
    "Hello there.",
    ASKS.text,
    ANNOUNCED,
    "Nobody picks up, sorry.",
    "Are you there?",
    "Yes, I am here.",
  ]);
  await rig.close();
});

test("a carrier that never answers, or only with an error, has failed to transfer", async () => {
  for (const outcome of [{ ms: 1e9 }, { ms: 100, error: new Error("lost") }]) {
    const answers = [CONNECT, [says("Sorry.")]];
    const { rig } = transferring({ answers }, outcome.error ?? "failed", outcome.ms);
    await rig.answer();
    await rig.at(80_000);
    expect(rig.transcript.at(-1)?.text).toBe("Sorry.");
    expect(rig.end).toBeUndefined();
    await rig.close();
  }
});

test.each([
  ["transferred", { reason: "transferred", endedBy: "agent" }],
  ["failed", { reason: "counterparty_hangup", endedBy: "remote" }],
] as const)(
  "a line that ends while the carrier is asked means what the carrier says: %s",
  async (outcome, expected) => {
    const { rig, asked } = transferring({ answers: [CONNECT] }, outcome);
    await rig.answer();
    await rig.clock.until(() => asked.length > 0, 20_000);
    await rig.clock.advance(1000);
    rig.line.end("hung-up");
    await rig.clock.settle();
    expect(rig.end).toBeUndefined();
    expect(await rig.untilEnd()).toMatchObject(expected);
    await rig.close();
  },
);

test("a caller who hangs up before the carrier is asked is not transferred", async () => {
  const { rig, asked } = transferring({ answers: [CONNECT] }, "transferred");
  await rig.answer();
  await rig.at(5000);
  rig.line.end("hung-up");
  expect(await rig.untilEnd()).toMatchObject({ reason: "counterparty_hangup" });
  expect(asked).toEqual([]);
  await rig.close();
});

test("an operator may end a call that is being transferred", async () => {
  const { rig, asked } = transferring({ answers: [CONNECT] }, "transferred");
  await rig.answer();
  await rig.clock.until(() => asked.length > 0, 20_000);
  rig.handle?.hangUp("operator_hangup", "api");
  expect(await rig.untilEnd()).toMatchObject({ reason: "operator_hangup", endedBy: "api" });
  await rig.close();
});

test("of two transfers in one answer the first counts, and other functions answer before it is made", async () => {
  const { rig, asked } = transferring(
    {
      answers: [
        [says(ANNOUNCED), call("connect"), call("connect", '{"again":1}', "second"), call("note")],
        [says("Sorry.")],
      ],
      invoke: async ({ name }) => {
        if (name === "connect") return TO;
        await sleep(rig.clock, 9000);
        return '{"noted":true}';
      },
    },
    "failed",
  );
  await rig.answer();
  await rig.at(30_000);
  expect(asked).toHaveLength(1);
  expect(asked[0]?.at).toBeGreaterThan(9000 + 3700);
  expect(rig.dialogue.asked[1]?.slice(-3)).toEqual([
    expect.objectContaining({ callId: "second", result: expect.stringContaining("not_connected") }),
    expect.objectContaining({ callId: "id-note", result: '{"noted":true}' }),
    expect.objectContaining({ callId: "id-connect", result: expect.stringContaining("transfer_failed") }),
  ]);
  await rig.close();
});

test("a call that a model repeats within an answer runs once; one under an old id later is another call", async () => {
  const invoked: { id: string; args: string }[] = [];
  const rig = new CallRig({
    caller: [ASKS, { text: "And tomorrow?", fromMs: 8000, untilMs: 8800 }],
    answers: [
      [
        call("look", '{"day":1}', "call_0"),
        call("look", '{"day":1}', "call_0"),
        call("look", '{"day":1}', "call_9"),
        call("look", '{"day":2}', "call_0"),
      ],
      [says("Today it is open.")],
      [call("look", '{"day":1}', "call_0")],
      [says("Tomorrow too.")],
    ],
    invoke: ({ id, args }) => {
      invoked.push({ id, args });
      return Promise.resolve(`{"of":"${id}"}`);
    },
  });
  await rig.answer();
  await rig.at(20_000);
  expect(invoked).toEqual([
    { id: "call_0", args: '{"day":1}' },
    { id: "call_0_2", args: '{"day":2}' },
    { id: "call_0_3", args: '{"day":1}' },
  ]);
  const history = rig.dialogue.asked.at(-1) ?? [];
  const ids = history.flatMap((one) => (one.speaker === "agent" ? (one.calls ?? []).map(({ id }) => id) : []));
  const results = history.flatMap((one) => (one.speaker === "function" ? [`${one.callId} ${one.result}`] : []));
  expect(ids).toEqual(["call_0", "call_0_2", "call_0_3"]);
  expect(results).toEqual(ids.map((id) => `${id} {"of":"${id}"}`));
  await rig.close();
});

test("a model that calls functions for ever is stopped with a word, and the caller can go on", async () => {
  let runs = 0;
  const endless = Array.from({ length: 9 }, (_, index) => [call("look", `{"n":${index}}`)]);
  const rig = new CallRig({
    caller: [ASKS, { text: "Then tell me your name.", fromMs: 12_000, untilMs: 13_500 }],
    answers: [...endless, [says("I am Robin.")]],
    invoke: () => {
      runs += 1;
      return Promise.resolve("{}");
    },
  });
  await rig.answer();
  await rig.at(20_000);
  expect(runs).toBe(9);
  expect(rig.transcript.filter(({ text }) => text !== "").map(({ text }) => text)).toEqual([
    "Hello there.",
    ASKS.text,
    "I'm sorry, that did not work out. How else can I help you?",
    "Then tell me your name.",
    "I am Robin.",
  ]);
  await rig.close();
});

test("a function that outlives an interruption runs once, and its answer is told when nobody speaks", async () => {
  let runs = 0;
  const rig = new CallRig({
    caller: [ASKS, { text: "What else do you do?", fromMs: 5000, untilMs: 6500 }],
    answers: [
      [says("Let me look that up for you, this may take me a moment."), call("slow")],
      [says("We do a lot.")],
      [says("Here is what I found.")],
    ],
    invoke: async () => {
      runs += 1;
      await sleep(rig.clock, 12_000);
      return '{"found":true}';
    },
  });
  await rig.answer();
  await rig.at(30_000);
  expect(runs).toBe(1);
  expect(rig.dialogue.asked[1]?.some((one) => one.speaker === "function")).toBe(false);
  expect(rig.dialogue.asked[2]?.at(-1)).toMatchObject({ speaker: "function", callId: "id-slow" });
  expect(rig.transcript.at(-1)?.text).toBe("Here is what I found.");
  await rig.close();
});

test("whatever order announcements, carriers and callers come in, the call ends once and nothing is left", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom<"transferred" | "failed" | Error>("transferred", "failed", new Error("lost")),
      fc.integer({ min: 0, max: 60_000 }),
      fc.array(fc.integer({ min: 3500, max: 20_000 }), { maxLength: 3 }),
      fc.option(fc.integer({ min: 3500, max: 30_000 })),
      async (outcome, carrierMs, speaks, hangsUpMs) => {
        const starts = speaks
          .toSorted((a, b) => a - b)
          .filter((ms, index, all) => index === 0 || ms - (all[index - 1] ?? 0) > 2500);
        const more = starts.map((fromMs) => ({ text: "Well, I think so.", fromMs, untilMs: fromMs + 1200 }));
        const answers = [CONNECT, ...Array.from({ length: 8 }, () => [says("All right.")])];
        const { rig, asked } = transferring({ answers, caller: [ASKS, ...more] }, outcome, carrierMs);
        let ends = 0;
        await rig.answer();
        void rig.handle?.finished.then(() => (ends += 1));
        if (hangsUpMs !== null) {
          await rig.at(hangsUpMs);
          if (rig.end === undefined) rig.line.end("hung-up");
        }
        await rig.at(120_000);
        if (rig.end === undefined) rig.handle?.hangUp("operator_hangup", "api");
        await rig.untilEnd();
        expect(asked.length).toBeLessThanOrEqual(1);
        expect(ends).toBe(1);
        if (rig.end?.reason === "transferred") expect([outcome, asked.length]).toEqual(["transferred", 1]);
        rig.dialogue.forget();
        await rig.close();
      },
    ),
    { numRuns: 25 },
  );
});
