import fc from "fast-check";
import { expect, test } from "vitest";
import { Converter, decodeSamples, encodeSamples, silenceByte } from "../../src/audio/convert.ts";
import type { AudioFormat, Encoding } from "../../src/model/audio.ts";
import { amplitudeAt, concat, tone, toneSnrDb } from "../kit/tones.ts";

const MULAW: AudioFormat = { encoding: "mulaw", sampleRate: 8000 };
const WIDE: AudioFormat = { encoding: "linear16", sampleRate: 16_000 };

test("sound in the right format already passes through untouched", () => {
  const converter = new Converter(MULAW, { ...MULAW });
  const payload = encodeSamples("mulaw", tone(440, 20, 8000));
  expect(converter.convert(payload)).toBe(payload);
  expect(converter.flush()).toHaveLength(0);
  converter.close();
});

test.each<[AudioFormat, AudioFormat, number]>([
  [MULAW, WIDE, 35],
  [{ encoding: "alaw", sampleRate: 8000 }, WIDE, 35],
  [{ encoding: "linear16", sampleRate: 22_050 }, MULAW, 33],
  [WIDE, { encoding: "alaw", sampleRate: 8000 }, 33],
  [{ encoding: "linear16", sampleRate: 24_000 }, WIDE, 80],
])("a tone from %o to %o keeps its pitch, loudness and what the coarser side allows of quality", (from, to, snr) => {
  const converter = new Converter(from, to);
  const pieces: Int16Array[] = [];
  for (let frame = 0; frame < 50; frame++) {
    const samples = tone(440, 1000, from.sampleRate).subarray(
      (frame * from.sampleRate) / 50,
      ((frame + 1) * from.sampleRate) / 50,
    );
    pieces.push(decodeSamples(to.encoding, converter.convert(encodeSamples(from.encoding, samples).slice())).slice());
  }
  converter.close();
  const out = concat(...pieces);
  expect(out).toHaveLength(to.sampleRate);
  const steady = out.subarray(to.sampleRate / 10);
  expect(amplitudeAt(steady, 440, to.sampleRate)).toBeCloseTo(0.5, 1);
  expect(toneSnrDb(steady, 440, to.sampleRate)).toBeGreaterThan(snr);
});

test("samples that are cut in half between pieces are put together again", () => {
  const bytes = encodeSamples("linear16", tone(440, 100, 16_000)).slice();
  const whole = new Converter(WIDE, MULAW);
  const expected = whole.convert(bytes);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 501 }), { maxLength: 12 }), (cuts) => {
      const converter = new Converter(WIDE, MULAW);
      const pieces: Uint8Array[] = [];
      let at = 0;
      for (const cut of [...cuts, bytes.length]) {
        pieces.push(converter.convert(bytes.subarray(at, at + cut)));
        at += cut;
      }
      converter.close();
      expect(Buffer.concat(pieces).equals(expected)).toBe(true);
    }),
  );
  whole.close();
});

test.each<Encoding>(["mulaw", "alaw", "linear16"])(
  "the silence byte of %s is the quietest sound there is",
  (encoding) => {
    const payload = new Uint8Array(8).fill(silenceByte(encoding));
    for (const sample of decodeSamples(encoding, payload)) expect(Math.abs(sample)).toBeLessThanOrEqual(8);
  },
);
