import fc from "fast-check";
import { expect, test } from "vitest";
import { readStreamMessage, scanMedia } from "../../../../src/adapters/carrier/twilio/stream-message.ts";

const usual = (overrides: Record<string, unknown> = {}, media: Record<string, unknown> = {}) =>
  JSON.stringify({
    event: "media",
    sequenceNumber: "4",
    media: { track: "inbound", chunk: "2", timestamp: "5", payload: "/v7+/w==", ...media },
    streamSid: "MZ18ad3ab5a668481ce02b83e7395059f0",
    ...overrides,
  });

test("media in the form that the carrier writes is recognised without a parser", () => {
  expect(scanMedia(usual())).toEqual({ event: "media", track: "inbound", timestampMs: 5, payload: "/v7+/w==" });
});

test("scanning never disagrees with parsing", () => {
  const counter = fc.oneof(
    fc.nat().map(String),
    fc.nat(),
    fc.constantFrom("", "007", "-1", "1.5", "1e3", " 1", "99999999999999999999", null),
  );
  const payload = fc.oneof(
    fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString("base64")),
    fc.string(),
    fc.constantFrom('","x":"', "\\", '"}}', "\u0000", null, 5),
  );
  const extra = fc.dictionary(fc.string({ maxLength: 4 }), fc.jsonValue(), { maxKeys: 2 });
  const text = fc
    .record({
      counter,
      chunk: counter,
      timestamp: counter,
      payload,
      track: fc.constantFrom("inbound", "outbound", "x", 1),
      extra,
    })
    .chain((parts) => {
      const plain = usual(
        { sequenceNumber: parts.counter, ...parts.extra },
        { chunk: parts.chunk, timestamp: parts.timestamp, payload: parts.payload, track: parts.track },
      );
      // Damage anywhere: a character taken out, put in or doubled.
      return fc.tuple(
        fc.constant(plain),
        fc.nat(plain.length),
        fc.constantFrom("", '"', "}", "\\", "é", "0", " "),
        fc.nat(2),
      );
    })
    .map(([plain, at, put, out]) => (put === "" ? plain : plain.slice(0, at) + put + plain.slice(at + out)));
  fc.assert(
    fc.property(text, (message) => {
      const scanned = scanMedia(message);
      if (scanned === undefined) return;
      // Another order of fields is the same message, and one that is never scanned.
      const { event, ...rest } = JSON.parse(message) as Record<string, unknown>;
      const reordered = JSON.stringify({ ...rest, event });
      expect(scanMedia(reordered)).toBeUndefined();
      expect(readStreamMessage(reordered)).toEqual(scanned);
    }),
    { numRuns: 3000 },
  );
});

test("counters may be numbers and fields may come in any order", () => {
  const message = '{"streamSid":"x","media":{"payload":"AAAA","timestamp":120},"event":"media"}';
  expect(readStreamMessage(message)).toEqual({ event: "media", track: "inbound", timestampMs: 120, payload: "AAAA" });
});

test("the start message gives the call, the stream and the format", () => {
  const start = {
    callSid: "CA1",
    streamSid: "MZ1",
    mediaFormat: { encoding: "audio/x-mulaw", sampleRate: "8000", channels: 1 },
  };
  const expected = {
    event: "start",
    streamSid: "MZ1",
    callSid: "CA1",
    encoding: "audio/x-mulaw",
    sampleRate: 8000,
    channels: 1,
  };
  expect(readStreamMessage(JSON.stringify({ event: "start", sequenceNumber: 1, start, streamSid: "MZ1" }))).toEqual(
    expected,
  );
  expect(readStreamMessage(JSON.stringify({ event: "start", start }))).toEqual(expected);
});

test.each([
  ["no JSON", "hello"],
  ["no object", "[1]"],
  ["null", "null"],
  ["no event", "{}"],
  ["media without sound", '{"event":"media","media":{"timestamp":"1"}}'],
  ["media without a time", '{"event":"media","media":{"payload":"AA=="}}'],
  ["media that is a string", '{"event":"media","media":"x"}'],
  ["a key that no phone has", '{"event":"dtmf","dtmf":{"digit":"12"}}'],
  ["a mark without a name", '{"event":"mark","mark":{}}'],
  [
    "a start whose id would have to be escaped",
    usual({ event: "start", streamSid: '"', start: { callSid: "x", mediaFormat: { encoding: "a", sampleRate: 1 } } }),
  ],
])("%s is malformed", (_, text) => {
  expect(readStreamMessage(text)).toBeUndefined();
});

test("nothing that anybody sends makes reading throw", () => {
  const event = fc.constantFrom("media", "start", "dtmf", "mark", "stop", "connected", "other");
  fc.assert(
    fc.property(
      event,
      fc.dictionary(fc.constantFrom("start", "media", "dtmf", "mark", "streamSid"), fc.jsonValue()),
      (name, rest) => {
        readStreamMessage(JSON.stringify({ event: name, ...rest }));
      },
    ),
  );
});

test("events that are not known are told apart from malformed ones", () => {
  expect(readStreamMessage('{"event":"weather","sunny":true}')).toEqual({ event: "unknown" });
});
