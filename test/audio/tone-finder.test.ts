import fc from "fast-check";
import { expect, test } from "vitest";
import { keySound } from "../../src/audio/dtmf.ts";
import { ToneFinder } from "../../src/audio/tone-finder.ts";
import { hiss, makeSpeaker, overTelephone } from "../kit/spoken.ts";
import { concat, silence, tone } from "../kit/tones.ts";

type Found = Readonly<{ tone: string; endMs: number }>;

const listen = (sound: Int16Array, chunk = 320): Found[] => {
  const found: Found[] = [];
  const finder = new ToneFinder((signal, endMs) => found.push({ tone: signal, endMs }));
  for (let at = 0; at < sound.length; at += chunk) finder.push(sound.subarray(at, at + chunk));
  return found;
};

const tonesOf = (sound: Int16Array): string[] => listen(sound).map((found) => found.tone);

const quiet = (ms: number) => silence(ms, 16_000);
const sine = (frequency: number, ms: number, amplitude = 0.3) => tone(frequency, ms, 16_000, amplitude);

/** Two sounds at once. */
const mixed = (a: Int16Array, b: Int16Array): Int16Array => a.map((sample, index) => sample + (b[index] ?? 0));

test("beeps of all usual pitches, lengths and levels are found, through the telephone and in its noise, and when they end is known", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 380, max: 2400 }),
      fc.integer({ min: 160, max: 2200 }),
      fc.double({ min: 0.03, max: 0.9, noNaN: true }),
      fc.integer({ min: 0, max: 300 }),
      (frequency, ms, amplitude, beforeMs) => {
        fc.pre(Math.abs(frequency - 2100) > 40);
        const clean = concat(quiet(200 + beforeMs), sine(frequency, ms, amplitude), quiet(400));
        const found = listen(overTelephone(mixed(clean, hiss(clean.length / 16, 0.002))));
        expect(found.map((one) => one.tone)).toEqual(["beep"]);
        expect(Math.abs((found[0]?.endMs ?? 0) - (200 + beforeMs + ms))).toBeLessThan(60);
      },
    ),
    { numRuns: 40 },
  );
});

test("a beep is found behind speech, and speech and noise have none", async () => {
  const speak = await makeSpeaker();
  const texts = [
    "You have reached the voicemail of Sarah Miller. Please leave a message after the tone.",
    "Ooh, who would do so? Two new moons soon. Mmm, hmm. Aaaah. Eee.",
    "Hello? Hello, who is this? No, no, no. So long, see you soon, Lou.",
  ];
  for (const text of texts)
    for (const voice of ["rms", "slt", "kal16"] as const) {
      const said = overTelephone(concat(speak(text, voice), quiet(600)));
      expect(listen(said)).toEqual([]);
      expect(tonesOf(concat(said, sine(1000, 400), quiet(300)))).toEqual(["beep"]);
    }
  expect(listen(concat(hiss(3000, 0.2), quiet(300)))).toEqual([]);
});

test("music is no beep: notes that follow each other, chords, and notes that waver", () => {
  const notes = [523, 587, 659, 698, 784, 880, 784, 659, 523];
  const melody = concat(...notes.map((frequency) => sine(frequency, 250)), quiet(400));
  const parted = concat(...notes.flatMap((frequency) => [sine(frequency, 220), quiet(120)]), quiet(400));
  const chord = concat(mixed(mixed(sine(523, 800, 0.2), sine(659, 800, 0.2)), sine(784, 800, 0.2)), quiet(400));
  const vibrato = concat(
    Int16Array.from(
      { length: 16_000 },
      (_, index) =>
        9000 * Math.sin(2 * Math.PI * 700 * (index / 16_000) + 3 * Math.sin((2 * Math.PI * 6 * index) / 16_000)),
    ),
    quiet(400),
  );
  expect(tonesOf(melody)).toEqual([]);
  // The first of several notes with pauses between them cannot be told from a beep.
  expect(tonesOf(parted).length).toBeLessThanOrEqual(1);
  expect(tonesOf(chord)).toEqual([]);
  expect(tonesOf(vibrato)).toEqual([]);
});

test("keys, dial tones and the three notes of an announcement are no beeps", () => {
  const keys = concat(...Array.from("159#", (key) => keySound(key, 16_000)), quiet(300));
  const dialTone = concat(mixed(sine(350, 2000), sine(440, 2000)), quiet(300));
  const announcement = concat(sine(950, 330), sine(1400, 330), sine(1800, 330), quiet(300));
  const endless = concat(sine(425, 6000), quiet(300));
  for (const sound of [keys, dialTone, announcement, endless]) expect(tonesOf(overTelephone(sound))).toEqual([]);
});

test("fax machines are told by their tones: one that answers, with and without turns of its phase, and one that calls", () => {
  const turned = concat(...[0, Math.PI, 0, Math.PI].map((phase) => tone(2100, 450, 16_000, 0.3, phase)), quiet(300));
  expect(tonesOf(overTelephone(concat(quiet(500), sine(2100, 2800), quiet(300))))).toContain("fax");
  expect(tonesOf(overTelephone(turned))).toContain("fax");
  const calling = concat(...[1, 2, 3].flatMap(() => [sine(1100, 500), quiet(3000)]));
  expect(tonesOf(overTelephone(calling))).toContain("fax");
  expect(tonesOf(concat(sine(1100, 500), quiet(400)))).toEqual(["beep"]);
});

test("how the sound is cut into pieces makes no difference", () => {
  const sound = concat(quiet(300), sine(800, 300), quiet(300), sine(2100, 1500), quiet(200));
  for (const chunk of [1, 37, 160, 512, 5000]) expect(listen(sound, chunk)).toEqual(listen(sound));
});
