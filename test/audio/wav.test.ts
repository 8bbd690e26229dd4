import fc from "fast-check";
import { expect, test } from "vitest";
import { encodeAlaw, encodeMulaw } from "../../src/audio/g711.ts";
import { WAV_HEADER_BYTES, WavError, readWav, wavHeader, writeWav } from "../../src/audio/wav.ts";
import { concat, silence, tone, toneSnrDb } from "../kit/tones.ts";

/** A WAV file put together by hand, so that reading is not tested by our own writing. */
const file = (
  code: number,
  channels: number,
  rate: number,
  bits: number,
  data: Uint8Array,
  extra = Buffer.alloc(0),
): Buffer => {
  const fmt = Buffer.alloc(24);
  fmt.write("fmt ", 0, "latin1");
  fmt.writeUInt32LE(16, 4);
  fmt.writeUInt16LE(code, 8);
  fmt.writeUInt16LE(channels, 10);
  fmt.writeUInt32LE(rate, 12);
  fmt.writeUInt32LE((rate * channels * bits) / 8, 16);
  fmt.writeUInt16LE((channels * bits) / 8, 20);
  fmt.writeUInt16LE(bits, 22);
  const head = Buffer.alloc(8);
  head.write("data", 0, "latin1");
  head.writeUInt32LE(data.length, 4);
  const riff = Buffer.from("RIFF\0\0\0\0WAVE", "latin1");
  riff.writeUInt32LE(4 + fmt.length + extra.length + 8 + data.length, 4);
  return Buffer.concat([riff, fmt, extra, head, data]);
};

const sine = tone(440, 200, 16_000);

const encodings: [string, number, number, number, (samples: Int16Array) => Uint8Array][] = [
  ["8-bit PCM", 1, 8, 30, (s) => Uint8Array.from(s, (v) => (v >> 8) + 128)],
  ["16-bit PCM", 1, 16, 80, (s) => new Uint8Array(s.slice().buffer)],
  ["24-bit PCM", 1, 24, 80, (s) => Uint8Array.from([...s].flatMap((v) => [0, v & 255, (v >> 8) & 255]))],
  ["32-bit PCM", 1, 32, 80, (s) => new Uint8Array(Int32Array.from(s, (v) => v * 65_536).buffer)],
  ["32-bit float", 3, 32, 80, (s) => new Uint8Array(Float32Array.from(s, (v) => v / 32_767).buffer)],
  ["64-bit float", 3, 64, 80, (s) => new Uint8Array(Float64Array.from(s, (v) => v / 32_767).buffer)],
  ["A-law", 6, 8, 33, encodeAlaw],
  ["mu-law", 7, 8, 33, encodeMulaw],
];

test.each(encodings)("%s is read", (_, code, bits, snr, encode) => {
  const sound = readWav(file(code, 1, 16_000, bits, encode(sine)));
  expect(sound.sampleRate).toBe(16_000);
  expect(sound.samples).toHaveLength(sine.length);
  expect(toneSnrDb(sound.samples, 440, 16_000)).toBeGreaterThan(snr);
});

test("several channels are mixed into one", () => {
  const stereo = Int16Array.from([100, 300, -200, -400, 32_767, 32_767]);
  expect(Array.from(readWav(file(1, 2, 8000, 16, new Uint8Array(stereo.buffer))).samples)).toEqual([200, -300, 32_767]);
});

test("other chunks are skipped, padded to even lengths", () => {
  const list = Buffer.from("LIST\u0003\0\0\0abc\0", "latin1");
  expect(readWav(file(1, 1, 16_000, 16, new Uint8Array(sine.buffer), list)).samples).toEqual(sine);
});

test.each([0, 0xffff_ffff, 999_999])(
  "a data size of %i, as in a file that still grows, means up to the end",
  (size) => {
    const bytes = Buffer.from(writeWav({ samples: sine, sampleRate: 8000 }));
    bytes.writeUInt32LE(size, 40);
    expect(readWav(bytes).samples).toEqual(sine);
  },
);

test("what was written is read back, from any place in memory", () => {
  fc.assert(
    fc.property(fc.int16Array(), fc.nat(3), (samples, offset) => {
      const bytes = Buffer.concat([Buffer.alloc(offset), writeWav({ samples, sampleRate: 22_050 })]).subarray(offset);
      expect(readWav(bytes)).toEqual({ samples, sampleRate: 22_050 });
    }),
  );
});

test("the header says the sizes that players look for", () => {
  const header = Buffer.from(wavHeader({ sampleRate: 8000, channels: 2 }, 1000));
  expect(header).toHaveLength(WAV_HEADER_BYTES);
  expect([header.readUInt32LE(4), header.readUInt32LE(28), header.readUInt16LE(32), header.readUInt32LE(40)]).toEqual([
    1036, 32_000, 4, 1000,
  ]);
});

test.each([
  ["text", Buffer.from("this is not sound at all, I fear"), "not a WAV file"],
  ["no sound", file(1, 1, 8000, 16, Buffer.alloc(0)).subarray(0, 36), "no sound"],
  ["compressed", file(2, 1, 8000, 4, Buffer.alloc(40)), "format 2 with 4 bits"],
  ["no channels", file(1, 0, 8000, 16, Buffer.alloc(40)), "0 channels"],
  ["an absurd rate", file(1, 1, 1, 16, Buffer.alloc(40)), "1 samples per second"],
])("%s is refused with what is wrong", (_, bytes, message) => {
  expect(() => readWav(bytes)).toThrow(WavError);
  expect(() => readWav(bytes)).toThrow(message);
});

test("a file that is too long is refused", () => {
  const bytes = writeWav({ samples: concat(sine, silence(2000, 8000)), sampleRate: 8000 });
  expect(() => readWav(bytes, 2)).toThrow("longer than 2 s");
});

test("damaged files give a clear error or sound, never a crash", () => {
  const whole = writeWav({ samples: tone(440, 10, 8000), sampleRate: 8000 });
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 6 }),
      fc.nat(whole.length),
      (edits, length) => {
        const bytes = whole.slice(0, length);
        for (const [at, value] of edits) if (at < length) bytes[at] = value;
        try {
          expect(readWav(bytes).samples.length).toBeLessThanOrEqual(length);
        } catch (error) {
          expect(error).toBeInstanceOf(WavError);
        }
      },
    ),
  );
});
