import fc from "fast-check";
import { expect, test } from "vitest";
import { PlayQueue } from "../../src/browser/play-queue.ts";
import { readSound, writeSound } from "../../src/browser/sound-message.ts";

const OPTIONS = { sampleRate: 24_000, startMs: 40, mostMs: 2000, targetMs: 500 };
const ms = (count: number, value = 16_384) => new Int16Array(24 * count).fill(value);
const play = (queue: PlayQueue, forMs: number) => {
  const output = new Float32Array(24 * forMs);
  // oxlint-disable-next-line unicorn/no-array-fill-with-reference-type -- no array, and filled with sound
  const marks = queue.fill(output);
  return { marks, output };
};

test("an empty queue waits for 40 ms of sound, and then plays without a gap, and each mark when it is reached", () => {
  const queue = new PlayQueue(OPTIONS);
  queue.add(ms(20));
  expect(play(queue, 10).output.every((sample) => sample === 0)).toBe(true);
  queue.add(ms(20));
  queue.mark("a");
  queue.add(ms(20));
  queue.mark("b");
  const first = play(queue, 30);
  expect(first.output.every((sample) => sample === 0.5)).toBe(true);
  expect(first.marks).toEqual([]);
  expect(play(queue, 20).marks).toEqual(["a"]);
  expect(play(queue, 20).marks).toEqual(["b"]);
  expect(queue.queuedMs).toBe(0);
  expect(queue.troubles).toEqual({ underruns: 0, droppedMs: 0 });
});

test("an utterance that is shorter than the wait is played all the same", () => {
  const queue = new PlayQueue(OPTIONS);
  queue.add(ms(10));
  queue.mark("end");
  const heard = Array.from({ length: 20 }, () => play(queue, 10));
  expect(heard.flatMap(({ marks }) => marks)).toEqual(["end"]);
  expect(heard.some(({ output }) => output.includes(0.5))).toBe(true);
});

test("after a stall the oldest sound is dropped down to the target, its marks count as played, and the rest plays on", () => {
  const queue = new PlayQueue(OPTIONS);
  queue.add(ms(1900));
  queue.mark("old");
  expect(queue.add(ms(400, 8192))).toEqual(["old"]);
  expect(queue.queuedMs).toBeLessThanOrEqual(500);
  expect(queue.troubles.droppedMs).toBe(1900);
  expect(play(queue, 10).output.every((sample) => sample === 0.25)).toBe(true);
});

test("clear drops sound and marks", () => {
  const queue = new PlayQueue(OPTIONS);
  queue.add(ms(100));
  queue.mark("never");
  queue.clear();
  expect(queue.queuedMs).toBe(0);
  expect(play(queue, 200)).toMatchObject({ marks: [] });
});

test("whatever comes in which order, marks come back in order and once, and no more than the bound is kept", () => {
  const step = fc.oneof(
    fc.record({ add: fc.integer({ min: 0, max: 400 }) }),
    fc.record({ play: fc.integer({ min: 1, max: 200 }) }),
    fc.constant({ mark: true } as const),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const queue = new PlayQueue(OPTIONS);
      const reached: string[] = [];
      let marks = 0;
      for (const one of steps) {
        if ("add" in one) reached.push(...queue.add(ms(one.add)));
        else if ("play" in one) reached.push(...play(queue, one.play).marks);
        else queue.mark(String(marks++));
        expect(queue.queuedMs).toBeLessThanOrEqual(2000);
        expect(queue.queuedMs).toBeGreaterThanOrEqual(0);
      }
      for (let round = 0; round < 40; round++) reached.push(...play(queue, 100).marks);
      expect(reached).toEqual(Array.from({ length: marks }, (_, index) => String(index)));
    }),
    { numRuns: 100 },
  );
});

test("sound survives its message", () => {
  fc.assert(
    fc.property(fc.int16Array({ maxLength: 480 }), fc.nat(), (samples, sequence) => {
      const message = writeSound(sequence, sequence, samples);
      expect(new DataView(message).getUint32(0)).toBe(sequence);
      expect(readSound(message)).toEqual(samples);
    }),
  );
  expect(readSound(new ArrayBuffer(3))).toHaveLength(0);
});
