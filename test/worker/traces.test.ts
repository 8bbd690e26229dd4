import { expect, test } from "vitest";
import { DialTraces } from "../../src/dials/dial-traces.ts";
import { FunctionInvoker } from "../../src/dials/invoke-function.ts";
import { traceCalls } from "../../src/dials/trace-calls.ts";
import type { TurnRecord } from "../../src/model/turn-record.ts";
import type { Clock } from "../../src/ports/clock.ts";
import type { Span, Tracer } from "../../src/ports/tracer.ts";
import { testPlan } from "../kit/dial-plans.ts";
import { answers, ScriptedHttp } from "../kit/function-servers.ts";
import { SeededRandom } from "../kit/seeded-random.ts";
import { silentLogger } from "../kit/silent-logger.ts";
import { VirtualClock } from "../kit/virtual-clock.ts";
import { expectTidy } from "./tidy.ts";
import { WorkerRig } from "./worker-rig.ts";

class KeptSpans implements Tracer {
  readonly spans: Span[] = [];
  span(span: Span): void {
    this.spans.push(span);
  }
  traceparent(dialId: string, key: string): string {
    return `${dialId} ${key}`;
  }
  named(name: string): readonly Span[] {
    return this.spans.filter((span) => span.name === name);
  }
}

const tracing = (clock: Pick<Clock, "now">) => {
  const tracer = new KeptSpans();
  return { tracer, traces: new DialTraces(tracer, clock) };
};

/** Milliseconds from the start of the rig's clock. */
const stretch = (span: Span | undefined) =>
  span === undefined ? undefined : [span.fromMs - START, span.untilMs - START];
const START = new VirtualClock().now();

test("a dial is one trace: queue, ringing, placing, call, transfer and end, each where it was in time", async () => {
  const kept: KeptSpans[] = [];
  const rig = new WorkerRig({}, (deps) => {
    const { tracer, traces } = tracing(deps.clock);
    kept.push(tracer);
    return { ...deps, traces, prepare: traceCalls(deps.prepare, traces, deps.clock) };
  });
  await rig.worker.start();
  rig.calls.script("d1", { transfersMs: 3_000 });
  await rig.dial("d1", { answers: ["accepted"], person: "answers", ringMs: 2_000, talkMs: 60_000 });
  const end = await rig.ended("d1");
  expect(end.reason).toBe("transferred");
  const [tracer] = kept;
  const one = (name: string) => tracer?.named(name)[0];
  expect(tracer?.spans.map(({ name }) => name).toSorted()).toEqual([
    "call",
    "end",
    "place",
    "queue",
    "ring",
    "transfer",
  ]);
  expect(one("ring")).toMatchObject({ key: "ring", attributes: { outcome: "answered" } });
  expect(stretch(one("ring"))).toEqual([0, 2_000]);
  expect(one("place")).toMatchObject({
    under: "ring",
    kind: "client",
    failed: false,
    attributes: { outcome: "accepted" },
  });
  expect(one("call")).toMatchObject({ key: "call", attributes: { reason: "transferred", endedBy: "agent" } });
  expect(stretch(one("call"))?.[0]).toBe(2_000);
  expect(one("transfer")).toMatchObject({ under: "call", failed: false, attributes: { outcome: "transferred" } });
  expect(stretch(one("transfer"))?.[0]).toBe(5_000);
  expect(one("end")).toMatchObject({ attributes: { reason: "transferred", outcome: "completed" } });
  expect(JSON.stringify(tracer?.spans)).not.toContain("+1202");
  await rig.clock.advance(60_000);
  await expectTidy(rig);
});

test("a dial that nobody could place tells where it failed", async () => {
  const kept: KeptSpans[] = [];
  const rig = new WorkerRig({}, (deps) => {
    const { tracer, traces } = tracing(deps.clock);
    kept.push(tracer);
    return { ...deps, traces };
  });
  await rig.worker.start();
  await rig.dial("d1", { answers: [{ rejected: "carrier_error" }], person: "answers" });
  await rig.ended("d1");
  const [tracer] = kept;
  expect(tracer?.named("place")).toMatchObject([{ failed: true, attributes: { outcome: "refused" } }]);
  expect(tracer?.named("ring")).toMatchObject([{ attributes: { outcome: "over" } }]);
  expect(tracer?.named("end")).toMatchObject([{ failed: true }]);
  await expectTidy(rig);
});

const TURN: TurnRecord = {
  index: 3,
  startMs: 10_400,
  endReason: "complete",
  interrupted: false,
  endpointMs: 400,
  transcriptMs: 300,
  modelFirstTokenMs: 700,
  firstSentenceMs: 750,
  synthesizerFirstAudioMs: 900,
  audioSentMs: 910,
  heardMs: 960,
  fallbacks: [{ part: "model", from: "a", to: "b", why: "late" }],
};

test("a turn's stages follow one another from the caller's last voiced sample, and lie within it", async () => {
  const clock = new VirtualClock();
  const { tracer, traces } = tracing(clock);
  await clock.advance(15_000);
  traces.turn("d1", START + 1_000, TURN);
  const [turn] = tracer.named("turn");
  expect(turn).toMatchObject({ key: "turn 3", under: "call", attributes: { turn: 3, reason: "complete" } });
  expect(stretch(turn)).toEqual([11_000, 15_000]);
  const stages = tracer.spans.filter(({ under }) => under === "turn 3");
  expect(stages.map(({ name, fromMs, untilMs }) => [name, fromMs - START - 11_000, untilMs - START - 11_000])).toEqual([
    ["endpoint", 0, 400],
    // Its words were final before its end was decided, and nobody waited for them.
    ["transcript", 300, 300],
    ["model", 400, 700],
    ["sentence", 700, 750],
    ["synthesizer", 750, 900],
    ["sent", 900, 910],
    ["heard", 910, 960],
    ["takeover", 0, 0],
  ]);
  expect(tracer.named("takeover")[0]?.attributes).toEqual({
    part: "model",
    insteadOf: "a",
    engine: "b",
    reason: "late",
  });
});

test("a function's server is asked below the function's span, which tells no word of what was asked", async () => {
  const clock = new VirtualClock();
  const { tracer, traces } = tracing(clock);
  const http = new ScriptedHttp(answers('{"secret":"zephyr"}'));
  const plan = testPlan({
    dialId: "d1",
    inputs: { name: "Ada" },
    functions: [
      {
        id: "f1",
        name: "find",
        description: "",
        type: "api",
        allowedNumbers: [],
        apiPath: "https://example.com/quagmire?token=obelisk",
        headers: [],
      },
    ],
  });
  const invoker = new FunctionInvoker(
    { clock, random: new SeededRandom(1), logger: silentLogger(), http, traces },
    plan,
  );
  await invoker.invoke({ id: "c1", name: "find", args: '{"of":"marmalade"}' }, new AbortController().signal);
  const [post] = http.posts;
  const [span] = tracer.spans;
  expect(post?.headers["traceparent"]).toBe(`d1 ${span?.key}`);
  expect(span).toMatchObject({
    name: "function",
    under: "call",
    failed: false,
    attributes: { functionId: "f1", status: 200 },
  });
  expect(JSON.stringify(tracer.spans)).not.toMatch(/zephyr|quagmire|obelisk|marmalade|Ada/);
});
