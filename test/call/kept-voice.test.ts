import { expect, test } from "vitest";
import { memoryPhrases } from "../../src/adapters/phrases/memory.ts";
import { SystemClock } from "../../src/adapters/clock/system.ts";
import { KeptVoice } from "../../src/call/kept-voice.ts";
import { repeatablePieces } from "../../src/call/repeatable.ts";
import { millisecondsOf, type AudioFormat } from "../../src/model/audio.ts";
import type { Phrases } from "../../src/ports/phrases.ts";
import type { SpokenChunk, VoiceSettings } from "../../src/ports/synthesizer.ts";
import { LETTER_MS, ScriptedVoice } from "../kit/scripted-engines.ts";
import { VirtualClock } from "../kit/virtual-clock.ts";

const LINE: AudioFormat = { encoding: "mulaw", sampleRate: 8000 };
const SETTINGS: VoiceSettings = { voiceId: "scripted", language: "en", options: {} };
const forever = new AbortController().signal;

async function* from(pieces: readonly string[]): AsyncGenerator<string> {
  for (const piece of pieces) yield await Promise.resolve(piece);
}

const rig = (texts: readonly string[], phrases: Phrases = memoryPhrases(1_000_000)) => {
  const clock = new VirtualClock();
  const voice = new ScriptedVoice(clock, 100, true, 200);
  const found: string[] = [];
  const metrics = { phrase: (one: "hit" | "miss") => found.push(one) };
  const repeatable = repeatablePieces(texts, "en");
  const make = () => new KeptVoice({ voice, phrases, repeatable, metrics });
  const say = async (pieces: readonly string[], settings = SETTINGS, line = LINE) => {
    const chunks: SpokenChunk[] = [];
    let over = false;
    void (async () => {
      for await (const chunk of make().synthesize(from(pieces), settings, line, forever)) chunks.push(chunk);
      over = true;
    })();
    await clock.until(() => over, 60_000);
    return chunks;
  };
  return { clock, voice, found, say, make };
};

const heardIn = (chunks: readonly SpokenChunk[]) => ({
  ms: chunks.reduce((sum, { audio }) => sum + millisecondsOf(LINE, audio.length), 0),
  ends: chunks.filter(({ endOfPiece }) => endOfPiece === true).length,
  words: chunks.flatMap(({ words = [] }) => words),
});

test("what is repeatable is made once and said again from what was kept, between pieces that are new, with the same words and times", async () => {
  const { voice, found, say } = rig(["Hello, and welcome.", "One moment."]);
  const pieces = ["Anna?", "Hello, and welcome.", "You are Anna.", "One moment.", "Your number is 7."];
  const first = heardIn(await say(pieces));
  expect(voice.spoken).toEqual(pieces);
  const second = heardIn(await say(pieces));
  expect(voice.spoken).toEqual([...pieces, "Anna?", "You are Anna.", "Your number is 7."]);
  expect(second).toEqual(first);
  expect(first.ends).toBe(5);
  expect(first.ms).toBe(pieces.join("").length * LETTER_MS);
  expect(found).toEqual(["miss", "miss", "hit", "hit"]);
});

test("a text that was filled in for somebody is never kept, and neither is what nobody marked", () => {
  expect([...repeatablePieces(["Hello {{name}}, how are you?", "Are you still there?"], "en")]).toEqual([
    "Are you still there?",
  ]);
});

test("sound is kept for one voice, its options and one encoding", async () => {
  const { voice, say } = rig(["Hello there."]);
  await say(["Hello there."]);
  await say(["Hello there."], { ...SETTINGS, voiceId: "other" });
  await say(["Hello there."], { ...SETTINGS, options: { speed: "1.2" } });
  await say(["Hello there."], SETTINGS, { encoding: "alaw", sampleRate: 8000 });
  expect(voice.spoken.length).toBe(4);
  await say(["Hello there."]);
  expect(voice.spoken.length).toBe(4);
});

test("sound that broke off is not kept", async () => {
  const { clock, voice, make, say } = rig(["Hello there, this takes some time."]);
  const controller = new AbortController();
  const reading = (async () => {
    for await (const _chunk of make().synthesize(
      from(["Hello there, this takes some time."]),
      SETTINGS,
      LINE,
      controller.signal,
    ))
      controller.abort();
  })();
  await clock.advance(1000);
  await reading;
  await say(["Hello there, this takes some time."]);
  expect(voice.spoken.length).toBe(2);
  expect(clock.pending).toBe(0);
});

test("a kept phrase sounds within milliseconds, and the next words find a connection", async () => {
  const phrases = memoryPhrases(1_000_000);
  const { say } = rig(["Hello there."], phrases);
  await say(["Hello there."]);
  const clock = new SystemClock();
  const voice = new ScriptedVoice(clock);
  let warmed = 0;
  const warmable = Object.assign(voice, { warm: () => (warmed += 1) });
  const kept = new KeptVoice({ voice: warmable, phrases, repeatable: repeatablePieces(["Hello there."], "en") });
  const delays: number[] = [];
  for (let time = 0; time < 20; time += 1) {
    const startedAt = clock.monotonic();
    const sound = kept.synthesize(from(["Hello there."]), SETTINGS, LINE, forever);
    const first = await sound.next();
    delays.push(clock.monotonic() - startedAt);
    expect(first.done).toBe(false);
    await sound.next();
  }
  expect(delays.toSorted((a, b) => a - b)[10]).toBeLessThan(5);
  expect(warmed).toBe(20);
  expect(voice.spoken).toEqual([]);
});

test("a call that ends while no text comes lets go of the text", async () => {
  const { clock, make } = rig([]);
  const controller = new AbortController();
  let returned = false;
  const silent: AsyncIterable<string> = {
    [Symbol.asyncIterator]: () => ({
      next: () => new Promise(() => undefined),
      return: () => {
        returned = true;
        return Promise.resolve({ done: true, value: undefined });
      },
    }),
  };
  const next = make().synthesize(silent, SETTINGS, LINE, controller.signal).next();
  await clock.settle();
  controller.abort();
  expect((await next).done).toBe(true);
  expect(returned).toBe(true);
});
