import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SystemClock } from "../../src/adapters/clock/system.ts";
import { sameFormat } from "../../src/model/audio.ts";
import type { AudioFormat } from "../../src/model/audio.ts";
import type { Transcriber } from "../../src/ports/transcriber.ts";
import { HEARING_RATE } from "../../src/ports/vad.ts";
import { watchForLeaks } from "../kit/leaks.ts";
import type { Speak } from "../kit/spoken.ts";
import { hiss, makeSpeaker, overTelephone } from "../kit/spoken.ts";
import { Ear } from "../kit/transcriber-listening.ts";
import { wordErrorRate } from "../kit/word-error-rate.ts";

const FIRST = "I would like to book a table for four people.";
const SECOND = "Please call me back tomorrow morning.";

/** Everything that every transcriber owes its callers. `make` answers one that is ready and hears English. */
export const transcriberContract = (name: string, make: () => Promise<Transcriber>, setUpMs = 60_000): void => {
  describe(`${name} as a transcriber`, () => {
    let transcriber: Transcriber;
    let speak: Speak;
    let checkLeaks: (deadlineMs?: number) => Promise<void>;
    const clock = new SystemClock();
    const quiet = (ms: number) => hiss(ms, 0.0005);
    const say = (text: string) => overTelephone(speak(text));
    const listen = () => new Ear(transcriber, clock);

    beforeAll(async () => {
      speak = await makeSpeaker();
      checkLeaks = watchForLeaks();
      transcriber = await make();
    }, setUpMs);

    afterAll(async () => {
      await transcriber.close();
      await transcriber.close();
      await checkLeaks();
    });

    test("hears English, and is fed the line's own format or 16 kHz linear16", () => {
      expect(transcriber.supports("en-US")).toBe(true);
      const lines: readonly AudioFormat[] = [
        { encoding: "mulaw", sampleRate: 8000 },
        { encoding: "alaw", sampleRate: 8000 },
        { encoding: "linear16", sampleRate: 48_000 },
      ];
      for (const line of lines) {
        const ear = new Ear(transcriber, clock, line);
        const { format } = ear.stream;
        ear.close();
        expect(sameFormat(format, line) || sameFormat(format, { encoding: "linear16", sampleRate: HEARING_RATE })).toBe(
          true,
        );
      }
    });

    test("answers finalize by flushed even when nothing was pushed, and says no words", async () => {
      const ear = listen();
      await ear.finalize();
      expect(ear.said).toEqual([{ type: "flushed" }]);
      ear.close();
    });

    test("says no words of silence, with and without a detector's word", async () => {
      const ear = listen();
      ear.hear(quiet(1500));
      await ear.finalize();
      ear.stream.speech("started", 1400);
      ear.hear(quiet(1000));
      ear.stream.speech("ended", 2000);
      await ear.finalize();
      expect(ear.said).toEqual([{ type: "flushed" }, { type: "flushed" }]);
      ear.close();
    });

    test("gives the final text before it says flushed, with times inside what was pushed", async () => {
      const ear = listen();
      ear.hear(quiet(600));
      ear.hearSpeech(say(FIRST), quiet(500));
      await ear.finalize();
      const last = ear.said.at(-2);
      expect(ear.said.at(-1)).toEqual({ type: "flushed" });
      expect(last).toMatchObject({ type: "transcript", utterance: 1, final: true });
      expect(wordErrorRate(FIRST, ear.texts.join(" "))).toBeLessThanOrEqual(0.25);
      for (const each of ear.said) {
        if (each.type !== "transcript") continue;
        expect(each.startMs).toBeGreaterThanOrEqual(0);
        expect(each.startMs).toBeLessThanOrEqual(each.endMs);
        // Both are sums of fractions of milliseconds.
        expect(each.endMs).toBeLessThanOrEqual(ear.pushedMs + 0.01);
      }
      ear.close();
    });

    test("hears without a detector's word too", async () => {
      const ear = listen();
      ear.hear(quiet(400));
      ear.hear(say(FIRST));
      ear.hear(quiet(400));
      await ear.finalize();
      expect(wordErrorRate(FIRST, ear.texts.join(" "))).toBeLessThanOrEqual(0.25);
      ear.close();
    });

    test("answers each of several requests for the final text", async () => {
      const ear = listen();
      ear.hearSpeech(say(SECOND), quiet(400));
      for (let time = 0; time < 3; time++) ear.stream.finalize();
      await ear.until((said) => said.filter((each) => each.type === "flushed").length === 3);
      expect(wordErrorRate(SECOND, ear.texts.join(" "))).toBeLessThanOrEqual(0.25);
      ear.close();
    });

    test("starts a new utterance after the turn was taken", async () => {
      const ear = listen();
      ear.hearSpeech(say(FIRST), quiet(500));
      await ear.finalize();
      ear.stream.endTurn();
      const numbers = new Set(ear.said.flatMap((each) => (each.type === "transcript" ? [each.utterance] : [])));
      const before = ear.said.length;
      ear.hear(quiet(800));
      ear.hearSpeech(say(SECOND), quiet(500));
      await ear.finalize();
      const later = ear.said.slice(before).flatMap((each) => (each.type === "transcript" ? [each] : []));
      expect(later.length).toBeGreaterThan(0);
      expect(later.some(({ utterance }) => numbers.has(utterance))).toBe(false);
      expect(wordErrorRate(`${FIRST} ${SECOND}`, ear.texts.join(" "))).toBeLessThanOrEqual(0.25);
      ear.close();
    });

    test("keeps streams apart", async () => {
      const [one, other] = [listen(), listen()];
      one.hearSpeech(say(FIRST), quiet(400));
      other.hearSpeech(say(SECOND), quiet(400));
      await Promise.all([one.finalize(), other.finalize()]);
      expect(wordErrorRate(FIRST, one.texts.join(" "))).toBeLessThanOrEqual(0.25);
      expect(wordErrorRate(SECOND, other.texts.join(" "))).toBeLessThanOrEqual(0.25);
      one.close();
      other.close();
    });

    test("says nothing more after close, and close may come twice", async () => {
      const closed = listen();
      closed.hearSpeech(say(FIRST), quiet(400));
      closed.stream.finalize();
      const before = closed.said.length;
      closed.close();
      closed.stream.close();
      closed.stream.push(new Uint8Array(640));
      closed.stream.speech("started", 10);
      closed.stream.finalize();
      closed.stream.endTurn();
      const open = listen();
      open.hearSpeech(say(SECOND), quiet(400));
      await open.finalize();
      open.close();
      expect(closed.said).toHaveLength(before);
      expect(closed.failures).toEqual([]);
    });
  });
};
