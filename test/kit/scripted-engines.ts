import { FRAME_MS, millisecondsOf, type AudioFormat } from "../../src/model/audio.ts";
import { sleep, type Clock, type Timer } from "../../src/ports/clock.ts";
import type { SpeechSynthesizer, SpokenChunk, WordTiming } from "../../src/ports/synthesizer.ts";
import type { Transcriber, TranscriberHints, TranscriberListener } from "../../src/ports/transcriber.ts";
import type { VadListener, VoiceActivityDetector } from "../../src/ports/vad.ts";

/** What the caller is going to say: words at a time, by the line's clock. */
export type CallerLine = Readonly<{ text: string; fromMs: number; untilMs: number }>;

/** Voiced frames are a loud square wave, all others silence: enough for a detector that looks at amplitude. */
export const callerVoice = (lines: () => readonly CallerLine[]): ((frame: number) => Uint8Array) => {
  const loud = Uint8Array.from({ length: 160 }, (_, index) => (index % 16 < 8 ? 0x90 : 0x10));
  const quiet = new Uint8Array(160).fill(0xff);
  return (frame) => {
    const atMs = frame * FRAME_MS;
    return lines().some(({ fromMs, untilMs }) => atMs >= fromMs && atMs < untilMs) ? loud : quiet;
  };
};

/** Speech wherever the amplitude is high; windows of 32 ms like the real one. */
export class ScriptedVad implements VoiceActivityDetector {
  readonly name = "scripted";
  readonly streams: { fail(): void }[] = [];

  open(listener: VadListener) {
    let samples = 0;
    let loud = 0;
    let open = true;
    this.streams.push({
      fail: () => {
        if (open) listener.failed(new Error("scripted"));
      },
    });
    return {
      push: (pushed: Int16Array) => {
        for (const sample of pushed) {
          samples += 1;
          if (sample > 2000 || sample < -2000) loud += 1;
          if (samples % 512 !== 0) continue;
          if (open) listener.probability(loud > 200 ? 0.75 : 0.02, samples / 16);
          loud = 0;
        }
      },
      close: () => {
        open = false;
      },
    };
  }

  close() {
    return Promise.resolve();
  }
}

/** Knows beforehand what will be said, and tells it when a real one would. */
export class ScriptedTranscriber implements Transcriber {
  readonly name = "scripted";
  readonly streams: { fail(): void }[] = [];
  endedTurns = 0;
  /** Whether it tells when each word was said. */
  timesWords = false;
  readonly #clock: Clock;
  readonly #lines: () => readonly CallerLine[];
  readonly #finalMs: number;
  /** Sound that was pushed into all streams, which is where the lines are counted from. */
  #heardMs = 0;

  constructor(clock: Clock, lines: () => readonly CallerLine[], finalMs = 80) {
    this.#clock = clock;
    this.#lines = lines;
    this.#finalMs = finalMs;
  }

  supports() {
    return true;
  }

