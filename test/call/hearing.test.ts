import { expect, test, vi } from "vitest";
import type { Resampler as Original } from "../../src/audio/resampler.ts";
import { Hearing } from "../../src/call/hear.ts";
import type { CallHappening } from "../../src/call/events.ts";
import type { LogFields } from "../../src/ports/logger.ts";
import { CallRig, silentLogger } from "../kit/call-rig.ts";
import { says } from "../kit/scripted-dialogue.ts";
import { ScriptedTranscriber, ScriptedVad } from "../kit/scripted-engines.ts";
import { VirtualClock } from "../kit/virtual-clock.ts";

const LONG = "This is a rather long opening sentence that nobody wants to hear to its very end, believe me.";

const resamplers = vi.hoisted(() => ({ made: 0, open: new Set<object>() }));

vi.mock("../../src/audio/resampler.ts", async (original) => {
  const { Resampler } = await original<Readonly<{ Resampler: typeof Original }>>();
  return {
    Resampler: class extends Resampler {
      constructor(from: number, to: number) {
        super(from, to);
        resamplers.made += 1;
        resamplers.open.add(this);
      }
      override close() {
        super.close();
        resamplers.open.delete(this);
      }
    },
  };
});

test("what the caller says after the transcriber was opened anew is heard and answered", async () => {
  const rig = new CallRig({
    caller: [
      { text: "What are your opening hours?", fromMs: 1500, untilMs: 3000 },
      { text: "And on Sunday?", fromMs: 7000, untilMs: 8000 },
    ],
    answers: [[says("From nine.")], [says("Closed.")]],
  });
  await rig.answer();
  await rig.at(6000);
  rig.transcriber.streams.at(-1)?.fail();
  await rig.at(11_000);
  expect(rig.transcript.map(({ text }) => text)).toEqual([
    "Hello there.",
    "What are your opening hours?",
    "From nine.",
    "And on Sunday?",
    "Closed.",
  ]);
  await rig.close();
});

test("when each word was said is kept with the caller's words, on the call's clock, also after the transcriber was opened anew", async () => {
  const rig = new CallRig({
    caller: [
      { text: "And on Sunday?", fromMs: 1500, untilMs: 3000 },
      { text: "Thank you.", fromMs: 7000, untilMs: 8000 },
    ],
    answers: [[says("From nine.")], [says("Goodbye.")]],
  });
  rig.transcriber.timesWords = true;
  await rig.answer();
  await rig.at(6000);
  rig.transcriber.streams.at(-1)?.fail();
  await rig.at(11_000);
  const told = rig.transcript.flatMap(({ words = [] }) => words);
  expect(told.map(({ text }) => text)).toEqual(["And", "on", "Sunday?", "Thank", "you."]);
  for (const [index, fromMs] of [1500, 2000, 2500, 7000, 7500].entries()) {
    expect(Math.abs((told[index]?.startTimeMs ?? 0) - fromMs)).toBeLessThanOrEqual(40);
    expect((told[index]?.endTimeMs ?? 0) - (told[index]?.startTimeMs ?? 0)).toBe(500);
  }
  expect(rig.transcript.filter(({ speaker }) => speaker === "AI").every(({ words }) => words === undefined)).toBe(true);
  await rig.close();
});

test.for(["transcriber", "vad"] as const)(
  "a %s that fails while the agent pauses for the caller does not silence the agent",
  async (part) => {
    const rig = new CallRig({ opening: [says(LONG)], caller: [{ text: "", fromMs: 1000, untilMs: 1250 }] });
    await rig.answer();
    await rig.at(1235);
    rig[part].streams.at(-1)?.fail();
    await rig.at(10_000);
    expect(rig.transcript.map(({ text }) => text)).toEqual([LONG]);
    expect(rig.bargeIns).toEqual(["resumed"]);
    await rig.close();
  },
);

test("why an engine failed is logged", async () => {
  const logged: (readonly [string, LogFields | undefined])[] = [];
  const logger = { ...silentLogger, warn: (message: string, fields?: LogFields) => logged.push([message, fields]) };
  const rig = new CallRig({ logger });
  await rig.answer();
  rig.vad.streams.at(-1)?.fail();
  rig.transcriber.streams.at(-1)?.fail();
  expect(logged).toEqual([["hearing failed", { part: "vad", provider: "scripted", error: new Error("scripted") }]]);
  await rig.close();
});

test("words that were known when the transcriber failed are answered", async () => {
  const rig = new CallRig({
    caller: [{ text: "I would like to know when you open tomorrow morning.", fromMs: 1500, untilMs: 4500 }],
    answers: [[says("At nine.")]],
  });
  await rig.answer();
  await rig.at(4480);
  rig.transcriber.streams.at(-1)?.fail();
  await rig.at(10_000);
  expect(rig.transcript[1]?.text).toMatch(/^I would like to know/u);
  expect(rig.transcript.at(-1)?.text).toBe("At nine.");
  await rig.close();
});

