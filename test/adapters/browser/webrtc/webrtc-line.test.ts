import { expect, onTestFinished, test } from "vitest";
import { WebRtcLine } from "../../../../src/adapters/browser/webrtc/webrtc-line.ts";
import { OpusDecoder, OpusEncoder } from "../../../../src/audio/opus.ts";
import type { LineEnd } from "../../../../src/ports/transport.ts";
import { countingMetrics } from "../../../kit/counting-metrics.ts";
import { silentLogger } from "../../../kit/silent-logger.ts";
import { VirtualClock } from "../../../kit/virtual-clock.ts";

const lineOn = async () => {
  const clock = new VirtualClock();
  let released = 0;
  let sent = 0;
  const line = new WebRtcLine({
    clock,
    logger: silentLogger(),
    metrics: countingMetrics().metrics,
    encoder: await OpusEncoder.create({ sampleRate: 24_000 }),
    decoder: await OpusDecoder.create(24_000),
    first: { sequence: 0, timestamp: 0 },
    send: () => (sent += 1),
    release: () => (released += 1),
  });
  onTestFinished(() => line.close());
  return { clock, line, released: () => released, sent: () => sent };
};

const heardFrom = (line: WebRtcLine) => {
  const heard: { frames: number; keys: string; marks: string[]; gone: LineEnd[] } = {
    frames: 0,
    keys: "",
    marks: [],
    gone: [],
  };
  line.listen({
    frame: () => (heard.frames += 1),
    digit: (digit) => (heard.keys += digit),
    mark: (name) => heard.marks.push(name),
    gone: (why) => heard.gone.push(why),
  });
  return heard;
};

/** A packet of silence: 20 ms of the speech coder with nothing in it. */
const packet = (sequence: number) => ({ sequence, timestamp: sequence * 960, source: 1, payload: Uint8Array.of(0x48) });

test("a browser of which nothing comes for 3 to 5 s is lost", async () => {
  const { clock, line, released } = await lineOn();
  const heard = heardFrom(line);
  line.connected();
  for (let sequence = 0; sequence < 100; sequence++) {
    line.packet(packet(sequence), "sound");
    await clock.advance(20);
  }
  line.alive();
  await clock.advance(2990);
  expect(heard.gone).toEqual([]);
  await clock.advance(2020);
  expect(heard.gone).toEqual(["lost"]);
  expect(released()).toBe(1);
  expect(clock.pending).toBe(0);
});

test("a browser without a microphone is there as long as it asks for us", async () => {
  const { clock, line } = await lineOn();
  const heard = heardFrom(line);
  line.connected();
  for (let count = 0; count < 10; count++) {
    await clock.advance(4500);
    line.alive();
  }
  expect(heard.gone).toEqual([]);
  await clock.advance(5000);
  expect(heard.gone).toEqual(["lost"]);
});

test("a process that stood still reads what came before it takes a browser for lost", async () => {
  const { clock, line } = await lineOn();
  const heard = heardFrom(line);
  line.connected();
  await clock.advance(2990);
  await clock.stall(6000);
  line.packet(packet(0), "sound");
  await clock.advance(2900);
  expect(heard.gone).toEqual([]);
  await clock.advance(3000);
  expect(heard.gone).toEqual(["lost"]);
});

test("what comes before anybody listens is kept, a second of it", async () => {
  const { clock, line } = await lineOn();
  line.connected();
  for (let sequence = 0; sequence < 120; sequence++) {
    line.packet(packet(sequence), "sound");
    await clock.advance(20);
  }
  line.packet({ ...packet(120), payload: Uint8Array.of(7, 10, 0, 80) }, "key");
  const heard = heardFrom(line);
  expect(heard.frames).toBe(49);
  expect(heard.keys).toBe("7");
});

test("marks come back at once, and nothing does after the end", async () => {
  const { clock, line, sent, released } = await lineOn();
  const heard = heardFrom(line);
  line.connected();
  line.mark("a");
  line.clear();
  await clock.settle();
  expect(heard.marks).toEqual(["a"]);
  line.mark("b");
  line.close();
  line.close();
  const before = sent();
  line.send(new Uint8Array(960));
  line.packet(packet(1), "sound");
  line.connected();
  await clock.advance(10_000);
  expect(heard).toMatchObject({ marks: ["a"], frames: 0, gone: ["closed-by-us"] });
  expect(sent()).toBe(before);
  expect(released()).toBe(1);
  expect(clock.pending).toBe(0);
});
