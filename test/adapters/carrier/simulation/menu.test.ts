import { expect, test } from "vitest";
import { prepareFarEnd } from "../../../../src/adapters/carrier/simulation/menu.ts";
import type { CallerScript } from "../../../../src/adapters/carrier/simulation/script.ts";
import { keySound } from "../../../../src/audio/dtmf.ts";
import { dominantFrequency, tone } from "../../../kit/tones.ts";

/** Every text is a tone of its own, 200 ms long. */
const FREQUENCIES: Readonly<Record<string, number>> = { offer: 500, wrong: 900, connecting: 1100, person: 2000 };
const speak = (text: string) => Promise.resolve({ samples: tone(FREQUENCIES[text] ?? 0, 200, 8000), sampleRate: 8000 });
const script: CallerScript = {
  menu: { offer: "offer", wrong: "wrong", connecting: "connecting", key: "2" },
  lines: [{ text: "person", afterMs: 100 }],
};
const SILENCE = new Int16Array(160);

/** What is said when keys are pressed at these milliseconds: texts with the time at which each begins. */
const hear = async (keys: Readonly<Record<number, string>>, untilMs: number) => {
  const caller = await prepareFarEnd(script, speak);
  const heard = new Map<number, Int16Array>();
  for (const [at, key] of Object.entries(keys)) {
    const sound = keySound(key, 8000);
    for (let frame = 0; frame < 9; frame++)
      heard.set(Number(at) + frame * 20, sound.subarray(frame * 160, (frame + 1) * 160));
  }
  const said: [text: string, atMs: number][] = [];
  let before: string | undefined;
  for (let ms = 0; ms < untilMs; ms += 20) {
    const { samples, hangUp } = caller.next(heard.get(ms) ?? SILENCE);
    if (hangUp === true) return [...said, ["hangs up", ms] as const];
    const frequency = samples === undefined ? undefined : dominantFrequency(samples, 8000);
    const text = Object.keys(FREQUENCIES).find((one) => FREQUENCIES[one] === frequency);
    if (text !== undefined && text !== before) said.push([text, ms]);
    before = text;
  }
  return said;
};

test("the right key, also while the menu speaks, leads to the person, who hears nothing of it", async () => {
  expect(await hear({ 100: "2" }, 6000)).toEqual([
    ["offer", 0],
    ["connecting", 120],
    ["person", expect.closeTo(3420, -2)],
  ]);
});

test("a wrong key is told, and the menu is offered again; nothing pressed for long ends the call", async () => {
  expect(await hear({ 1000: "5" }, 60_000)).toEqual([
    ["offer", 0],
    ["wrong", 1020],
    ["offer", expect.closeTo(7220, -2)],
    ["offer", expect.closeTo(13_420, -2)],
    ["hangs up", expect.closeTo(19_620, -2)],
  ]);
});
