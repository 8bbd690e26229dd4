import { expect, test } from "vitest";
import type { RecordedSound, Recorder } from "../../src/ports/recorder.ts";
import { dominantFrequency, envelope, tone } from "../kit/tones.ts";

type Stereo = Readonly<{ caller: Int16Array; agent: Int16Array; sampleRate: number }>;

const bytesOf = async (sound: RecordedSound, range?: Readonly<{ start: number; end: number }>): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of await sound.stream(range)) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

/** Reads the two sides of a 16-bit stereo WAV file, trusting its header. */
export const sidesOf = (file: Buffer): Stereo => {
  expect(file.toString("latin1", 0, 4)).toBe("RIFF");
  expect(file.readUInt16LE(22)).toBe(2);
  const bytes = file.readUInt32LE(40);
  const frames = Math.min(bytes, file.length - 44) / 4;
  const side = (offset: number) =>
    Int16Array.from({ length: frames }, (_, frame) => file.readInt16LE(44 + frame * 4 + offset));
  return { caller: side(0), agent: side(2), sampleRate: file.readUInt32LE(24) };
};

/** First and last millisecond that sounds, by windows of 5 ms. */
const soundingPart = (samples: Int16Array, sampleRate: number): readonly [number, number] => {
  const loud = envelope(samples, sampleRate, 5).map((level) => level > 0.05);
  return [loud.indexOf(true) * 5, (loud.lastIndexOf(true) + 1) * 5];
};

/** What every recorder has to do; `make` gives a fresh one that keeps nothing of others. */
export const recorderContract = (make: () => Promise<Recorder>): void => {
  const record = async (
    write: (put: (side: "caller" | "agent", samples: Int16Array, atMs: number) => void) => void,
    sampleRate = 8000,
  ) => {
    const recorder = await make();
    const stream = await recorder.open({ dialId: "dial", recordingId: "recording", sampleRate });
    write((side, samples, atMs) => stream.write(side, samples, atMs));
    const { durationMs } = await stream.close();
    const sound = await recorder.read("dial", "recording");
    await recorder.close();
    return { durationMs, sound: sound!, ...sidesOf(await bytesOf(sound!)) };
  };

  test("each side is heard where it was put and on its own channel only", async () => {
    const { caller, agent, durationMs, sampleRate } = await record((put) => {
      for (let frame = 0; frame < 150; frame++) {
        const spoken = frame >= 50 && frame < 75 ? tone(850, 20, 8000) : new Int16Array(160);
        put("caller", spoken, frame * 20);
        if (frame >= 100 && frame < 140) put("agent", tone(450, 20, 8000), frame * 20);
      }
    });
    expect(sampleRate).toBe(8000);
    expect(durationMs).toBe(3000);
    expect(soundingPart(caller, 8000)).toEqual([1000, 1500]);
    expect(soundingPart(agent, 8000)).toEqual([2000, 2800]);
    expect(dominantFrequency(caller.subarray(8000, 12_000), 8000)).toBe(850);
    expect(dominantFrequency(agent.subarray(16_000, 22_000), 8000)).toBe(450);
    expect(dominantFrequency(agent.subarray(8000, 12_000), 8000)).toBeUndefined();
    expect(dominantFrequency(caller.subarray(16_000, 22_000), 8000)).toBeUndefined();
  });

  test("gaps are silence of their length, also gaps longer than what is kept in memory", async () => {
    const { caller, durationMs } = await record((put) => {
      put("caller", tone(500, 100, 8000), 0);
      put("caller", tone(700, 100, 8000), 10_000);
    });
    expect(durationMs).toBe(10_100);
    expect(soundingPart(caller.subarray(800), 8000)[0]).toBe(9900);
    expect(dominantFrequency(caller.subarray(80_000), 8000)).toBe(700);
  });

  test.each([0.98, 1.02])(
    "a side whose clock runs at %f is set right in its pauses, and no word is torn",
    async (pace) => {
      const { caller } = await record((put) => {
        for (let frame = 0; frame < 150; frame++) {
          const spoken = frame < 50 || frame >= 100 ? tone(500, 20, 8000) : new Int16Array(160);
          put("caller", spoken, frame * 20 * pace);
        }
      });
      const loud = envelope(caller, 8000, 5).map((level) => level > 0.05);
      const pause = loud.indexOf(false);
      const again = loud.indexOf(true, pause);
      expect(pause * 5).toBe(1000);
      expect(Math.abs(again * 5 - 2000 * pace)).toBeLessThan(20);
      expect(loud.slice(again, again + 195)).not.toContain(false);
    },
  );

  test("sound that overlaps comes after what was there, and small wobbles of time leave no gap", async () => {
    const { caller, agent } = await record((put) => {
      put("caller", tone(500, 200, 8000), 0);
      put("caller", tone(900, 100, 8000), 100);
      [0, 23, 38, 61, 80].forEach((atMs) => put("agent", new Int16Array(160).fill(1000), atMs));
    });
    expect(dominantFrequency(caller.subarray(0, 1600), 8000)).toBe(500);
    expect(dominantFrequency(caller.subarray(1600, 2400), 8000)).toBe(900);
    expect(Array.from(agent.subarray(0, 800)).every((sample) => sample === 1000)).toBe(true);
  });

  test("long sound at once is kept whole, at other rates too", async () => {
    const { agent, durationMs, sampleRate } = await record((put) => put("agent", tone(440, 7000, 24_000), 300), 24_000);
    expect([durationMs, sampleRate]).toEqual([7300, 24_000]);
    expect(soundingPart(agent, 24_000)).toEqual([300, 7300]);
  });

  test("times that no call has are left out", async () => {
    const { durationMs } = await record((put) => {
      for (const atMs of [-100, Number.NaN, Number.POSITIVE_INFINITY, 1e12]) put("caller", tone(500, 20, 8000), atMs);
      put("caller", tone(500, 20, 8000), 0);
    });
    expect(durationMs).toBe(20);
  });

  test("a recording without sound is an empty file", async () => {
    const { durationMs, caller } = await record(() => undefined);
    expect([durationMs, caller.length]).toEqual([0, 0]);
  });

  test("a part is what lies between its first and last byte, and what is not there is not given", async () => {
    const { sound } = await record((put) => put("caller", tone(500, 500, 8000), 0));
    const whole = await bytesOf(sound);
    expect(whole).toHaveLength(sound.bytes);
    expect(await bytesOf(sound, { start: 44, end: 99 })).toEqual(whole.subarray(44, 100));
    expect(() => sound.stream({ start: 10, end: sound.bytes })).toThrow(RangeError);
    expect(() => sound.stream({ start: 10, end: 9 })).toThrow(RangeError);
  });

  test("closing twice gives the same answer, and what is written afterwards is ignored", async () => {
    const recorder = await make();
    const stream = await recorder.open({ dialId: "dial", recordingId: "recording", sampleRate: 8000 });
    stream.write("caller", tone(500, 100, 8000), 0);
    const first = await stream.close();
    stream.write("caller", tone(500, 100, 8000), 100);
    expect(await stream.close()).toEqual(first);
    await recorder.close();
  });

  test("nothing is found of recordings that were never made", async () => {
    const recorder = await make();
    expect(await recorder.read("dial", "other")).toBeUndefined();
    await recorder.close();
  });

  test("a recording is never written over", async () => {
    const recorder = await make();
    const stream = await recorder.open({ dialId: "dial", recordingId: "recording", sampleRate: 8000 });
    await stream.close();
    await expect(recorder.open({ dialId: "dial", recordingId: "recording", sampleRate: 8000 })).rejects.toThrow();
    await recorder.close();
  });
};
