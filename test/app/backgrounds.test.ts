import { expect, test } from "vitest";
import { playBackgrounds } from "../../src/app/backgrounds.ts";
import { decodeMulaw } from "../../src/audio/g711.ts";
import type { CallPlan } from "../../src/model/call-plan.ts";
import type { Transport } from "../../src/ports/transport.ts";
import { deferred } from "../../src/kit/deferred.ts";
import type { CallEnd } from "../../src/model/call-end.ts";
import { ScriptedLine } from "../kit/scripted-line.ts";
import { silentLogger } from "../kit/silent-logger.ts";
import { amplitudeAt, concat, dominantFrequency, tone } from "../kit/tones.ts";
import { VirtualClock } from "../kit/virtual-clock.ts";

type Background = NonNullable<CallPlan["background"]>;

/** A call with such a background, answered: what the other party hears while nobody says anything. */
const heardWith = async (background: Background | undefined, sounds: Readonly<Record<string, Int16Array>> = {}) => {
  const clock = new VirtualClock();
  const reads: string[] = [];
  const lines: Transport[] = [];
  const prepare = playBackgrounds(
    () => ({
      answer: (line) => {
        lines.push(line);
        line.listen({ frame: () => undefined, digit: () => undefined, mark: () => undefined, gone: () => undefined });
        return {
          finished: deferred<CallEnd>().promise,
          hangUp: () => undefined,
          order: () => undefined,
          answeredBy: () => undefined,
        };
      },
      discard: async () => undefined,
    }),
    {
      clock,
      logger: silentLogger(),
      audio: {
        readAudio: async (workspaceId, id) => {
          reads.push(`${workspaceId} ${id}`);
          const samples = sounds[id];
          return samples === undefined ? undefined : { samples, sampleRate: 16_000 };
        },
      },
    },
  );
  const plan = { dialId: "d1", workspaceId: "w1", direction: "outbound", background } as CallPlan;
  const call = prepare(
    plan,
    { transcript: () => undefined, interim: () => undefined, turn: () => undefined },
    async () => "failed",
  );
  await clock.advance(100);
  const far = new ScriptedLine(clock);
  call.answer(far);
  await clock.advance(1500);
  lines[0]?.close();
  expect(clock.pending).toBe(0);
  return { sound: concat(...far.heard.map(({ payload }) => decodeMulaw(payload))), reads, own: lines[0] === far };
};

test("an uploaded sound is heard behind the agent at the line's rate, as loud as asked for", async () => {
  const sounds = { s1: tone(700, 2000, 16_000, 0.9) };
  const soft = await heardWith({ audioId: "s1", volumeDb: 0 }, sounds);
  expect(soft.reads).toEqual(["w1 s1"]);
  expect(dominantFrequency(soft.sound, 8000)).toBe(700);
  const loud = await heardWith({ audioId: "s1", volumeDb: 12 }, sounds);
  const ratio = amplitudeAt(loud.sound, 700, 8000) / amplitudeAt(soft.sound, 700, 8000);
  expect(20 * Math.log10(ratio)).toBeCloseTo(12, 0);
});

test("an office is heard where one is asked for", async () => {
  const { sound, reads } = await heardWith({ volumeDb: 10 });
  expect(reads).toEqual([]);
  expect(sound.length).toBeGreaterThan(8000);
  expect(sound.some((sample) => Math.abs(sample) > 200)).toBe(true);
});

test("a sound that is there no more, or that nobody asked for, leaves the line as it is", async () => {
  expect((await heardWith({ audioId: "gone", volumeDb: 0 })).sound).toHaveLength(0);
  const without = await heardWith(undefined);
  expect(without.sound).toHaveLength(0);
  expect(without.own).toBe(true);
});
