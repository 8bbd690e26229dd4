import { expect, test } from "vitest";
import { JitterBuffer } from "../../src/audio/jitter-buffer.ts";
import { levelDbfs } from "../../src/audio/level.ts";
import { fidelityOf } from "../kit/fidelity.ts";
import { SeededRandom } from "../kit/seeded-random.ts";
import { makeSpeaker, resampled } from "../kit/spoken.ts";
import { concat, silence } from "../kit/tones.ts";

const RATE = 8000;
const FRAME = RATE / 50;
const MINUTES = 30;

/** What is said over and over, a whole number of frames long. */
const SAID = await (async () => {
  const speak = await makeSpeaker();
  const speech = resampled(speak("I would like to move my appointment to next Friday, please."), 16_000, RATE);
  const loop = concat(speech, silence(1200, RATE));
  return loop.subarray(0, loop.length - (loop.length % FRAME));
})();
const LOOP = SAID.length / FRAME;
const frameOf = (index: number): Int16Array => SAID.subarray((index % LOOP) * FRAME, ((index % LOOP) + 1) * FRAME);

/**
 * What is heard for half an hour of a sender whose clock is wrong by `ppm`, over a network that loses 3 % and is up to 80 ms late; sound
 * that was lost is silent, and the codec is left out. Also how far what was given out is behind the time, once a second.
 */
const halfAnHour = (ppm: number) => {
  const speed = 1 + ppm / 1e6;
  const random = new SeededRandom(17);
  const count = Math.floor(MINUTES * 60 * 50 * speed);
  const packets = Array.from({ length: count }, (_, index) => ({
    index,
    atMs: random.fraction() < 0.03 ? Infinity : (index * 20) / speed + 80 * random.fraction(),
  }))
    .filter(({ atMs }) => atMs < Infinity)
    .toSorted((a, b) => a.atMs - b.atMs);
  const buffer = new JitterBuffer(48_000);
  const heard: Int16Array[] = [];
  const behindMs: number[] = [];
  let outMs = 0;
  let quiet = true;
  const drain = (nowMs: number) => {
    for (let piece = buffer.pull(nowMs, quiet); piece !== undefined; piece = buffer.pull(nowMs, quiet)) {
      if (piece.kind === "skipped") continue;
      const sound =
        piece.kind === "sound" ? frameOf(new DataView(piece.payload.buffer).getUint32(0)) : silence(piece.ms, RATE);
      quiet = piece.kind !== "lost" && levelDbfs(sound) < -50;
      heard.push(sound);
      outMs += piece.ms;
    }
  };
  for (const { index, atMs } of packets) {
    for (let due = buffer.dueMs; due !== undefined && due <= atMs; due = buffer.dueMs) drain(due);
    const payload = new Uint8Array(4);
    new DataView(payload.buffer).setUint32(0, index);
    buffer.push({ sequence: index & 0xffff, timestamp: (index * 960) >>> 0, ms: 20, payload }, atMs);
    drain(atMs);
    if (index % 50 === 0) behindMs.push(atMs - outMs);
  }
  return { heard: concat(...heard), behindMs, speed };
};

test.each([300, -300])(
  "half an hour of a sender whose clock is wrong by %i ppm is heard as it was said, in time",
  (ppm) => {
    const { heard, behindMs, speed } = halfAnHour(ppm);
    for (const minute of [1, 15, 29]) {
      const loop = Math.round((minute * 60 * 50) / LOOP);
      const from = Math.round((loop * SAID.length) / speed);
      const { median, lagMs } = fidelityOf(SAID, heard.subarray(from - RATE, from + SAID.length + RATE), RATE);
      expect(median).toBeGreaterThan(0.95);
      expect(Math.abs(lagMs - 1000)).toBeLessThan(60);
    }
    // Uncorrected, it would be 540 ms more or less at the end than in the beginning.
    expect(Math.max(...behindMs.slice(5))).toBeLessThan(300);
    expect(Math.min(...behindMs.slice(5))).toBeGreaterThan(-60);
  },
);
