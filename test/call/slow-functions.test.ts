import { expect, test } from "vitest";
import { announceFunctions, bridgeSilence } from "../../src/dials/announce-function.ts";
import { FunctionInvoker } from "../../src/dials/invoke-function.ts";
import { AnnouncedDialogue } from "../../src/dialogue/announced-dialogue.ts";
import type { FunctionDefinition } from "../../src/model/function-definition.ts";
import { sleep, type Clock } from "../../src/ports/clock.ts";
import type { HttpCaller, HttpOutcome } from "../../src/ports/http-caller.ts";
import { CallRig } from "../kit/call-rig.ts";
import { testPlan } from "../kit/dial-plans.ts";
import { answers } from "../kit/function-servers.ts";
import { ScriptedDialogue, says, type Answer } from "../kit/scripted-dialogue.ts";
import { SeededRandom } from "../kit/seeded-random.ts";
import { silentLogger } from "../kit/silent-logger.ts";

const find: FunctionDefinition = {
  id: "f1",
  name: "find",
  description: "",
  type: "api",
  allowedNumbers: [],
  apiPath: "https://example.com",
};
const ASKS = { text: "When are you open?", fromMs: 1500, untilMs: 2500 };
const CALL = { type: "call", call: { id: "c1", name: "find", args: "{}" } } as const;

/** A whole call whose functions are those of the service, with a server that takes `ms`. */
const calling = (
  ms: number,
  first: Answer,
  started: readonly string[] = [],
  outcome: HttpOutcome = answers('{"a":1}'),
) => {
  const plan = testPlan({ dialId: "d1", functions: [find], startedMessages: { f1: started } });
  let invoker: FunctionInvoker | undefined;
  let inner: ScriptedDialogue | undefined;
  const server = (clock: Clock): HttpCaller => ({
    post: async ({ timeoutMs }, signal) => {
      const late = await sleep(clock, Math.min(ms, timeoutMs), signal).then(
        () => ms > timeoutMs,
        () => true,
      );
      return late ? { type: "timeout" } : outcome;
    },
    close: () => Promise.resolve(),
  });
  const rig = new CallRig({
    caller: [ASKS],
    dialogue: (clock) => {
      const random = new SeededRandom(1);
      const running = new FunctionInvoker({ clock, random, logger: silentLogger(), http: server(clock) }, plan);
      invoker = running;
      inner = new ScriptedDialogue(clock, [says("Hello there.")], [first, [200, says("We open at nine.")]]);
      return new AnnouncedDialogue(
        inner,
        announceFunctions(plan, random),
        bridgeSilence({ language: "en" }, (wait, signal) => running.stillRunning(wait, signal)),
      );
    },
    invoke: (call, signal) => (invoker as FunctionInvoker).invoke(call, signal),
  });
  const said = () =>
    rig.transcript.filter(({ speaker, text }) => speaker === "AI" && text !== "").map(({ text }) => text);
  const result = () => inner?.asked[1]?.find((one) => one.speaker === "function")?.result ?? "";
  /** The longest silence of both sides after the caller's question. */
  const silence = () => {
    const heard = rig.playback.filter(({ fromMs }) => fromMs > ASKS.untilMs);
    return heard.map(({ fromMs }, index) => fromMs - (heard[index - 1]?.untilMs ?? ASKS.untilMs));
  };
  return { rig, said, result, silence };
};

test("a function that answers at once costs nothing and needs no word", async () => {
  for (const ms of [0, 50, 700]) {
    const { rig, said, silence } = calling(ms, [100, CALL]);
    await rig.answer();
    await rig.at(12_000);
    expect(said()).toEqual(["Hello there.", "We open at nine."]);
    // 700 ms of waiting for the end of the turn, 100 and 200 ms of thinking, 100 ms of the voice.
    expect(Math.max(...silence())).toBeLessThan(700 + 300 + 100 + ms + 100);
    await rig.close();
  }
});

test("the wait for an answer that a function held up counts from the caller's last word, unless a word was heard before", async () => {
  const { rig, silence } = calling(300, [100, CALL]);
  await rig.answer();
  await rig.at(12_000);
  expect(rig.turns.map(({ endReason }) => endReason)).toEqual(["opening", "function"]);
  const turn = rig.turns[1];
  expect(turn?.endpointMs).toBeGreaterThan(500);
  expect(turn?.endpoint?.waitMs).toBeGreaterThan(500);
  expect(turn?.transcriptMs).toBeDefined();
  expect((turn?.modelFirstTokenMs ?? 0) - (turn?.endpointMs ?? 0)).toBeCloseTo(100 + 300 + 200, -1);
  expect(Math.abs((turn?.heardMs ?? 0) - Math.max(...silence()))).toBeLessThan(150);
  await rig.close();
  const { rig: told } = calling(300, [100, says("Sure."), CALL]);
  await told.answer();
  await told.at(12_000);
  expect(told.turns.at(-1)).toMatchObject({ endReason: "function" });
  expect(told.turns.at(-1)?.endpointMs).toBeUndefined();
  expect(told.turns.at(-1)?.heardMs).toBeLessThan(500);
  await told.close();
});

test("nobody waits in silence for a server that hangs, and the conversation goes on after its time limit", async () => {
  const { rig, said, result, silence } = calling(1e9, [300, CALL]);
  await rig.answer();
  await rig.at(25_000);
  expect(said()).toEqual([
    "Hello there.",
    "One moment, please. This is taking a little longer, thank you for your patience. I'm still here.",
    "We open at nine.",
  ]);
  expect(result()).toContain('"error":"timeout"');
  expect(Math.max(...silence())).toBeLessThan(2500);
  await rig.close();
});

test("a function's own message is spoken while it runs, before the next words, and cuts nothing", async () => {
  const { rig, said } = calling(2700, [says("Sure."), CALL], ["Let me look."]);
  await rig.answer();
  await rig.at(15_000);
  expect(said()).toEqual(["Hello there.", "Sure. Let me look.", "We open at nine."]);
  const [, words, next] = rig.playback;
  expect((words?.untilMs ?? 0) - (words?.fromMs ?? 0)).toBeGreaterThan(800);
  expect(next?.fromMs).toBeGreaterThan(words?.untilMs ?? Infinity);
  await rig.close();
});

test("a caller who speaks while a function runs is heard at once", async () => {
  const { rig, said } = calling(8000, [says("Let me look."), CALL]);
  rig.caller = [ASKS, { text: "Never mind, stop.", fromMs: 5500, untilMs: 6500 }];
  await rig.answer();
  await rig.at(9000);
  expect(said()).toEqual(["Hello there.", "Let me look.", "We open at nine."]);
  await rig.close();
});
