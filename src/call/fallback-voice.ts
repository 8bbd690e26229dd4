import { Converter } from "../audio/convert.ts";
import { toError } from "../kit/errors.ts";
import { Scope } from "../kit/scope.ts";
import { millisecondsOf, type AudioFormat } from "../model/audio.ts";
import { DeadlineExceeded, type Clock } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import type { Metrics } from "../ports/metrics.ts";
import type { SpeechSynthesizer, SpokenChunk, VoiceSettings } from "../ports/synthesizer.ts";

export type FallbackParts = Readonly<{
  preferred: SpeechSynthesizer;
  /** Speaks when the preferred voice fails or is late, with a voice of its own. */
  standIn: SpeechSynthesizer;
  standInVoiceId: string;
  clock: Clock;
  logger: Logger;
  metrics: Metrics;
}>;

/** After a failure the preferred voice rests for this long, since trying it costs the caller its deadline each time. */
const REST_MS = 60_000;

/** Once a reply sounds, the next piece may take this many times the deadline of the first sound: playback is ahead by then. */
const LATER_PATIENCE = 3;

/**
 * A voice with another behind it. When the preferred one throws, or owes sound for longer than its own deadline, the stand-in
 * speaks what has not sounded yet; a piece that broke off in the middle is left as it is. One per call.
 */
export class FallbackVoice implements SpeechSynthesizer {
  readonly name: string;
  readonly voices: SpeechSynthesizer["voices"];
  readonly firstAudioDeadlineMs: number;
  readonly #parts: FallbackParts;
  #restUntilMs = 0;

  constructor(parts: FallbackParts) {
    this.#parts = parts;
    this.name = parts.preferred.name;
    this.voices = parts.preferred.voices;
    this.firstAudioDeadlineMs = parts.preferred.firstAudioDeadlineMs;
  }

  supports(language: string): boolean {
    return this.#parts.preferred.supports(language);
  }

  formatFor(line: AudioFormat): AudioFormat {
    return this.#parts.preferred.formatFor(line);
  }

  async *synthesize(
    pieces: AsyncIterable<string>,
    voice: VoiceSettings,
    line: AudioFormat,
    signal: AbortSignal,
  ): AsyncGenerator<SpokenChunk> {
    const { preferred, clock, logger, metrics } = this.#parts;
    const progress = new Progress(pieces, preferred.formatFor(line));
    if (clock.monotonic() >= this.#restUntilMs) {
      const attempt = new Scope("the preferred voice");
      const stop = () => void attempt.close(signal.reason);
      signal.addEventListener("abort", stop, { once: true });
      try {
        const sound = preferred.synthesize(progress.piecesFor("preferred"), voice, line, attempt.signal);
        yield* progress.follow(this.#patiently(sound, progress, attempt.signal));
        return;
      } catch (error) {
        if (signal.aborted) throw error;
        this.#restUntilMs = clock.monotonic() + REST_MS;
        logger.warn("a voice failed; another one stands in", { engine: preferred.name, error: toError(error) });
        metrics.providerError("synthesizer", preferred.name);
      } finally {
        signal.removeEventListener("abort", stop);
        await attempt.close();
      }
    }
    yield* this.#standIn(progress, voice, line, signal);
  }

  /** The engines belong to the process, not to one call. */
  close(): Promise<void> {
    return Promise.resolve();
  }

  async *#standIn(
    progress: Progress,
    voice: VoiceSettings,
    line: AudioFormat,
    signal: AbortSignal,
  ): AsyncGenerator<SpokenChunk> {
    const { standIn, standInVoiceId } = this.#parts;
    const settings: VoiceSettings = { voiceId: standInVoiceId, language: voice.language, options: {} };
    const converter = new Converter(standIn.formatFor(line), progress.format);
    const spokenBeforeMs = progress.spokenMs;
    try {
      if (progress.leaveBrokenPiece()) yield { audio: new Uint8Array(0), endOfPiece: true };
      for await (const chunk of standIn.synthesize(progress.piecesFor("stand-in"), settings, line, signal))
        yield {
          ...chunk,
          audio: converter.convert(chunk.audio),
          ...(chunk.words === undefined ? {} : { words: chunk.words.map((word) => later(word, spokenBeforeMs)) }),
        };
    } finally {
      converter.close();
    }
  }

