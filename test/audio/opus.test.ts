import fc from "fast-check";
import { expect, test } from "vitest";
import { OpusDecoder, OpusEncoder, opusPacketMs, type OpusRate } from "../../src/audio/opus.ts";
import { fidelityOf } from "../kit/fidelity.ts";
import { makeSpeaker } from "../kit/spoken.ts";
import { concat, tone, toneSnrDb } from "../kit/tones.ts";

const RATE = 16_000;
const speak = await makeSpeaker();
const SPEECH = speak(
  "The quick brown fox jumps over the lazy dog, and then he asks for a table near the window at half past seven.",
);

const framesOf = (samples: Int16Array, length: number): Int16Array[] =>
  Array.from({ length: Math.floor(samples.length / length) }, (_, at) =>
    samples.subarray(at * length, (at + 1) * length),
  );

const encodeAll = async (samples: Int16Array, rate: OpusRate = RATE): Promise<Uint8Array[]> => {
  const encoder = await OpusEncoder.create({ sampleRate: rate });
  const packets = framesOf(samples, encoder.frameLength).map((frame) => encoder.encode(frame));
  encoder.close();
  return packets;
};

test("speech at 24 kbit/s comes out as it went in, later by the delay that the encoder states", async () => {
  const encoder = await OpusEncoder.create({ sampleRate: RATE });
  const decoder = await OpusDecoder.create(RATE);
  const packets = framesOf(SPEECH, encoder.frameLength).map((frame) => encoder.encode(frame));
  const heard = concat(...packets.map((packet) => decoder.decode(packet) ?? new Int16Array(0)));
  const { median, worst, lagMs } = fidelityOf(SPEECH, heard, RATE);
  expect(median).toBeGreaterThan(0.96);
  expect(worst).toBeGreaterThan(0.8);
  expect(Math.abs(lagMs - encoder.delayMs)).toBeLessThan(1);
  const bytes = packets.reduce((sum, packet) => sum + packet.length, 0);
  expect((bytes * 8) / (packets.length * 0.02)).toBeLessThan(26_000);
  encoder.close();
  decoder.close();
});

test.each([8000, 24_000, 48_000] as const)("a tone survives the way through the codec at %i Hz", async (rate) => {
  const decoder = await OpusDecoder.create(rate);
  const packets = await encodeAll(tone(440, 1000, rate), rate);
  const heard = concat(...packets.map((packet) => decoder.decode(packet) ?? new Int16Array(0)));
  decoder.close();
  expect(heard).toHaveLength(rate);
  expect(toneSnrDb(heard.subarray(rate / 4), 440, rate)).toBeGreaterThan(15);
});

test("the packet after a lost one brings back more of it than what can be made up", async () => {
  const packets = await encodeAll(SPEECH);
  const withEveryTenthLost = async (mend: (decoder: OpusDecoder, next: Uint8Array) => Int16Array): Promise<number> => {
    const decoder = await OpusDecoder.create(RATE);
    const pieces = packets.map((packet, index) => {
      const next = packets[index + 1];
      const sound = index % 10 === 5 && next ? mend(decoder, next) : decoder.decode(packet);
      expect(sound).toHaveLength(RATE / 50);
      return sound ?? new Int16Array(0);
    });
    decoder.close();
    return fidelityOf(SPEECH, concat(...pieces), RATE).median;
  };
  const madeUp = await withEveryTenthLost((decoder) => decoder.decodeLost());
  const recovered = await withEveryTenthLost((decoder, next) => decoder.decodeFromNext(next));
  expect(recovered).toBeGreaterThan(0.93);
  expect(recovered).toBeGreaterThan(madeUp);
});

test("bytes that are no packet are as good as lost, and the stream goes on", async () => {
  const decoder = await OpusDecoder.create(RATE);
  const [packet] = await encodeAll(SPEECH.subarray(0, 320));
  expect(decoder.decode(new Uint8Array(0))).toBeUndefined();
  expect(decoder.decode(Uint8Array.of(0xff, 0xff, 0xff))).toBeUndefined();
  expect(decoder.decodeFromNext(Uint8Array.of(0xff, 0xff, 0xff))).toHaveLength(320);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const sound = decoder.decode(bytes);
      if (sound !== undefined) expect(sound.length / 16).toBe(opusPacketMs(bytes));
    }),
    { numRuns: 2000 },
  );
  expect(decoder.decode(packet as Uint8Array)).toHaveLength(320);
  decoder.close();
});

test("a packet tells how long it lasts", async () => {
  const [packet] = await encodeAll(SPEECH.subarray(0, 320));
  expect(opusPacketMs(packet as Uint8Array)).toBe(20);
  expect(opusPacketMs(new Uint8Array(0))).toBe(0);
});

test("a thousand sessions leave no memory behind", async () => {
  const session = async (): Promise<void> => {
    const encoder = await OpusEncoder.create({ sampleRate: RATE });
    const decoder = await OpusDecoder.create(RATE);
    decoder.decode(encoder.encode(SPEECH.subarray(0, 320)));
    encoder.close();
    decoder.close();
    decoder.close();
  };
  await session();
  const before = process.memoryUsage().external;
  for (let count = 0; count < 1000; count++) await session();
  // One session that is not closed holds some 40 kB, and the codec's heap only ever grows.
  expect(process.memoryUsage().external - before).toBeLessThan(4_000_000);
});
