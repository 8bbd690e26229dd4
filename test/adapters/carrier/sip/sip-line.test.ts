import { expect, test } from "vitest";
import { keyPayload } from "../../../../src/adapters/carrier/sip/key-events.ts";
import { parseRtp, serializeRtp } from "../../../../src/adapters/carrier/sip/rtp-packet.ts";
import type { Direction, SoundDescription } from "../../../../src/adapters/carrier/sip/session-description.ts";
import { SipLine } from "../../../../src/adapters/carrier/sip/sip-line.ts";
import { PromMetrics } from "../../../../src/adapters/metrics/prom.ts";
import { decodeSamples, encodeSamples } from "../../../../src/audio/convert.ts";
import { keySound } from "../../../../src/audio/dtmf.ts";
import { SeededRandom } from "../../../kit/seeded-random.ts";
import { silentLogger } from "../../../kit/silent-logger.ts";
import { tone } from "../../../kit/tones.ts";
import { VirtualClock } from "../../../kit/virtual-clock.ts";
import { memoryPair } from "./memory-network.ts";
import { Heard } from "./trunk-rig.ts";

const PEER = { address: "192.0.2.1", port: 4000 };

const description = (direction: Direction = "sendrecv", given: Partial<SoundDescription> = {}): SoundDescription => ({
  ...PEER,
  direction,
  codecs: [{ codec: "mulaw", payloadType: 0 }],
  keys: 101,
  others: [],
  ...given,
});

const rig = (peer = description()) => {
  const clock = new VirtualClock();
  const ports = memoryPair();
  let closed = 0;
  const line = new SipLine({
    clock,
    random: new SeededRandom(),
    logger: silentLogger(),
    metrics: new PromMetrics(),
    callId: "one",
    codec: "mulaw",
    pair: ports.pair,
    closed: () => (closed += 1),
  });
  line.agree(peer, peer.direction === "sendonly" ? "recvonly" : "sendrecv");
  line.answered();
  const heard = new Heard(line);
  const packet = (index: number, given: Partial<Parameters<typeof serializeRtp>[0]> = {}, from = PEER) =>
    ports.sound.emit(
      "message",
      serializeRtp({
        payloadType: 0,
        marker: false,
        sequence: (65_530 + index) & 0xffff,
        timestamp: (4_294_967_000 + index * 160) >>> 0,
        source: 9,
        payload: new Uint8Array(160).fill(index),
        ...given,
      }),
      from,
    );
  const sent = () =>
    ports.out.flatMap(({ kind, data, ...to }) => (kind === "sound" ? [{ ...parseRtp(data), ...to }] : []));
  return { clock, ports, line, heard, packet, sent, closed: () => closed };
};

test("frames keep their time through loss, disorder, copies and the end of the numbers", async () => {
  const { clock, heard, packet } = rig();
  const order = [0, 1, 2, 4, 3, 3, 5, 6, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19];
  for (const index of order) {
    packet(index);
    await clock.advance(20);
  }
  await clock.advance(300);
  const marks = heard.frames.map(({ payload, atMs }) => [payload[0], Math.round(atMs)]);
  for (let index = 0; index < 20; index++) if (index !== 7) expect(marks).toContainEqual([index, index * 20]);
  // What stands in for the missing one is the sound before it.
  expect(marks).toContainEqual([6, 140]);
  heard.line.close();
});

test("a key is told once, whatever number of packets tell of it, and takes its place in time", async () => {
  const { clock, heard, packet } = rig();
  packet(0);
  for (let index = 1; index <= 8; index++) {
    await clock.advance(20);
    packet(index, { payloadType: 101, timestamp: (4_294_967_000 + 160) >>> 0, payload: keyPayload("9", index - 1) });
  }
  await clock.advance(20);
  packet(9);
  await clock.advance(200);
  expect(heard.digits).toEqual(["9"]);
  expect(heard.frames.find(({ payload }) => payload[0] === 9)?.atMs).toBe(180);
  heard.line.close();
});

test("A-law from a peer that agreed on µ-law is heard as what it is", async () => {
  const { clock, heard, packet } = rig();
  const sound = tone(400, 20, 8000);
  packet(0, { payloadType: 8, payload: encodeSamples("alaw", sound) });
  await clock.advance(20);
  const [frame] = heard.frames;
  const decoded = decodeSamples("mulaw", frame?.payload ?? new Uint8Array());
  expect(decoded).toHaveLength(160);
  expect(Math.abs((decoded[5] ?? 0) - (sound[5] ?? 0))).toBeLessThan(700);
  heard.line.close();
});

test("a line without sound for 3 s is lost, once", async () => {
  const { clock, heard, packet, ports } = rig();
  await clock.advance(2000);
  packet(0);
  let why: string | undefined;
  void heard.gone.then((gone) => (why = gone));
  await clock.advance(2900);
  expect(why).toBeUndefined();
  await clock.advance(200);
  expect(why).toBe("lost");
  heard.line.close();
  expect(ports.closed()).toBe(1);
  expect(clock.pending).toBe(0);
});

