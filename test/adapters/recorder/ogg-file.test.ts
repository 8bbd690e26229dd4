import { mkdtemp, open, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import * as fc from "fast-check";
import { createDecoder } from "libopus-wasm";
import prism from "prism-media";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DiskRecorder } from "../../../src/adapters/recorder/disk-recorder.ts";
import { OggFile, oggDurationMs } from "../../../src/adapters/recorder/ogg-file.ts";
import { lastGranule, OggPages } from "../../../src/adapters/recorder/ogg-pages.ts";
import { silentLogger } from "../../kit/silent-logger.ts";
import { dominantFrequency, envelope, tone } from "../../kit/tones.ts";

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "ogg-"));
});
afterAll(async () => {
  await rm(root, { recursive: true });
});

type Page = Readonly<{ flags: number; granule: number; sequence: number; packets: readonly Buffer[] }>;

/** The pages of a file, read by RFC 3533 alone; throws where they do not follow one another. */
const pagesOf = (file: Buffer): readonly Page[] => {
  const pages: Page[] = [];
  for (let at = 0; at < file.length;) {
    expect(file.toString("latin1", at, at + 4)).toBe("OggS");
    const lacing = [...file.subarray(at + 27, at + 27 + (file[at + 26] ?? 0))];
    let from = at + 27 + lacing.length;
    const packets: Buffer[] = [];
    let length = 0;
    for (const part of lacing) {
      length += part;
      if (part === 255) continue;
      packets.push(file.subarray(from, from + length));
      from += length;
      length = 0;
    }
    const granule = Number(file.readBigUInt64LE(at + 6));
    pages.push({ flags: file[at + 5] ?? 0, granule, sequence: file.readUInt32LE(at + 18), packets });
    at = from;
  }
  return pages;
};

/** The packets by a demuxer that is not ours, decoded as a player does: without what the header says to skip, up to the last granule. */
const play = async (file: Buffer): Promise<Readonly<{ caller: Int16Array; agent: Int16Array }>> => {
  const packets: Buffer[] = [];
  for await (const packet of Readable.from([file]).pipe(new prism.opus.OggDemuxer())) packets.push(packet as Buffer);
  const decoder = await createDecoder({ sampleRate: 48_000, channels: 2, maxFrameSize: 5760 });
  const parts = packets.map((packet) => decoder.decode(packet).slice());
  decoder.free();
  const samples = parts.flatMap((part) => [...part]);
  const skip = pagesOf(file)[0]?.packets[0]?.readUInt16LE(10) ?? 0;
  const end = pagesOf(file).at(-1)?.granule ?? 0;
  const side = (offset: number) =>
    Int16Array.from({ length: end - skip }, (_, at) => samples[2 * (at + skip) + offset] ?? 0);
  return { caller: side(0), agent: side(1) };
};

const record = async (
  write: (put: (side: "caller" | "agent", samples: Int16Array, atMs: number) => void) => void,
  sampleRate = 8000,
) => {
  const folder = await mkdtemp(join(root, "data-"));
  const recorder = new DiskRecorder({ folder, logger: silentLogger(), format: "ogg" });
  const stream = await recorder.open({ dialId: "d", recordingId: "r", sampleRate });
  write((side, samples, atMs) => stream.write(side, samples, atMs));
  const { durationMs } = await stream.close();
  const path = join(folder, "d", "r.ogg");
  return { durationMs, path, recorder, file: await readFile(path) };
};

/** First and last millisecond that sounds, by windows of 5 ms. */
const soundingPart = (samples: Int16Array): readonly [number, number] => {
  const loud = envelope(samples, 48_000, 5).map((level) => level > 0.1);
  return [loud.indexOf(true) * 5, (loud.lastIndexOf(true) + 1) * 5];
};

test.each([8000, 16_000, 24_000, 48_000])(
  "at %i Hz each side is heard at its time, on its own channel only",
  async (rate) => {
    const { file, durationMs } = await record((put) => {
      put("caller", tone(850, 500, rate), 1000);
      put("agent", tone(450, 800, rate), 2000);
      put("caller", new Int16Array(rate / 100), 3003);
    }, rate);
    expect(durationMs).toBe(3013);
    const { caller, agent } = await play(file);
    expect(caller.length).toBe(3013 * 48);
    for (const [side, [from, until]] of [
      [caller, [1000, 1500]],
      [agent, [2000, 2800]],
    ] as const) {
      expect(Math.abs(soundingPart(side)[0] - from)).toBeLessThanOrEqual(10);
      expect(Math.abs(soundingPart(side)[1] - until)).toBeLessThanOrEqual(10);
    }
    expect(dominantFrequency(caller.subarray(52_800, 67_200), 48_000)).toBe(850);
    expect(dominantFrequency(agent.subarray(100_800, 120_000), 48_000)).toBe(450);
    expect(
      envelope(agent, 48_000, 5)
        .slice(205, 295)
        .every((level) => level < 0.01),
    ).toBe(true);
    expect(
      envelope(caller, 48_000, 5)
        .slice(405, 555)
        .every((level) => level < 0.01),
    ).toBe(true);
  },
);

