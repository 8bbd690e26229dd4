import { expect, test } from "vitest";
import type { LogFields, Logger } from "../../src/ports/logger.ts";
import { CallRig } from "../kit/call-rig.ts";
import { heapInUse } from "../kit/garbage.ts";
import { hangsUp, says } from "../kit/scripted-dialogue.ts";

/** One short call with everything in it: a turn, an interruption, a function, an engine that fails, and a goodbye. */
const shortCall = async (round: number) => {
  const rig = new CallRig({
    opening: [says("Hello there, this is the office.")],
    caller: [
      { text: "Stop.", fromMs: 300, untilMs: 600 },
      { text: "Is it open?", fromMs: 2500, untilMs: 3000 },
    ],
    answers: [
      [says("Yes?")],
      [says("One moment."), { type: "call", call: { id: "call-1", name: "hours", args: "{}" } }],
      [says("It is. Bye."), hangsUp],
    ],
  });
  await rig.answer(100);
  await rig.at(2000);
  if (round % 3 === 0) rig.transcriber.streams.at(-1)?.fail();
  if (round % 10 === 0) {
    rig.line.end("lost");
    await rig.untilEnd();
    await rig.discard();
    expect(rig.clock.pending, "timers left running").toBe(0);
    return;
  }
  const end = await rig.untilEnd();
  expect(end.reason).toBe("agent_hangup");
  await rig.close();
};

/** The quickest call there is. */
const hangUpAtOnce = async () => {
  const rig = new CallRig({ opening: [says("Hello.")] });
  await rig.answer(0);
  rig.line.end("hung-up");
  await rig.untilEnd();
  await rig.close();
};

const inBatches = async (count: number, call: (round: number) => Promise<void>) => {
  for (let round = 0; round < count; round += BATCH)
    await Promise.all(Array.from({ length: BATCH }, (_, index) => call(round + index)));
};

const BATCH = 20;

/** A call that is kept holds on to many times as much; what is measured without one is 500 bytes and a little. */
const MOST_BYTES_A_CALL = 8000;

test.for([
  ["a thousand quick calls", 1000, hangUpAtOnce],
  ["twenty calls with everything in them", 20, shortCall],
] as const)(
  "%s leave nothing behind: no timer, and no memory that grows with their number",
  async ([, count, call]) => {
    await inBatches(BATCH, call);
    const before = await heapInUse();
    await inBatches(count, call);
    expect(((await heapInUse()) - before) / count).toBeLessThan(MOST_BYTES_A_CALL);
  },
);

test("nothing that was said, thought or dialled is logged in a whole call", async () => {
  const secrets = ["quagmire", "zephyr", "+12025550123", "marmalade", "obelisk", "sk_canary"];
  const lines: string[] = [];
  const capture = (bound: LogFields): Logger => {
    const log = (message: string, fields: LogFields = {}) => {
      const errors = Object.values(fields).map((value) => (value instanceof Error ? everythingOf(value) : ""));
      lines.push(JSON.stringify({ message, ...bound, ...fields }) + errors.join(" "));
    };
    return { debug: log, info: log, warn: log, error: log, child: (fields) => capture({ ...bound, ...fields }) };
  };
  for (const answer of [
    [says("An obelisk it is."), hangsUp],
    [says("An obelisk"), new Error("the model failed")],
  ]) {
    const rig = new CallRig({
      logger: capture({}),
      plan: {
        toNumber: "+12025550123",
        prompt: { id: "prompt-1", name: "Test", agentType: "STANDARD", prompt: "Always speak of marmalade." },
        inputs: { key: "sk_canary" },
      },
      opening: [says("What about the quagmire? It is a long story, and it is told slowly.")],
      caller: [
        { text: "Stop it with the zephyr.", fromMs: 900, untilMs: 2500 },
        { text: "And the quagmire?", fromMs: 5000, untilMs: 6000 },
      ],
      answers: [
        [says("Marmalade."), { type: "call", call: { id: "call-1", name: "hours", args: '{"of":"zephyr"}' } }],
        [says("Yes.")],
        answer,
      ],
      invoke: () => Promise.reject(new Error("the function failed")),
    });
    await rig.answer();
    await rig.at(4000);
    rig.transcriber.streams.at(-1)?.fail();
    await rig.untilEnd();
    expect(rig.transcript.some(({ text }) => text.includes("zephyr"))).toBe(true);
    await rig.close();
  }
  expect(lines.length).toBeGreaterThan(0);
  for (const secret of secrets) expect(lines.join("\n").toLowerCase()).not.toContain(secret.toLowerCase());
});

const everythingOf = (error: Error): string =>
  [error.message, error.stack, error.cause instanceof Error ? everythingOf(error.cause) : ""].join(" ");
