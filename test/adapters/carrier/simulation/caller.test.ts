import { expect, test } from "vitest";
import { prepareCaller, type Caller } from "../../../../src/adapters/carrier/simulation/caller.ts";
import type { CallerScript } from "../../../../src/adapters/carrier/simulation/script.ts";
import { wavCaller } from "../../../../src/adapters/carrier/simulation/wav-caller.ts";
import { concat, dominantFrequency, silence, tone } from "../../../kit/tones.ts";

const FRAME = silence(20, 8000);
const VOICE = tone(300, 20, 8000, 0.3);

type Did = Readonly<{ atMs: number; what: number | string }>;

/** Lets a person live with an agent that speaks when `agent` says so; tells when each line began, by its pitch, and the rest. */
const live = (caller: Caller, forMs: number, agent: (atMs: number) => boolean): readonly Did[] => {
  const did: Did[] = [];
  let sound: Int16Array[] = [];
  let startedAt = 0;
  const finish = () => {
    if (sound.length > 0) did.push({ atMs: startedAt, what: dominantFrequency(concat(...sound), 8000) ?? "silence" });
    sound = [];
  };
  for (let atMs = 0; atMs < forMs; atMs += 20) {
    const move = caller.next(agent(atMs) ? VOICE : FRAME);
    if (move.samples !== undefined) {
      if (sound.length === 0) startedAt = atMs;
      sound.push(move.samples);
    } else finish();
    if (move.digit !== undefined) did.push({ atMs, what: move.digit });
    if (move.hangUp === true) {
      did.push({ atMs, what: "hang-up" });
      return did;
    }
  }
  finish();
  return did;
};

const says = (...frequencies: number[]): CallerScript => ({
  lines: frequencies.map((frequency) => ({ samples: tone(frequency, 1000, 16_000), sampleRate: 16_000 })),
});

const between =
  (...spans: readonly (readonly [number, number])[]) =>
  (atMs: number) =>
    spans.some(([from, to]) => atMs >= from && atMs < to);

const near = (atMs: number): unknown => expect.closeTo(atMs, -2);

test("a line is said when the agent has spoken and then been quiet, and the last answer is waited for", async () => {
  const caller = await prepareCaller(says(500, 700), undefined);
  const did = live(caller, 30_000, between([500, 2000], [4500, 6000], [9000, 10_000]));
  expect(did).toEqual([
    { atMs: near(2700), what: 500 },
    { atMs: near(6700), what: 700 },
    { atMs: near(12_500), what: "hang-up" },
  ]);
});

test("a pause within what the agent says is not the caller's turn, and neither is a click", async () => {
  const caller = await prepareCaller(says(500), undefined);
  const did = live(caller, 20_000, between([100, 140], [1500, 2000], [2600, 3000]));
  expect(did[0]).toEqual({ atMs: near(3700), what: 500 });
});

test("an agent that never says anything is spoken to after 4 s, and again after 8 s, and then given up", async () => {
  const caller = await prepareCaller(says(500, 700), undefined);
  expect(live(caller, 60_000, () => false)).toEqual([
    { atMs: near(4000), what: 500 },
    { atMs: near(13_000), what: 700 },
    { atMs: near(29_000), what: "hang-up" },
  ]);
});

test("an agent that never stops is hung up on when the call is too old", async () => {
  const caller = await prepareCaller({ ...says(500), manner: { longestMs: 20_000 } }, undefined);
  expect(live(caller, 60_000, () => true)).toEqual([{ atMs: 20_000, what: "hang-up" }]);
  const patient = await prepareCaller(says(500), undefined);
  expect(live(patient, 300_000, () => true).at(-1)).toEqual({ atMs: near(61_000), what: "hang-up" });
});

