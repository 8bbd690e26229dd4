import { toError } from "../kit/errors.ts";
import type { CallPlan } from "../model/call-plan.ts";
import { withDeadline } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import type { Recorder, RecordingStream } from "../ports/recorder.ts";
import type { DialStore } from "../ports/store.ts";
import { persist, STORE, type PersistDeps } from "./persist.ts";

export type TapeDeps = PersistDeps &
  Readonly<{ dials: Pick<DialStore, "saveRecording">; recorder: Pick<Recorder, "open">; logger: Logger }>;

/** The person is on the line already; without a recorder by then, the call goes on unrecorded. */
const OPEN_MS = 500;

const CLOSE_MS = 5_000;

/** The recording of one call: opened when somebody answers, its row written when it is complete. */
export class Tape {
  readonly stream: RecordingStream;
  readonly #deps: TapeDeps;
  readonly #dialId: string;
  readonly #recordingId: string;
  readonly #startedAt: string;
  #kept = false;
  #durationMs: Promise<number | undefined> | undefined;

  private constructor(deps: TapeDeps, dialId: string, recordingId: string, stream: RecordingStream) {
    this.#deps = deps;
    this.#dialId = dialId;
    this.#recordingId = recordingId;
    this.#startedAt = new Date(deps.clock.now()).toISOString();
    this.stream = stream;
  }

  /**
   * Opens a recording of sound at `sampleRate`; `undefined` when the call is not to be recorded, and, with a line in the log, when the
   * recorder cannot.
   */
  static async start(
    deps: TapeDeps,
    { dialId, unrecorded }: Pick<CallPlan, "dialId" | "unrecorded">,
    sampleRate: number,
  ): Promise<Tape | undefined> {
    if (unrecorded === true) return undefined;
    const recordingId = deps.random.id();
    const opening = deps.recorder.open({ dialId, recordingId, sampleRate });
    try {
      const stream = await withDeadline(deps.clock, OPEN_MS, "opening a recording", opening);
      return new Tape(deps, dialId, recordingId, stream);
    } catch (error) {
      deps.logger.error("a call is not recorded", { dialId, error: toError(error) });
      opening.then((late) => late.close()).catch(() => undefined);
      return undefined;
    }
  }

  /** Completes the file. Idempotent; never rejects. Answers its length, unless the recorder failed. */
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
    const row = { id: this.#recordingId, channels: 2, durationMs: Math.round(durationMs), startedAt: this.#startedAt };
    try {
      await persist(this.#deps, { ...STORE, forMs: CLOSE_MS }, "noting a recording", () =>
        this.#deps.dials.saveRecording(this.#dialId, row),
      );
      this.#kept = true;
    } catch (error) {
      this.#deps.logger.error("a recording was not noted", { dialId: this.#dialId, error: toError(error) });
    }
    return this.#kept;
  }

  async #close(): Promise<number | undefined> {
    try {
      return (await withDeadline(this.#deps.clock, CLOSE_MS, "closing a recording", this.stream.close())).durationMs;
    } catch (error) {
      this.#deps.logger.error("a recording was not completed", { dialId: this.#dialId, error: toError(error) });
      return undefined;
    }
  }
}