  open(_hints: TranscriberHints, listener: TranscriberListener) {
    const openedMs = this.#heardMs;
    let utterance = 1;
    let turnStartMs = openedMs;
    let speechMs = 0;
    let open = true;
    let answer: Timer | undefined;
    this.streams.push({
      fail: () => {
        if (open) listener.failed(new Error("scripted"));
      },
    });
    const linesUntil = (atMs: number) =>
      this.#lines().filter((line) => line.fromMs >= turnStartMs - 1 && line.fromMs + 100 < atMs);
    const textUntil = (atMs: number) =>
      linesUntil(atMs)
        .map((line) => (line.untilMs <= atMs ? line.text : firstWords(line, atMs)))
        .join(" ");
    const report = (final: boolean) => {
      listener.transcript({
        utterance,
        text: textUntil(this.#heardMs),
        final,
        startMs: speechMs,
        endMs: this.#heardMs - openedMs,
        ...(this.timesWords && final
          ? { words: linesUntil(this.#heardMs).flatMap((line) => timed(line, openedMs)) }
          : {}),
      });
    };
    return {
      format: { encoding: "linear16", sampleRate: 16_000 } satisfies AudioFormat,
      push: (payload: Uint8Array) => {
        const before = Math.floor(this.#heardMs / 300);
        this.#heardMs += millisecondsOf({ encoding: "linear16", sampleRate: 16_000 }, payload.length);
        const talking = this.#lines().some((line) => line.fromMs <= this.#heardMs && line.untilMs >= this.#heardMs);
        if (open && talking && Math.floor(this.#heardMs / 300) > before) report(false);
      },
      speech: (change: "started" | "ended", atMs: number) => {
        if (change === "started" && utterance > 0) speechMs = atMs;
      },
      finalize: () => {
        answer?.cancel();
        answer = this.#clock.setTimer(this.#finalMs, () => {
          if (textUntil(this.#heardMs) !== "") report(true);
          listener.flushed();
        });
      },
      endTurn: () => {
        this.endedTurns += 1;
        utterance += 1;
        const current = this.#lines().find((line) => line.fromMs <= this.#heardMs && line.untilMs > this.#heardMs);
        turnStartMs = current?.fromMs ?? this.#heardMs;
      },
      close: () => {
        open = false;
        answer?.cancel();
      },
    };
  }

  close() {
    return Promise.resolve();
  }
}

/** A line's words, each as long as the others, on the clock of a stream. */
const timed = ({ text, fromMs, untilMs }: CallerLine, openedMs: number) => {
  const words = text.split(" ");
  const wordMs = (untilMs - fromMs) / words.length;
  return words.map((word, index) => {
    const startMs = fromMs - openedMs + index * wordMs;
    return { text: word, startMs, endMs: startMs + wordMs };
  });
};

const firstWords = (line: CallerLine, atMs: number): string => {
  const words = line.text.split(" ");
  const share = (atMs - line.fromMs) / (line.untilMs - line.fromMs);
  return words.slice(0, Math.floor(words.length * share)).join(" ");
};

/** Milliseconds that the scripted voice takes for a letter. */
export const LETTER_MS = 50;

/** Speaks a tone of 50 ms a letter, with exact word times, a while after it was asked. */
export class ScriptedVoice implements SpeechSynthesizer {
  readonly name = "scripted";
  readonly voices = [];
  readonly firstAudioDeadlineMs = 800;
  readonly spoken: string[] = [];
  failing = false;
  silent = false;
  readonly #clock: Clock;
  readonly #firstAudioMs: number;
  readonly #withWords: boolean;
  readonly #chunkMs: number;

  /** `chunkMs` is the length of the chunks in which the sound of a piece comes. */
  constructor(clock: Clock, firstAudioMs = 100, withWords = true, chunkMs = Infinity) {
    this.#clock = clock;
    this.#firstAudioMs = firstAudioMs;
    this.#withWords = withWords;
    this.#chunkMs = chunkMs;
  }

  supports() {
    return true;
  }

  formatFor(line: AudioFormat) {
    return line;
  }

  async *synthesize(
    pieces: AsyncIterable<string>,
    _voice: unknown,
    line: AudioFormat,
    signal: AbortSignal,
  ): AsyncGenerator<SpokenChunk> {
    let atMs = 0;
    for await (const piece of pieces) {
      if (this.failing) throw new Error("scripted voice failure");
      if (this.silent) await sleep(this.#clock, 3_600_000, signal);
      await sleep(this.#clock, this.#firstAudioMs, signal);
      this.spoken.push(piece);
      const words: WordTiming[] = [];
      for (const match of piece.matchAll(/\S+/gu))
        words.push({
          text: match[0],
          startMs: atMs + match.index * LETTER_MS,
          endMs: atMs + (match.index + match[0].length) * LETTER_MS,
        });
      const ms = piece.length * LETTER_MS;
      const audio = new Uint8Array(Math.round((ms * line.sampleRate) / 1000)).fill(0x2a);
      atMs += ms;
      const size = Math.min(audio.length, Math.round((this.#chunkMs * line.sampleRate) / 1000));
      for (let from = 0; from < audio.length; from += size) {
        const chunk = { audio: audio.subarray(from, from + size) };
        const withWords = this.#withWords && from === 0 ? { ...chunk, words } : chunk;
        yield from + size >= audio.length ? { ...withWords, endOfPiece: true } : withWords;
      }
    }
  }

  close() {
    return Promise.resolve();
  }
}
