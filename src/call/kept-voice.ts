import { createHash } from "node:crypto";
import { millisecondsOf, type AudioFormat } from "../model/audio.ts";
import type { PhraseMetrics } from "../ports/metrics.ts";
import type { Phrase, Phrases } from "../ports/phrases.ts";
import type { SpeechSynthesizer, SpokenChunk, VoiceSettings, WordTiming } from "../ports/synthesizer.ts";
import { later } from "./later.ts";

export type KeptVoiceParts = Readonly<{
  voice: SpeechSynthesizer;
  phrases: Phrases;
  /** Pieces of text whose sound may be kept. All others are private to their call. */
  repeatable: ReadonlySet<string>;
  metrics?: Partial<PhraseMetrics> | undefined;
}>;

/**
 * A voice that does not say the same thing anew each time: the sound of repeatable pieces is kept, and played from there the next time,
 * in this call or another. Everything else goes to the voice as it comes. One per call.
 */
export class KeptVoice implements SpeechSynthesizer {
  readonly name: string;
  readonly firstAudioDeadlineMs: number;
  readonly #parts: KeptVoiceParts;
  #prefetched: Promise<void> | undefined;

  constructor(parts: KeptVoiceParts) {
    this.#parts = parts;
    this.name = parts.voice.name;
    this.firstAudioDeadlineMs = parts.voice.firstAudioDeadlineMs;
  }

  get voices(): SpeechSynthesizer["voices"] {
    return this.#parts.voice.voices;
  }

  supports(language: string, voiceId?: string): boolean {
    return this.#parts.voice.supports(language, voiceId);
  }

  formatFor(line: AudioFormat): AudioFormat {
    return this.#parts.voice.formatFor(line);
  }

  warm(voice: VoiceSettings, line: AudioFormat): void {
    this.#parts.voice.warm?.(voice, line);
  }

  async *synthesize(
    pieces: AsyncIterable<string>,
    voice: VoiceSettings,
    line: AudioFormat,
    signal: AbortSignal,
  ): AsyncGenerator<SpokenChunk, void, undefined> {
    const format = this.formatFor(line);
    this.#prefetched ??= this.#prefetch(voice, format);
    await this.#prefetched;
    const queue = new Pieces(pieces, (text) => this.#kept(text, voice, format), signal);
    let atMs = 0;
    try {
      for (let next = await queue.next(); next !== undefined && !signal.aborted; next = await queue.next()) {
        const sound =
          next.phrase === undefined ? this.#speak(queue, next, { voice, line, signal }) : [soundOf(next.phrase)];
        const startMs = atMs;
        for await (const chunk of sound) {
          atMs += millisecondsOf(format, chunk.audio.length);
          yield shifted(chunk, startMs);
          if (isAborted(signal)) return;
        }
        // What comes after a kept phrase is mostly new, and shall not wait for a connection.
        if (next.phrase !== undefined) this.warm(voice, line);
      }
    } finally {
      queue.close();
    }
  }

  /** The voice belongs to the process, not to one call. */
  close(): Promise<void> {
    return Promise.resolve();
  }

  #prefetch(voice: VoiceSettings, format: AudioFormat): Promise<void> {
    const { phrases, repeatable } = this.#parts;
    return phrases.prefetch([...repeatable].map((text) => keyOf(this.name, text, voice, format)));
  }

