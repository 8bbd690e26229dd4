import { NOISES } from "../../kit/noises.ts";
import type { CallerSound } from "../../kit/sounding-caller.ts";
import { hiss } from "../../kit/spoken.ts";
import { heardCall, REPLY, type Engines } from "./heard-call.ts";
import { audible, FLITE_PEOPLE, type Talk } from "./people.ts";
import { TURNS } from "./situations.ts";

/** Sounds that no pause is due for, and how much of each is made, in milliseconds. */
const DISTURBANCES: Readonly<Record<string, (talk: Talk, index: number) => Int16Array>> = {
  ...Object.fromEntries(Object.entries(NOISES).map(([name, make]) => [name, (_: Talk, seed: number) => make(seed)])),
  "hiss of a line": (_, index) => hiss(2000, 0.03, index + 1),
  "the agent's echo, 30 dB below it": (talk, index) =>
    audible(talk(TURNS[index % TURNS.length] ?? "", "slt")).map((sample) => Math.round(sample * ECHO)),
  "a room of people, far away": (talk, index) => murmur(talk, index),
};
const ECHO = 10 ** (-30 / 20);
const FAR = 10 ** (-34 / 20);

const murmur = (talk: Talk, index: number): Int16Array => {
  const voices = FLITE_PEOPLE.map(({ voice }, person) =>
    audible(talk(TURNS[(index + 2 * person) % TURNS.length] ?? "", voice)),
  );
  const length = Math.max(...voices.map((sound) => sound.length));
  return Int16Array.from({ length }, (_, at) =>
    Math.round(voices.reduce((sum, sound) => sum + (sound[at % sound.length] ?? 0), 0) * FAR),
  );
};

/** How often a minute of each disturbance makes the agent fall silent, and for how long in all, in milliseconds. */
export const falsePauses = async (
  engines: () => Engines,
  talk: Talk,
  count: number,
): Promise<readonly Readonly<{ name: string; aMinute: number; silentMs: number }>[]> => {
  const rows = [];
  for (const [name, make] of Object.entries(DISTURBANCES)) {
    const sounds = Array.from({ length: count }, (_, index): CallerSound => ({
      sound: make(talk, 31 * index + 5),
      once: "agent-speaks",
      afterMs: 700 + ((index * 53) % 400),
    }));
    const { played } = await heardCall(engines(), sounds, { opening: `${REPLY} `.repeat(count) });
    const minutes = sounds.reduce((sum, { sound }) => sum + sound.length, 0) / 16_000 / 60;
    const gaps = played.slice(1).map(({ fromMs }, index) => fromMs - (played[index]?.untilMs ?? fromMs));
    rows.push({ name, aMinute: gaps.length / minutes, silentMs: gaps.reduce((sum, gap) => sum + gap, 0) / minutes });
  }
  return rows;
};
