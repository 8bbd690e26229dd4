import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { OpusDecoder, OpusEncoder } from "../../../src/audio/opus.ts";
import { decodeLinear16, encodeLinear16 } from "../../../src/audio/linear16.ts";
import { BrowserRig, DIAL, type Visitor } from "../../kit/browser-rig.ts";
import { amplitudeAt, tone } from "../../kit/tones.ts";
import { webmOf } from "../../kit/webm.ts";

let rig: BrowserRig;
beforeEach(async () => {
  rig = new BrowserRig();
  await rig.start();
});
afterEach(() => rig.close());

const PCM = (sampleRate: number) => ({ format: "pcm16", sampleRate });
const START = { type: "start", input: PCM(24_000), output: PCM(24_000) };

const message = (sequence: number, timestamp: number, payload: Uint8Array): Buffer => {
  const header = Buffer.alloc(8);
  header.writeUInt32BE(sequence % 2 ** 32, 0);
  header.writeUInt32BE(timestamp % 2 ** 32, 4);
  return Buffer.concat([header, payload]);
};

const connect = async (start: Readonly<Record<string, unknown>> = START): Promise<Visitor> => {
  const visitor = await rig.visit(rig.mint());
  visitor.say({ type: "start", ...start });
  await visitor.heard("started");
  await rig.until(() => rig.line !== undefined);
  return visitor;
};

const heardSamples = () => Int16Array.from(rig.frames.flatMap(({ payload }) => [...decodeLinear16(payload)]));

test.each([8000, 16_000, 24_000, 48_000])("16-bit sound of %i Hz is heard and played as it is", async (rate) => {
  const visitor = await connect({ input: PCM(rate), output: PCM(rate) });
  const samples = tone(440, 400, rate);
  const size = rate / 50;
  // The numbers wrap around on the way.
  for (let at = 0; at < 20; at++)
    visitor.socket.send(
      message(
        2 ** 32 - 5 + at,
        2 ** 32 - 3 * size + at * size,
        encodeLinear16(samples.slice(at * size, (at + 1) * size)),
      ),
    );
  await rig.until(() => rig.frames.length === 20);
  expect(rig.frames.map(({ atMs }) => Math.round(atMs - (rig.frames[0]?.atMs ?? 0)))).toEqual(
    Array.from({ length: 20 }, (_, index) => index * 20),
  );
  expect(amplitudeAt(heardSamples().subarray(2400), 440, 24_000)).toBeGreaterThan(0.35);

  const said = encodeLinear16(tone(880, 400, 24_000));
  for (let at = 0; at < said.length; at += 960) rig.line?.send(said.slice(at, at + 960));
  await visitor.until(() => visitor.sound.length === 20);
  const played = Buffer.concat(visitor.sound.map((one) => one.subarray(8)));
  expect(played.length).toBe(((rate * 2) / 1000) * 400);
  expect(amplitudeAt(decodeLinear16(new Uint8Array(played)).subarray(rate / 10), 880, rate)).toBeGreaterThan(0.35);
  expect(visitor.sound.map((one) => one.readUInt32BE(0))).toEqual(Array.from({ length: 20 }, (_, index) => index));
  expect(visitor.sound[2]?.readUInt32BE(4)).toBe(2 * size);
});

test("Opus packets go both ways, and a mark waits for the sound that fills no packet", async () => {
  const visitor = await connect({ input: { format: "opus" }, output: { format: "opus" } });
  const encoder = await OpusEncoder.create({ sampleRate: 48_000 });
  const samples = tone(440, 600, 48_000);
  for (let at = 0; at < 30; at++)
    visitor.socket.send(message(at, at * 960, encoder.encode(samples.slice(at * 960, (at + 1) * 960))));
  await rig.until(() => rig.frames.length === 30);
  expect(amplitudeAt(heardSamples().subarray(4800), 440, 24_000)).toBeGreaterThan(0.35);
  encoder.close();

  rig.line?.send(encodeLinear16(tone(880, 610, 24_000)));
  rig.line?.mark("end");
  await rig.clock.advance(50);
  await visitor.heard("mark");
  expect(visitor.sound).toHaveLength(31);
  expect(visitor.sound[30]?.readUInt32BE(4)).toBe(30 * 960);
  const decoder = await OpusDecoder.create(24_000);
  const played = visitor.sound.flatMap((one) => [...(decoder.decode(one.subarray(8)) ?? [])]);
  decoder.close();
  expect(amplitudeAt(Int16Array.from(played).subarray(4800, 14_000), 880, 24_000)).toBeGreaterThan(0.35);
});

test("a recorder's WebM chunks are heard, wherever they are cut", async () => {
  const visitor = await connect({ input: { format: "webm" }, output: PCM(24_000) });
  const encoder = await OpusEncoder.create({ sampleRate: 48_000 });
  const samples = tone(440, 600, 48_000);
  const packets = Array.from({ length: 30 }, (_, at) =>
    encoder.encode(samples.slice(at * 960, (at + 1) * 960)).slice(),
  );
  encoder.close();
  const file = webmOf(packets, 20);
  for (let at = 0; at < file.length; at += 97) visitor.socket.send(file.subarray(at, at + 97));
  await rig.until(() => rig.frames.length === 30);
  expect(amplitudeAt(heardSamples().subarray(4800), 440, 24_000)).toBeGreaterThan(0.35);
  expect((rig.frames[29]?.atMs ?? 0) - (rig.frames[0]?.atMs ?? 0)).toBe(580);
});

