import fc from "fast-check";
import { expect, test } from "vitest";
import { BrokenWebm, WebmPackets, type WebmPacket } from "../../../src/adapters/browser/webm-packets.ts";
import { webmOf } from "../../kit/webm.ts";

const PACKETS = Array.from({ length: 12 }, (_, index) => Uint8Array.from({ length: 40 + index }, () => index));
const FILE = webmOf(PACKETS, 60);

const readAll = (chunks: readonly Uint8Array[]): readonly WebmPacket[] => {
  const reader = new WebmPackets();
  return chunks
    .flatMap((chunk) => reader.push(chunk))
    .map(({ atMs, packet }) => ({ atMs, packet: new Uint8Array(packet) }));
};

test("packets come out with their times, however the stream is cut", () => {
  const whole = readAll([FILE]);
  expect(whole.map(({ packet }) => packet)).toEqual(PACKETS);
  expect(whole.map(({ atMs }) => atMs)).toEqual(PACKETS.map((_, index) => index * 60));
  fc.assert(
    fc.property(fc.array(fc.nat(FILE.length), { maxLength: 30 }), (cuts) => {
      const edges = [0, ...cuts.toSorted((a, b) => a - b), FILE.length];
      expect(readAll(edges.slice(1).map((edge, index) => FILE.subarray(edges[index], edge)))).toEqual(whole);
    }),
  );
  expect(readAll(Array.from(FILE, (byte) => Uint8Array.of(byte)))).toEqual(whole);
});

test.each([
  ["another container", Buffer.from("OggS and more of it")],
  ["another codec", webmOf(PACKETS, 60, "A_VORBIS")],
  ["a block without end", Buffer.concat([FILE, Buffer.from([0xa3, 0x10, 0xff, 0xff, 0xff, 0xff])])],
])("%s is refused", (_, bytes) => {
  expect(() => new WebmPackets().push(bytes)).toThrow(BrokenWebm);
});

test("what is not needed is skipped without being kept", () => {
  const reader = new WebmPackets();
  // A void element of 2⁴⁰ bytes.
  const empty = Uint8Array.of(0xec, 0x05, 0, 0x01, 0, 0, 0, 0);
  expect(reader.push(Buffer.concat([FILE, empty]))).toHaveLength(PACKETS.length);
  for (let round = 0; round < 100; round++) expect(reader.push(new Uint8Array(10_000))).toEqual([]);
});

test("no bytes bring it down, or make it go round for ever", () => {
  const mutated = fc
    .tuple(fc.nat(FILE.length - 1), fc.uint8Array({ minLength: 1, maxLength: 12 }))
    .map(([at, bytes]) => Buffer.concat([FILE.subarray(0, at), bytes, FILE.subarray(at + bytes.length)]));
  fc.assert(
    fc.property(fc.oneof(mutated, fc.uint8Array({ maxLength: 400 })), (bytes) => {
      try {
        for (const { packet } of new WebmPackets().push(bytes)) expect(packet.length).toBeLessThan(65_536);
      } catch (error) {
        expect(error).toBeInstanceOf(BrokenWebm);
      }
    }),
    { numRuns: 5000 },
  );
});
