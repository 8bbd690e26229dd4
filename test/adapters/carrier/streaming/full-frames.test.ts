import fc from "fast-check";
import { expect, test } from "vitest";
import { FullFrames } from "../../../../src/adapters/carrier/streaming/full-frames.ts";

test("pieces of any length come out as whole frames, in order and complete", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 50 })), (pieces) => {
      const frames = new FullFrames(16, 0xff);
      const out = pieces.flatMap((piece) => frames.cut(piece));
      const rest = frames.rest();
      expect([...out, ...rest].every((frame) => frame.length === 16)).toBe(true);
      const all = Buffer.concat(pieces);
      const sent = Buffer.concat([...out, ...rest]);
      expect(sent.subarray(0, all.length)).toEqual(all);
      expect(sent.subarray(all.length).every((byte) => byte === 0xff)).toBe(true);
      expect(sent.length - all.length).toBeLessThan(16);
    }),
  );
});

test("a whole frame is passed on as it is", () => {
  const frame = new Uint8Array(16);
  expect(new FullFrames(16, 0).cut(frame)[0]).toBe(frame);
});

test("what is dropped is not heard later", () => {
  const frames = new FullFrames(4, 0);
  frames.cut(Uint8Array.of(1, 2));
  frames.drop();
  expect(frames.rest()).toEqual([]);
  expect(frames.cut(Uint8Array.of(3, 4, 5, 6))).toEqual([Uint8Array.of(3, 4, 5, 6)]);
});