  #kept(text: string, voice: VoiceSettings, format: AudioFormat): Phrase | undefined {
    const { phrases, repeatable, metrics } = this.#parts;
    if (!repeatable.has(text)) return undefined;
    const phrase = phrases.get(keyOf(this.name, text, voice, format));
    metrics?.phrase?.(phrase === undefined ? "miss" : "hit");
    return phrase;
  }

  /** Lets the voice speak a piece and those that follow it, up to the next one that is kept; keeps what may be kept. */
  async *#speak(
    queue: Pieces,
    first: Piece,
    { voice, line, signal }: Readonly<{ voice: VoiceSettings; line: AudioFormat; signal: AbortSignal }>,
  ): AsyncGenerator<SpokenChunk, void, undefined> {
    const format = this.formatFor(line);
    const { repeatable } = this.#parts;
    const given: string[] = [];
    let made: Uint8Array[] = [];
    let words: WordTiming[] | undefined;
    let atMs = 0;
    let pieceMs = 0;
    for await (const chunk of this.#parts.voice.synthesize(queue.unkept(first, given), voice, line, signal)) {
      yield chunk;
      made.push(chunk.audio);
      if (chunk.words !== undefined) (words ??= []).push(...chunk.words.map((word) => later(word, -pieceMs)));
      atMs += millisecondsOf(format, chunk.audio.length);
      if (chunk.endOfPiece !== true) continue;
      const text = given.shift();
      if (text !== undefined && repeatable.has(text)) this.#keep(keyOf(this.name, text, voice, format), made, words);
      made = [];
      words = undefined;
      pieceMs = atMs;
    }
  }

  #keep(key: string, made: readonly Uint8Array[], words: readonly WordTiming[] | undefined): void {
    const { phrases } = this.#parts;
    const audio = Uint8Array.from(Buffer.concat(made));
    if (audio.length > 0) phrases.put(key, words === undefined ? { audio } : { audio, words });
  }
}

/** A function, because the compiler takes a signal that was once found live for live for ever. */
const isAborted = (signal: AbortSignal): boolean => signal.aborted;

type Piece = Readonly<{ text: string; phrase: Phrase | undefined }>;

/** Pieces as they come, each looked up once; the wait for one ends when the signal aborts. */
class Pieces {
  readonly #source: AsyncIterator<string>;
  readonly #find: (text: string) => Phrase | undefined;
  readonly #signal: AbortSignal;
  readonly #aborted = Promise.withResolvers<undefined>();
  readonly #abort = () => {
    this.#aborted.resolve(undefined);
  };
  #kept: Piece | undefined;
  #over = false;

  constructor(pieces: AsyncIterable<string>, find: (text: string) => Phrase | undefined, signal: AbortSignal) {
    this.#source = pieces[Symbol.asyncIterator]();
    this.#find = find;
    this.#signal = signal;
    signal.addEventListener("abort", this.#abort, { once: true });
    if (signal.aborted) this.#abort();
  }

  async next(): Promise<Piece | undefined> {
    const waiting = this.#kept;
    this.#kept = undefined;
    if (waiting !== undefined || this.#over) return waiting;
    const next = await Promise.race([this.#source.next(), this.#aborted.promise]);
    if (next === undefined) return undefined;
    this.#over = next.done === true;
    return next.done === true ? undefined : { text: next.value, phrase: this.#find(next.value) };
  }

  /** `first` and those that follow it, until one is kept, which then waits for `next`; noted in `given` as they go out. */
  async *unkept(first: Piece, given: string[]): AsyncGenerator<string, void, undefined> {
    for (let piece: Piece | undefined = first; piece !== undefined; piece = await this.next()) {
      if (piece.phrase !== undefined) {
        this.#kept = piece;
        return;
      }
      given.push(piece.text);
      yield piece.text;
    }
  }

  close(): void {
    this.#signal.removeEventListener("abort", this.#abort);
    // A source that still waits settles its end only later, so nobody waits for it here.
    if (!this.#over) void Promise.resolve(this.#source.return?.()).catch(() => undefined);
  }
}

/** Whoever reads the keys learns neither texts nor voices. */
const keyOf = (
  engine: string,
  text: string,
  { voiceId, language, options }: VoiceSettings,
  format: AudioFormat,
): string => {
  const chosen = Object.entries(options).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const parts = [engine, voiceId, language, chosen, format.encoding, format.sampleRate, text];
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
};

const soundOf = ({ audio, words }: Phrase): SpokenChunk =>
  words === undefined ? { audio, endOfPiece: true } : { audio, words, endOfPiece: true };

const shifted = (chunk: SpokenChunk, ms: number): SpokenChunk =>
  ms === 0 || chunk.words === undefined ? chunk : { ...chunk, words: chunk.words.map((word) => later(word, ms)) };