  /** Passes chunks on; throws {@link DeadlineExceeded} when sound is owed for too long. */
  async *#patiently(
    sound: AsyncIterable<SpokenChunk>,
    progress: Progress,
    signal: AbortSignal,
  ): AsyncGenerator<SpokenChunk> {
    const iterator = sound[Symbol.asyncIterator]();
    try {
      for (;;) {
        const limitMs = this.firstAudioDeadlineMs * (progress.spokenMs === 0 ? 1 : LATER_PATIENCE);
        const next = await this.#within(limitMs, progress, iterator.next(), signal);
        if (next.done === true) return;
        yield next.value;
      }
    } finally {
      void iterator.return?.(undefined).catch(() => undefined);
    }
  }

  #within<T>(limitMs: number, progress: Progress, next: Promise<T>, signal: AbortSignal): Promise<T> {
    const { clock, preferred } = this.#parts;
    return new Promise((resolve, reject) => {
      const settle = (how: () => void) => {
        timer.cancel();
        signal.removeEventListener("abort", aborted);
        how();
      };
      const aborted = () => {
        settle(() => {
          reject(toError(signal.reason));
        });
      };
      const overdue = () => {
        if (!progress.owes) timer = clock.setTimer(limitMs, overdue);
        else
          settle(() => {
            reject(new DeadlineExceeded(`sound of ${preferred.name}`, limitMs));
          });
      };
      let timer = clock.setTimer(limitMs, overdue);
      signal.addEventListener("abort", aborted, { once: true });
      next.then(
        (value) => {
          settle(() => {
            resolve(value);
          });
        },
        (error: unknown) => {
          settle(() => {
            reject(toError(error));
          });
        },
      );
    });
  }
}

type Speaking = "preferred" | "stand-in";

/** Which pieces have sounded, so that another voice can take over in the right place. */
class Progress {
  readonly format: AudioFormat;
  spokenMs = 0;
  readonly #source: AsyncIterator<string>;
  #next: Promise<IteratorResult<string>> | undefined;
  #speaking: Speaking = "preferred";
  /** Given to the preferred voice and not complete; the first of them may have sounded in part. */
  readonly #open: string[] = [];
  #openMs = 0;

  constructor(pieces: AsyncIterable<string>, format: AudioFormat) {
    this.#source = pieces[Symbol.asyncIterator]();
    this.format = format;
  }

  /** Whether a piece was given and has not sounded completely. */
  get owes(): boolean {
    return this.#open.length > 0;
  }

  /** Pieces for one voice, until another one takes over; a wait for the next piece is shared, so that none gets lost between them. */
  async *piecesFor(who: Speaking): AsyncGenerator<string> {
    this.#speaking = who;
    if (who === "stand-in") yield* this.#open.splice(0);
    for (;;) {
      this.#next ??= this.#source.next();
      const next = await this.#next;
      if (this.#speaking !== who) return;
      this.#next = undefined;
      if (next.done === true) return;
      if (who === "preferred") this.#open.push(next.value);
      yield next.value;
    }
  }

  async *follow(sound: AsyncIterable<SpokenChunk>): AsyncGenerator<SpokenChunk> {
    for await (const chunk of sound) {
      const ms = millisecondsOf(this.format, chunk.audio.length);
      this.spokenMs += ms;
      this.#openMs += ms;
      if (chunk.endOfPiece === true) {
        this.#open.shift();
        this.#openMs = 0;
      }
      yield chunk;
    }
  }

  /** Gives up the piece that sounded in part, which would otherwise be heard twice; answers whether there was one. */
  leaveBrokenPiece(): boolean {
    if (this.#openMs === 0) return false;
    this.#open.shift();
    this.#openMs = 0;
    return true;
  }
}

const later = <T extends Readonly<{ startMs: number; endMs: number }>>(word: T, ms: number): T => ({
  ...word,
  startMs: word.startMs + ms,
  endMs: word.endMs + ms,
});
