import * as fc from "fast-check";
import { expect, test } from "vitest";
import { EventParser } from "../../src/client/server-sent-events.ts";

const parse = (chunks: readonly string[]) => {
  const parser = new EventParser();
  return chunks.flatMap((chunk) => parser.push(chunk));
};

/** Cuts a text at the given places. */
const cut = (text: string, places: readonly number[]): readonly string[] => {
  const ends = [...places.map((place) => place % (text.length + 1)).toSorted((a, b) => a - b), text.length];
  return ends.map((end, at) => text.slice(at === 0 ? 0 : ends[at - 1], end));
};

const line = fc.string().map((text) => text.replaceAll(/[\r\n]/g, " "));
const event = fc.record({
  id: fc.option(
    line.map((id) => id.replaceAll("\0", "")),
    { nil: undefined },
  ),
  data: line,
});
const newline = fc.constantFrom("\n", "\r\n", "\r");

test("events come out as they went in, wherever the stream is cut and however its lines end", () => {
  fc.assert(
    fc.property(fc.array(event), newline, fc.array(fc.nat()), (events, end, places) => {
      const text = events
        .map(({ id, data }) => `: a comment${end}${id === undefined ? "" : `id: ${id}${end}`}data: ${data}${end}${end}`)
        .join("");
      // What ends with a carriage return may still be the first half of a line's end.
      expect(parse([...cut(text, places), ":"])).toEqual(events);
    }),
  );
});

test("data over several lines are one, and comments, names and half events are none", () => {
  expect(parse([": hello\n\nevent: turn\ndata: a\ndata:b\n\nretry: 5\n\ndata: unfinished\n"])).toEqual([
    { id: undefined, data: "a\nb" },
  ]);
});

test("an event that never ends is refused", () => {
  const endless = () => parse(Array.from({ length: 30 }, () => `data: ${"x".repeat(50_000)}\n`));
  expect(endless).toThrow(RangeError);
  expect(() => parse(Array.from({ length: 30 }, () => "x".repeat(50_000)))).toThrow(RangeError);
});
