import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeLinear16, encodeLinear16 } from "../../src/audio/linear16.ts";

test("samples survive the way through bytes wherever the bytes lie", () => {
  fc.assert(
    fc.property(fc.int16Array(), fc.nat(3), (samples, offset) => {
      const room = new Uint8Array(samples.byteLength + offset);
      room.set(encodeLinear16(samples), offset);
      expect(decodeLinear16(room.subarray(offset))).toEqual(samples);
    }),
  );
});

test("the low byte comes first and a last odd byte is left out", () => {
  expect(Array.from(encodeLinear16(Int16Array.of(0x1234, -2)))).toEqual([0x34, 0x12, 0xfe, 0xff]);
  expect(Array.from(decodeLinear16(Uint8Array.of(0x34, 0x12, 0xfe)))).toEqual([0x1234]);
});
