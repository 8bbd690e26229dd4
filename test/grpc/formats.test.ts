import { expect, test } from "vitest";
import { coversLanguage, fromWireFormat, fromWireWords } from "../../src/grpc/formats.ts";

test("a language stands for its kinds, and a kind for the language where nobody asks for more", () => {
  const covers = (tags: readonly string[]) =>
    ["en", "EN-gb", "en-US", "de", "eng"].filter((language) => coversLanguage(tags, language));
  expect(covers([])).toEqual(["en", "EN-gb", "en-US", "de", "eng"]);
  expect(covers(["en"])).toEqual(["en", "EN-gb", "en-US"]);
  expect(covers(["en-GB", "fr"])).toEqual(["en", "EN-gb"]);
  expect(covers(["De-at"])).toEqual(["de"]);
});

test("formats that the protocol does not have are none", () => {
  const format = (encoding: string, sampleRate: number) => fromWireFormat({ encoding: encoding as never, sampleRate });
  expect(format("ENCODING_ALAW", 8000)).toEqual({ encoding: "alaw", sampleRate: 8000 });
  expect(format("ENCODING_LINEAR16", 22_050)).toEqual({ encoding: "linear16", sampleRate: 22_050 });
  expect([format("ENCODING_LINEAR16", 44_100), format("ENCODING_UNSPECIFIED", 8000), fromWireFormat(null)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test("word times are taken together or not at all", () => {
  const word = (startMs: number, endMs: number) => ({ text: "so", startMs, endMs });
  expect(fromWireWords([word(0, 100), word(100, 100)], 500)).toEqual([word(500, 600), word(600, 600)]);
  expect(fromWireWords([])).toBeUndefined();
  for (const wrong of [word(Number.NaN, 5), word(-1, 5), word(10, 5), word(0, Infinity)])
    expect(fromWireWords([word(0, 100), wrong]), JSON.stringify(wrong)).toBeUndefined();
});
