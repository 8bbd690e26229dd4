import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeSamples } from "../../src/audio/convert.ts";
import { Pacer } from "../../src/call/pacer.ts";
import { Speaker } from "../../src/call/speak.ts";
import { FRAME_MS, type AudioFormat } from "../../src/model/audio.ts";
import { CallRig } from "../kit/call-rig.ts";
import { says } from "../kit/scripted-dialogue.ts";
import { LETTER_MS } from "../kit/scripted-engines.ts";
import { ScriptedLine, type LineOptions } from "../kit/scripted-line.ts";
import { VirtualClock } from "../kit/virtual-clock.ts";

const format: AudioFormat = { encoding: "mulaw", sampleRate: 8000 };

/** One frame of sound that tells which it is. */
const frameOf = (index: number) => new Uint8Array(160).fill(index % 251);

const setUp = (options: LineOptions = {}, volumeDb = 0) => {
  const clock = new VirtualClock();
  const line = new ScriptedLine(clock, options);
  const told: string[] = [];
  const recorded: { samples: Int16Array; atMs: number }[] = [];
  const speaker = new Speaker(format, {
    clock,
    pacer: new Pacer(clock),
    leadMs: 400,
    volumeDb,
    listener: {
      started: (reply) => told.push(`started ${reply}`),
      acknowledged: () => undefined,
      progress: () => undefined,
      drained: (reply) => told.push(`drained ${reply}`),
      records: () => true,
      played: (payload, atMs) => recorded.push({ samples: decodeSamples(format.encoding, payload), atMs }),
      failed: (error) => told.push(String(error)),
    },
  });
  line.listen({
    frame: () => undefined,
    digit: () => undefined,
    mark: (name) => {
      speaker.marked(name);
    },
    gone: () => undefined,
  });
  return { clock, line, speaker, told, recorded };
};

/** Numbers of the frames that the other party heard whole, in order. */
const framesHeard = (line: ScriptedLine) =>
  line.heard.filter(({ fromMs, untilMs }) => untilMs - fromMs > FRAME_MS - 1).map(({ payload }) => payload[0]);

test("a voice without word times is taken up again near where it paused, with the very sound that was not heard", async () => {
  const { clock, line, speaker, told } = setUp();
  const text = "one two three four five six seven eight nine ten. ".repeat(4);
  speaker.attach(line);
  speaker.begin(0);
  speaker.addPiece(
    0,
    text,
    [...text.matchAll(/\S+\s*/gu)].map((match) => match.index + match[0].length),
  );
  for (let frame = 0; frame < 600; frame++) speaker.addSound(0, frameOf(frame));
  speaker.endPiece(0);
  speaker.finish(0);
  await clock.advance(9000);
  speaker.pause();
  const before = framesHeard(line);
  await clock.advance(500);
  speaker.resume();
  await clock.advance(20_000);
  const after = framesHeard(line).slice(before.length);
  const again = 600 - after.length;
  expect(after).toEqual(Array.from({ length: after.length }, (_, index) => (again + index) % 251));
  expect(before.length - again).toBeGreaterThanOrEqual(0);
  expect(before.length - again).toBeLessThan(40);
  expect(told).toEqual(["started 0", "drained 0"]);
  expect(clock.pending).toBe(0);
});

test("whenever it is paused and resumed, nothing is left out, all is heard in the end, and what was heard never shrinks by more than a word", async () => {
  const pause = fc.record({ playMs: fc.integer({ min: 0, max: 1500 }), pauseMs: fc.integer({ min: 0, max: 900 }) });
  await fc.assert(
    fc.asyncProperty(
      fc.array(pause, { maxLength: 4 }),
      fc.constantFrom<LineOptions>({}, { delayMs: 120 }, { marks: false }, { queue: "none", marks: false }),
      fc.boolean(),
      async (pauses, options, timed) => {
        const { clock, line, speaker, told } = setUp(options);
        const pieces = ["It is open. ", "We close at five. "];
        speaker.attach(line);
        speaker.begin(3);
        let frame = 0;
        for (const piece of pieces) {
          const fromMs = frame * FRAME_MS;
          const words = [...piece.matchAll(/\S+\s*/gu)];
          speaker.addPiece(
            3,
            piece,
            words.map((match) => match.index + match[0].length),
          );
          const times = words.map((match) => ({
            text: match[0],
            startMs: fromMs + match.index * LETTER_MS,
            endMs: fromMs + (match.index + match[0].trim().length) * LETTER_MS,
          }));
          const count = Math.ceil((piece.length * LETTER_MS) / FRAME_MS);
          for (let index = 0; index < count; index++)
            speaker.addSound(3, frameOf(frame++), index === 0 && timed ? times : undefined);
          speaker.endPiece(3);
        }
        speaker.finish(3);
        let longest = 0;
        for (const { playMs, pauseMs } of pauses) {
          await clock.advance(playMs);
          speaker.pause();
          speaker.pause();
          const { text = "", endMs = 0 } = speaker.heard() ?? {};
          await clock.advance(pauseMs);
          expect(speaker.heard()).toEqual(text === "" && endMs === 0 ? speaker.heard() : { reply: 3, text, endMs });
          expect(endMs).toBeLessThanOrEqual(clock.monotonic() - pauseMs);
          speaker.resume();
          longest = Math.max(longest, text.length);
          expect((speaker.heard()?.text ?? "").length).toBeGreaterThanOrEqual(longest - 7);
        }
        await clock.advance(10_000);
        expect(speaker.heard()?.text).toBe(pieces.join(""));
        expect(told).toEqual(["started 3", "drained 3"]);
        expect(new Set(line.heard.map(({ payload }) => payload[0])).size).toBe(frame);
        expect(clock.pending).toBe(0);
      },
    ),
    { numRuns: 60 },
  );
});

