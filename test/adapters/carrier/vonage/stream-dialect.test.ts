import { expect, test } from "vitest";
import { VonageDialect } from "../../../../src/adapters/carrier/vonage/stream-dialect.ts";
import { lineRig } from "../streaming/socket-double.ts";

const CONNECTED = {
  event: "websocket:connected",
  "content-type": "audio/l16;rate=16000",
  callId: "aaaaaaaa-bbbb",
  dialId: "d1",
};
const DTMF = { event: "websocket:dtmf", digit: "7", duration: 260 };
const NOTIFY = { event: "websocket:notify", payload: { mark: "1" } };
const sound = (fill = 1): Uint8Array => Buffer.alloc(640, fill);

test("binary frames are sound, on a timeline by their arrival; keys and notices are reported", async () => {
  const { clock, socket, open, reported } = lineRig(new VonageDialect());
  const line = await open(CONNECTED);
  expect(line.carrierCallId).toBe("aaaaaaaa-bbbb");
  expect(line.format).toEqual({ encoding: "linear16", sampleRate: 16_000 });
  line.mark("greeting");
  for (let frame = 0; frame < 3; frame++) {
    socket.say(sound(frame));
    await clock.advance(20);
  }
  for (const message of [DTMF, NOTIFY, { event: "websocket:cleared" }]) socket.say(message);
  expect(reported.frames).toEqual([0, 1, 2].map((frame) => ({ payload: sound(frame), atMs: frame * 20 })));
  expect([reported.digits, reported.marks]).toEqual([["7"], ["greeting"]]);
  socket.hangUp();
  expect(reported.ended).toBe("hung-up");
});

test("a hole in the sound is a hole in the timeline", async () => {
  const { clock, socket, open, reported } = lineRig(new VonageDialect());
  const line = await open(CONNECTED);
  for (let frame = 0; frame < 60; frame++) {
    if (frame === 20) await clock.advance(300);
    socket.say(sound());
    await clock.advance(20);
  }
  expect(reported.frames.at(-1)?.atMs).toBe(59 * 20 + 300);
  line.close();
});

test("what we write is byte for byte what Vonage takes, in frames of exactly 20 ms", async () => {
  const { socket, open } = lineRig(new VonageDialect());
  const line = await open(CONNECTED);
  line.send(Buffer.alloc(1000, 5));
  line.mark("x");
  line.send(Buffer.alloc(100, 6));
  line.clear();
  line.send(sound(7));
  expect(socket.sent).toEqual([
    Buffer.alloc(640, 5),
    Buffer.concat([Buffer.alloc(360, 5), Buffer.alloc(280)]),
    '{"action":"notify","payload":{"mark":"1"}}',
    '{"action":"clear"}',
    sound(7),
  ]);
  line.close();
});

test.each([
  [8000, 320],
  [24_000, 960],
])("a stream of %i Hz has frames of %i bytes", async (sampleRate, bytes) => {
  const { socket, open } = lineRig(new VonageDialect());
  const line = await open({ ...CONNECTED, "content-type": `audio/l16;rate=${sampleRate}` });
  expect(line.format.sampleRate).toBe(sampleRate);
  line.send(new Uint8Array(bytes * 2));
  expect(socket.sent.map(({ length }) => length)).toEqual([bytes, bytes]);
  line.close();
});

test.each([
  ["no JSON", "hello"],
  ["a key that no phone has", JSON.stringify({ ...DTMF, digit: "x" })],
  ["a notice without our mark", JSON.stringify({ event: "websocket:notify", payload: {} })],
  ["half a sample", Buffer.alloc(641)],
  ["a second of sound in one message", Buffer.alloc(32_000)],
])("%s is malformed", (_, message) => {
  expect(new VonageDialect().read(message)).toBeUndefined();
});

test("a digit may be a number, and what nobody knows is passed over", () => {
  const dialect = new VonageDialect();
  expect(dialect.read(JSON.stringify({ ...DTMF, digit: 7, mood: 1 }))).toEqual({ event: "digit", digit: "7" });
  expect(dialect.read('{"event":"websocket:weather"}')).toEqual({ event: "other" });
  expect(dialect.read(JSON.stringify({ ...CONNECTED, "content-type": "audio/opus" }))).toMatchObject({
    event: "refused",
  });
});
