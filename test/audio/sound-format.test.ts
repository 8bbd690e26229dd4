import * as fc from "fast-check";
import { expect, test } from "vitest";
import { soundFormatOf } from "../../src/audio/sound-format.ts";

test.each([
  ["RIFF....WAVE", "wav"],
  ["ID3\u0004", "mp3"],
  ["\u00FF\u00FB\u0090", "mp3"],
  ["\u00FF\u00F3\u0040", "mp3"],
  ["\u00FF\u00F1\u0050", "aac"],
  ["\u00FF\u00F9\u0050", "aac"],
  ["OggS", "ogg"],
  ["fLaC", "flac"],
  ["\u001A\u0045\u00DF\u00A3", "webm"],
  ["\0\0\0\u001CftypM4A ", "m4a"],
  ["", undefined],
  ["RIF", undefined],
  ["\0\0\0\u001Cfty", undefined],
  ["\u00FF\u00E0", undefined],
  ["#EXTM3U", undefined],
])("%j begins a file of %s", (text, format) => {
  expect(soundFormatOf(Buffer.from(text, "latin1"))).toBe(format);
});

test("any bytes begin a file of some format or of none", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 16 }), (bytes) => {
      expect([undefined, "wav", "mp3", "ogg", "webm", "flac", "m4a", "aac"]).toContain(soundFormatOf(bytes));
    }),
  );
});
