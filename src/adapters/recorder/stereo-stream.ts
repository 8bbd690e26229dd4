import { levelDbfs } from "../../audio/level.ts";
import { toError } from "../../kit/errors.ts";
import type { Logger } from "../../ports/logger.ts";
import type { RecordingStream } from "../../ports/recorder.ts";
import type { SoundFile } from "./sound-file.ts";

export type StereoStreamParts = Readonly<{ file: SoundFile; sampleRate: number; logger: Logger; dialId: string }>;

type Side = "caller" | "agent";

/** Sound of both sides that may go to the file: interleaved, and where in the recording it begins. */
type Piece = Readonly<{ atFrame: number; samples: Int16Array }>;

/**
 * A stereo file that grows. The last second or two of both sides are in memory, where the slower side may still catch up; what is
 * older goes to the file in pieces of a second, each with its place, so that a piece that cannot be written in time leaves a
 * silent hole and moves nothing.
 */
export class StereoStream implements RecordingStream {
  readonly #parts: StereoStreamParts;
  /** Interleaved sound from `#base` on; what is not written yet is silence. */
  #window: Int16Array;
  /** In samples of one side since the recording started: where the window begins, and where each side has got to. */
  #base = 0;
  readonly #end: Record<Side, number> = { caller: 0, agent: 0 };
  /** Pieces on their way to the file. */
  readonly #waiting: Piece[] = [];
  #writing: Promise<void> | undefined;
  #failure: Error | undefined;
  #lost = 0;
  #closing: Promise<Readonly<{ durationMs: number }>> | undefined;

  constructor(parts: StereoStreamParts) {
    this.#parts = parts;
    this.#window = new Int16Array(2 * WINDOW_S * parts.sampleRate);
  }

  write(side: Side, samples: Int16Array, atMs: number): void {
    if (this.#closing !== undefined || samples.length === 0) return;
    const { sampleRate } = this.#parts;
    const wanted = Math.round((atMs * sampleRate) / 1000);
    if (!(wanted >= 0 && wanted <= LONGEST_S * sampleRate)) return;
    const offMs = ((wanted - this.#end[side]) / sampleRate) * 1000;
    const quiet = levelDbfs(samples) < QUIET_DBFS;
    const joined = Math.abs(offMs) <= JOIN_MS || (!quiet && offMs <= WANDER_MS);
    let at = Math.max(joined ? this.#end[side] : wanted, this.#base);
    // Long sound goes in by slices that the window can hold. Of quiet sound whose time is over only the rest does.
    const slice = sampleRate;
    for (let from = Math.max(0, this.#end[side] - at); from < samples.length; from += slice, at = this.#end[side])
      this.#put(side, samples.subarray(from, from + slice), Math.max(at, this.#end[side]));
  }

  close(): Promise<Readonly<{ durationMs: number }>> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  #put(side: Side, samples: Int16Array, at: number): void {
    const { sampleRate } = this.#parts;
    const end = at + samples.length;
    if (end - this.#base > WINDOW_S * sampleRate) this.#release(end - KEPT_S * sampleRate);
    const channel = side === "caller" ? 0 : 1;
    let position = 2 * (at - this.#base) + channel;
    for (const sample of samples) {
      this.#window[position] = sample;
      position += 2;
    }
    this.#end[side] = end;
  }

  /** Moves the window on to begin at `base`; what leaves it goes to the file. */
  #release(base: number): void {
    const last = Math.min(base, Math.max(this.#end.caller, this.#end.agent));
    const length = last - this.#base;
    if (length > 0) {
      this.#enqueue({ atFrame: this.#base, samples: this.#window.slice(0, 2 * length) });
      this.#window.copyWithin(0, 2 * length);
    }
    // What is left moves down by as much as the window does; all the rest is silence.
    const kept = Math.max(0, Math.max(this.#end.caller, this.#end.agent) - base);
    this.#window.fill(0, 2 * kept);
    this.#base = base;
  }

  #enqueue(piece: Piece): void {
    if (this.#waiting.length >= MOST_WAITING) {
      if (this.#lost === 0)
        this.#parts.logger.warn("recording falls behind; parts of it will be silent", { dialId: this.#parts.dialId });
      this.#lost += 1;
      return;
    }
    this.#waiting.push(piece);
    this.#writing ??= this.#writeAll();
  }

  async #writeAll(): Promise<void> {
    for (let piece = this.#waiting[0]; piece !== undefined; piece = this.#waiting[0]) {
      await this.#writePiece(piece);
      this.#waiting.shift();
    }
    this.#writing = undefined;
  }

  async #writePiece({ atFrame, samples }: Piece): Promise<void> {
    try {
      await this.#parts.file.add(atFrame, samples);
    } catch (error) {
      this.#failed(error);
    }
  }

  #failed(error: unknown): void {
    if (this.#failure === undefined)
      this.#parts.logger.error("recording cannot be written", { dialId: this.#parts.dialId, error: toError(error) });
    this.#failure = toError(error);
  }

  async #close(): Promise<Readonly<{ durationMs: number }>> {
    const end = Math.max(this.#end.caller, this.#end.agent, this.#base);
    await this.#writing;
    const rest = end - this.#base;
    if (rest > 0) await this.#writePiece({ atFrame: this.#base, samples: this.#window.slice(0, 2 * rest) });
    try {
      await this.#parts.file.finish(end);
    } catch (error) {
      this.#failed(error);
    }
    if (this.#failure !== undefined)
      throw new Error("parts of a recording could not be written; see whether its disk is full", {
        cause: this.#failure,
      });
    return { durationMs: Math.round((end / this.#parts.sampleRate) * 1000) };
  }
}

/** The window, and what of it stays when it moves on: a side may be told of this much later than the other. */
const WINDOW_S = 2;
const KEPT_S = 1;

/** A second a piece: with the window, a disk may stall for four seconds before sound is lost. */
const MOST_WAITING = 2;

/** Timestamps wobble; sound that is nearer than this to the sound before it belongs together. */
const JOIN_MS = 10;

/** The clock of a line may run slower or faster than ours: until somebody is quiet, up to so much is left as it is. */
const WANDER_MS = 60;
const QUIET_DBFS = -50;

/** No call lasts longer than a day; a time beyond is a mistake. */
const LONGEST_S = 86_400;
