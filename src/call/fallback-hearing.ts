import { Converter } from "../audio/convert.ts";
import type { Breaker } from "../kit/breakers.ts";
import { toError } from "../kit/errors.ts";
import type { AudioFormat } from "../model/audio.ts";
import type { Takeover } from "../model/takeover.ts";
import { DeadlineExceeded, type Clock, type Timer } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import type { FailureMetrics, Metrics } from "../ports/metrics.ts";
import type {
  Transcriber,
  TranscriberHints,
  TranscriberListener,
  TranscriberStream,
  TranscriptEvent,
} from "../ports/transcriber.ts";
import { eventLater } from "./later.ts";
import { TurnReplay } from "./turn-replay.ts";

export type FallbackTranscriberParts = Readonly<{
  /** In the order in which they are asked; at least one, and all of them hear the call's language. */
  candidates: readonly Transcriber[];
  clock: Clock;
  logger: Logger;
  metrics: Pick<Metrics, "providerError"> & Partial<Pick<FailureMetrics, "fallback">>;
  /** What all calls know of a candidate. */
  breakerOf?: ((candidate: Transcriber) => Breaker) | undefined;
  /** Hears of each time that another one takes over. */
  tookOver?: ((takeover: Takeover) => void) | undefined;
}>;

/**
 * One that says nothing for this long after speech has ended and its final words were asked for is taken for dead, unless it allows
 * itself longer; in milliseconds.
 */
const SILENT_MS = 700;

/** Less speech than this may well have no words in it; in milliseconds. */
const LEAST_SPEECH_MS = 300;

/** After a failure a transcriber rests for this long, since trying it costs the caller its deadline each time. */
const REST_MS = 60_000;

/** Questions that wait are answered within a second or two; more than so many are not counted. */
const MOST_QUESTIONS = 64;

/** A transcriber at work, and where its times and numbers begin on the call's. */
type Listening = {
  readonly id: number;
  readonly candidate: Transcriber;
  readonly stream: TranscriberStream;
  readonly converter: Converter;
  readonly fromMs: number;
  readonly numbersFrom: number;
  /** It took over from one that was silent; whether that one was at fault shows when words are heard. */
  suspect: Transcriber | undefined;
};

/** One party's stream over several transcribers, one at a time. Fed in the line's format; each gets the format that it wants. */
export class FallbackHearing implements TranscriberStream {
  readonly format: AudioFormat;
  readonly #parts: FallbackTranscriberParts;
  readonly #hints: TranscriberHints;
  readonly #listener: TranscriberListener;
  readonly #replay: TurnReplay;
  readonly #restUntilMs: Map<Transcriber, number>;
  #listening: Listening | undefined;
  #opened = 0;
  #closed = false;
  /** Questions for final words that wait. */
  #asked = 0;
  #onsetMs: number | undefined;
  /** Speech since the last answer, in milliseconds. */
  #spokenMs = 0;
  #silence: Timer | undefined;
  /** Numbers of utterances: the highest, and those of this turn whose text is not final. */
  #highest = 0;
  readonly #open = new Set<number>();

  /** `restUntilMs` tells of the candidates that failed in this call; monotonic time. */
  constructor(
    parts: FallbackTranscriberParts,
    restUntilMs: Map<Transcriber, number>,
    hints: TranscriberHints,
    listener: TranscriberListener,
  ) {
    this.#parts = parts;
    this.#restUntilMs = restUntilMs;
    this.#hints = hints;
    this.#listener = listener;
    this.format = hints.lineFormat;
    this.#replay = new TurnReplay(hints.lineFormat);
    const first = this.#best();
    const [preferred] = parts.candidates;
    if (preferred !== undefined && first !== preferred) this.#note(preferred, first, "down");
    this.#listenWith(first, undefined);
  }