test("lines can interrupt, follow on their own, press keys, hang up and begin again", async () => {
  const line = (frequency: number) => ({ samples: tone(frequency, 200, 8000), sampleRate: 8000 });
  const interrupts = await prepareCaller(
    {
      lines: [
        { ...line(500), interruptAfterMs: 1000 },
        { digits: "4#", afterMs: 300 },
        { hangUp: true, interruptAfterMs: 500 },
      ],
    },
    undefined,
  );
  expect(live(interrupts, 20_000, (atMs) => atMs >= 1000)).toEqual([
    { atMs: near(2000), what: 500 },
    { atMs: near(2500), what: "4" },
    { atMs: near(2700), what: "#" },
    { atMs: near(3400), what: "hang-up" },
  ]);
  const repeats = await prepareCaller(
    { lines: [{ ...line(500), afterMs: 100 }], repeat: true, manner: { longestMs: 1000 } },
    undefined,
  );
  expect(live(repeats, 20_000, () => true).map(({ what }) => what)).toEqual([500, 500, 500, "hang-up"]);
});

test("texts are spoken by the voice that is given, and not at all without one", async () => {
  const spoken: string[] = [];
  const speak = async (text: string) => {
    spoken.push(text);
    return { samples: tone(600, 300, 22_050), sampleRate: 22_050 };
  };
  const caller = await prepareCaller({ lines: [{ text: "Hello." }] }, speak);
  expect(spoken).toEqual(["Hello."]);
  expect(live(caller, 10_000, () => false)[0]).toEqual({ atMs: near(4000), what: 600 });
  await expect(prepareCaller({ lines: [{ text: "Hello." }] }, undefined)).rejects.toThrow("no voice");
  await expect(
    prepareCaller({ lines: [{ text: "Hello." }] }, () => Promise.reject(new Error("hoarse"))),
  ).rejects.toThrow("hoarse");
});

const noise = (ms: number, level: number): Int16Array => {
  let state = 1;
  return Int16Array.from({ length: ms * 8 }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state / 2 ** 31 - 1) * level;
  });
};

test("a recording is cut into lines at its pauses, and only there", () => {
  const samples = concat(
    silence(1000, 8000),
    tone(500, 800, 8000),
    silence(500, 8000),
    tone(500, 700, 8000),
    silence(900, 8000),
    tone(700, 600, 8000),
    silence(300, 8000),
  );
  const { lines } = wavCaller({ samples, sampleRate: 8000 });
  const lengths = lines.map((line) => ("samples" in line ? line.samples.length / 8 : 0));
  expect(lengths.length).toBe(2);
  // With 100 ms before and 200 ms after.
  expect(lengths[0]).toBeCloseTo(2300, -2);
  expect(lengths[1]).toBeCloseTo(900, -2);
});

test("speech over the hiss of a telephone line is cut too", () => {
  const speech = concat(silence(1600, 8000), tone(500, 600, 8000, 0.2), silence(1800, 8000), tone(500, 400, 8000, 0.2));
  const samples = noise(6000, 150).map((sample, index) => sample + (speech[index] ?? 0));
  expect(wavCaller({ samples, sampleRate: 8000 }).lines).toHaveLength(2);
});

test.each([
  ["silence", silence(3000, 8000)],
  ["faint noise", noise(3000, 300)],
  ["nothing at all", new Int16Array(0)],
])("%s is played through at once, in real time, and hung up after 5 s", async (_, samples) => {
  const caller = await prepareCaller(wavCaller({ samples, sampleRate: 8000 }), undefined);
  const did = live(caller, 60_000, () => false);
  expect(did.at(-1)).toEqual({ atMs: near(samples.length / 8 + 5000), what: "hang-up" });
});

test.each([
  ["music", tone(440, 5000, 8000)],
  ["loud noise", noise(5000, 12_000)],
])("%s without pauses is one line, after which the caller waits and goes", async (_, samples) => {
  const script = wavCaller({ samples, sampleRate: 8000 });
  expect(script.lines).toHaveLength(1);
  const did = live(await prepareCaller(script, undefined), 60_000, between([0, 1000]));
  expect(did[0]!.atMs).toBeCloseTo(1700, -2);
  expect(did.at(-1)!.what).toBe("hang-up");
});
