import { expect, test } from "vitest";
import { FallbackVoice } from "../../src/call/fallback-voice.ts";
import { Breakers } from "../../src/kit/breakers.ts";
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
  readonly #how: "throws" | "hangs" | "breaks off" | "ends";
  asked = 0;

  constructor(clock: Clock, good: number, how: "throws" | "hangs" | "breaks off" | "ends") {
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
        if (this.#how === "ends") return;
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

const rig = (good: number, how: "throws" | "hangs" | "breaks off" | "ends") => {
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

test("a hanging voice is waited for as long as its own deadline says, and the next one's first sound is there by then", async () => {
  const { clock, standIn, voice } = rig(0, "hangs");
  const chunks = await speak(clock, voice, ["hello ", "again "]);
  // 100 ms for the second piece: the first one was made while the preferred voice still had time.
  expect(clock.monotonic()).toBe(800 + 100);
  expect(standIn.spoken).toEqual(["hello ", "again "]);
  const words = chunks.flatMap((chunk) => chunk.words ?? []);
  expect(words.map(({ text, startMs }) => [text, startMs])).toEqual([
    ["hello", 0],
    ["again", 6 * LETTER_MS],
  ]);
});

test("a voice that stops between two pieces is waited for until its sound has played, and its deadline more", async () => {
  const { clock, standIn, voice } = rig(1, "hangs");
  await speak(clock, voice, ["one ", "two "]);
  expect(standIn.spoken).toEqual(["two "]);
  // 100 ms to the first sound, which lasts 200 ms; then 800 ms in which nothing is heard, and no more: the next voice has begun by then.
  expect(clock.monotonic()).toBe(100 + 4 * LETTER_MS + 800);
});

test("a voice has its whole deadline from when it is given something to say, however long that took", async () => {
  const clock = new VirtualClock();
  // It needs 700 of its 800 ms.
  const preferred = new ScriptedVoice(clock, 700);
  const standIn = new ScriptedVoice(clock);
  const parts = { preferred, standIn, standInVoiceId: "spare", clock, logger: silentLogger, metrics: noMetrics };
  const voice = new FallbackVoice(parts);
  async function* late() {
    await sleep(clock, 500);
    yield "one ";
  }
  const chunks: SpokenChunk[] = [];
  let over = false;
  void (async () => {
    for await (const chunk of voice.synthesize(late(), SETTINGS, LINE, new AbortController().signal))
      chunks.push(chunk);
    over = true;
  })();
  await clock.until(() => over, 10_000);
  expect(preferred.spoken).toEqual(["one "]);
  // The head start was made and thrown away.
  expect(chunks.map(({ endOfPiece }) => endOfPiece)).toEqual([true]);
  expect(clock.pending).toBe(0);
});

test.for([
  ["hangs", "hangs"],
  ["hangs", "throws"],
  ["throws", "hangs"],
] as const)("of three voices the third is heard soon when the first %s and the second %s", async ([first, second]) => {
  const clock = new VirtualClock();
  const third = new ScriptedVoice(clock);
  const shared = { clock, logger: silentLogger, metrics: noMetrics };
  const behind = new FallbackVoice({
    ...shared,
    preferred: new FailingVoice(clock, 0, second),
    standIn: third,
    standInVoiceId: "third",
  });
  const preferred = new FailingVoice(clock, 0, first);
  const voice = new FallbackVoice({ ...shared, preferred, standIn: behind, standInVoiceId: "second" });
  let firstSoundMs = -1;
  let over = false;
  void (async () => {
    for await (const { audio } of voice.synthesize(
      from(["one ", "two "]),
      SETTINGS,
      LINE,
      new AbortController().signal,
    ))
      if (audio.length > 0 && firstSoundMs < 0) firstSoundMs = clock.monotonic();
    over = true;
  })();
  await clock.until(() => over, 10_000);
  expect(third.spoken).toEqual(["one ", "two "]);
  expect(firstSoundMs).toBeLessThanOrEqual(400 + 800);
  expect(clock.pending).toBe(0);
});

test("a voice that is known to be down is not asked, and each change of voices is told", async () => {
  const clock = new VirtualClock();
  const preferred = new FailingVoice(clock, 0, "throws");
  const standIn = new ScriptedVoice(clock);
  const breaker = new Breakers({ clock, logger: silentLogger }).of("synthesizer", "scripted");
  const changes: string[] = [];
  const make = () =>
    new FallbackVoice({
      preferred,
      standIn,
      standInVoiceId: "spare",
      clock,
      logger: silentLogger,
      metrics: noMetrics,
      breaker,
      tookOver: ({ why }) => changes.push(why),
    });
  for (let call = 0; call < 4; call += 1) await speak(clock, make(), ["one "]);
  expect(changes).toEqual(["failed", "failed", "failed", "down"]);
  expect(preferred.asked).toBe(3);
});

test("a piece that broke off in the middle is not said twice", async () => {
  const { clock, standIn, voice } = rig(0, "breaks off");
  const chunks = await speak(clock, voice, ["one ", "two "]);
  expect(standIn.spoken).toEqual(["two "]);
  expect(chunks.filter(({ endOfPiece }) => endOfPiece === true)).toHaveLength(2);
});

test("a voice that just ends is replaced where it ended", async () => {
  const { voice, preferred, standIn, clock } = rig(1, "ends");
  const chunks = await speak(clock, voice, ["one ", "two ", "three "]);
  expect([...preferred.spoken, ...standIn.spoken]).toEqual(["one ", "two ", "three "]);
  expect(chunks.filter(({ endOfPiece }) => endOfPiece === true)).toHaveLength(3);
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