test("a line that is held is not lost and sends nothing; taken up again, it does both", async () => {
  const { clock, line, heard, sent } = rig();
  let why: string | undefined;
  void heard.gone.then((gone) => (why = gone));
  line.agree(description("inactive"), "inactive");
  const before = sent().length;
  await clock.advance(60_000);
  expect(why).toBeUndefined();
  expect(sent()).toHaveLength(before);
  line.agree(description(), "sendrecv");
  await clock.advance(1000);
  expect(sent().length - before).toBeGreaterThanOrEqual(49);
  await clock.advance(3000);
  expect(why).toBe("lost");
});

test("sound goes to where it comes from, and strangers are not heard", async () => {
  const { clock, heard, packet, sent } = rig();
  const [router, stranger] = [
    { address: "198.51.100.1", port: 7000 },
    { address: "203.0.113.1", port: 8000 },
  ];
  await clock.advance(20);
  expect(sent().at(-1)).toMatchObject(PEER);
  packet(0, {}, router);
  packet(1, { payload: new Uint8Array(160).fill(99) }, stranger);
  packet(1, {}, router);
  await clock.advance(40);
  expect(sent().at(-1)).toMatchObject(router);
  expect(heard.frames.map(({ payload }) => payload[0])).toEqual([0, 1]);
  heard.line.close();
});

test("a packet leaves every 20 ms, numbered and timed without a gap, with speech where there is some", async () => {
  const { clock, line, sent } = rig();
  await clock.advance(100);
  line.send(new Uint8Array(160).fill(1));
  await clock.advance(20);
  line.send(new Uint8Array(240).fill(2));
  await clock.advance(200);
  const packets = sent();
  const [first] = packets;
  packets.forEach(({ sequence, timestamp }, index) => {
    expect(sequence).toBe(((first?.sequence ?? 0) + index) & 0xffff);
    if (index > 0 && index < 6) expect(((timestamp ?? 0) - (packets[index - 1]?.timestamp ?? 0)) >>> 0).toBe(160);
  });
  const spoken = packets.filter(({ payload }) => payload?.[0] !== 0xff);
  expect(spoken.map(({ payload, marker }) => [payload?.[0], payload?.at(-1), marker])).toEqual([
    [1, 1, true],
    [2, 2, false],
    [2, 0xff, false],
  ]);
  line.close();
});

test.each([
  [101, 8],
  [undefined, 0],
])("tones of keys go out as events where the peer knows them (payload type %s)", async (keys, count) => {
  const { clock, line, sent } = rig(description("sendrecv", { keys }));
  const sound = encodeSamples("mulaw", keySound("5", 8000));
  for (let at = 0; at < sound.length; at += 160) {
    line.send(sound.subarray(at, at + 160));
    await clock.advance(20);
  }
  await clock.advance(200);
  const events = sent().filter(({ payloadType }) => payloadType === 101);
  expect(events).toHaveLength(count);
  if (count > 0) {
    expect(new Set(events.map(({ timestamp }) => timestamp)).size).toBe(1);
    expect(
      events.map(({ payload }) => [
        payload?.[0],
        (payload?.[1] ?? 0) >> 7,
        ((payload?.[2] ?? 0) << 8) | (payload?.[3] ?? 0),
      ]),
    ).toEqual([
      ...[160, 320, 480, 640, 800].map((ticks) => [5, 0, ticks]),
      ...[800, 800, 800].map((ticks) => [5, 1, ticks]),
    ]);
  }
  line.close();
});

test("reports tell what was sent and what was lost, and the last one says goodbye", async () => {
  const { clock, line, packet, ports, closed } = rig();
  for (let index = 0; index < 240; index++) {
    if (index % 4 !== 0) packet(index);
    await clock.advance(20);
  }
  await clock.advance(400);
  const reports = () => ports.out.filter(({ kind }) => kind === "report");
  expect(reports()).toHaveLength(1);
  expect(reports()[0]).toMatchObject({ address: PEER.address, port: PEER.port + 1 });
  const report = Buffer.from(reports()[0]?.data ?? []);
  expect([report[0], report[1], report.readUInt16BE(2)]).toEqual([0x81, 200, 12]);
  expect(report.readUInt32BE(20)).toBeGreaterThan(200);
  expect(report[32]).toBeGreaterThan(50);
  expect(report[32]).toBeLessThan(80);
  expect(report.subarray(52).includes("call-engine")).toBe(true);
  line.close();
  line.close();
  expect(closed()).toBe(1);
  expect(Buffer.from(reports().at(-1)?.data ?? []).subarray(-8, -6)).toEqual(Buffer.from([0x81, 203]));
  expect(clock.pending).toBe(0);
});

test("datagrams that are no sound break nothing", () => {
  const { ports, heard, line } = rig();
  for (const data of [
    [],
    [0x80],
    Array.from({ length: 12 }, () => 0xff),
    [0xb0, 0, ...Array.from({ length: 10 }, () => 255)],
  ]) {
    ports.sound.emit("message", Buffer.from(data), PEER);
    ports.reports.emit("message", Buffer.from(data));
  }
  expect(heard.frames).toEqual([]);
  line.close();
});
