import { expect, test } from "vitest";
import type { VadListener, VoiceActivityDetector } from "../../src/ports/vad.ts";
import { CallRig } from "../kit/call-rig.ts";
import { says } from "../kit/scripted-dialogue.ts";
import { VirtualClock } from "../kit/virtual-clock.ts";

const LONG = "This is a rather long opening sentence that nobody wants to hear to its very end, believe me.";

/** Finds what it is told to find, by the end of each window of 32 ms. */
const finding = (probability: (endMs: number) => number): VoiceActivityDetector => ({
  name: "told",
  open: (listener: VadListener) => {
    let samples = 0;
    return {
      push: (pushed: Int16Array) => {
        for (let from = Math.floor(samples / 512); from < Math.floor((samples + pushed.length) / 512); from++)
          listener.probability(probability((from + 1) * 32), (from + 1) * 32);
        samples += pushed.length;
      },
      close: () => undefined,
    };
  },
  close: () => Promise.resolve(),
});

const calling = (probability: (endMs: number) => number): CallRig =>
  new CallRig({ opening: [says(LONG)], engines: { clock: new VirtualClock(), vad: finding(probability) } });

test("a voice that is only suspected stops the agent for a quarter of a second, and it goes on from there", async () => {
  const rig = calling((endMs) => (endMs > 1500 && endMs < 1600 ? 0.4 : 0.02));
  await rig.answer();
  await rig.at(8000);
  const [first, second, ...more] = rig.playback;
  expect(more).toEqual([]);
  expect((second?.fromMs ?? 0) - (first?.untilMs ?? 0)).toBeGreaterThanOrEqual(230);
  expect((second?.fromMs ?? 0) - (first?.untilMs ?? 0)).toBeLessThanOrEqual(290);
  expect(rig.transcript.map(({ text }) => text)).toEqual([LONG]);
  expect(rig.turns[0]).toMatchObject({ interrupted: false, bargeIns: [{ decision: "resumed", why: "no-words" }] });
  await rig.close();
});

test("the agent falls silent at the first hint of a voice that becomes certain later, and is interrupted by it", async () => {
  const certain = (fromMs: number) => (endMs: number) => (endMs > fromMs && endMs < 3000 ? 0.95 : 0.02);
  const hinted = calling((endMs) => (endMs > 1400 && endMs <= 1500 ? 0.4 : certain(1500)(endMs)));
  const sudden = calling(certain(1500));
  for (const rig of [hinted, sudden]) {
    await rig.answer();
    await rig.at(2500);
  }
  expect((sudden.playback[0]?.untilMs ?? 0) - (hinted.playback[0]?.untilMs ?? 0)).toBeGreaterThanOrEqual(40);
  expect(hinted.bargeIns).toEqual(["committed"]);
  for (const rig of [hinted, sudden]) await rig.close();
});

test("a suspicion is forgotten where the reply that it paused is cut off", async () => {
  const rig = calling((endMs) => (endMs > 1500 && endMs < 1600 ? 0.4 : 0.02));
  await rig.answer();
  await rig.at(1620);
  rig.line.press("1");
  await rig.at(2500);
  expect(rig.bargeIns).toEqual(["committed"]);
  expect(rig.playback).toHaveLength(1);
  rig.dialogue.forget();
  await rig.close();
});
