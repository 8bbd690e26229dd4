import { expect, test } from "vitest";
import { ThreadedSynthesizer } from "../../../../src/adapters/synthesizer/threaded/threaded-synthesizer.ts";
import { utterancesInTime } from "../../../../src/adapters/synthesizer/threaded/utterances.ts";
import type { AudioFormat } from "../../../../src/model/audio.ts";
import { sleep } from "../../../../src/ports/clock.ts";
import { VirtualClock } from "../../../kit/virtual-clock.ts";

const LINE: AudioFormat = { encoding: "mulaw", sampleRate: 8000 };
const VOICE = { id: "x-one", name: "One", voiceType: "x", voiceTier: "STANDARD", description: "" } as const;
const LONG = "Could you tell me a little more about what you are looking for today?";

/** What a thread of a certain pace is asked to say. */
const askedOf = async (msPerLetter: number | undefined, pieces: readonly string[]): Promise<readonly string[]> => {
  const asked: string[] = [];
  const thread = {
    msPerLetter,
    lane: () => ({ dueAt: 0 }),
    before: () => 0,
    speak: (_lane: unknown, { text }: Readonly<{ text: string }>) => {
      asked.push(text);
      return Promise.resolve({ audio: new Uint8Array(800), words: [] });
    },
    close: () => Promise.resolve(),
  };
  const options = { name: "x", voices: [VOICE], firstAudioDeadlineMs: 800, maxUtteranceLength: 120 };
  const synthesizer = new ThreadedSynthesizer(options, thread);
  const given = async function* () {
    for (const piece of pieces) yield await Promise.resolve(piece);
  };
  const settings = { voiceId: "x-one", language: "en", options: {} };
  let ends = 0;
  for await (const chunk of synthesizer.synthesize(given(), settings, LINE, new AbortController().signal))
    if (chunk.endOfPiece === true) ends += 1;
  expect(ends).toBe(pieces.length);
  return asked;
};

test("an engine that is slow makes the first words of a reply first, and no other ones", async () => {
  const [soon = "", ...rest] = await askedOf(35, [LONG, LONG]);
  expect(soon.length).toBeGreaterThan(10);
  expect(soon.length).toBeLessThanOrEqual(1000 / 35 + 8);
  expect([soon, rest[0]].join(" ")).toBe(LONG);
  expect(rest.slice(1)).toEqual([LONG]);
});

test("an engine that is quick enough, or whose pace is not known, says a sentence as a whole", async () => {
  expect(await askedOf(10, [LONG])).toEqual([LONG]);
  expect(await askedOf(undefined, [LONG])).toEqual([LONG]);
});

test("no word is lost or moved, however short the parts shall be", () => {
  for (const lengths of [[1], [5, 500], [20, 20, 40], [40, 60, 80], [500]]) {
    for (const text of [LONG, "", "One.", "... !", `${LONG} ${LONG} And then, after all that, we went home, slowly.`]) {
      let taken = 0;
      const limit = () => lengths[Math.min(taken++, lengths.length - 1)] ?? 0;
      const parts = [...utterancesInTime(text, 120, limit)];
      expect(
        parts
          .map(({ utterance }) => utterance)
          .join(" ")
          .split(/\s+/u),
      ).toEqual(text.trim().split(/\s+/u));
      expect(parts.filter(({ last }) => last).length).toBe(Math.min(1, parts.length));
    }
  }
});

