import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SystemClock } from "../../src/adapters/clock/system.ts";
import { decodeSamples } from "../../src/audio/convert.ts";
import { levelDbfs } from "../../src/audio/level.ts";
import { toError } from "../../src/kit/errors.ts";
import { millisecondsOf, type AudioFormat } from "../../src/model/audio.ts";
import type { SpeechSynthesizer, SpokenChunk, VoiceSettings } from "../../src/ports/synthesizer.ts";

/** What a suite needs to know of the adapter that it holds to the contract. */
export type SynthesizerUnderTest = Readonly<{
  make(): Promise<SpeechSynthesizer>;
  /** Worker threads that the adapter keeps while it is open. */
  threads: number;
  /** Whether it tells when each word sounds; true unless said otherwise. */
  wordTimes?: boolean;
}>;

const TELEPHONE: AudioFormat = { encoding: "mulaw", sampleRate: 8000 };

const FORMATS: readonly AudioFormat[] = [
  TELEPHONE,
  { encoding: "alaw", sampleRate: 8000 },
  { encoding: "linear16", sampleRate: 16_000 },
  { encoding: "linear16", sampleRate: 48_000 },
];

const ODD_TEXTS = [
  "…",
  "",
  "   ",
  "123",
  "👍🏽",
  "-o",
  "--help",
  "<speak>hi</speak>",
  "ünïcödé",
  "\u0000\u0007",
  "日本語",
];

const clock = new SystemClock();

const forever = new AbortController().signal;

