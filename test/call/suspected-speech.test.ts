import { expect, test } from "vitest";
import type { VadListener, VoiceActivityDetector } from "../../src/ports/vad.ts";
import { encodeMulaw } from "../../src/audio/g711.ts";
import { CallRig } from "../kit/call-rig.ts";
import { says } from "../kit/scripted-dialogue.ts";
import { tone } from "../kit/tones.ts";
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

/** A caller who hisses from 1.4 s on for so long, to a detector that finds a little in it, and what it is told to find afterwards. */
const calling = (hissMs: number, afterwards: (endMs: number) => number = () => 0.02): CallRig => {
  const hiss = encodeMulaw(tone(3000, hissMs, 8000, 0.2));
  return new CallRig({
    opening: [says(LONG)],
    engines: {
      clock: new VirtualClock(),
      vad: finding((endMs) => Math.max(afterwards(endMs), endMs > 1400 && endMs < 1400 + hissMs ? 0.1 : 0)),
    },
    microphone: (frame) => {
      const payload = new Uint8Array(160).fill(0xff);
      const from = frame * 160 - 1400 * 8;
      if (from >= 0) payload.set(hiss.subarray(from, from + 160));
      return payload;
    },
  });
};

test("a voice that is only suspected stops the agent for a quarter of a second, and it goes on from there", async () => {
  const rig = calling(160);
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

test("the agent falls silent at the hiss before a voice, and is interrupted by the voice", async () => {
  const certain = (endMs: number) => (endMs > 1550 && endMs < 3000 ? 0.95 : 0.02);
  const hinted = calling(160, certain);
  const sudden = calling(20, certain);
  for (const rig of [hinted, sudden]) {
    await rig.answer();
    await rig.at(2500);
  }
  expect((sudden.playback[0]?.untilMs ?? 0) - (hinted.playback[0]?.untilMs ?? 0)).toBeGreaterThanOrEqual(40);
  expect(hinted.bargeIns).toEqual(["committed"]);
  for (const rig of [hinted, sudden]) await rig.close();
});

test("a suspicion is forgotten where the reply that it paused is cut off", async () => {
  const rig = calling(160);
  await rig.answer();
  await rig.at(1600);
  rig.line.press("1");
  await rig.at(2500);
  expect(rig.bargeIns).toEqual(["committed"]);
  expect(rig.playback).toHaveLength(1);
  rig.dialogue.forget();
  await rig.close();
});
