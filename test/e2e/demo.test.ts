import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { USUAL_CALLER } from "../../src/adapters/carrier/simulation/numbers.ts";
import { decodeLinear16 } from "../../src/audio/linear16.ts";
import { WAV_HEADER_BYTES, writeWav } from "../../src/audio/wav.ts";
import type { TranscriptEntry } from "../../src/model/transcript.ts";
import { makeSpeaker, overTelephone } from "../kit/spoken.ts";
import { concat, silence } from "../kit/tones.ts";
import { wordErrorRate } from "../kit/word-error-rate.ts";
import { runDemo, said } from "./run-demo.ts";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "call-engine-demo-test-"));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Both channels of a recording of ours, and the loudness of each 20 ms of them as a fraction of full scale. */
const channelsOf = async (path: string) => {
  const file = await readFile(path);
  const sampleRate = file.readUInt32LE(24);
  const samples = decodeLinear16(file.subarray(WAV_HEADER_BYTES));
  const channel = (side: 0 | 1) =>
    Int16Array.from({ length: samples.length / 2 }, (_, index) => samples[index * 2 + side] ?? 0);
  const window = sampleRate / 50;
  const loudness = (side: Int16Array) =>
    Array.from(
      { length: Math.floor(side.length / window) },
      (_, at) => Math.max(...side.subarray(at * window, (at + 1) * window).map(Math.abs)) / 32_768,
    );
  return { caller: loudness(channel(0)), agent: loudness(channel(1)) };
};

/** Where sound begins and ends around an entry's times, in milliseconds. */
const soundAround = (loudness: readonly number[], { startTimeMs, endTimeMs }: TranscriptEntry) => {
  const from = Math.max(0, Math.floor((startTimeMs - 600) / 20));
  const until = Math.ceil((endTimeMs + 600) / 20);
  const loud = loudness.slice(from, until).map((level) => level > 0.02);
  return { startMs: (from + loud.indexOf(true)) * 20, endMs: (from + loud.lastIndexOf(true) + 1) * 20 };
};

test("the demonstration holds a whole conversation, and its recording and transcript agree", async () => {
  const { code, seconds, stderr, result } = await runDemo([]);
  expect(code, stderr).toBe(0);
  expect(seconds).toBeLessThan(90);
  const { dial, turns, recording, models } = result ?? expect.fail("no JSON");
  expect(dial.status).toBe("completed");
  const transcript = dial.transcript ?? [];
  const lines = USUAL_CALLER.lines.map((line) => ("text" in line ? line.text : "")).join(" ");
  expect(wordErrorRate(lines, said(transcript, "HUMAN"))).toBeLessThanOrEqual(0.1);
  expect(models["language model"]).toContain("script");
  expect(turns.filter(({ endReason }) => endReason !== "opening").every(({ heardMs }) => heardMs !== undefined)).toBe(
    true,
  );

  const { caller, agent } = await channelsOf(recording ?? expect.fail("no recording"));
  for (const entry of transcript.filter(({ speaker }) => speaker === "AI")) {
    const sound = soundAround(agent, entry);
    expect(Math.abs(sound.startMs - entry.startTimeMs), entry.text).toBeLessThanOrEqual(150);
    expect(Math.abs(sound.endMs - entry.endTimeMs), entry.text).toBeLessThanOrEqual(150);
  }
  const loud = (side: readonly number[], { startTimeMs, endTimeMs }: TranscriptEntry) =>
    side.slice(startTimeMs / 20, endTimeMs / 20).filter((level) => level > 0.02).length;
  for (const entry of transcript.filter(({ speaker }) => speaker === "HUMAN"))
    expect(loud(caller, entry), entry.text).toBeGreaterThan(loud(agent, entry));
  await rm(recording ?? "", { force: true });
});

test("a recording may be the caller: another voice, telephone quality", async () => {
  const speak = await makeSpeaker();
  const lines = [
    "What are your opening hours on Saturday?",
    "And how much does a visit cost?",
    "Thank you very much. Goodbye.",
  ];
  const sound = concat(...lines.flatMap((line) => [overTelephone(speak(line, "slt")), silence(900, 16_000)]));
  const path = join(folder, "caller.wav");
  await writeFile(path, writeWav({ samples: sound, sampleRate: 16_000 }));
  const { code, stderr, result } = await runDemo(["--caller", path]);
  expect(code, stderr).toBe(0);
  const transcript = result?.dial.transcript ?? [];
  // This voice swallows its short words on the telephone ("thank you" becomes "fan do"): what it asks must come through.
  expect(wordErrorRate(lines.join(" "), said(transcript, "HUMAN"))).toBeLessThanOrEqual(0.35);
  expect(said(transcript, "AI")).toMatch(/ten to two/u);
});