test("a pause after the last sound takes no word away", async () => {
  const rig = new CallRig({
    caller: [
      { text: "Is it open?", fromMs: 1500, untilMs: 2200 },
      { text: "Mm-hm.", fromMs: 4500, untilMs: 4750 },
    ],
    answers: [
      [says("One moment please."), { type: "call", call: { id: "call-1", name: "hours", args: "{}" } }],
      [says("Yes, it is.")],
    ],
    invoke: () =>
      new Promise((resolve) => {
        rig.clock.setTimer(5000, () => {
          resolve({ type: "result", result: "{}" });
        });
      }),
  });
  await rig.answer();
  await rig.at(12_000);
  expect(
    rig.dialogue.asked[1]?.find((exchange) => exchange.speaker === "agent" && exchange.calls !== undefined),
  ).toMatchObject({
    text: "One moment please.",
    interrupted: false,
  });
  expect(rig.transcript.map(({ text }) => text)).toContain("One moment please.");
  await rig.close();
});

test("what an interruption left ends when playback stopped, not when it was decided", async () => {
  const rig = new CallRig({
    plan: { sensitivity: "SLOW" },
    opening: [says("This is a rather long opening sentence that nobody wants to hear.")],
    caller: [{ text: "I have a question for you.", fromMs: 1500, untilMs: 3000 }],
    answers: [[says("Yes?")]],
  });
  await rig.answer();
  await rig.at(8000);
  const stoppedMs = rig.playback[0]?.untilMs ?? 0;
  expect(Math.abs((rig.transcript[0]?.endTimeMs ?? 0) - stoppedMs)).toBeLessThan(100);
  await rig.close();
});

test("a reply that is cancelled while it is paused says nothing more, and marks of it count for nothing", async () => {
  const { clock, line, speaker, told } = setUp();
  speaker.attach(line);
  speaker.begin(0);
  speaker.addPiece(0, "one two", [4, 7]);
  for (let frame = 0; frame < 50; frame++) speaker.addSound(0, frameOf(frame));
  speaker.endPiece(0);
  speaker.finish(0);
  await clock.advance(300);
  speaker.pause();
  speaker.cancel(0);
  speaker.resume();
  speaker.begin(1);
  speaker.marked("0:0");
  speaker.marked("nonsense");
  speaker.marked("1:7");
  expect(speaker.heard()).toBeUndefined();
  speaker.finish(1);
  await clock.advance(3000);
  expect(told).toEqual(["started 0", "drained 1"]);
  expect(line.playedMs).toBeLessThanOrEqual(300);
  expect(clock.pending).toBe(0);
});

test("a late voice leaves a gap, and what is recorded lies where it played", async () => {
  const { clock, line, speaker, recorded } = setUp();
  speaker.attach(line);
  speaker.begin(0);
  speaker.addPiece(0, "one two", [4, 7]);
  for (let frame = 0; frame < 10; frame++) speaker.addSound(0, frameOf(1));
  await clock.advance(1000);
  for (let frame = 0; frame < 10; frame++) speaker.addSound(0, frameOf(2));
  speaker.endPiece(0);
  speaker.finish(0);
  await clock.advance(1000);
  expect(line.heard[10]?.fromMs).toBe(1000);
  const at = (index: number) => recorded.at(index)?.atMs ?? -1;
  expect(at(0)).toBe(0);
  expect(recorded.every(({ atMs }) => atMs < 200 || (atMs >= 1000 && atMs < 1200))).toBe(true);
  expect(recorded.reduce((sum, { samples }) => sum + samples.length, 0)).toBe(20 * 160);
});

test("the volume is changed on the way", async () => {
  const { clock, line, speaker } = setUp({}, -120);
  speaker.attach(line);
  speaker.begin(0);
  speaker.addPiece(0, "one", [3]);
  for (let frame = 0; frame < 5; frame++) speaker.addSound(0, frameOf(5));
  speaker.endPiece(0);
  speaker.finish(0);
  await clock.advance(500);
  const quiet = line.heard
    .flatMap(({ payload }) => Array.from(payload))
    .every((byte) => byte === 0xff || byte === 0x7f);
  expect(quiet).toBe(true);
  expect(line.playedMs).toBe(100);
});

test("a line that throws ends its own reply; other calls on the same heartbeat go on", async () => {
  const clock = new VirtualClock();
  const pacer = new Pacer(clock);
  const told: string[] = [];
  const speakers = [new ScriptedLine(clock), new ScriptedLine(clock)].map((line, index) => {
    const speaker = new Speaker(format, {
      clock,
      pacer,
      leadMs: 40,
      volumeDb: 0,
      listener: {
        started: () => undefined,
        acknowledged: () => undefined,
        progress: () => undefined,
        drained: () => told.push(`drained ${index}`),
        records: () => false,
        played: () => undefined,
        failed: (error) => told.push(`failed ${index}: ${String(error)}`),
      },
    });
    speaker.attach(line);
    speaker.begin(0);
    speaker.addPiece(0, "one", [3]);
    for (let frame = 0; frame < 50; frame++) speaker.addSound(0, frameOf(frame));
    speaker.endPiece(0);
    speaker.finish(0);
    return { speaker, line };
  });
  await clock.advance(100);
  if (speakers[0] !== undefined)
    speakers[0].line.send = () => {
      throw new Error("the socket is gone");
    };
  await clock.advance(5000);
  expect(told).toEqual(["failed 0: Error: the socket is gone", "drained 1"]);
  for (const { speaker } of speakers) speaker.close();
  expect(clock.pending).toBe(0);
});