/** Everything that every synthesizer owes its callers. */
export const synthesizerContract = (name: string, { make, threads, wordTimes = true }: SynthesizerUnderTest): void => {
  describe(`${name} as a synthesizer`, { timeout: 60_000 }, () => {
    let synthesizer: SpeechSynthesizer;
    beforeAll(async () => {
      synthesizer = await make();
    }, 60_000);
    afterAll(() => synthesizer.close());

    const speak = (pieces: readonly string[], line = TELEPHONE, signal = forever) =>
      collect(synthesizer.synthesize(streamOf(pieces), firstVoice(synthesizer), line, signal));

    test("names its voices, each once, and itself", () => {
      expect(synthesizer.name).not.toBe("");
      expect(synthesizer.voices.length).toBeGreaterThan(0);
      expect(new Set(synthesizer.voices.map((voice) => voice.id)).size).toBe(synthesizer.voices.length);
      expect(synthesizer.supports("en-US")).toBe(true);
      expect(synthesizer.firstAudioDeadlineMs).toBeGreaterThan(0);
    });

    test.each(FORMATS)(
      "speaks audibly in the format that it promised for $encoding at $sampleRate Hz",
      async (line) => {
        const format = synthesizer.formatFor(line);
        const audio = Buffer.concat((await speak(["Thank you for calling."], line)).map((chunk) => chunk.audio));
        expect(levelDbfs(decodeSamples(format.encoding, audio))).toBeGreaterThan(-40);
        expect(levelDbfs(decodeSamples(format.encoding, audio))).toBeLessThan(-9);
        // Four short words take between 0.6 and 3 s at any sensible pace: the sample rate is the promised one.
        expect(millisecondsOf(format, audio.length)).toBeGreaterThan(600);
        expect(millisecondsOf(format, audio.length)).toBeLessThan(3000);
      },
    );

    test("starts to sound at once, without leading silence", async () => {
      const [chunk] = await speak(["Hello there."]);
      const { encoding, sampleRate } = synthesizer.formatFor(TELEPHONE);
      const samples = decodeSamples(encoding, chunk?.audio ?? new Uint8Array(0));
      const peak = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
      expect(samples.findIndex((sample) => Math.abs(sample) > peak / 10)).toBeLessThan(sampleRate * 0.15);
    });

    if (wordTimes)
      test("times every word of the text, in order, inside the sound", async () => {
        const pieces = ["Well, hello!", "Your appointment is on Friday the third, at half past two.", "Thank you."];
        const chunks = await speak(pieces);
        const words = chunks.flatMap((chunk) => chunk.words ?? []);
        expect(words.map((word) => word.text).join(" ")).toBe(pieces.join(" "));
        const format = synthesizer.formatFor(TELEPHONE);
        const totalMs = chunks.reduce((sum, chunk) => sum + millisecondsOf(format, chunk.audio.length), 0);
        let lastMs = 0;
        for (const word of words) {
          expect(word.startMs).toBeGreaterThanOrEqual(lastMs - 0.01);
          expect(word.endMs).toBeGreaterThan(word.startMs);
          lastMs = word.endMs;
        }
        expect(lastMs).toBeLessThanOrEqual(totalMs + 0.01);
        expect(lastMs).toBeGreaterThan(totalMs * 0.8);
      });

    test("ends every piece exactly once, also a long one that is spoken in parts", async () => {
      const long = Array.from({ length: 5 }, () => "and then we walked slowly down the quiet road,").join(" ");
      const chunks = await speak(["One.", `${long} home.`, "Three."]);
      expect(chunks.filter((chunk) => chunk.endOfPiece === true).length).toBe(3);
      expect(chunks.at(-1)?.endOfPiece).toBe(true);
      expect(chunks.length).toBeGreaterThan(3);
    });

    test("takes odd text without failing, and ends each piece of it", async () => {
      const chunks = await speak(ODD_TEXTS);
      expect(chunks.filter((chunk) => chunk.endOfPiece === true).length).toBe(ODD_TEXTS.length);
      if (!wordTimes) return;
      expect(chunks.flatMap((chunk) => chunk.words ?? []).map((word) => word.text)).toEqual(
        ODD_TEXTS.flatMap((text) => text.split(/\s+/u).filter((word) => word !== "")),
      );
    });

    test("refuses a voice that it does not have", async () => {
      const voice = { ...firstVoice(synthesizer), voiceId: "nobody" };
      const spoken = synthesizer.synthesize(streamOf(["Hello."]), voice, TELEPHONE, forever);
      await expect(spoken[Symbol.asyncIterator]().next()).rejects.toThrow(/no voice nobody/u);
    });

    test("speaks for two calls at once, to each what it asked for", async () => {
      const [one, two] = await Promise.all([speak(["First call.", "Goodbye first."]), speak(["Second.", "Bye."])]);
      for (const chunks of [one, two]) expect(chunks.filter((chunk) => chunk.endOfPiece === true).length).toBe(2);
      if (!wordTimes) return;
      expect(one.flatMap((chunk) => chunk.words ?? []).map((word) => word.text)).toEqual([
        "First",
        "call.",
        "Goodbye",
        "first.",
      ]);
      expect(two.flatMap((chunk) => chunk.words ?? []).map((word) => word.text)).toEqual(["Second.", "Bye."]);
    });

    test("says nothing when the signal was aborted before", async () => {
      expect(await speak(["Hello."], TELEPHONE, AbortSignal.abort())).toEqual([]);
    });

    test("stops when the signal aborts while it speaks, and lets go of the text", async () => {
      const controller = new AbortController();
      const source = endless();
      let stoppedAt = 0;
      for await (const _chunk of synthesizer.synthesize(
        source.pieces,
        firstVoice(synthesizer),
        TELEPHONE,
        controller.signal,
      )) {
        if (controller.signal.aborted) throw new Error("sound came after the abort");
        setImmediate(() => {
          stoppedAt = clock.monotonic();
          controller.abort();
        });
      }
      expect(clock.monotonic() - stoppedAt).toBeLessThan(300);
      await source.released;
    });

    test("stops when the signal aborts while no text comes", async () => {
      const controller = new AbortController();
      const silent: AsyncIterable<string> = {
        [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined) }),
      };
      const spoken = synthesizer.synthesize(silent, firstVoice(synthesizer), TELEPHONE, controller.signal);
      const next = spoken[Symbol.asyncIterator]().next();
      controller.abort();
      expect((await next).done).toBe(true);
    });

    test("fails when its text fails", async () => {
      const broken: AsyncIterable<string> = {
        [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error("the model went away")) }),
      };
      const spoken = synthesizer.synthesize(broken, firstVoice(synthesizer), TELEPHONE, forever);
      await expect(spoken[Symbol.asyncIterator]().next()).rejects.toThrow("the model went away");
    });

    test("closes twice as once, fails what comes later, and leaves no thread", async () => {
      const before = threadsNow();
      const own = await make();
      expect(threadsNow()).toBe(before + threads);
      const pending = collect(own.synthesize(streamOf(["Hello."]), firstVoice(own), TELEPHONE, forever)).catch(toError);
      const closing = own.close();
      expect(own.close()).toBe(closing);
      await closing;
      expect(await pending).toMatchObject({ message: expect.stringMatching(/closed/u) });
      expect(threadsNow()).toBe(before);
      const later = collect(own.synthesize(streamOf(["Hello."]), firstVoice(own), TELEPHONE, forever));
      await expect(later).rejects.toThrow(/closed/u);
    });
  });
};

const collect = async (spoken: AsyncIterable<SpokenChunk>): Promise<readonly SpokenChunk[]> => {
  const chunks: SpokenChunk[] = [];
  for await (const chunk of spoken) chunks.push(chunk);
  return chunks;
};

const firstVoice = (synthesizer: SpeechSynthesizer): VoiceSettings => ({
  voiceId: synthesizer.voices[0]?.id ?? "",
  language: "en-US",
  options: {},
});

async function* streamOf(pieces: readonly string[]): AsyncGenerator<string, void, undefined> {
  for (const piece of pieces) yield await Promise.resolve(piece);
}

/** Text without an end; `released` resolves when its reader lets go. */
const endless = () => {
  const { promise: released, resolve } = Promise.withResolvers<void>();
  const generate = async function* () {
    try {
      for (;;) yield await Promise.resolve("And so it goes on, and on, and on.");
    } finally {
      resolve();
    }
  };
  return { pieces: generate(), released };
};

const threadsNow = (): number =>
  process.getActiveResourcesInfo().filter((resource) => resource === "MessagePort").length;
