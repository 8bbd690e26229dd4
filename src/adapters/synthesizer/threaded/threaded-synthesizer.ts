import { millisecondsOf, type AudioFormat } from "../../../model/audio.ts";
import type { Voice } from "../../../model/voice.ts";
import type { SpeechSynthesizer, SpokenChunk, VoiceSettings } from "../../../ports/synthesizer.ts";
import type { SpeechRequest } from "./protocol.ts";
import type { Lane, SpeechThread } from "./speech-thread.ts";
import { Runway } from "./runway.ts";
import { untilAborted } from "./until-aborted.ts";
import { isSpeakable, utterancesInTime, wordsOf } from "./utterances.ts";
import { shifted, unspokenWords } from "./word-times.ts";

export type ThreadedSynthesizerOptions = Readonly<{
  name: string;
  voices: readonly Voice[];
  firstAudioDeadlineMs: number;
  /** Characters that are spoken at one go; longer pieces are cut. */
  maxUtteranceLength: number;
}>;

/** The voice that was asked for is not in the catalogue of the synthesizer that was asked. */
export class UnknownVoice extends Error {
  override readonly name = "UnknownVoice";
}

/** An engine in a worker thread as a synthesizer. English only; answers in whatever format the line speaks. */
export class ThreadedSynthesizer implements SpeechSynthesizer {
  readonly name: string;
  readonly voices: readonly Voice[];
  readonly firstAudioDeadlineMs: number;
  readonly #thread: UsedThread;
  readonly #maxUtteranceLength: number;

  constructor(options: ThreadedSynthesizerOptions, thread: UsedThread) {
    this.name = options.name;
    this.voices = options.voices;
    this.firstAudioDeadlineMs = options.firstAudioDeadlineMs;
    this.#maxUtteranceLength = options.maxUtteranceLength;
    this.#thread = thread;
  }

  supports(language: string): boolean {
    return /^en(-|$)/iu.test(language);
  }

  formatFor(line: AudioFormat): AudioFormat {
    return line;
  }

  async *synthesize(
    pieces: AsyncIterable<string>,
    voice: VoiceSettings,
    line: AudioFormat,
    signal: AbortSignal,
  ): AsyncGenerator<SpokenChunk, void, undefined> {
    const settings = { voice: this.#engineVoice(voice.voiceId), speed: speedOf(voice.options), format: line };
    const lane = this.#thread.lane();
    const runway = new Runway(() => this.#paceFor(lane), settings.speed);
    let atMs = 0;
    for await (const piece of untilAborted(pieces, signal)) {
      for await (const chunk of this.#speakPiece(piece, lane, settings, { runway, signal })) {
        yield { ...chunk, words: shifted(chunk.words ?? [], atMs) };
        atMs += millisecondsOf(line, chunk.audio.length);
        if (signal.aborted) return;
      }
    }
  }

  close(): Promise<void> {
    return this.#thread.close();
  }

  async *#speakPiece(
    piece: string,
    lane: Lane,
    settings: Omit<SpeechRequest, "text">,
    { runway, signal }: Readonly<{ runway: Runway; signal: AbortSignal }>,
  ): AsyncGenerator<SpokenChunk, void, undefined> {
    if (!isSpeakable(piece)) {
      yield { audio: new Uint8Array(0), words: unspokenWords(wordsOf(piece), 0), endOfPiece: true };
      return;
    }
    for (const { utterance: text, last } of utterancesInTime(piece, this.#maxUtteranceLength, () => runway.limit)) {
      runway.make(text.length);
      const speech = await this.#thread.speak(lane, { ...settings, text }, signal).catch((error: unknown) => {
        if (signal.aborted) return undefined;
        throw error;
      });
      if (speech === undefined) return;
      yield last ? { ...speech, endOfPiece: true } : speech;
    }
  }

  /** Milliseconds for a letter of this call: each call whose request goes before its next one takes as long again. */
  #paceFor(lane: Lane): number | undefined {
    const { msPerLetter } = this.#thread;
    return msPerLetter === undefined ? undefined : msPerLetter * (1 + this.#thread.before(lane));
  }

  #engineVoice(voiceId: string): string {
    if (!this.voices.some((voice) => voice.id === voiceId))
      throw new UnknownVoice(`${this.name} has no voice ${voiceId}; GET /voices lists what it has`);
    return voiceId.slice(this.name.length + 1);
  }
}

/** What is used of the thread. */
type UsedThread = Pick<SpeechThread, "lane" | "before" | "speak" | "close" | "msPerLetter">;

/** Slowest and fastest pace that stay understandable. */
const SPEED_RANGE = { min: 0.5, max: 2 } as const;

const speedOf = (options: Readonly<Record<string, string>>): number => {
  const speed = Number(options["speed"] ?? "1");
  return Number.isFinite(speed) ? Math.min(SPEED_RANGE.max, Math.max(SPEED_RANGE.min, speed)) : 1;
};
