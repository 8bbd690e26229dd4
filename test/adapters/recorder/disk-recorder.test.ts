import { copyFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DiskRecorder } from "../../../src/adapters/recorder/disk-recorder.ts";
import { StereoStream } from "../../../src/adapters/recorder/stereo-stream.ts";
import { WavFile } from "../../../src/adapters/recorder/wav-file.ts";
import { recorderContract, sidesOf } from "../../contract/recorder.contract.ts";
import { silentLogger } from "../../kit/silent-logger.ts";
import { dominantFrequency, tone } from "../../kit/tones.ts";

let root: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "recorder-"));
});

afterAll(async () => {
  await rm(root, { recursive: true });
});

const make = async (): Promise<DiskRecorder> =>
  new DiskRecorder({ folder: await mkdtemp(join(root, "data-")), logger: silentLogger() });

recorderContract(make);

test.each(["..", "a/b", "", "a\u0000b", "x".repeat(101), "."])("the id %j leads to no file", async (id) => {
  const recorder = await make();
  await expect(recorder.open({ dialId: id, recordingId: "r", sampleRate: 8000 })).rejects.toThrow(RangeError);
  await expect(recorder.open({ dialId: "d", recordingId: id, sampleRate: 8000 })).rejects.toThrow(RangeError);
  expect(await recorder.read(id, "r")).toBeUndefined();
  expect(await recorder.read("d", id)).toBeUndefined();
});

test("while it grows the file is playable at every moment, as a killed process leaves it", async () => {
  const dataDir = await mkdtemp(join(root, "data-"));
  const recorder = new DiskRecorder({ folder: join(dataDir, "recordings"), logger: silentLogger() });
  const stream = await recorder.open({ dialId: "dial", recordingId: "r", sampleRate: 8000 });
  const path = join(dataDir, "recordings", "dial", "r.wav");
  const onDisk = async () => (await readFile(path)).readUInt32LE(40);
  const grownTo = async (bytes: number) => {
    while ((await onDisk()) < bytes) await new Promise((resolve) => setImmediate(resolve));
  };
  for (let frame = 0; frame < 250; frame++) {
    stream.write("caller", tone(880, 20, 8000, 0.5, (2 * Math.PI * 880 * frame) / 50), frame * 20);
    // After each second the disk catches up to what may leave the memory, so that nothing of it is given up.
    if (frame % 50 === 49) await grownTo(Math.max(0, Math.floor(frame / 50) - 2) * 32_000);
  }
  await grownTo(3 * 32_000);
  const copy = join(dataDir, "copy.wav");
  await copyFile(path, copy);
  const { caller } = sidesOf(await readFile(copy));
  expect(caller.length / 8000).toBeGreaterThanOrEqual(3);
  expect(dominantFrequency(caller.subarray(0, 16_000), 8000)).toBe(880);
  const growing = await recorder.read("dial", "r");
  expect(growing?.bytes).toBeGreaterThanOrEqual(44 + 3 * 32_000);
  await recorder.close();
  expect((await recorder.read("dial", "r"))?.bytes).toBe(44 + 5 * 32_000);
});

/** A file whose writes wait until they are let through, or fail. */
const slowFile = () => {
  const written: { position: number; bytes: number }[] = [];
  const gate = Promise.withResolvers<void>();
  let fails = false;
  return {
    written,
    open: gate.resolve,
    fail: () => {
      fails = true;
    },
    file: {
      write: async (_bytes: Uint8Array, _offset: number, length: number, position: number) => {
        // The first header is there before the disk goes wrong.
        if (position > 0) await gate.promise;
        if (fails && position > 0) throw new Error("no space left");
        written.push({ position, bytes: length });
        return { bytesWritten: length };
      },
      close: async () => undefined,
    },
  };
};

test("a disk that stands still costs bounded memory, and what was lost moves nothing", async () => {
  const disk = slowFile();
  const stream = new StereoStream({
    file: await WavFile.begin(disk.file as never, 8000),
    sampleRate: 8000,
    logger: silentLogger(),
    dialId: "d",
  });
  for (let frame = 0; frame < 500; frame++) stream.write("caller", tone(500, 20, 8000), frame * 20);
  disk.open();
  expect((await stream.close()).durationMs).toBe(10_000);
  const pieces = disk.written.filter(({ position }) => position > 0);
  expect(pieces.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(5 * 32_000);
  const last = pieces.at(-1)!;
  expect(last.position + last.bytes).toBe(44 + 10 * 32_000);
});

test("a disk that refuses is reported when the recording closes", async () => {
  const disk = slowFile();
  disk.fail();
  disk.open();
  const stream = new StereoStream({
    file: await WavFile.begin(disk.file as never, 8000),
    sampleRate: 8000,
    logger: silentLogger(),
    dialId: "d",
  });
  stream.write("caller", tone(500, 20, 8000), 0);
  await expect(stream.close()).rejects.toThrow("could not be written");
});

test("two writers of the same recording cannot both have it", async () => {
  const recorder = await make();
  const both = await Promise.allSettled(
    [1, 2].map(() => recorder.open({ dialId: "d", recordingId: "r", sampleRate: 8000 })),
  );
  expect(both.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  await recorder.close();
});