test("the stream is as its documents say: headers, numbered pages, granules that grow, an end", async () => {
  const { file } = await record((put) => {
    for (let frame = 0; frame < 250; frame++) put("caller", tone(500, 20, 8000), frame * 20);
  });
  const pages = pagesOf(file);
  expect(pages[0]?.packets[0]?.toString("latin1", 0, 8)).toBe("OpusHead");
  expect(pages[0]?.packets[0]?.readUInt8(9)).toBe(2);
  expect(pages[1]?.packets[0]?.toString("latin1", 0, 8)).toBe("OpusTags");
  expect(pages.map(({ sequence }) => sequence)).toEqual(pages.map((_, index) => index));
  expect(pages.map(({ flags }) => flags)).toEqual([2, ...pages.slice(2).map(() => 0), 4]);
  const granules = pages.slice(2).map(({ granule }) => granule);
  expect(granules).toEqual(granules.toSorted((a, b) => a - b));
  const skip = pages[0]?.packets[0]?.readUInt16LE(10) ?? 0;
  expect(granules.at(-1)).toBe(5 * 48_000 + skip);
  // A sixth of what 16 bits would take.
  expect(file.length).toBeLessThan(160_000 / 4);
});

test("what a killed process leaves is as long as its last whole page says", async () => {
  const { file, path, recorder } = await record((put) => {
    for (let frame = 0; frame < 250; frame++) put("agent", tone(500, 20, 8000), frame * 20);
  });
  const whole = await open(path);
  expect(await oggDurationMs(whole)).toBe(5000);
  await whole.close();
  expect(await recorder.recover("d", "r")).toBe(5000);
  const cut = await open(path, "r+");
  await cut.truncate(file.length - 100);
  const ms = await oggDurationMs(cut);
  await cut.close();
  expect(ms).toBeGreaterThan(4500);
  expect(ms).toBeLessThan(5000);
  expect(await recorder.recover("d", "other")).toBeUndefined();
});

test("an hour of silence costs no encoding, and keeps the time", async () => {
  const written: Uint8Array[] = [];
  const sink = {
    write: async (bytes: Uint8Array) => {
      written.push(bytes.slice());
      return { bytesWritten: bytes.length };
    },
    close: async () => undefined,
  };
  const ogg = await OggFile.begin(sink as never, 8000);
  await ogg.add(0, new Int16Array(320));
  await ogg.add(3600 * 8000, new Int16Array(320));
  await ogg.finish(3600 * 8000 + 160);
  const file = Buffer.concat(written);
  expect(file.length).toBeLessThan(1_500_000);
  expect(pagesOf(file).at(-1)?.granule).toBe(
    3600 * 48_000 + 960 + (pagesOf(file)[0]?.packets[0]?.readUInt16LE(10) ?? 0),
  );
});

test("pages carry any packets that fit, and a page that is cut or changed is not believed", () => {
  const packet = fc.uint8Array({ maxLength: 700 });
  fc.assert(
    fc.property(
      fc.array(packet, { minLength: 1, maxLength: 20 }),
      fc.nat(2 ** 40),
      fc.nat(),
      (packets, granule, place) => {
        const page = Buffer.from(new OggPages(7).page({ packets, granule }));
        expect(pagesOf(page)[0]?.packets.map((one) => [...one])).toEqual(packets.map((one) => [...one]));
        expect(lastGranule(page)).toBe(granule);
        expect(lastGranule(page.subarray(0, -1))).toBeUndefined();
        const changed = Buffer.from(page);
        const at = place % page.length;
        changed[at] = (changed[at] ?? 0) ^ 1;
        expect(lastGranule(changed)).toBeUndefined();
      },
    ),
    { numRuns: 100 },
  );
  expect(() => new OggPages(7).page({ packets: [new Uint8Array(66_000)], granule: 0 })).toThrow(RangeError);
});

test("a rate that the codec does not know is kept as WAV", async () => {
  const folder = await mkdtemp(join(root, "data-"));
  const recorder = new DiskRecorder({ folder, logger: silentLogger() });
  await (await recorder.open({ dialId: "d", recordingId: "r", sampleRate: 44_100, format: "ogg" })).close();
  expect((await recorder.read("d", "r"))?.contentType).toBe("audio/wav");
  await (await recorder.open({ dialId: "d", recordingId: "s", sampleRate: 8000, format: "ogg" })).close();
  expect((await recorder.read("d", "s"))?.contentType).toBe("audio/ogg");
  await recorder.close();
});
