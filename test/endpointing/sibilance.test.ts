import { expect, test } from "vitest";
import { Sibilance } from "../../src/endpointing/sibilance.ts";
import { hiss, overTelephone } from "../kit/spoken.ts";
import { concat, silence, tone } from "../kit/tones.ts";

/** For how long it was hissing at the end of each 20 ms of the sound. */
const heard = (sound: Int16Array): readonly number[] => {
  const sibilance = new Sibilance();
  return Array.from({ length: Math.floor(sound.length / 320) }, (_, frame) => {
    sibilance.push(sound.subarray(frame * 320, (frame + 1) * 320));
    return sibilance.hissingMs;
  });
};

test("what sounds high and much louder than the room hisses, for as long as it lasts", () => {
  const sound = concat(silence(400, 16_000), tone(3000, 100, 16_000, 0.1), silence(100, 16_000));
  expect(heard(sound).slice(19, 27)).toEqual([0, 20, 40, 60, 80, 100, 0, 0]);
});

test("a voice does not hiss, nor does a line's noise, however loud they are", () => {
  const vowel = tone(200, 400, 16_000, 0.5);
  const noise = overTelephone(hiss(400, 0.3));
  expect(Math.max(...heard(concat(silence(200, 16_000), vowel)))).toBe(0);
  expect(Math.max(...heard(concat(silence(200, 16_000), noise)))).toBeLessThan(60);
});

test("a hiss that goes on becomes the room", () => {
  const levels = heard(concat(silence(200, 16_000), tone(3000, 8000, 16_000, 0.1)));
  expect(levels[60]).toBe(1020);
  expect(levels.at(-1)).toBe(0);
});

test("without sound nothing hisses", () => {
  const sibilance = new Sibilance();
  sibilance.push(new Int16Array(0));
  expect(sibilance.hissingMs).toBe(0);
});
