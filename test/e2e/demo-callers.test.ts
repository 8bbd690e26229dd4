import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeWav } from "../../src/audio/wav.ts";
import { hiss } from "../kit/spoken.ts";
import { concat, silence, tone } from "../kit/tones.ts";
import { runDemo, said } from "./run-demo.ts";

/** How the agent sounds is not looked at here, and this voice takes half of the processor's time. */
const FLITE = { DEFAULT_VOICE: "flite-rms" };

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "call-engine-demo-test-"));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test("lines may be given as text", async () => {
  const { code, stderr, result } = await runDemo(["--say", "Are you a robot?", "--say", "Thank you. Goodbye."], FLITE);
  expect(code, stderr).toBe(0);
  expect(said(result?.dial.transcript ?? [], "AI")).toMatch(/scripted demo agent/u);
});

test.for([
  ["silence", () => silence(6000, 16_000)],
  ["noise", () => hiss(6000, 0.1)],
  ["music", () => concat(...[262, 330, 392, 523, 392, 330].map((note) => tone(note, 900, 16_000, 0.4)))],
] as const)("%s instead of a caller: no crash, no invented words, an ending that is true", async ([name, make]) => {
  const path = join(folder, `${name}.wav`);
  await writeFile(path, writeWav({ samples: make(), sampleRate: 16_000 }));
  const { code, stderr, result } = await runDemo(["--caller", path], FLITE);
  expect(code, stderr).toBe(1);
  expect(stderr).toContain("the caller's words are not in the transcript");
  expect(result?.dial).toMatchObject({ status: "completed" });
  expect(["counterparty_hangup", "idle"]).toContain(result?.dial.endReason);
  expect(said(result?.dial.transcript ?? [], "HUMAN")).toBe("");
});

test("a mistake on the command line is told, with the usage, and starts nothing", async () => {
  const { code, stderr } = await runDemo(["--caller", "x.wav", "--say", "hello"]);
  expect(code).toBe(2);
  expect(stderr).toContain("exclude each other");
  expect(stderr).toContain("Usage:");
});
