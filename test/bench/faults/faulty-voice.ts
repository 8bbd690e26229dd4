import { sleep, type Clock } from "../../../src/ports/clock.ts";
import type { AudioFormat } from "../../../src/model/audio.ts";
import type { SpeechSynthesizer, SpokenChunk, VoiceSettings } from "../../../src/ports/synthesizer.ts";
import { failsAtOnce, failsInTheMiddle, type Luck } from "./faults-there-are.ts";
import { soundOf } from "./spoken-lines.ts";

const FIRST_AUDIO_MS = 150;
const WORD_MS = 240;
const FOR_EVER_MS = 3_600_000;

/** Speaks each word as a byte of its own, a chunk a word, unless its luck is out. */
export class FaultyVoice implements SpeechSynthesizer {
  readonly voices;
  readonly firstAudioDeadlineMs = 800;
  readonly name: string;
  readonly #clock: Clock;
  readonly #luck: Luck;

  constructor(name: string, clock: Clock, luck: Luck) {
    this.name = name;
    this.voices = [{ id: name, name, voiceType: name, voiceTier: "STANDARD" as const, description: "" }];
    this.#clock = clock;
    this.#luck = luck;
  }

  supports(): boolean {
    return true;
  }

  formatFor(line: AudioFormat): AudioFormat {
    return line;
  }

  async *synthesize(
    pieces: AsyncIterable<string>,
    _voice: VoiceSettings,
    line: AudioFormat,
    signal: AbortSignal,
  ): AsyncGenerator<SpokenChunk> {
    const fault = this.#luck();
    const wait = (ms: number) => sleep(this.#clock, ms, signal);
    const early = failsAtOnce(fault);
    const samples = (WORD_MS * line.sampleRate) / 1000;
    let atMs = 0;
    for await (const piece of pieces) {
      await wait(early?.afterMs ?? FIRST_AUDIO_MS);
      if (early !== undefined) throw early.error;
      if (fault === "stall before the first") await wait(FOR_EVER_MS);
      if (fault === "wrong order") yield { audio: new Uint8Array(0), endOfPiece: true };
      const words = piece.match(/\S+/gu) ?? [];
      for (const [index, text] of words.entries()) {
        if (index === Math.ceil(words.length / 2)) {
          const error = failsInTheMiddle(fault);
          if (error !== undefined) throw error;
          if (fault === "early close") return;
          if (fault === "stall in the middle") await wait(FOR_EVER_MS);
        }
        if (fault === "slow drip") await wait(WORD_MS * 2);
        const last = index === words.length - 1 && fault !== "wrong order";
        yield {
          audio: new Uint8Array(samples).fill(soundOf(text)),
          words: [{ text, startMs: atMs, endMs: atMs + WORD_MS }],
          ...(last ? { endOfPiece: true as const } : {}),
        };
        atMs += WORD_MS;
      }
      if (fault === "duplicates") yield { audio: new Uint8Array(0), endOfPiece: true };
    }
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
