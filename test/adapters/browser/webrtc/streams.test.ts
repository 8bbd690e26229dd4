import fc from "fast-check";
import { expect, test } from "vitest";
import { IncomingStream } from "../../../../src/adapters/browser/webrtc/incoming-stream.ts";
import { KeyPresses } from "../../../../src/adapters/browser/webrtc/key-presses.ts";
import { OutgoingStream } from "../../../../src/adapters/browser/webrtc/outgoing-stream.ts";
import { decodeLinear16, encodeLinear16 } from "../../../../src/audio/linear16.ts";
import { OpusDecoder, OpusEncoder } from "../../../../src/audio/opus.ts";
import type { AudioFrame } from "../../../../src/model/audio.ts";
import { fidelityOf } from "../../../kit/fidelity.ts";
import { SeededRandom } from "../../../kit/seeded-random.ts";
import { makeSpeaker } from "../../../kit/spoken.ts";
import { concat, envelope, tone } from "../../../kit/tones.ts";
import { VirtualClock } from "../../../kit/virtual-clock.ts";

const RATE = 16_000;
const SPEECH = (await makeSpeaker())(
  "Good morning, I would like to book a table for four people on Friday evening, if there is one left near the window.",
);

const soundOf = (frames: readonly AudioFrame[]): Int16Array =>
  concat(...frames.map(({ payload }) => decodeLinear16(payload)));

/** What an ear hears of speech that goes through a network; `fate` is how long a packet takes, or nothing when it is lost. */
const overNetwork = async (fate: (index: number) => number | undefined) => {
  const clock = new VirtualClock();
  const encoder = await OpusEncoder.create({ sampleRate: RATE });
  const frames: AudioFrame[] = [];
  const stream = new IncomingStream(clock, await OpusDecoder.create(RATE), RATE, (frame) => frames.push(frame));
  const count = Math.floor(SPEECH.length / 320);
  for (let index = 0; index < count; index++) {
    const payload = encoder.encode(SPEECH.subarray(index * 320, (index + 1) * 320));
    const takes = fate(index);
    const packet = { sequence: (65_000 + index) & 0xffff, timestamp: index * 960, source: 7, payload };
    if (takes !== undefined) clock.setTimer(index * 20 + takes, () => stream.push(packet, "sound"));
  }
  await clock.advance(count * 20 + 100);
  const { counts } = stream;
  encoder.close();
  stream.close();
  return { frames, counts, ...fidelityOf(SPEECH, soundOf(frames), RATE) };
};

test("speech comes through an even network as the codec gives it", async () => {
  const { median, frames, counts } = await overNetwork(() => 30);
  expect(median).toBeGreaterThan(0.97);
  expect(counts).toMatchObject({ lost: 0, late: 0 });
  expect(frames.every(({ atMs }, index) => Math.abs(atMs - index * 20) < 0.01)).toBe(true);
});

test("speech stays what it was when 3 % of its packets are lost and the others are up to 80 ms late", async () => {
  const random = new SeededRandom(4);
  const { median, worst, counts } = await overNetwork(() =>
    random.fraction() < 0.03 ? undefined : 20 + 80 * random.fraction(),
  );
  expect(counts.lost).toBeGreaterThan(3);
  expect(median).toBeGreaterThan(0.96);
  expect(worst).toBeGreaterThan(0.5);
});

test("without order and repair the same network would leave little of it", async () => {
  const random = new SeededRandom(4);
  const encoder = await OpusEncoder.create({ sampleRate: RATE });
  const decoder = await OpusDecoder.create(RATE);
  const packets = Array.from({ length: Math.floor(SPEECH.length / 320) }, (_, index) => ({
    payload: encoder.encode(SPEECH.subarray(index * 320, (index + 1) * 320)),
    atMs: random.fraction() < 0.03 ? undefined : index * 20 + 20 + 80 * random.fraction(),
  }));
  const arrived = packets.filter(({ atMs }) => atMs !== undefined).toSorted((a, b) => (a.atMs ?? 0) - (b.atMs ?? 0));
  const heard = concat(...arrived.map(({ payload }) => decoder.decode(payload) ?? new Int16Array(0)));
  encoder.close();
  decoder.close();
  expect(fidelityOf(SPEECH, heard, RATE).median).toBeLessThan(0.7);
});

test("while a key is pressed there is silence as long as the press, and the sound behind it is in its place", async () => {
  const clock = new VirtualClock();
  const encoder = await OpusEncoder.create({ sampleRate: RATE });
  const frames: AudioFrame[] = [];
  const stream = new IncomingStream(clock, await OpusDecoder.create(RATE), RATE, (frame) => frames.push(frame));
  const beep = tone(440, 20, RATE);
  for (let index = 0; index < 60; index++) {
    const pressed = index >= 20 && index < 40;
    const payload = pressed ? Uint8Array.of(5, 10, 0, 160) : encoder.encode(beep);
    const packet = { sequence: index, timestamp: pressed ? 20 * 960 : index * 960, source: 1, payload };
    clock.setTimer(index * 20, () => stream.push(packet, pressed ? "key" : "sound"));
  }
  await clock.advance(60 * 20);
  const levels = envelope(soundOf(frames), RATE);
  expect(levels.length).toBeGreaterThanOrEqual(60);
  expect(levels.slice(3, 19).every((level) => level > 0.2)).toBe(true);
  expect(levels.slice(26, 39).every((level) => level < 0.01)).toBe(true);
  expect(levels.slice(42, 59).every((level) => level > 0.2)).toBe(true);
  encoder.close();
  stream.close();
  expect(clock.pending).toBe(0);
});

