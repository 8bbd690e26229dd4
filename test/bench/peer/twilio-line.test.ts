import { expect, test } from "vitest";
import { decodeMulaw, encodeMulaw } from "../../../src/audio/g711.ts";
import { tone } from "../../kit/tones.ts";
import { readMessage, TwilioLine } from "./twilio-line.ts";
import { Windows } from "./windows.ts";

type Sent = Readonly<{ event: string; streamSid: string; media?: { payload: string } }>;

/** A line, and what came out of it; time stands still unless `now` moves. */
const lineOf = () => {
  const sent: Sent[] = [];
  const time = { now: 1000 };
  const line = new TwilioLine(
    "MZ1",
    (text) => void sent.push(JSON.parse(text) as Sent),
    () => time.now,
  );
  const soundSent = () => Buffer.concat(sent.map(({ media }) => Buffer.from(media?.payload ?? "", "base64")));
  const liveUntil = (ms: number) => {
    for (; time.now < ms; time.now += 1) line.pace(time.now);
  };
  return { line, sent, time, soundSent, liveUntil };
};

test("the carrier's messages are read as what they say", () => {
  const start = { event: "start", streamSid: "MZ1", start: { callSid: "CA1" } };
  expect(readMessage(JSON.stringify(start))).toEqual({ event: "start", callId: "CA1", streamId: "MZ1" });
  const codes = encodeMulaw(tone(300, 20, 8000));
  const media = { event: "media", media: { track: "inbound", payload: Buffer.from(codes).toString("base64") } };
  expect(readMessage(JSON.stringify(media))).toEqual({ event: "media", samples: decodeMulaw(codes) });
  expect(readMessage('{"event":"connected","protocol":"Call"}')).toBeUndefined();
  expect(readMessage('{"event":"stop","streamSid":"MZ1"}')).toBeUndefined();
});

test("sound in pieces of any length leaves in whole frames, unchanged, and 40 ms ahead of its time", () => {
  const { line, sent, time, soundSent, liveUntil } = lineOf();
  const sound = tone(300, 100, 8000);
  for (let from = 0; from < sound.length; from += 123) line.say(sound.subarray(from, from + 123));
  expect(sent).toHaveLength(2);
  liveUntil(1041);
  expect(sent).toHaveLength(4);
  liveUntil(1200);
  expect(time.now).toBe(1200);
  expect(sent.every(({ event, streamSid }) => event === "media" && streamSid === "MZ1")).toBe(true);
  expect(soundSent()).toEqual(Buffer.from(encodeMulaw(sound)));
});

test("an utterance that ends within a frame is filled up with silence, and told of when it was played", () => {
  const { line, sent, soundSent, liveUntil } = lineOf();
  const told: number[] = [];
  line.say(tone(300, 50, 8000));
  line.end((ms) => told.push(ms));
  liveUntil(1060);
  expect(told).toEqual([]);
  liveUntil(1062);
  expect(told).toEqual([60]);
  expect(sent).toHaveLength(3);
  expect(soundSent().subarray(400)).toEqual(Buffer.alloc(80, 0xff));
});

test("what is stopped is sent no further, the carrier is told, and the answer is what was heard", () => {
  const { line, sent, time, liveUntil } = lineOf();
  const told: number[] = [];
  line.say(tone(300, 500, 8000));
  line.end((ms) => told.push(ms));
  liveUntil(1100);
  time.now = 1105;
  expect(line.clear()).toBe(105);
  expect(sent.at(-1)).toEqual({ event: "clear", streamSid: "MZ1" });
  const count = sent.length;
  liveUntil(2000);
  expect(sent).toHaveLength(count);
  expect(told).toEqual([]);
  line.say(tone(300, 20, 8000));
  expect(sent).toHaveLength(count + 1);
});

test("windows are as long as they should be, whatever the pieces are", () => {
  const windows: number[][] = [];
  const cut = new Windows(4, (bytes) => windows.push([...new Int16Array(bytes.slice().buffer)]));
  for (const piece of [[1, 2, 3], [4, 5, 6, 7, 8, 9], [10]]) cut.push(Int16Array.from(piece));
  expect(windows).toEqual([
    [1, 2, 3, 4],
    [5, 6, 7, 8],
  ]);
});
