import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeAlaw, decodeMulaw, encodeAlaw, encodeMulaw } from "../../src/audio/g711.ts";

const CODES = Uint8Array.from({ length: 256 }, (_, code) => code);
const SAMPLES = Int16Array.from({ length: 65_536 }, (_, index) => index - 32_768);

test.each([
  ["mu-law", encodeMulaw, decodeMulaw, 3, 32_635],
  ["A-law", encodeAlaw, decodeAlaw, 15, 32_767],
] as const)(
  "no sample changes by more than half a step of %s and the bits that the law does not look at",
  (_, encode, decode, ignored, loudest) => {
    const levels = decode(CODES).toSorted();
    const back = decode(encode(SAMPLES));
    SAMPLES.forEach((sample, index) => {
      if (Math.abs(sample) > loudest) return;
      const level = back[index] as number;
      const at = levels.indexOf(level);
      const step = Math.max(level - (levels.at(at - 1) ?? level), (levels[at + 2] ?? level) - level);
      expect(Math.abs(level - sample)).toBeLessThanOrEqual(step / 2 + ignored);
    });
  },
);

test("mu-law follows the published formula for all samples", () => {
  const formula = (sample: number): number => {
    const magnitude = Math.min(((sample < 0 ? ~sample : sample) >> 2) + 33, 8191);
    const exponent = Math.floor(Math.log2(magnitude)) - 5;
    const mantissa = Math.floor(magnitude / 2 ** (exponent + 1)) % 16;
    return 255 - ((sample < 0 ? 128 : 0) + exponent * 16 + mantissa);
  };
  expect(Array.from(encodeMulaw(SAMPLES))).toEqual(Array.from(SAMPLES, formula));
});

test("A-law follows the published formula for all samples", () => {
  const formula = (sample: number): number => {
    const magnitude = (sample < 0 ? ~sample : sample) >> 4;
    const exponent = magnitude < 16 ? 0 : Math.floor(Math.log2(magnitude)) - 3;
    const mantissa = Math.floor(magnitude / 2 ** Math.max(0, exponent - 1)) % 16;
    return (exponent * 16 + mantissa + (sample < 0 ? 0 : 128)) ^ 0x55;
  };
  expect(Array.from(encodeAlaw(SAMPLES))).toEqual(Array.from(SAMPLES, formula));
});

test("all codes decode to the standard's levels", () => {
  // Segments double in step; µ-law adds 33 to its 14 bits before it takes them, A-law is even in its lowest two segments.
  const mulaw = (code: number): number => {
    const bits = 255 - code;
    const level = (2 * (bits % 16) + 33) * 2 ** (Math.floor(bits / 16) % 8) - 33;
    return (bits >= 128 ? -level : level) * 4 + 0;
  };
  const alaw = (code: number): number => {
    const bits = code ^ 0x55;
    const segment = Math.floor(bits / 16) % 8;
    const level = segment === 0 ? 2 * (bits % 16) + 1 : (2 * (bits % 16) + 33) * 2 ** (segment - 1);
    return (bits >= 128 ? level : -level) * 8;
  };
  expect(Array.from(decodeMulaw(CODES))).toEqual(Array.from(CODES, mulaw));
  expect(Array.from(decodeAlaw(CODES))).toEqual(Array.from(CODES, alaw));
});

test("known codes decode to the values of the standard's tables", () => {
  const mulaw = [0x00, 0x0f, 0x7e, 0x7f, 0x80, 0xff, 0xfe];
  expect(Array.from(decodeMulaw(Uint8Array.from(mulaw)))).toEqual(
    [-32_124, -16_764, -8, -0, 32_124, 0, 8].map((v) => v + 0),
  );
  expect(Array.from(decodeAlaw(Uint8Array.from([0x55, 0xd5, 0x2a, 0xaa])))).toEqual([-8, 8, -32_256, 32_256]);
});

test("coding twice changes nothing more than coding once", () => {
  fc.assert(
    fc.property(fc.int16Array({ maxLength: 400 }), (samples) => {
      const mulaw = decodeMulaw(encodeMulaw(samples));
      expect(decodeMulaw(encodeMulaw(mulaw))).toEqual(mulaw);
      const alaw = decodeAlaw(encodeAlaw(samples));
      expect(decodeAlaw(encodeAlaw(alaw))).toEqual(alaw);
    }),
  );
});