test("a new source of sound is heard at once, behind the old one", async () => {
  const clock = new VirtualClock();
  const encoder = await OpusEncoder.create({ sampleRate: RATE });
  const frames: AudioFrame[] = [];
  const stream = new IncomingStream(clock, await OpusDecoder.create(RATE), RATE, (frame) => frames.push(frame));
  const payload = encoder.encode(tone(440, 20, RATE));
  stream.push({ sequence: 10, timestamp: 5000, source: 1, payload }, "sound");
  stream.push({ sequence: 40_000, timestamp: 9_999_999, source: 2, payload }, "sound");
  expect(frames.map(({ atMs }) => atMs)).toEqual([0, 20]);
  encoder.close();
  stream.close();
});

type Sent = Readonly<{ sequence: number; timestamp: number; marker: boolean; atMs: number }>;

const sending = async () => {
  const clock = new VirtualClock();
  const sent: Sent[] = [];
  const first = { sequence: 65_530, timestamp: 2 ** 32 - 2000 };
  const stream = new OutgoingStream(
    clock,
    await OpusEncoder.create({ sampleRate: RATE }),
    first,
    (_, sequence, timestamp, marker) => sent.push({ sequence, timestamp, marker, atMs: clock.monotonic() }),
  );
  return { clock, sent, stream };
};

const frame = encodeLinear16(tone(300, 20, RATE));

test("a packet goes out every 20 ms, with silence where there is no speech, and each carries its time", async () => {
  const { clock, sent, stream } = await sending();
  stream.add(frame);
  expect(sent).toHaveLength(0);
  stream.start();
  await clock.advance(495);
  for (let index = 0; index < 10; index++) {
    stream.add(frame);
    await clock.advance(20);
  }
  await clock.advance(500);
  expect(sent.filter(({ marker }) => marker)).toHaveLength(1);
  expect(sent[25]?.marker).toBe(true);
  sent.forEach(({ sequence, timestamp, atMs }, index) => {
    expect(sequence).toBe((65_530 + index) & 0xffff);
    expect(timestamp).toBe((2 ** 32 - 2000 + (atMs / 20) * 960) >>> 0);
    expect(atMs % 20).toBe(0);
  });
  // Behind speech a late frame is waited for; then its place stays empty.
  expect(sent).toHaveLength(60 - 3);
  stream.close();
  stream.close();
  expect(clock.pending).toBe(0);
});

test("speech that is late by less than 80 ms is not torn by silence, and time is made up for in the next pause", async () => {
  const { clock, sent, stream } = await sending();
  stream.start();
  await clock.advance(90);
  stream.add(frame);
  await clock.advance(75);
  stream.add(frame);
  await clock.advance(300);
  const begin = sent.findIndex(({ marker }) => marker);
  const [first, second, third] = sent.slice(begin);
  expect((second?.timestamp ?? 0) - (first?.timestamp ?? 0)).toBe(960);
  expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBe(80);
  expect(((third?.timestamp ?? 0) - (sent[0]?.timestamp ?? 0)) >>> 0).toBe(((third?.atMs ?? 0) / 20) * 960);
  stream.close();
});

test("a piece of sound that fills no packet is sent when nothing follows it, and none after it was dropped", async () => {
  const { clock, sent, stream } = await sending();
  stream.start();
  stream.add(frame.subarray(0, 300));
  await clock.advance(45);
  expect(sent.map(({ marker }) => marker)).toEqual([false, false, true]);
  await clock.advance(200);
  stream.add(frame);
  stream.add(frame.subarray(0, 300));
  stream.clear();
  await clock.advance(200);
  expect(sent.filter(({ marker }) => marker)).toHaveLength(1);
  stream.close();
});

test("a process that stood still leaves out what it did not send", async () => {
  const { clock, sent, stream } = await sending();
  stream.start();
  await clock.advance(100);
  const before = sent.length;
  await clock.stall(5000);
  expect(sent.length - before).toBeLessThanOrEqual(2);
  expect((sent.at(-1)?.timestamp ?? 0) - (sent[before - 1]?.timestamp ?? 0)).toBeGreaterThan(240 * 960);
  stream.close();
});

test("every key is told once, however many packets tell of it and in whatever order", () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat({ max: 15 }), { minLength: 1, maxLength: 20 }),
      fc.array(fc.nat({ max: 6 }), { minLength: 1, maxLength: 12 }),
      (events, repeats) => {
        const keys = new KeyPresses();
        const told = events.flatMap((event, press) => {
          const times = 1 + (repeats[press % repeats.length] as number);
          return Array.from({ length: times }, (_, at) =>
            keys.take(Uint8Array.of(event, at === times - 1 ? 0x8a : 10, 0, at), 1000 + press * 800),
          ).filter((key) => key !== undefined);
        });
        expect(told.join("")).toBe(events.map((event) => "0123456789*#ABCD"[event]).join(""));
      },
    ),
  );
  expect(new KeyPresses().take(Uint8Array.of(16, 0, 0, 0), 1)).toBeUndefined();
  expect(new KeyPresses().take(Uint8Array.of(1), 1)).toBeUndefined();
});