test("marks come back as the page plays, each with those before it, and never after a clear", async () => {
  const visitor = await connect();
  for (const name of ["a", "b"]) rig.line?.mark(name);
  visitor.say({ type: "mark", name: "b" });
  await rig.until(() => rig.marks.length === 2);
  rig.line?.mark("c");
  rig.line?.clear();
  rig.line?.mark("d");
  await visitor.heard("clear");
  visitor.say({ type: "mark", name: "c" });
  visitor.say({ type: "mark", name: "d" });
  await rig.until(() => rig.marks.length === 3);
  expect(rig.marks).toEqual(["a", "b", "d"]);
});

test("keys are pressed, and who hangs up or closes cleanly has hung up", async () => {
  const visitor = await connect();
  visitor.say({ type: "digits", digits: "12#" });
  await rig.until(() => rig.digits.length === 3);
  visitor.say({ type: "hang_up" });
  await rig.until(() => rig.gone.length === 1);
  expect(rig.gone).toEqual(["hung-up"]);
  rig.live.publish(DIAL, { type: "status", status: "completed", systemResultType: "COUNTERPARTY_HANGUP" });
  expect(await visitor.heard("bye")).toMatchObject({ status: "completed" });
  expect(await visitor.closed).toBe(1000);
});

test.each([
  [1000, 0, "hung-up"],
  [1001, 10_001, "hung-up"],
  [undefined, 10_001, "lost"],
] as const)("a socket that closes with %s ends the line after %i ms as %s", async (code, ms, why) => {
  const visitor = await connect();
  if (code === undefined) visitor.socket.terminate();
  else visitor.socket.close(code);
  if (ms > 0) {
    await settled(() => rig.calls.presence(DIAL).state === "resuming");
    await rig.clock.advance(ms - 2);
    expect(rig.gone).toEqual([]);
    await rig.clock.advance(2);
  }
  await rig.until(() => rig.gone.length === 1);
  expect(rig.gone).toEqual([why]);
  expect(await rig.calls.lookUp({ dialId: DIAL })).toEqual({ state: "absent", final: true });
});

test("the same token brings its holder back to a call whose socket broke, and sound and events go on", async () => {
  const token = rig.mint();
  const first = await rig.visit(token);
  first.say(START);
  await rig.until(() => rig.line !== undefined);
  rig.live.publish(DIAL, { type: "interim", text: "before" });
  await first.heard("interim");
  first.socket.terminate();
  await settled(() => rig.calls.presence(DIAL).state === "resuming");
  expect(rig.line?.bufferedAmount).toBe(Number.POSITIVE_INFINITY);
  rig.live.publish(DIAL, { type: "interim", text: "meanwhile" });
  await rig.clock.advance(9000);

  const second = await rig.visit(token);
  expect(await second.heard("ready")).toMatchObject({ resumed: true });
  second.say(START);
  await second.heard("started");
  second.socket.send(message(0, 0, new Uint8Array(960)));
  await rig.until(() => rig.frames.length === 1);
  expect(rig.frames[0]?.atMs).toBeGreaterThanOrEqual(9000);
  expect((await second.heard("interim"))["text"]).toBe("meanwhile");
  await rig.clock.advance(2000);
  expect(rig.gone).toEqual([]);
  expect(rig.begun).toEqual([DIAL]);
});

test("three seconds without sound are a lost socket, unless the visitor is muted", async () => {
  const visitor = await connect();
  visitor.say({ type: "mute", muted: true });
  visitor.say({ type: "digits", digits: "1" });
  await rig.until(() => rig.digits.length === 1);
  await rig.clock.advance(4000);
  expect(rig.calls.presence(DIAL).state).toBe("attached");
  visitor.say({ type: "mute", muted: false });
  visitor.say({ type: "digits", digits: "2" });
  await rig.until(() => rig.digits.length === 2);
  await rig.clock.advance(3001);
  expect(rig.calls.presence(DIAL).state).toBe("resuming");
  expect(await visitor.closed).toBe(1008);
});

test("sound that comes faster than it can be spoken is dropped beyond three seconds", async () => {
  const visitor = await connect();
  for (let at = 0; at < 200; at++) visitor.socket.send(message(at, at * 480, new Uint8Array(960)));
  visitor.say({ type: "digits", digits: "1" });
  await rig.until(() => rig.digits.length === 1);
  expect(rig.frames.length).toBe(151);
});

test("WebRTC that cannot be had is said to be, and the socket serves", async () => {
  const visitor = await rig.visit(rig.mint());
  visitor.say({ type: "offer", sdp: "v=0" });
  expect(await visitor.heard("error")).toMatchObject({ code: "media_failed" });
  visitor.say(START);
  await visitor.heard("started");
});

test("a process that takes no more calls sends the visitor to try again", async () => {
  rig.accepts = false;
  const visitor = await rig.visit(rig.mint());
  visitor.say(START);
  expect(await visitor.heard("error")).toMatchObject({ code: "unavailable", retryAfterMs: 1000 });
  expect(await visitor.closed).toBe(1013);
});

test("no message brings the service down, and a flood ends the socket only", async () => {
  const text = fc.oneof(
    fc.json(),
    fc.string(),
    fc
      .record({
        type: fc.constantFrom("start", "offer", "candidate", "mark", "digits", "mute"),
        sdp: fc.string(),
        name: fc.anything(),
      })
      .map((one) => JSON.stringify(one)),
  );
  const visitor = await connect();
  const samples = fc.sample(fc.oneof(text, fc.uint8Array({ maxLength: 2000 })), { numRuns: 800, seed: 7 });
  for (const one of samples) visitor.socket.send(one);
  for (let at = 0; at < 1000; at++) visitor.socket.send(new Uint8Array(20));
  expect(await visitor.closed).toBe(1008);
  const again = await rig.visit(rig.mint());
  expect(await again.heard("ready")).toMatchObject({ resumed: true });
});

/** For what a socket's end changes, which the other side learns a moment later. */
const settled = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await rig.clock.settle();
};