test("a failure in silence lets the caller be asked whether they are there", async () => {
  const idle = { enabled: true, messages: ["Are you there?"], afterMs: 3000, maxMessages: 1 };
  const rig = new CallRig({ plan: { idle }, caller: [{ text: "", fromMs: 1500, untilMs: 2500 }] });
  await rig.answer();
  await rig.at(2300);
  rig.vad.streams.at(-1)?.fail();
  const end = await rig.untilEnd(30_000);
  expect(end.reason).toBe("idle");
  await rig.close();
});

test("a line that was silent for longer than any hole that is filled keeps true times afterwards", async () => {
  const rig = new CallRig({
    caller: [{ text: "", fromMs: 16_000, untilMs: 17_500 }],
  });
  await rig.answer();
  await rig.at(2000);
  rig.line.muted = true;
  await rig.at(14_500);
  rig.line.muted = false;
  await rig.clock.until(() => rig.events.some(({ type }) => type === "speech-started"), 5000);
  const started = rig.events.find((event) => event.type === "speech-started");
  expect(Math.abs((started?.onsetMs ?? 0) - 16_000)).toBeLessThan(80);
  await rig.at(19_000);
  const ended = rig.events.find((event) => event.type === "speech-ended");
  expect(Math.abs((ended?.lastVoicedMs ?? 0) - 17_500)).toBeLessThan(80);
  await rig.close();
});

test.for([
  {
    line: { encoding: "mulaw", sampleRate: 8000 } as const,
    wanted: { encoding: "linear16", sampleRate: 16_000 } as const,
  },
  {
    line: { encoding: "mulaw", sampleRate: 8000 } as const,
    wanted: { encoding: "linear16", sampleRate: 24_000 } as const,
  },
  { line: { encoding: "mulaw", sampleRate: 8000 } as const, wanted: { encoding: "mulaw", sampleRate: 8000 } as const },
])("every resampler is closed when the engines are opened anew and in the end: $line → $wanted", ({ line, wanted }) => {
  // Their memory lies outside the collector's reach, so what is not closed is lost for the life of the process.
  resamplers.open.clear();
  const before = resamplers.made;
  const clock = new VirtualClock();
  const pushed: number[] = [];
  const scripted = new ScriptedTranscriber(clock, () => []);
  const transcriber = {
    name: "scripted",
    supports: () => true,
    close: () => Promise.resolve(),
    open: (...[hints, listener]: Parameters<ScriptedTranscriber["open"]>) => ({
      ...scripted.open(hints, listener),
      format: wanted,
      push: (payload: Uint8Array) => pushed.push(payload.length),
    }),
  };
  const happened: CallHappening[] = [];
  const hearing = new Hearing(line, {
    clock,
    vad: new ScriptedVad(),
    listening: { transcriber, hints: { language: "en", keywords: [], lineFormat: line } },
    toCallMs: (ms) => ms,
    emit: (happening) => happened.push(happening),
    failed: () => undefined,
    heard: () => undefined,
  });
  hearing.open();
  for (let frame = 0; frame < 10; frame++) {
    hearing.frame({ payload: new Uint8Array(160).fill(0xff), atMs: frame * 20 });
    if (frame === 5) hearing.reopen();
  }
  hearing.close();
  hearing.close();
  expect(pushed).toHaveLength(10);
  expect(resamplers.made).toBeGreaterThan(before);
  expect(resamplers.open.size).toBe(0);
});

test("sound that waited until the call was ready makes nothing that comes later seem later than it is", async () => {
  const clock = new VirtualClock();
  const format = { encoding: "mulaw", sampleRate: 8000 } as const;
  const heard: number[] = [];
  const hearing = new Hearing(format, {
    clock,
    vad: new ScriptedVad(),
    listening: {
      transcriber: new ScriptedTranscriber(clock, () => []),
      hints: { language: "en", keywords: [], lineFormat: format },
    },
    toCallMs: (ms) => ms,
    emit: () => undefined,
    failed: () => undefined,
    heard: (_samples, atMs) => heard.push(atMs),
  });
  hearing.open();
  const frame = (index: number) => {
    hearing.frame({ payload: new Uint8Array(160).fill(0xff), atMs: index * 20 });
  };
  const startMs = clock.monotonic();
  await clock.advance(500);
  for (let index = 0; index < 25; index++) frame(index);
  for (let index = 25; index < 30; index++) {
    await clock.advance(20);
    frame(index);
  }
  // A late frame is only late.
  await clock.advance(90);
  frame(30);
  expect(heard.slice(25).map((atMs) => Math.round(atMs - startMs))).toEqual([500, 520, 540, 560, 580, 600]);
  hearing.close();
});
