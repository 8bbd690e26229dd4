import { Converter } from "../audio/convert.ts";
import type { Breaker } from "../kit/breakers.ts";
import { toError } from "../kit/errors.ts";
import { Scope } from "../kit/scope.ts";
import { millisecondsOf, type AudioFormat } from "../model/audio.ts";
import type { Takeover } from "../model/takeover.ts";
import { DeadlineExceeded, type Clock, type Timer } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import type { FailureMetrics, Metrics } from "../ports/metrics.ts";
import { ProviderError } from "../ports/provider-error.ts";
import type { SpeechSynthesizer, SpokenChunk, VoiceSettings } from "../ports/synthesizer.ts";
import { HeadStart } from "./head-start.ts";
import { later } from "./later.ts";
import { VoiceProgress } from "./voice-progress.ts";

export type FallbackParts = Readonly<{
  preferred: SpeechSynthesizer;
  /** Speaks when the preferred voice fails or is late, with a voice of its own; may have another behind it in turn. */
  standIn: SpeechSynthesizer;
  standInVoiceId: string;
  clock: Clock;
  logger: Logger;
  metrics: Pick<Metrics, "providerError"> & Partial<Pick<FailureMetrics, "fallback">>;
  /** What all calls know of the preferred voice's provider. */
  breaker?: Breaker | undefined;
  /** Hears of each time that the stand-in speaks instead. */
  tookOver?: ((takeover: Takeover) => void) | undefined;
}>;

/** After a failure the preferred voice rests for this long, since trying it costs the caller its deadline each time. */
const REST_MS = 60_000;

/**
 * After this share of the deadline, and after so many milliseconds at most, the stand-in begins as well, silently, so that its first sound
 * is there when the deadline passes and the caller does not wait for both, one after the other. An ordinary first sound comes sooner.
 */
const HEAD_START_SHARE = 0.5;
const LATEST_HEAD_START_MS = 750;

