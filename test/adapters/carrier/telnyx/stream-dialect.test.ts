import { expect, test } from "vitest";
import { decodeAlaw, encodeAlaw, encodeMulaw } from "../../../../src/audio/g711.ts";
import { TelnyxDialect, type TelnyxSound } from "../../../../src/adapters/carrier/telnyx/stream-dialect.ts";
import { lineRig } from "../streaming/socket-double.ts";

const PCMU: TelnyxSound = { codec: "PCMU", byteOrder: "auto" };
const L16: TelnyxSound = { codec: "L16", byteOrder: "auto" };
const STREAM = "32de0dea-53cb-4b21-89a4-9e1819c043bc";
const startWith = (encoding: string, sampleRate: number | string) => ({
  event: "start",
  sequence_number: "1",
  stream_id: STREAM,
  start: {
    user_id: "3e6f995f",
    call_control_id: "v3:T02llQxIyaRkhfRKxgAP8nY511EhFLizdvdUKJiSw8d6A9BborherQ",
    call_session_id: "ff55a038-6f5d-11ef-9692-02420aef95bd",
    client_state: "ZA==",
    custom_parameters: {},
    media_format: { encoding, sample_rate: sampleRate, channels: 1 },
  },
});
const START = startWith("PCMU", 8000);
const mediaWith = (chunk: number | string, payload: Uint8Array) => ({
  event: "media",
  sequence_number: "4",
  stream_id: STREAM,
  media: {
    track: "inbound",
    chunk,
    timestamp: String(Number(chunk) * 20),
    payload: Buffer.from(payload).toString("base64"),
  },
});
const MEDIA = mediaWith("2", Uint8Array.of(0xfe, 0xfe, 0xff));
const DTMF = {
  event: "dtmf",
  stream_id: STREAM,
  occurred_at: "2026-01-05T09:00:00Z",
  sequence_number: "5",
  dtmf: { digit: "1" },
};
const MARK = { event: "mark", stream_id: STREAM, sequence_number: "6", mark: { name: "1" } };
const FAILED = { event: "error", stream_id: STREAM, payload: { code: 100_004, title: "Malformed frame", detail: "" } };
const STOP = { event: "stop", sequence_number: "7", stream_id: STREAM, stop: { user_id: "3e6f995f" } };

const tone = (frame: number): Int16Array =>
  Int16Array.from({ length: 320 }, (_, index) => 8000 * Math.sin((2 * Math.PI * 300 * (frame * 320 + index)) / 16_000));
const bytes = (samples: Int16Array): Buffer => Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);

test("the start gives call and format; sound, keys and marks are reported, and a stop ends the line", async () => {
  const { socket, open, reported } = lineRig(new TelnyxDialect(PCMU));
  const line = await open({ event: "connected", version: "1.0.0" }, START);
  expect(line.carrierCallId).toBe(START.start.call_control_id);
  expect(line.format).toEqual({ encoding: "mulaw", sampleRate: 8000 });
  line.mark("greeting");
  for (const message of [MEDIA, DTMF, MARK, FAILED, STOP]) socket.say(message);
  expect(reported.frames).toEqual([{ payload: Buffer.of(0xfe, 0xfe, 0xff), atMs: 40 }]);
  expect([reported.digits, reported.marks, reported.ended]).toEqual([["1"], ["greeting"], "hung-up"]);
});

test("a socket that closes without a stop is a lost line", async () => {
  const { socket, open, reported } = lineRig(new TelnyxDialect(PCMU));
  await open(START);
  socket.hangUp();
  expect(reported.ended).toBe("lost");
});

test("what we write is byte for byte what Telnyx takes, never less than 20 ms", async () => {
  const { socket, open } = lineRig(new TelnyxDialect(PCMU));
  const line = await open(START);
  line.send(Buffer.alloc(200, 1));
  line.mark("x");
  line.clear();
  const media = (sound: Uint8Array) =>
    `{"event":"media","media":{"payload":"${Buffer.from(sound).toString("base64")}"}}`;
  expect(socket.sent).toEqual([
    media(Buffer.alloc(160, 1)),
    media(Buffer.concat([Buffer.alloc(40, 1), Buffer.alloc(120, 0xff)])),
    '{"event":"mark","mark":{"name":"1"}}',
    '{"event":"clear"}',
  ]);
  line.close();
});

test("sound that comes in another codec than ours goes out is turned into ours", async () => {
  const { socket, open, reported } = lineRig(new TelnyxDialect(PCMU));
  const line = await open(startWith("PCMA", "8000"));
  const alaw = encodeAlaw(Int16Array.from({ length: 160 }, (_, index) => index * 100));
  socket.say(mediaWith(1, alaw));
  expect(reported.frames[0]?.payload).toEqual(encodeMulaw(decodeAlaw(alaw)));
  line.close();
});

test.each(["little", "big"] as const)(
  "16-bit samples are heard in whatever order they come: %s-endian",
  async (order) => {
    const { socket, open, reported } = lineRig(new TelnyxDialect(L16));
    const line = await open(startWith("L16", 16_000));
    const wire = (samples: Int16Array) => (order === "big" ? Buffer.from(bytes(samples)).swap16() : bytes(samples));
    for (let frame = 0; frame < 30; frame++) socket.say(mediaWith(frame + 1, wire(tone(frame))));
    expect(Buffer.from(reported.frames[29]?.payload ?? [])).toEqual(bytes(tone(29)));
    line.send(bytes(tone(0)));
    expect(socket.sent).toEqual([`{"event":"media","media":{"payload":"${wire(tone(0)).toString("base64")}"}}`]);
    line.close();
  },
);

test("an order that the operator names is not questioned", async () => {
  const { socket, open, reported } = lineRig(new TelnyxDialect({ codec: "L16", byteOrder: "big" }));
  const line = await open(startWith("L16", 16_000));
  socket.say(mediaWith(1, Uint8Array.of(1, 2, 3, 4)));
  expect(reported.frames[0]?.payload).toEqual(Buffer.of(2, 1, 4, 3));
  line.close();
});

test("counters are taken as numbers and as strings, and fields that nobody knows are passed over", () => {
  const dialect = new TelnyxDialect(PCMU);
  const numbers = { ...MEDIA, sequence_number: 4, media: { ...MEDIA.media, chunk: 2, timestamp: 40, mood: "good" } };
  expect(dialect.read(JSON.stringify({ weather: 1, ...numbers }))).toEqual(dialect.read(JSON.stringify(MEDIA)));
});

test.each([
  ["no JSON", "hello"],
  ["no object", "[1]"],
  ["sound at no time", JSON.stringify({ event: "media", media: { payload: "AA==", timestamp: "soon" } })],
  ["a key that no phone has", JSON.stringify({ event: "dtmf", dtmf: { digit: "12" } })],
  ["a mark without a name", JSON.stringify({ event: "mark", mark: {} })],
  ["a start without a call", JSON.stringify({ event: "start", start: { media_format: START.start.media_format } })],
  ["binary", Uint8Array.of(1)],
])("%s is malformed", (_, message) => {
  expect(new TelnyxDialect(PCMU).read(message)).toBeUndefined();
});

test("another track is none of ours, and another codec is refused with what to do", () => {
  const dialect = new TelnyxDialect(PCMU);
  expect(dialect.read(JSON.stringify({ ...MEDIA, media: { ...MEDIA.media, track: "outbound" } }))).toEqual({
    event: "other",
  });
  expect(dialect.read(JSON.stringify(startWith("OPUS", 16_000)))).toMatchObject({ event: "refused" });
});
