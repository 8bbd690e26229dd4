import fc from "fast-check";
import { expect, test } from "vitest";
import { SoundBuffer } from "../../src/audio/sound-buffer.ts";

test("the newest bytes can be read by their position, however they came", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 40 }),
      fc.array(fc.uint8Array({ maxLength: 60 }), { maxLength: 12 }),
      fc.nat(),
      fc.nat(),
      (capacity, pieces, a, b) => {
        const buffer = new SoundBuffer(capacity);
        const all = pieces.flatMap((piece) => [...piece]);
        for (const piece of pieces) buffer.append(piece);
        expect([buffer.start, buffer.end]).toEqual([Math.max(0, all.length - capacity), all.length]);
        const held = buffer.end - buffer.start + 1;
        const [from, to] = [buffer.start + (a % held), buffer.start + (b % held)].toSorted((x, y) => x - y) as [
          number,
          number,
        ];
        expect([...buffer.read(from, to)]).toEqual(all.slice(from, to));
      },
    ),
  );
});

test("what is gone or has not come cannot be read", () => {
  const buffer = new SoundBuffer(4);
  buffer.append(Uint8Array.of(1, 2, 3, 4, 5));
  expect(() => buffer.read(0, 2)).toThrow(RangeError);
  expect(() => buffer.read(3, 6)).toThrow(RangeError);
  expect([...buffer.read(1, 5)]).toEqual([2, 3, 4, 5]);
});