  push(payload: Uint8Array): void {
    if (this.#closed) return;
    this.#replay.push(payload);
    const now = this.#listening;
    if (now !== undefined) now.stream.push(now.converter.convert(payload));
  }

  speech(change: "started" | "ended", atMs: number): void {
    if (this.#closed) return;
    this.#replay.speech(change, atMs);
    if (change === "started") {
      this.#onsetMs = atMs;
      this.#silence?.cancel();
      this.#silence = undefined;
    } else if (this.#onsetMs !== undefined) {
      this.#spokenMs += Math.max(0, atMs - this.#onsetMs);
      this.#onsetMs = undefined;
    }
    const now = this.#listening;
    now?.stream.speech(change, Math.max(0, atMs - now.fromMs));
  }

  finalize(): void {
    if (this.#closed) return;
    this.#asked = Math.min(MOST_QUESTIONS, this.#asked + 1);
    this.#watch();
    this.#listening?.stream.finalize();
  }

  endTurn(): void {
    if (this.#closed) return;
    this.#replay.turnTaken();
    this.#open.clear();
    this.#listening?.stream.endTurn();
    this.#returnToBetter();
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#silence?.cancel();
    this.#stop();
  }

  #listenWith(candidate: Transcriber, suspect: Transcriber | undefined): void {
    const { fromMs } = this.#replay;
    // Texts that were not final are told anew, in the place of the first of them.
    const numbersFrom = this.#open.size === 0 ? this.#highest : Math.min(...this.#open) - 1;
    this.#opened += 1;
    const id = this.#opened;
    const mine = () => (this.#listening?.id === id ? this.#listening : undefined);
    const stream = candidate.open(this.#hints, {
      transcript: (event) => {
        const from = mine();
        if (from !== undefined) this.#heard(from, event);
      },
      flushed: () => {
        const from = mine();
        if (from !== undefined) this.#answered(from);
      },
      turnJudged: (probability) => {
        if (mine() !== undefined) this.#listener.turnJudged?.(probability);
      },
      failed: (error) => {
        if (mine() !== undefined) this.#takeOver("failed", error);
      },
    });
    const converter = new Converter(this.format, stream.format);
    this.#listening = { id, candidate, stream, converter, fromMs, numbersFrom, suspect };
    this.#replay.into(stream, (payload) => {
      stream.push(converter.convert(payload));
    });
    for (let count = 0; count < this.#asked; count++) stream.finalize();
  }

  #heard(from: Listening, event: TranscriptEvent): void {
    if (event.text !== "") this.#heardWords(from);
    const utterance = from.numbersFrom + event.utterance;
    this.#highest = Math.max(this.#highest, utterance);
    const told = eventLater(event, from.fromMs);
    if (event.final) {
      this.#open.delete(utterance);
      if (this.#open.size === 0) this.#replay.startAt(told.endMs);
    } else this.#open.add(utterance);
    this.#listener.transcript({ ...told, utterance });
    if (this.#silence !== undefined) this.#watch();
  }

  /** Words tell that the one who is silent beside them is at fault, and that this one is not. */
  #heardWords(from: Listening): void {
    this.#parts.breakerOf?.(from.candidate).succeeded();
    const { suspect } = from;
    if (suspect === undefined) return;
    from.suspect = undefined;
    this.#blame(suspect, new DeadlineExceeded(`the final text of ${suspect.name}`, patienceWith(suspect)));
  }

  #answered(from: Listening): void {
    this.#asked = Math.max(0, this.#asked - 1);
    if (this.#asked === 0) {
      this.#spokenMs = 0;
      this.#silence?.cancel();
      this.#silence = undefined;
      // There were no words for it to hear either: nobody was at fault.
      if (this.#open.size === 0) from.suspect = undefined;
    }
    this.#listener.flushed();
  }

  #watch(): void {
    this.#silence?.cancel();
    this.#silence = undefined;
    const now = this.#listening;
    if (now === undefined || this.#onsetMs !== undefined || this.#spokenMs < LEAST_SPEECH_MS) return;
    this.#silence = this.#parts.clock.setTimer(patienceWith(now.candidate), () => {
      this.#silence = undefined;
      this.#takeOver("late", undefined);
    });
  }

  #takeOver(why: "failed" | "late", error: Error | undefined): void {
    const before = this.#listening;
    if (before === undefined || this.#closed) return;
    if (error !== undefined) this.#blame(before.candidate, error);
    const next = this.#next(before.candidate);
    if (next === undefined) {
      if (error === undefined) return;
      this.close();
      this.#listener.failed(error);
      return;
    }
    this.#stop();
    this.#note(before.candidate, next, why);
    this.#withdrawRest(before);
    this.#listenWith(next, error === undefined ? before.candidate : undefined);
    if (this.#asked > 0) this.#watch();
  }

  /** Of several texts that were not final, the next transcriber's replaces the first; the others would be said twice. */
  #withdrawRest(before: Listening): void {
    const [, ...rest] = [...this.#open].toSorted((a, b) => a - b);
    for (const utterance of rest) {
      this.#open.delete(utterance);
      this.#listener.transcript({ utterance, text: "", final: true, startMs: before.fromMs, endMs: before.fromMs });
    }
  }

  /** At the end of a turn, when nothing is under way, the one that the agent prefers is asked again. */
  #returnToBetter(): void {
    const now = this.#listening;
    if (now === undefined || this.#asked > 0) return;
    const { candidates } = this.#parts;
    const better = candidates.slice(0, candidates.indexOf(now.candidate)).find((one) => this.#isAwake(one));
    if (better === undefined) return;
    this.#stop();
    this.#listenWith(better, undefined);
  }

  #best(): Transcriber {
    const { candidates } = this.#parts;
    const best = candidates.find((one) => this.#isAwake(one)) ?? candidates[0];
    if (best === undefined) throw new RangeError("a fallback needs a transcriber to fall back from");
    return best;
  }

  #next(after: Transcriber): Transcriber | undefined {
    const { candidates } = this.#parts;
    const others = [...candidates.slice(candidates.indexOf(after) + 1), ...candidates].filter((one) => one !== after);
    return others.find((one) => this.#isAwake(one));
  }

  #isAwake(candidate: Transcriber): boolean {
    const rests = (this.#restUntilMs.get(candidate) ?? 0) > this.#parts.clock.monotonic();
    return !rests && this.#parts.breakerOf?.(candidate).admit() !== false;
  }

  #blame(candidate: Transcriber, error: Error): void {
    const { clock, logger, metrics, breakerOf } = this.#parts;
    this.#restUntilMs.set(candidate, clock.monotonic() + REST_MS);
    breakerOf?.(candidate).failed(error);
    logger.warn("a transcriber failed; another one goes on", { provider: candidate.name, error: toError(error) });
    metrics.providerError("transcriber", candidate.name);
  }

  #note(from: Transcriber, to: Transcriber, why: Takeover["why"]): void {
    const { metrics, tookOver } = this.#parts;
    metrics.fallback?.("transcriber", from.name, to.name);
    tookOver?.({ part: "transcriber", from: from.name, to: to.name, why });
  }

  #stop(): void {
    const now = this.#listening;
    this.#listening = undefined;
    now?.stream.close();
    now?.converter.close();
  }
}

const patienceWith = ({ silentMs = SILENT_MS }: Transcriber): number => silentMs;
