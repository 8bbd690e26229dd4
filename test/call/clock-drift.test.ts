import { expect, test } from "vitest";
import { Hearing } from "../../src/call/hear.ts";
import type { CallHappening } from "../../src/call/events.ts";
import { ScriptedTranscriber, ScriptedVad } from "../kit/scripted-engines.ts";
import { VirtualClock } from "../kit/virtual-clock.ts";

const MINUTES = 30;
const FORMAT = { encoding: "linear16", sampleRate: 8000 } as const;
const QUIET = new Uint8Array(320);
const LOUD = new Uint8Array(Int16Array.from({ length: 160 }, (_, at) => (at % 8 < 4 ? 9000 : -9000)).buffer);

/** A clock that stands where it is put: nothing here waits. */
class HandClock extends VirtualClock {
  at = 0;
  override monotonic(): number {
    return this.at;
  }
}

/**
 * The caller's voice is there for a second in every ten, for half an hour, by a sender whose clock is wrong by `ppm` and a network that
 * takes up to 15 ms; how far off each ending is told, in milliseconds, and what is recorded.
 */
const halfAnHour = (ppm: number) => {
  const clock = new HandClock();
  const told: number[] = [];
  const recorded: number[] = [];
  const hearing = new Hearing(FORMAT, {
    clock,
    vad: new ScriptedVad(),
    listening: {
      transcriber: new ScriptedTranscriber(clock, () => []),
      hints: { language: "en", keywords: [], lineFormat: FORMAT },
    },
    toCallMs: (ms) => ms,
    emit: (happening: CallHappening) => {
      if (happening.type === "speech-ended") told.push(happening.lastVoicedMs);
    },
    failed: (_part, error) => {
      throw error;
    },
    heard: (samples, atMs) => {
      if (samples[0] !== undefined && samples[0] > 0) recorded.push(atMs - (clock.at - 20));
    },
  });
  hearing.open();
  const speed = 1 + ppm / 1e6;
  const endings: number[] = [];
  for (let index = 0; index < MINUTES * 60 * 50; index++) {
    const voiced = index % 500 >= 200 && index % 500 < 250;
    clock.at = 1000 + ((index + 1) * 20) / speed + ((index * 7919) % 16);
    if (index % 500 === 250) endings.push(1000 + (index * 20) / speed);
    hearing.frame({ payload: voiced ? LOUD : QUIET, atMs: index * 20 });
  }
  hearing.close();
  return { off: endings.map((ms, index) => (told[index] ?? Infinity) - ms), recorded };
};

test.each([300, -300])(
  "what a sender says whose clock is wrong by %i ppm is still placed when it was said after half an hour",
  (ppm) => {
    const { off, recorded } = halfAnHour(ppm);
    expect(off).toHaveLength(MINUTES * 6);
    // The detector tells by windows of 32 ms.
    expect(Math.max(...off.map(Math.abs))).toBeLessThan(50);
    expect(Math.max(...recorded.map(Math.abs))).toBeLessThan(30);
  },
);
