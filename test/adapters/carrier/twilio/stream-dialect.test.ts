import fc from "fast-check";
import { expect, test } from "vitest";
import { BrokenHandshake } from "../../../../src/adapters/carrier/streaming/media-line.ts";
import { TwilioDialect, scanMedia } from "../../../../src/adapters/carrier/twilio/stream-dialect.ts";
import { lineRig } from "../streaming/socket-double.ts";

const CONNECTED = { event: "connected", protocol: "Call", version: "1.0.0" };
const START = {
  event: "start",
  sequenceNumber: "1",
  start: {
    accountSid: "AC1",
    streamSid: "MZ1",
    callSid: "CA1",
    tracks: ["inbound"],
    mediaFormat: { encoding: "audio/x-mulaw", sampleRate: 8000, channels: 1 },
    customParameters: {},
  },
  streamSid: "MZ1",
};
const STOP = { event: "stop", sequenceNumber: "9", streamSid: "MZ1", stop: { accountSid: "AC1", callSid: "CA1" } };
const DTMF = { event: "dtmf", streamSid: "MZ1", sequenceNumber: "5", dtmf: { track: "inbound_track", digit: "5" } };
const media = (timestamp: unknown, payload = "AAAA", track = "inbound") => ({
  event: "media",
  streamSid: "MZ1",
  media: { track, timestamp, payload },
});
const mark = (name: string) => ({ event: "mark", streamSid: "MZ1", mark: { name } });
const read = (message: string | Uint8Array) => new TwilioDialect().read(message);

const usual = (overrides: Record<string, unknown> = {}, media: Record<string, unknown> = {}) =>
  JSON.stringify({
    event: "media",
    sequenceNumber: "4",
    media: { track: "inbound", chunk: "2", timestamp: "5", payload: "/v7+/w==", ...media },
    streamSid: "MZ18ad3ab5a668481ce02b83e7395059f0",
    ...overrides,
  });

test("media in the form that the carrier writes is recognised without a parser", () => {
  const payload = Buffer.from("/v7+/w==", "base64");
  expect(scanMedia(usual())).toEqual({ event: "sound", chunk: undefined, atMs: 5, payload });
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
      expect(read(reordered)).toEqual(scanned);
    }),
    { numRuns: 3000 },
  );
});

test("counters may be numbers and fields may come in any order", () => {
  const message = '{"streamSid":"x","media":{"payload":"AAAA","timestamp":120},"event":"media"}';
  expect(read(message)).toEqual({ event: "sound", chunk: undefined, atMs: 120, payload: Buffer.alloc(3) });
  expect(read(Buffer.from(message))).toEqual(read(message));
  expect(read('{"event":"dtmf","dtmf":{"digit":7,"duration":"160"},"more":[]}')).toEqual({
    event: "digit",
    digit: "7",
  });
});

test("the start message names the call, wherever it names the stream", () => {
  const format = { encoding: "mulaw", sampleRate: 8000 };
  const expected = { event: "start", callId: "CA1", format };
  const mediaFormat = { encoding: "audio/x-mulaw", sampleRate: "8000", channels: "1" };
  expect(read(JSON.stringify({ ...START, sequenceNumber: 1, more: {} }))).toEqual(expected);
  expect(read(JSON.stringify({ event: "start", start: { ...START.start, mediaFormat } }))).toEqual(expected);
  const { mediaFormat: _, ...bare } = START.start;
  expect(read(JSON.stringify({ event: "start", start: bare }))).toEqual(expected);
});

test.each([
  ["no JSON", "hello"],
  ["no object", "[1]"],
  ["null", "null"],
  ["no event", "{}"],
  ["media without sound", '{"event":"media","media":{"timestamp":"1"}}'],
  ["media at no time", '{"event":"media","media":{"payload":"AA==","timestamp":"soon"}}'],
  ["bytes that are no text of JSON", Uint8Array.of(1, 255)],
  ["media that is a string", '{"event":"media","media":"x"}'],
  ["a key that no phone has", '{"event":"dtmf","dtmf":{"digit":"12"}}'],
  ["a mark without a name", '{"event":"mark","mark":{}}'],
  ["a start whose id would have to be escaped", usual({ event: "start", streamSid: '"', start: START.start })],
])("%s is malformed", (_, text) => {
  expect(read(text)).toBeUndefined();
});

test("nothing that anybody sends makes reading throw", () => {
  const event = fc.constantFrom("media", "start", "dtmf", "mark", "stop", "connected", "other");
  fc.assert(
    fc.property(
      event,
      fc.dictionary(fc.constantFrom("start", "media", "dtmf", "mark", "streamSid"), fc.jsonValue()),
      (name, rest) => {
        read(JSON.stringify({ event: name, ...rest }));
      },
    ),
  );
});