/**
 * A voice with another behind it. When the preferred one throws, or owes sound for longer than its own deadline, the stand-in
 * speaks what has not sounded yet; a piece that broke off in the middle is left as it is. Time counts from when a piece was given and
 * what was there before has played. One per call.
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

  supports(language: string, voiceId?: string): boolean {
    return this.#parts.preferred.supports(language, voiceId);
  }

  formatFor(line: AudioFormat): AudioFormat {
    return this.#parts.preferred.formatFor(line);
  }

  /** The preferred voice only: the stand-in is paid for when it is needed. */
  warm(voice: VoiceSettings, line: AudioFormat): void {
    this.#parts.preferred.warm?.(voice, line);
  }

  async *synthesize(
    pieces: AsyncIterable<string>,
    voice: VoiceSettings,
    line: AudioFormat,
    signal: AbortSignal,
  ): AsyncGenerator<SpokenChunk> {
    const progress = new VoiceProgress(pieces, this.formatFor(line), this.#parts.clock);
    const standIn = new StandIn(this.#parts, voice, line);
    try {
      const spoken = yield* this.#prefer(progress, standIn, { voice, line, signal });
      if (!spoken) yield* standIn.speak(progress, signal);
    } finally {
      standIn.close();
    }
  }

  /** The engines belong to the process, not to one call. */
  close(): Promise<void> {
    return Promise.resolve();
  }

  /** Lets the preferred voice speak, unless it rests; answers whether it spoke everything. */
  async *#prefer(
    progress: VoiceProgress,
    standIn: StandIn,
    { voice, line, signal }: Readonly<{ voice: VoiceSettings; line: AudioFormat; signal: AbortSignal }>,
  ): AsyncGenerator<SpokenChunk, boolean> {
    const { preferred, clock, breaker } = this.#parts;
    if (clock.monotonic() < this.#restUntilMs || breaker?.admit() === false) {
      this.#note("down");
      return false;
    }
    const attempt = new Scope("the preferred voice");
    const stop = () => void attempt.close(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    try {
      const sound = preferred.synthesize(progress.piecesFor("preferred"), voice, line, attempt.signal);
      yield* progress.follow(this.#patiently(sound, progress, standIn, attempt.signal));
      if (progress.spokenMs > 0) breaker?.succeeded();
      return true;
    } catch (error) {
      if (signal.aborted) throw error;
      this.#noteFailure(error);
      return false;
    } finally {
      signal.removeEventListener("abort", stop);
      await attempt.close();
    }
  }

  #noteFailure(error: unknown): void {
    const { preferred, clock, logger, metrics, breaker } = this.#parts;
    this.#restUntilMs = clock.monotonic() + REST_MS;
    breaker?.failed(error);
    logger.warn("a voice failed; another one stands in", { engine: preferred.name, error: toError(error) });
    metrics.providerError("synthesizer", preferred.name);
    this.#note(error instanceof DeadlineExceeded ? "late" : "failed");
  }

  #note(why: Takeover["why"]): void {
    const { preferred, standIn, metrics, tookOver } = this.#parts;
    metrics.fallback?.("synthesizer", preferred.name, standIn.name);
    tookOver?.({ part: "synthesizer", from: preferred.name, to: standIn.name, why });
  }

  /** Passes chunks on; throws {@link DeadlineExceeded} when sound is owed for too long. */
  async *#patiently(
    sound: AsyncIterable<SpokenChunk>,
    progress: VoiceProgress,
    standIn: StandIn,
    signal: AbortSignal,
  ): AsyncGenerator<SpokenChunk> {
    const iterator = sound[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await this.#within(progress, standIn, iterator.next(), signal);
        if (next.done === true) {
          if (!progress.complete && !signal.aborted)
            throw new ProviderError(this.name, "unavailable", "the voice ended before all was spoken");
          return;
        }
        // What the stand-in may have begun is not needed.
        if (next.value.audio.length > 0) standIn.close();
        yield next.value;
      }
    } finally {
      void iterator.return?.(undefined).catch(() => undefined);
    }
  }

  #within<T>(progress: VoiceProgress, standIn: StandIn, next: Promise<T>, signal: AbortSignal): Promise<T> {
    const { clock, preferred } = this.#parts;
    const limitMs = this.firstAudioDeadlineMs;
    const headStartMs = Math.min(limitMs * HEAD_START_SHARE, LATEST_HEAD_START_MS);
    return new Promise((resolve, reject) => {
      let timer: Timer | undefined;
      const settle = (how: () => void) => {
        timer?.cancel();
        progress.whenOwed(() => undefined);
        signal.removeEventListener("abort", aborted);
        how();
      };
      const aborted = () => {
        settle(() => {
          reject(toError(signal.reason));
        });
      };
      const watch = () => {
        timer?.cancel();
        if (!progress.owes) return;
        const { owedMs } = progress;
        timer = clock.setTimer((owedMs < headStartMs ? headStartMs : limitMs) - owedMs, check);
      };
      const check = () => {
        if (progress.owes && progress.owedMs >= limitMs)
          settle(() => {
            reject(new DeadlineExceeded(`sound of ${preferred.name}`, limitMs));
          });
        else {
          if (progress.owes && progress.owedMs >= headStartMs) standIn.begin(progress);
          watch();
        }
      };
      progress.whenOwed(watch);
      watch();
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

/** The other voice in one reply, and the piece that it may have begun already. */
class StandIn {
  readonly #parts: FallbackParts;
  readonly #settings: VoiceSettings;
  readonly #line: AudioFormat;
  #headStart: HeadStart | undefined;

  constructor(parts: FallbackParts, { language }: VoiceSettings, line: AudioFormat) {
    this.#parts = parts;
    this.#settings = { voiceId: parts.standInVoiceId, language, options: {} };
    this.#line = line;
  }

  /** Makes the sound of the piece that the preferred voice owes, in case that it will be needed. */
  begin(progress: VoiceProgress): void {
    const text = progress.nextPiece;
    if (text === undefined || this.#headStart !== undefined) return;
    this.#headStart = new HeadStart(text, this.#parts.standIn, this.#settings, this.#line);
  }

  async *speak(progress: VoiceProgress, signal: AbortSignal): AsyncGenerator<SpokenChunk> {
    const { standIn } = this.#parts;
    const format = standIn.formatFor(this.#line);
    const converter = new Converter(format, progress.format);
    let beforeMs = progress.spokenMs;
    const adapted = (chunk: SpokenChunk): SpokenChunk => ({
      ...chunk,
      audio: converter.convert(chunk.audio),
      ...(chunk.words === undefined ? {} : { words: chunk.words.map((word) => later(word, beforeMs)) }),
    });
    try {
      if (progress.leaveBrokenPiece()) yield { audio: new Uint8Array(0), endOfPiece: true };
      const begun = this.#headStart;
      if (begun !== undefined && begun.text === progress.nextPiece) {
        progress.spokenElsewhere();
        let begunMs = 0;
        for await (const chunk of begun.sound(signal)) {
          yield adapted(chunk);
          begunMs += millisecondsOf(format, chunk.audio.length);
        }
        beforeMs += begunMs;
      }
      if (signal.aborted) return;
      const rest = standIn.synthesize(progress.piecesFor("stand-in"), this.#settings, this.#line, signal);
      for await (const chunk of rest) yield adapted(chunk);
    } finally {
      converter.close();
    }
  }

  /** Idempotent. */
  close(): void {
    void this.#headStart?.close();
    this.#headStart = undefined;
  }
}
