import { expect, test } from "vitest";
import { FallbackVoice } from "../../src/call/fallback-voice.ts";
import type { AudioFormat } from "../../src/model/audio.ts";
import { sleep, type Clock } from "../../src/ports/clock.ts";
import type { SpeechSynthesizer, SpokenChunk } from "../../src/ports/synthesizer.ts";
import { noMetrics, silentLogger } from "../kit/call-rig.ts";
import { LETTER_MS, ScriptedVoice } from "../kit/scripted-engines.ts";
import { VirtualClock } from "../kit/virtual-clock.ts";

const LINE: AudioFormat = { encoding: "mulaw", sampleRate: 8000 };
const SETTINGS = { voiceId: "scripted", language: "en", options: {} };

/** Speaks the first pieces as it should, then fails as told. */
class FailingVoice extends ScriptedVoice {
  readonly #clockOf: Clock;
  readonly #good: number;
  readonly #how: "throws" | "hangs" | "breaks off";
  asked = 0;

  constructor(clock: Clock, good: number, how: "throws" | "hangs" | "breaks off") {
    super(clock);
    this.#clockOf = clock;
    this.#good = good;
    this.#how = how;
  }

  override async *synthesize(...args: Parameters<SpeechSynthesizer["synthesize"]>): AsyncGenerator<SpokenChunk> {
    this.asked += 1;
    const [pieces, voice, line, signal] = args;
    let spoken = 0;
    for await (const piece of pieces) {
      if (spoken === this.#good) {
        if (this.#how === "hangs") await sleep(this.#clockOf, 3_600_000, signal);
        if (this.#how === "breaks off") yield { audio: new Uint8Array(800) };
        throw new Error("scripted");
      }
      spoken += 1;
      yield* super.synthesize(from([piece]), voice, line, signal);
    }
  }
}

async function* from(pieces: readonly string[]): AsyncGenerator<string> {
  yield* pieces;
}

const speak = async (clock: VirtualClock, voice: FallbackVoice, pieces: readonly string[], limitMs = 60_000) => {
  const chunks: SpokenChunk[] = [];
  let over = false;
  const speaking = (async () => {
    for await (const chunk of voice.synthesize(from(pieces), SETTINGS, LINE, new AbortController().signal))
      chunks.push(chunk);
    over = true;
  })();
  await clock.until(() => over, limitMs);
  await speaking;
  return chunks;
};

const rig = (good: number, how: "throws" | "hangs" | "breaks off") => {
  const clock = new VirtualClock();
  const preferred = new FailingVoice(clock, good, how);
  const standIn = new ScriptedVoice(clock);
  const parts = { preferred, standIn, standInVoiceId: "spare", clock, logger: silentLogger, metrics: noMetrics };
  return { clock, preferred, standIn, voice: new FallbackVoice(parts) };
};

test.for([
  ["throws", 0],
  ["throws", 2],
  ["hangs", 0],
  ["hangs", 1],
] as const)("a voice that %s after %i pieces is replaced, and every piece is spoken once", async ([how, good]) => {
  const { clock, preferred, standIn, voice } = rig(good, how);
  const pieces = ["one ", "two ", "three "];
  const chunks = await speak(clock, voice, pieces);
  expect([...preferred.spoken, ...standIn.spoken]).toEqual(pieces);
  expect(preferred.spoken).toHaveLength(good);
  expect(chunks.filter(({ endOfPiece }) => endOfPiece === true)).toHaveLength(pieces.length);
  const words = chunks.flatMap((chunk) => chunk.words ?? []);
  expect(words.map(({ text }) => text)).toEqual(["one", "two", "three"]);
  const starts = words.slice(good).map(({ startMs }) => startMs);
  expect(starts).toEqual([0, 4 * LETTER_MS, 8 * LETTER_MS].slice(good));
  expect(clock.pending).toBe(0);
});

test("a hanging voice is waited for as long as its own deadline says", async () => {
  const { clock, voice } = rig(0, "hangs");
  await speak(clock, voice, ["hello "]);
  expect(clock.monotonic()).toBe(800 + 100);
});

test("a piece that broke off in the middle is not said twice", async () => {
  const { clock, standIn, voice } = rig(0, "breaks off");
  const chunks = await speak(clock, voice, ["one ", "two "]);
  expect(standIn.spoken).toEqual(["two "]);
  expect(chunks.filter(({ endOfPiece }) => endOfPiece === true)).toHaveLength(2);
});

test("after a failure the preferred voice rests for a minute", async () => {
  const { clock, preferred, standIn, voice } = rig(0, "throws");
  await speak(clock, voice, ["one "]);
  await speak(clock, voice, ["two "]);
  expect(preferred.asked).toBe(1);
  expect(standIn.spoken).toEqual(["one ", "two "]);
  await clock.advance(60_000);
  await speak(clock, voice, ["three "]);
  expect(preferred.asked).toBe(2);
});

test("a dialogue that is slow with its next piece does not make the voice late", async () => {
  const clock = new VirtualClock();
  const preferred = new ScriptedVoice(clock);
  const standIn = new ScriptedVoice(clock);
  const voice = new FallbackVoice({
    preferred,
    standIn,
    standInVoiceId: "spare",
    clock,
    logger: silentLogger,
    metrics: noMetrics,
  });
  async function* slowly() {
    yield "one ";
    await sleep(clock, 9000);
    yield "two ";
  }
  let over = false;
  void (async () => {
    for await (const chunk of voice.synthesize(slowly(), SETTINGS, LINE, new AbortController().signal))
      expect(chunk).toBeDefined();
    over = true;
  })();
  await clock.until(() => over, 60_000);
  expect(preferred.spoken).toEqual(["one ", "two "]);
  expect(standIn.spoken).toEqual([]);
});

test("an abort stops both voices and leaves no timer", async () => {
  const { clock, standIn, voice } = rig(0, "hangs");
  const abort = new AbortController();
  const failed = (async () => {
    for await (const chunk of voice.synthesize(from(["one "]), SETTINGS, LINE, abort.signal))
      expect(chunk).toBeUndefined();
  })().catch((error: unknown) => error);
  await clock.advance(100);
  abort.abort(new Error("enough"));
  await failed;
  await clock.settle();
  expect(standIn.spoken).toEqual([]);
  expect(clock.pending).toBe(0);
});
