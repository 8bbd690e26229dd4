import { expect, test } from "vitest";
import { PlivoDialect } from "../../../../src/adapters/carrier/plivo/stream-dialect.ts";
import { lineRig } from "../streaming/socket-double.ts";

const START = {
  sequenceNumber: 0,
  event: "start",
  start: {
    callId: "8f2d1e3a-call",
    streamId: "b77e037d-4119-44b5-902d-25826b654539",
    accountId: "123456",
    tracks: ["inbound"],
    mediaFormat: { encoding: "audio/x-mulaw", sampleRate: 8000 },
  },
  extra_headers: '{"dial":"1"}',
};
const MEDIA = {
  sequenceNumber: 2,
  event: "media",
  streamId: START.start.streamId,
  media: { track: "inbound", timestamp: "1678957200000", chunk: 1, payload: "/v7+/w==" },
  extra_headers: "{}",
};
const DTMF = {
  event: "dtmf",
  sequenceNumber: 3,
  streamId: START.start.streamId,
  dtmf: { track: "inbound", digit: "5", timestamp: 1 },
};
const PLAYED = { event: "playedStream", sequenceNumber: 4, streamId: START.start.streamId, name: "1" };

test("the start gives call and format; sound, keys and checkpoints are reported", async () => {
  const { socket, open, reported } = lineRig(new PlivoDialect());
  const line = await open(START);
  expect(line.carrierCallId).toBe("8f2d1e3a-call");
  expect(line.format).toEqual({ encoding: "mulaw", sampleRate: 8000 });
  line.mark("greeting");
  for (const message of [MEDIA, DTMF, PLAYED]) socket.say(message);
  socket.say({ event: "clearedAudio", streamId: START.start.streamId, sequenceNumber: 5 });
  expect(reported.frames).toEqual([{ payload: Buffer.from("/v7+/w==", "base64"), atMs: 1_678_957_200_000 }]);
  expect([reported.digits, reported.marks]).toEqual([["5"], ["greeting"]]);
  socket.hangUp();
  expect(reported.ended).toBe("hung-up");
});

test("what we write is byte for byte what Plivo takes", async () => {
  const { socket, open } = lineRig(new PlivoDialect());
  const line = await open(START);
  line.send(Uint8Array.of(1, 2, 3));
  line.mark("x");
  line.clear();
  expect(socket.sent).toEqual([
    '{"event":"playAudio","media":{"contentType":"audio/x-mulaw","sampleRate":8000,"payload":"AQID"}}',
    '{"event":"checkpoint","streamId":"b77e037d-4119-44b5-902d-25826b654539","name":"1"}',
    '{"event":"clearAudio","streamId":"b77e037d-4119-44b5-902d-25826b654539"}',
  ]);
  line.close();
});

test("16-bit streams are spoken as they are", async () => {
  const { open, socket } = lineRig(new PlivoDialect());
  const mediaFormat = { encoding: "audio/x-l16", sampleRate: "16000" };
  const line = await open({ ...START, start: { ...START.start, mediaFormat } });
  expect(line.format).toEqual({ encoding: "linear16", sampleRate: 16_000 });
  line.send(Uint8Array.of(1, 2));
  expect(socket.sent[0]).toContain('"contentType":"audio/x-l16","sampleRate":16000');
  line.close();
});

test("counters are taken as numbers and as strings, and fields that nobody knows are passed over", () => {
  const dialect = new PlivoDialect();
  const timestamp = 1_678_957_200_000;
  const one = dialect.read(
    JSON.stringify({ ...MEDIA, media: { ...MEDIA.media, timestamp, chunk: "1", mood: "good" } }),
  );
  expect(one).toEqual(dialect.read(JSON.stringify({ weather: {}, ...MEDIA })));
  expect(one).toMatchObject({ event: "sound", atMs: timestamp, chunk: 1 });
});

test.each([
  ["no JSON", "hello"],
  ["sound at no time", JSON.stringify({ event: "media", media: { payload: "AA==", timestamp: "soon" } })],
  ["sound without bytes", JSON.stringify({ event: "media", media: { timestamp: 1 } })],
  ["a key that no phone has", JSON.stringify({ event: "dtmf", dtmf: { digit: "12" } })],
  ["a checkpoint without a name", JSON.stringify({ event: "playedStream" })],
  [
    "a start with an id that would have to be escaped",
    JSON.stringify({ ...START, start: { ...START.start, streamId: '"' } }),
  ],
  ["binary", Uint8Array.of(1)],
])("%s is malformed", (_, message) => {
  expect(new PlivoDialect().read(message)).toBeUndefined();
});

test("another track is none of ours, and another codec is refused with what to do", () => {
  const dialect = new PlivoDialect();
  expect(dialect.read(JSON.stringify({ ...MEDIA, media: { ...MEDIA.media, track: "outbound" } }))).toEqual({
    event: "other",
  });
  const mediaFormat = { encoding: "audio/opus", sampleRate: 48_000 };
  expect(dialect.read(JSON.stringify({ ...START, start: { ...START.start, mediaFormat } }))).toMatchObject({
    event: "refused",
  });
});