test("events that are not known are told apart from malformed ones", () => {
  expect(read('{"event":"weather","sunny":true}')).toEqual({ event: "other" });
});

test("another codec is refused, with what to do", async () => {
  const rig = lineRig(new TwilioDialect());
  const accepting = rig.accept();
  const mediaFormat = { encoding: "audio/x-l16", sampleRate: 16_000 };
  rig.socket.say({ ...START, start: { ...START.start, mediaFormat } });
  await expect(accepting).rejects.toThrow(BrokenHandshake);
  await expect(accepting).rejects.toThrow(/leave the codec/u);
});

test("messages in another order than usual make a line all the same", async () => {
  const { socket, open, reported } = lineRig(new TwilioDialect());
  const line = await open(media("20"), DTMF, START, CONNECTED);
  expect([line.carrierCallId, line.format]).toEqual(["CA1", { encoding: "mulaw", sampleRate: 8000 }]);
  for (const message of [START, media("40")]) socket.say(message);
  socket.say(Buffer.from(JSON.stringify(DTMF)));
  expect([reported.frames.length, reported.digits]).toEqual([1, ["5"]]);
  line.close();
});

test("the place of a frame is what the carrier says, and other tracks are left out", async () => {
  const { socket, open, reported } = lineRig(new TwilioDialect());
  const line = await open(START);
  socket.say(media("40"));
  socket.say(media(480));
  socket.say(media(500, "AAAA", "outbound"));
  socket.say(media(500, ""));
  expect(reported.frames.map(({ atMs }) => atMs)).toEqual([40, 480]);
  expect(reported.frames[0]!.payload).toEqual(Buffer.from("AAAA", "base64"));
  line.close();
});

test("frames without a time are placed by their arrival", async () => {
  const { clock, socket, open, reported } = lineRig(new TwilioDialect());
  const line = await open(START);
  const frame = Buffer.alloc(160).toString("base64");
  for (let count = 0; count < 5; count++) {
    socket.say({ event: "media", streamSid: "MZ1", media: { payload: frame } });
    await clock.advance(20);
  }
  expect(reported.frames.map(({ atMs }) => atMs)).toEqual([0, 20, 40, 60, 80]);
  line.close();
});

test("sound, marks and clearing are written as the protocol has them, byte for byte", async () => {
  const { socket, open } = lineRig(new TwilioDialect());
  const line = await open(START);
  line.send(Uint8Array.of(1, 2, 3));
  line.send(new Uint8Array(0));
  line.mark('odd "name"');
  line.clear();
  line.close();
  line.send(Uint8Array.of(4));
  expect(socket.sent).toEqual([
    '{"event":"media","streamSid":"MZ1","media":{"payload":"AQID"}}',
    '{"event":"mark","streamSid":"MZ1","mark":{"name":"1"}}',
    '{"event":"clear","streamSid":"MZ1"}',
  ]);
});

test("marks that a clear overtook are swallowed when they come back, also under a name that is used again", async () => {
  const { socket, open, reported } = lineRig(new TwilioDialect());
  const line = await open(START);
  line.mark("a");
  line.mark("b");
  socket.say(mark("1"));
  line.clear();
  line.mark("b");
  socket.say(mark("2"));
  expect(reported.marks).toEqual(["a"]);
  socket.say(mark("3"));
  expect(reported.marks).toEqual(["a", "b"]);
  socket.say(mark("3"));
  socket.say(mark("never sent"));
  expect(reported.marks).toHaveLength(2);
  line.close();
});

test.each([
  ["a stop is a hang-up", STOP, "hung-up"],
  ["a socket that ends without one is a lost line", undefined, "lost"],
])("%s", async (_, last, expected) => {
  const { clock, socket, open, reported } = lineRig(new TwilioDialect());
  await open(CONNECTED, START);
  if (last !== undefined) socket.say(last);
  socket.hangUp();
  expect([reported.ended, clock.pending]).toEqual([expected, 0]);
});

test("fifty malformed messages are forgiven, one more is not", async () => {
  const { socket, open, reported } = lineRig(new TwilioDialect());
  await open(START);
  for (let count = 0; count < 49; count++) socket.say("{");
  socket.say(Uint8Array.of(1));
  socket.say({ event: "weather" });
  expect(reported.ended).toBeUndefined();
  socket.say("{");
  expect([reported.ended, socket.closedWith]).toEqual(["lost", 1008]);
  socket.say(media(0));
  expect(reported.frames).toHaveLength(0);
});
