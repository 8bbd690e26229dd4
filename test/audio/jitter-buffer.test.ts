import fc from "fast-check";
import { expect, test } from "vitest";
import { JitterBuffer, type Arrival, type Piece } from "../../src/audio/jitter-buffer.ts";

const CLOCK = 48_000;
const FRAME = 960;

/** Packet `index` of a stream of 20 ms packets; its payload says which it is. */
const packet = (index: number, first: Readonly<{ sequence?: number; timestamp?: number }> = {}): Arrival => ({
  sequence: ((first.sequence ?? 0) + index) & 0xffff,
  timestamp: ((first.timestamp ?? 0) + index * FRAME) >>> 0,
  ms: 20,
  payload: Uint8Array.of(index & 0xff, index >> 8),
});

const key = (sequence: number): Arrival => ({ sequence, timestamp: 0, ms: 0 });

type Event = Readonly<{ atMs: number; arrival: Arrival }>;

type Heard = Piece & Readonly<{ nowMs: number }>;

/** Everything that a buffer says while packets arrive, asked whenever one came and whenever it is due. */
const run = (events: readonly Event[], untilMs = 0, quiet = () => false, buffer = new JitterBuffer(CLOCK)): Heard[] => {
  const heard: Heard[] = [];
  const drain = (nowMs: number) => {
    for (let piece = buffer.pull(nowMs, quiet()); piece !== undefined; piece = buffer.pull(nowMs, quiet()))
      heard.push({ ...piece, nowMs });
  };
  const waitUntil = (endMs: number) => {
    for (let due = buffer.dueMs; due !== undefined && due <= endMs; due = buffer.dueMs) drain(due);
  };
  for (const { atMs, arrival } of events.toSorted((a, b) => a.atMs - b.atMs)) {
    waitUntil(atMs);
    buffer.push(arrival, atMs);
    drain(atMs);
  }
  waitUntil(untilMs);
  return heard;
};

const steady = (count: number, first = {}): Event[] =>
  Array.from({ length: count }, (_, index) => ({ atMs: index * 20, arrival: packet(index, first) }));

const indexOf = (piece: Piece): number =>
  piece.kind === "sound" ? (piece.payload[0] as number) + 256 * (piece.payload[1] as number) : -1;

const kinds = (pieces: readonly Piece[]): string =>
  pieces.map(({ kind }) => (kind === "skipped" ? "-" : kind[0])).join("");

const total = (pieces: readonly Piece[]): number =>
  pieces.reduce((sum, { kind, ms }) => sum + (kind === "skipped" ? 0 : ms), 0);

test("packets that come in order are heard the moment they come", () => {
  const heard = run(steady(50));
  expect(heard.map(indexOf)).toEqual(Array.from({ length: 50 }, (_, index) => index));
  expect(heard.every((piece, index) => piece.nowMs === index * 20)).toBe(true);
});