/** When a caller hears nothing in the middle of a reply, of an engine that takes so long for a letter whose sound takes 65 ms. */
const pausesOf = async (msPerLetter: number, pieces: readonly string[]): Promise<readonly number[]> => {
  const clock = new VirtualClock();
  const thread = {
    msPerLetter,
    lane: () => ({ dueAt: 0 }),
    before: () => 0,
    speak: async (_lane: unknown, { text }: Readonly<{ text: string }>) => {
      await sleep(clock, text.length * msPerLetter);
      return { audio: new Uint8Array(text.length * 65 * 8), words: [] };
    },
    close: () => Promise.resolve(),
  };
  const options = { name: "x", voices: [VOICE], firstAudioDeadlineMs: 800, maxUtteranceLength: 120 };
  const synthesizer = new ThreadedSynthesizer(options, thread);
  const given = async function* () {
    for (const piece of pieces) yield await Promise.resolve(piece);
  };
  const settings = { voiceId: "x-one", language: "en", options: {} };
  const pauses: number[] = [];
  let quietFrom: number | undefined;
  const speaking = (async () => {
    for await (const { audio } of synthesizer.synthesize(given(), settings, LINE, new AbortController().signal)) {
      const now = clock.monotonic();
      if (quietFrom === undefined) expect(now).toBeLessThanOrEqual(Math.max(1000, 26 * msPerLetter));
      else if (now > quietFrom) pauses.push(now - quietFrom);
      quietFrom = Math.max(quietFrom ?? 0, now) + audio.length / 8;
    }
    return pauses;
  })();
  await clock.advance(120_000);
  return speaking;
};

/** When each of some calls that begin at once hears its first sound, of an engine that makes one text after the other. */
const firstSounds = async (msPerLetter: number, calls: number): Promise<readonly number[]> => {
  const clock = new VirtualClock();
  const began = clock.monotonic();
  let turn = Promise.resolve();
  let waiting = 0;
  const thread = {
    msPerLetter,
    lane: () => ({ dueAt: 0 }),
    before: () => waiting,
    speak: async (_lane: unknown, { text }: Readonly<{ text: string }>) => {
      waiting += 1;
      turn = turn.then(() => sleep(clock, text.length * msPerLetter));
      await turn;
      waiting -= 1;
      return { audio: new Uint8Array(text.length * 65 * 8), words: [] };
    },
    close: () => Promise.resolve(),
  };
  const options = { name: "x", voices: [VOICE], firstAudioDeadlineMs: 2000, maxUtteranceLength: 120 };
  const synthesizer = new ThreadedSynthesizer(options, thread);
  const given = async function* () {
    yield await Promise.resolve(LONG);
  };
  const settings = { voiceId: "x-one", language: "en", options: {} };
  const heard = Array.from({ length: calls }, async () => {
    const sound = synthesizer.synthesize(given(), settings, LINE, new AbortController().signal)[Symbol.asyncIterator]();
    await sound.next();
    const ms = clock.monotonic() - began;
    await sound.return();
    return ms;
  });
  await clock.advance(60_000);
  return Promise.all(heard);
};

test("calls that wait for one engine ask it for less at a time, so that the last of four is not late either", async () => {
  // As many whole sentences would take 2.2 s, and Kokoro's deadline is 2 s.
  const sounds = await firstSounds(8, 4);
  expect(sounds[0]).toBeLessThanOrEqual(LONG.length * 8);
  expect(Math.max(...sounds)).toBeLessThan(1700);
  // One that is alone is asked for the same as ever.
  expect(await firstSounds(8, 1)).toEqual([LONG.length * 8]);
});

const SENTENCES = [LONG, `${LONG.slice(0, -1)}, and when it would suit you best to come and see us here?`, LONG];

test("an engine of a loaded machine makes no pause in the middle of a reply, as long as it is quicker than speech", async () => {
  for (const msPerLetter of [5, 20, 35, 45, 55, 60]) {
    const pauses = await pausesOf(msPerLetter, SENTENCES);
    // Less than anybody notices between two words.
    expect(Math.max(0, ...pauses), `${msPerLetter} ms a letter`).toBeLessThanOrEqual(50);
  }
});

test("an engine that is slower than speech makes short pauses and no long one", async () => {
  for (const msPerLetter of [75, 90]) {
    const pauses = await pausesOf(msPerLetter, SENTENCES);
    expect(pauses.length).toBeGreaterThan(0);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(1000);
  }
});
