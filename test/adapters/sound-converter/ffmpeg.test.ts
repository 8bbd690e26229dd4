import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { SystemClock } from "../../../src/adapters/clock/system.ts";
import { openFfmpeg } from "../../../src/adapters/sound-converter/ffmpeg.ts";
import { soundFormatOf } from "../../../src/audio/sound-format.ts";
import { writeWav } from "../../../src/audio/wav.ts";
import { NotConverted, type SoundConverter, type SoundFormat } from "../../../src/ports/sound-converter.ts";
import { VirtualClock } from "../../kit/virtual-clock.ts";

// A shared machine may be many times slower than a quiet one.
vi.setConfig({ testTimeout: 60_000 });

const RATE = 44_100;
const HERTZ = 440;

let folder: string;
let converter: SoundConverter;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "call-engine-converter-test-"));
  converter = openFfmpeg({ clock: new SystemClock(), path: process.env["PATH"] });
  const samples = Int16Array.from(
    { length: RATE / 2 },
    (_, at) => 12_000 * Math.sin((2 * Math.PI * HERTZ * at) / RATE),
  );
  await writeFile(join(folder, "tone.wav"), writeWav({ samples, sampleRate: RATE }));
});
afterAll(async () => {
  await converter.close();
  await rm(folder, { recursive: true });
});

/** The tone as a file of another kind, in stereo. */
const encoded = async (file: string, ...options: string[]): Promise<Buffer> => {
  const path = join(folder, file);
  execFileSync("ffmpeg", ["-loglevel", "error", "-y", "-i", join(folder, "tone.wav"), "-ac", "2", ...options, path]);
  return readFile(path);
};

const leftovers = async () => (await readdir(tmpdir())).filter((name) => name.startsWith("call-engine-sound-"));

/** Periods of the tone; the little silence that codecs put around it has none. */
const periods = (samples: Int16Array): number => {
  let count = 0;
  let low = false;
  for (const sample of samples) {
    if (sample < -4000) low = true;
    if (sample > 4000 && low) {
      count += 1;
      low = false;
    }
  }
  return count;
};

test.each<[string, SoundFormat, ...string[]]>([
  ["tone.mp3", "mp3"],
  ["tone.opus", "ogg", "-c:a", "libopus"],
  ["tone.webm", "webm", "-c:a", "libopus"],
  ["fine.flac", "flac", "-ar", "96000"],
  // What tells of the sound stands at the end of it.
  ["tone.m4a", "m4a"],
  ["tone.aac", "aac"],
])("%s is known by its first bytes and sounds as it did", async (file, format, ...options) => {
  const bytes = await encoded(file, ...options);
  expect(soundFormatOf(bytes)).toBe(format);
  const { samples, sampleRate } = await converter.convert(bytes, format, 10);
  expect(sampleRate).toBeLessThanOrEqual(48_000);
  const seconds = samples.length / sampleRate;
  expect(seconds).toBeGreaterThan(0.45);
  expect(seconds).toBeLessThan(0.65);
  expect(Math.abs(periods(samples) - HERTZ / 2)).toBeLessThan(12);
});

test("no more is read of a file than may be kept of it", async () => {
  const bytes = await encoded("long.mp3", "-af", "apad=whole_dur=30");
  const { samples, sampleRate } = await converter.convert(bytes, "mp3", 3);
  expect(samples.length / sampleRate).toBeGreaterThan(3);
  expect(samples.length / sampleRate).toBeLessThan(4.5);
});

test.each<[SoundFormat, string]>([
  ["mp3", "ID3 and nothing more"],
  ["m4a", "\0\0\0 ftypM4A "],
  ["webm", ""],
  // Guessing would take this for a playlist, and read what it names.
  ["mp3", "#EXTM3U\n#EXTINF:1,\n/etc/passwd\n"],
])("what begins as %s and is none is unreadable: %j", async (format, text) => {
  const failure = await converter.convert(Buffer.from(text, "latin1"), format, 10).catch((error: unknown) => error);
  expect(failure).toMatchObject({ name: "NotConverted", why: "unreadable" });
});

test("without the program that is said, and nothing is left behind", async () => {
  const without = openFfmpeg({ clock: new SystemClock(), path: folder });
  const before = await leftovers();
  const failure = await without.convert(Buffer.from("ID3"), "mp3", 10).catch((error: unknown) => error);
  expect(failure).toMatchObject({ name: "NotConverted", why: "missing" });
  expect(await leftovers()).toEqual(before);
});

test("a program that does not end is ended, those that wait take their turn, and no more may wait than can", async () => {
  const path = join(folder, "slow");
  await mkdir(path);
  await writeFile(join(path, "ffmpeg"), "#!/bin/sh\nexec /bin/sleep 600\n", { mode: 0o755 });
  const clock = new VirtualClock();
  const slow = openFfmpeg({ clock, path });
  const why = async () =>
    slow.convert(Buffer.from("ID3"), "mp3", 10).then(
      () => "converted",
      (error: unknown) => (error instanceof NotConverted ? error.why : String(error)),
    );
  const first = Array.from({ length: 10 }, why);
  expect(await why()).toBe("busy");
  const all = Promise.all(first);
  const ended = new AbortController();
  void all.finally(() => {
    ended.abort();
  });
  while (!ended.signal.aborted) {
    await clock.advance(20_000);
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
  expect(new Set(await all)).toEqual(new Set(["unreadable"]));
});