test("packets that overtook each other are heard in the order in which they were sent", () => {
  const events = steady(10).map(({ atMs, arrival }, index) => ({ atMs: index === 3 ? atMs + 50 : atMs, arrival }));
  const heard = run(events);
  expect(heard.map(indexOf)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(heard[4]?.nowMs).toBe(110);
});

test("a lost packet is filled from the next one when it has been waited for as long as packets are late", () => {
  const heard = run(steady(10).filter((_, index) => index !== 4));
  expect(kinds(heard)).toBe("sssslsssss");
  const lost = heard.find(({ kind }) => kind === "lost");
  expect(lost).toMatchObject({ ms: 20, next: packet(5).payload });
  expect(lost?.nowMs).toBeGreaterThanOrEqual(80 + 40);
  expect(lost?.nowMs).toBeLessThanOrEqual(80 + 80);
});

test("of several lost packets the last is filled from the next one, and after 60 ms nothing more is made up", () => {
  const heard = run(steady(20).filter((_, index) => index < 4 || index > 9));
  expect(kinds(heard)).toBe("sssslllpplssssssssss");
  const lost = heard.filter((piece) => piece.kind === "lost");
  expect(lost.map(({ next }) => next === undefined)).toEqual([true, true, true, false]);
  expect(total(heard)).toBe(400);
});

test("a packet that comes twice is heard once, and one that comes too late not at all", () => {
  const buffer = new JitterBuffer(CLOCK);
  const events = steady(30);
  events.push({ atMs: 101, arrival: packet(5) }, { atMs: 470, arrival: packet(10) });
  const heard = run(
    events.filter(({ atMs }) => atMs !== 200),
    0,
    undefined,
    buffer,
  );
  expect(heard.filter((piece) => indexOf(piece) === 5)).toHaveLength(1);
  expect(heard.filter((piece) => indexOf(piece) === 10)).toHaveLength(0);
  expect(buffer.counts).toMatchObject({ received: 31, lost: 1, late: 2 });
});

test("a network that is late more often is given more time, and less again when it is not", () => {
  const buffer = new JitterBuffer(CLOCK);
  const late = Array.from({ length: 200 }, (_, index) => ({
    atMs: index * 20 + (index % 10 === 5 ? 150 : 0),
    arrival: packet(index),
  }));
  const heard = run(late, 0, undefined, buffer);
  expect(buffer.patienceMs).toBeGreaterThan(140);
  expect(kinds(heard.slice(60))).toMatch(/^s+$/);
  run(
    Array.from({ length: 1000 }, (_, index) => ({ atMs: 4000 + index * 20, arrival: packet(200 + index) })),
    0,
    undefined,
    buffer,
  );
  expect(buffer.patienceMs).toBe(40);
});

test("where the sender sent nothing there is a pause as long as it was", () => {
  const events = steady(10).map(({ atMs, arrival }, index) =>
    index < 5
      ? { atMs, arrival }
      : { atMs: atMs + 1000, arrival: { ...arrival, timestamp: arrival.timestamp + 48_000 } },
  );
  const heard = run(events);
  expect(kinds(heard)).toMatch(/^sssssl{3}p+sssss$/);
  expect(total(heard)).toBeCloseTo(1200, 6);
  // The ear is told while it lasts, since it waits for the end of speech.
  expect(heard.filter(({ kind, nowMs }) => kind === "pause" && nowMs < 1000).length).toBeGreaterThan(30);
});

test("pressed keys take their place in the order, and no time", () => {
  const events: Event[] = [
    ...steady(5),
    ...[5, 6, 7, 8].map((sequence) => ({ atMs: sequence * 20, arrival: key(sequence) })),
    ...[9, 10, 11].map((index) => ({ atMs: index * 20, arrival: packet(index) })),
  ];
  const buffer = new JitterBuffer(CLOCK);
  const heard = run(events, 0, undefined, buffer);
  expect(buffer.counts.lost).toBe(0);
  expect(heard.filter(({ kind }) => kind === "sound")).toHaveLength(8);
  expect(total(heard)).toBeCloseTo(240, 6);
});

test("words that the network held back for half a second are heard, and the timeline is mended in the next pause", () => {
  const events = steady(200).map(({ atMs, arrival }, index) => ({
    atMs: index >= 50 && index < 75 ? 1499 + index / 100 : atMs,
    arrival,
  }));
  let quiet = false;
  const buffer = new JitterBuffer(CLOCK);
  const heard = run(events.slice(0, 150), 0, () => quiet, buffer);
  expect(heard.filter(({ kind }) => kind === "sound")).toHaveLength(150);
  expect(total(heard)).toBeGreaterThan(3300);
  quiet = true;
  const after = run(events.slice(150), 0, () => quiet, buffer);
  expect(kinds(after)).toMatch(/^-{15,25}s+$/);
  expect(Math.abs(total(heard) + total(after) - 4000)).toBeLessThan(20.001);
});

test.each([
  ["fast", 1.002],
  ["slow", 0.998],
])("a sender whose clock is %s is kept level with ours by frames of its pauses", (_, speed) => {
  const seconds = 120;
  const count = Math.round(seconds * 50 * speed);
  const events = Array.from({ length: count }, (_, index) => ({
    atMs: (index * 20) / speed + ((index * 7919) % 13),
    arrival: packet(index),
  }));
  let asked = 0;
  const heard = run(events, 0, () => asked++ % 51 === 0);
  expect(Math.abs(total(heard) - seconds * 1000)).toBeLessThan(60);
  expect(Math.abs(count * 20 - seconds * 1000)).toBeGreaterThan(200);
  expect(heard.filter(({ kind }) => kind === "skipped" || kind === "pause").length).toBeLessThan(16);
});

test("numbers and timestamps may run over", () => {
  const heard = run(steady(100, { sequence: 0xffff - 40, timestamp: 2 ** 32 - 60 * FRAME }));
  expect(kinds(heard)).toMatch(/^s{100}$/);
  expect(heard.map(indexOf)).toEqual(Array.from({ length: 100 }, (_, index) => index));
});

test("a stray packet is nothing, and two in a row are a new stream", () => {
  const stray = { atMs: 205, arrival: packet(0, { sequence: 30_000, timestamp: 77 }) };
  expect(kinds(run([...steady(20), stray]))).toMatch(/^s{20}$/);
  const renewed = steady(20).map(({ atMs, arrival }, index) => ({
    atMs,
    arrival: index < 10 ? arrival : packet(index, { sequence: 30_000, timestamp: 123_456_789 }),
  }));
  const heard = run(renewed);
  expect(heard.filter(({ kind }) => kind === "sound")).toHaveLength(19);
});

test("a sender whose clock jumps by an hour is followed", () => {
  const events = steady(40).map(({ atMs, arrival }, index) => ({
    atMs,
    arrival: index < 20 ? arrival : { ...arrival, timestamp: (arrival.timestamp + 48_000 * 3600) >>> 0 },
  }));
  const heard = run(events);
  expect(kinds(heard)).toMatch(/^s{40}$/);
});

test("whatever a network does within the time given, every packet that arrives is heard once, in order and in its place", () => {
  const fate = fc.record({ delay: fc.nat({ max: 75 }), lost: fc.nat({ max: 9 }), twice: fc.nat({ max: 9 }) });
  const first = fc.record({ sequence: fc.nat({ max: 0xffff }), timestamp: fc.nat({ max: 2 ** 32 - 1 }) });
  fc.assert(
    fc.property(fc.array(fate, { minLength: 10, maxLength: 120 }), first, (fates, start) => {
      const events = fates.flatMap(({ delay, lost, twice }, index): Event[] => {
        // The time given shrinks by 0.2 ms with every packet that is not late, down to 40 ms; each may come twice.
        const withinMs = Math.min(delay, Math.max(38, 75 - 0.4 * index));
        // The first packet sets the time, and the last closes the last gap.
        const kept = index === 0 || index === fates.length - 1 || lost !== 0;
        const atMs = index * 20 + (index === 0 ? 0 : withinMs);
        const arrival = packet(index, start);
        return kept ? [{ atMs, arrival }, ...(twice === 0 ? [{ atMs: atMs + 3, arrival }] : [])] : [];
      });
      const sent = new Set(
        events.map(({ arrival }) => (arrival.payload?.[0] ?? 0) + 256 * (arrival.payload?.[1] ?? 0)),
      );
      const heard = run(events, fates.length * 20 + 200);
      const indices = heard.map(indexOf).filter((index) => index >= 0);
      expect(indices).toEqual([...sent].toSorted((a, b) => a - b));
      let atMs = 0;
      for (const piece of heard) {
        if (piece.kind === "sound") expect(atMs).toBeCloseTo(indexOf(piece) * 20, 6);
        atMs += piece.ms;
      }
    }),
    { numRuns: 300 },
  );
});

test("nothing that a stranger sends breaks it or fills it", () => {
  const wild = fc.record({
    sequence: fc.nat({ max: 0xffff }),
    timestamp: fc.nat({ max: 2 ** 32 - 1 }),
    ms: fc.constantFrom(0, 2.5, 20, 120),
    payload: fc.option(fc.uint8Array({ maxLength: 3 }), { nil: undefined }),
  });
  fc.assert(
    fc.property(fc.array(fc.tuple(wild, fc.nat({ max: 100 })), { maxLength: 300 }), (arrivals) => {
      const buffer = new JitterBuffer(CLOCK);
      let nowMs = 0;
      let pieces = 0;
      for (const [arrival, ms] of arrivals) {
        nowMs += ms;
        buffer.push(arrival, nowMs);
        for (let piece = buffer.pull(nowMs, false); piece !== undefined; piece = buffer.pull(nowMs, false)) {
          expect(piece.ms).toBeGreaterThan(0);
          expect(piece.ms).toBeLessThanOrEqual(10_000);
          pieces += 1;
        }
        expect(buffer.held).toBeLessThanOrEqual(100);
      }
      expect(pieces).toBeLessThanOrEqual(arrivals.length * 50 + nowMs);
    }),
    { numRuns: 300 },
  );
});
