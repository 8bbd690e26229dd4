import { afterEach, expect, test } from "vitest";
import { decodeMulaw, encodeMulaw } from "../../../../src/audio/g711.ts";
import { concat, dominantFrequency, envelope, silence, tone } from "../../../kit/tones.ts";
import { LineLog, networkRig, type Rig } from "./network-rig.ts";

/** Exact moments, measured on real sockets: a machine that stops for a tenth of a second in the middle gets another try. */
const REAL_TIME = { retry: 3 };

let rig: Rig | undefined;

afterEach(async () => {
  await rig?.close();
  rig = undefined;
});

/** Milliseconds at which a track first and last sounds, by windows of 5 ms. */
const soundingPart = (samples: Int16Array): readonly [fromMs: number, toMs: number] => {
  const loud = envelope(samples, 8000, 5).map((level) => level > 0.05);
  return [loud.indexOf(true) * 5, (loud.lastIndexOf(true) + 1) * 5];
};

test(
  "what the agent sends is heard at the phone at its pitch, for its length, when it was sent",
  REAL_TIME,
  async () => {
    rig = await networkRig({
      caller: () => ({ lines: [], manner: { goodbyeQuietMs: 300, goodbyeUnansweredMs: 9000 } }),
    });
    const request = rig.request("+12025550123");
    await rig.network.place(request, new AbortController().signal);
    const line = await rig.nextLine();
    const log = new LineLog();
    line.listen(log);
    await log.until(() => log.frames.length === 5);
    const phone = rig.network.call(request.dialId)!.phone!;
    const sentAtMs = rig.clock.monotonic() - phone.startedAt!;
    line.send(encodeMulaw(tone(440, 400, 8000)));
    line.mark("said");
    await log.until(() => log.marks.length === 1);
    const markAtMs = log.marks[0]!.at - phone.startedAt!;
    await log.until(() => log.gone_ !== undefined);

    const heard = phone.heard.samples();
    const [from, to] = soundingPart(heard);
    expect(to - from).toBe(400);
    expect(from - sentAtMs).toBeGreaterThanOrEqual(-5);
    expect(from - sentAtMs).toBeLessThan(80);
    expect(dominantFrequency(heard.subarray(from * 8, to * 8), 8000)).toBe(440);
    // Echoed once the last frame is over.
    expect(markAtMs - to).toBeGreaterThanOrEqual(-5);
    expect(markAtMs - to).toBeLessThan(80);
    expect(log.gone_).toBe("hung-up");
    expect(phone.protocolErrors).toBe(0);
  },
);

test("what the caller says arrives as frames at its pitch and at its time", REAL_TIME, async () => {
  const voice = concat(tone(880, 600, 16_000), silence(100, 16_000));
  rig = await networkRig({
    caller: () => ({
      lines: [{ samples: voice, sampleRate: 16_000, afterMs: 200 }],
      manner: { goodbyeUnansweredMs: 200 },
    }),
  });
  await rig.network.place(rig.request("+12025550123"), new AbortController().signal);
  const line = await rig.nextLine();
  const log = new LineLog();
  line.listen(log);
  await log.until(() => log.gone_ !== undefined);

  expect(line.format).toEqual({ encoding: "mulaw", sampleRate: 8000 });
  expect(line.queue).toBe("far-end");
  expect(line.carrierCallId).toMatch(/^CA[0-9a-f]{32}$/);
  log.frames.forEach((frame, index) => expect(frame.atMs).toBe(index * 20));
  const samples = concat(...log.frames.map((frame) => decodeMulaw(frame.payload)));
  const [from, to] = soundingPart(samples);
  expect(Math.abs(from - 220)).toBeLessThanOrEqual(20);
  expect(Math.abs(to - from - 600)).toBeLessThanOrEqual(10);
  expect(dominantFrequency(samples.subarray(from * 8, to * 8), 8000)).toBe(880);
  // A frame arrives when it has been spoken, never before.
  const first = log.frames[0]!.samplesAt;
  log.frames.forEach((frame) => expect(frame.samplesAt - first - frame.atMs).toBeGreaterThan(-45));
});

test("clear silences the phone within 40 ms, and its pending marks are not reported", REAL_TIME, async () => {
  rig = await networkRig({ caller: () => ({ lines: [], manner: { goodbyeQuietMs: 400, goodbyeUnansweredMs: 9000 } }) });
  const request = rig.request("+12025550123");
  await rig.network.place(request, new AbortController().signal);
  const line = await rig.nextLine();
  const log = new LineLog();
  line.listen(log);
  line.send(encodeMulaw(tone(440, 200, 8000)));
  line.mark("first");
  line.send(encodeMulaw(tone(440, 3000, 8000)));
  line.mark("second");
  await log.until(() => log.marks.length === 1);
  const phone = rig.network.call(request.dialId)!.phone!;
  const clearedAtMs = rig.clock.monotonic() - phone.startedAt!;
  line.clear();
  line.mark("third");
  await log.until(() => log.gone_ !== undefined);

  const [, to] = soundingPart(phone.heard.samples());
  expect(to - clearedAtMs).toBeLessThan(40);
  expect(log.marks.map(({ name }) => name)).toEqual(["first", "third"]);
});

test("a pressed key arrives as a digit in the line of frames", async () => {
  rig = await networkRig({
    caller: () => ({ lines: [{ digits: "19#", afterMs: 100 }], manner: { goodbyeUnansweredMs: 100 } }),
  });
  await rig.network.place(rig.request("+12025550123"), new AbortController().signal);
  const log = new LineLog();
  (await rig.nextLine()).listen(log);
  await log.until(() => log.gone_ !== undefined);
  expect(log.digits.join("")).toBe("19#");
});

test("the phone keeps real time however many frames it has sent", REAL_TIME, async () => {
  rig = await networkRig({ caller: () => ({ lines: [], manner: { longestMs: 2000 } }) });
  const request = rig.request("+12025550123");
  await rig.network.place(request, new AbortController().signal);
  const log = new LineLog();
  (await rig.nextLine()).listen(log);
  await log.until(() => log.gone_ !== undefined);
  const phone = rig.network.call(request.dialId)!.phone!;
  const lasted = rig.clock.monotonic() - phone.startedAt!;
  expect(log.frames.length).toBe(100);
  expect(lasted).toBeGreaterThanOrEqual(1999);
  expect(lasted).toBeLessThan(2200);
});
