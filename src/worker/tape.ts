import { toError } from "../kit/errors.ts";
import type { CallPlan } from "../model/call-plan.ts";
import { afterAction, type RecordingAction, type RecordingState } from "../model/recording-switch.ts";
import { withDeadline } from "../ports/clock.ts";
import type { LiveState } from "../ports/live.ts";
import type { Logger } from "../ports/logger.ts";
import type { Recorder, RecordingStream } from "../ports/recorder.ts";
import type { KeptRecording, RecordingRecords } from "../ports/recording-records.ts";
import { persist, STORE, type PersistDeps } from "./persist.ts";

export type TapeDeps = PersistDeps &
  Readonly<{
    dials: Pick<RecordingRecords, "saveRecording">;
    live: Pick<LiveState, "publish">;
    recorder: Pick<Recorder, "open">;
    logger: Logger;
  }>;

/** The person is on the line already; without a recorder by then, the call goes on unrecorded. */
const OPEN_MS = 500;

const CLOSE_MS = 5_000;

/**
 * The recording of one call. It begins with the answer, or when it is allowed where the agent must ask; its times are those of the call
 * all the same. Its row is written when it begins, so that it can be heard meanwhile, and again when it is whole.
 */
export class Tape {
  readonly #deps: TapeDeps;
  readonly #plan: CallPlan;
  readonly #recordingId: string;
  #state: RecordingState;
  #sampleRate: number | undefined;
  #startedAt = "";
  #allowedAt: string | undefined;
  #stream: RecordingStream | undefined;
  #opening: Promise<void> | undefined;
  #kept = false;
  #durationMs: Promise<number | undefined> | undefined;

  constructor(deps: TapeDeps, plan: CallPlan) {
    this.#deps = deps;
    this.#plan = plan;
    this.#recordingId = deps.random.id();
    this.#state = plan.unrecorded === true || plan.recording?.requireConsent === true ? "off" : "on";
  }

  /**
   * Somebody has answered: where sound at `sampleRate` is to go from now on, which keeps what may be kept. `undefined` when the call is
   * never recorded. Resolves when the recording is open, after half a second at the latest.
   */
  async start(sampleRate: number): Promise<RecordingStream | undefined> {
    if (this.#plan.unrecorded === true) return undefined;
    this.#sampleRate = sampleRate;
    this.#startedAt = this.#now();
    await this.#open();
    return {
      write: (side, samples, atMs) => {
        if (this.#state === "on") this.#stream?.write(side, samples, atMs);
      },
      close: async () => ({ durationMs: (await this.close()) ?? 0 }),
    };
  }

  /** Somebody allows the recording, or pauses it. Holds at once; followers of the dial are told. */
  change(action: RecordingAction): void {
    if (this.#plan.unrecorded === true || this.#durationMs !== undefined) return;
    const before = this.#state;
    this.#state = afterAction(before, action);
    if (this.#state === before) return;
    if (before === "off") this.#allowedAt = this.#now();
    this.#deps.logger.info("a recording was changed", { dialId: this.#plan.dialId, state: this.#state });
    this.#deps.live.publish(this.#plan.dialId, { type: "recording", state: this.#state });
    void this.#open();
  }

  /** Completes the file. Idempotent; never rejects. Answers its length, unless there is none or the recorder failed. */
  close(): Promise<number | undefined> {
    this.#durationMs ??= this.#close();
    return this.#durationMs;
  }

  /**
   * Completes the file and writes its row, giving up after five seconds of each. Never rejects. False: the row is not written,
   * and it is worth another try.
   */
  async keep(): Promise<boolean> {
    const durationMs = await this.close();
    if (durationMs === undefined || this.#kept) return true;
    try {
      await persist(this.#deps, { ...STORE, forMs: CLOSE_MS }, "noting a recording", () =>
        this.#deps.dials.saveRecording(this.#plan.dialId, this.#row(Math.round(durationMs))),
      );
      this.#kept = true;
    } catch (error) {
      this.#deps.logger.error("a recording was not noted", { dialId: this.#plan.dialId, error: toError(error) });
    }
    return this.#kept;
  }

  #now(): string {
    return new Date(this.#deps.clock.now()).toISOString();
  }

  #row(durationMs: number): KeptRecording {
    return {
      id: this.#recordingId,
      channels: 2,
      durationMs,
      startedAt: this.#startedAt,
      ...(this.#allowedAt === undefined ? {} : { allowedAt: this.#allowedAt }),
    };
  }

  /** Opens the recorder once there is sound and it may be kept. */
  async #open(): Promise<void> {
    if (this.#state === "off" || this.#sampleRate === undefined) return;
    this.#opening ??= this.#openNow(this.#sampleRate);
    await this.#opening;
  }

  async #openNow(sampleRate: number): Promise<void> {
    const { clock, dials, logger, recorder } = this.#deps;
    const { dialId, recording } = this.#plan;
    const format = recording?.format === undefined ? {} : { format: recording.format };
    const opening = recorder.open({ dialId, recordingId: this.#recordingId, sampleRate, ...format });
    try {
      this.#stream = await withDeadline(clock, OPEN_MS, "opening a recording", opening);
    } catch (error) {
      logger.error("a call is not recorded", { dialId, error: toError(error) });
      opening.then((late) => late.close()).catch(() => undefined);
      return;
    }
    dials.saveRecording(dialId, { ...this.#row(0), incomplete: true }).catch((error: unknown) => {
      logger.warn("a recording can be heard only after its call", { dialId, error: toError(error) });
    });
  }

  async #close(): Promise<number | undefined> {
    await this.#opening;
    const stream = this.#stream;
    if (stream === undefined) return undefined;
    try {
      return (await withDeadline(this.#deps.clock, CLOSE_MS, "closing a recording", stream.close())).durationMs;
    } catch (error) {
      this.#deps.logger.error("a recording was not completed", { dialId: this.#plan.dialId, error: toError(error) });
      return undefined;
    }
  }
}
