import { Worker } from "node:worker_threads";
import { toError } from "../../../kit/errors.ts";
import { forbidOnnxTelemetry } from "../../../kit/onnx-telemetry.ts";
import { withDeadline, type Clock } from "../../../ports/clock.ts";
import type { TurnDetector } from "../../../ports/turn-detector.ts";
import { WINDOW_MS, WINDOW_SAMPLES } from "./features.ts";
import type { Answer, Order, WorkerData } from "./protocol.ts";

const START_DEADLINE_MS = 15_000;
const CLOSE_DEADLINE_MS = 2000;
/** A judgement that comes later than this helps nobody. The features alone were seen at 190 ms on a busy core. */
const JUDGE_DEADLINE_MS = 1000;
/** More that wait could not be answered in time. */
const MOST_WAITING = 16;

type Waiting = Readonly<{ resolve(probability: number): void; reject(error: Error): void }>;

/** Smart Turn v3 in one worker thread for the whole process. A worker that died stays away: turns are then judged without it. */
export class SmartTurnDetector implements TurnDetector {
  readonly name = "smart-turn";
  readonly windowMs = WINDOW_MS;
  readonly #clock: Clock;
  readonly #modelPath: string;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #asked = 0;
  #closing: Promise<void> | undefined;

  constructor(modelPath: string, clock: Clock) {
    this.#modelPath = modelPath;
    this.#clock = clock;
  }

  /** Starts the worker and resolves once it can answer; rejects when the file is not of this network. */
  async start(): Promise<void> {
    forbidOnnxTelemetry();
    const workerData: WorkerData = { modelPath: this.#modelPath };
    const worker = new Worker(new URL("worker.ts", import.meta.url), { workerData, name: "smart-turn" });
    this.#worker = worker;
    const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
    const lost = (error: Error) => {
      reject(error);
      if (this.#worker === worker) this.#worker = undefined;
      for (const waiting of this.#waiting.values()) waiting.reject(error);
      this.#waiting.clear();
    };
    worker.on("message", (answer: Answer) => {
      if (answer.type === "ready") resolve();
      else this.#answered(answer);
    });
    worker.on("error", (error) => {
      lost(new Error(`${this.#modelPath} could not be run as Smart Turn v3`, { cause: toError(error) }));
    });
    worker.on("exit", (code) => {
      lost(new Error(`the turn detector's worker ended with code ${code}`));
    });
    await withDeadline(this.#clock, START_DEADLINE_MS, "loading the turn detector", ready);
  }

  async judge(samples: Int16Array): Promise<number> {
    const worker = this.#worker;
    if (worker === undefined) throw new Error("the turn detector is not running");
    if (this.#waiting.size >= MOST_WAITING) throw new Error(`more than ${MOST_WAITING} judgements wait`);
    this.#asked += 1;
    const id = this.#asked;
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    this.#waiting.set(id, { resolve, reject });
    const order: Order = { type: "judge", id, samples: samples.slice(-WINDOW_SAMPLES) };
    worker.postMessage(order);
    try {
      return await withDeadline(this.#clock, JUDGE_DEADLINE_MS, "judging the end of a turn", promise);
    } finally {
      this.#waiting.delete(id);
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const worker = this.#worker;
    if (worker === undefined) return;
    const gone = new Promise<void>((resolve) => {
      worker.once("exit", () => {
        resolve();
      });
    });
    const order: Order = { type: "close" };
    worker.postMessage(order);
    try {
      await withDeadline(this.#clock, CLOSE_DEADLINE_MS, "closing the turn detector", gone);
    } catch {
      await worker.terminate();
    }
  }

  #answered(answer: Exclude<Answer, { type: "ready" }>): void {
    const waiting = this.#waiting.get(answer.id);
    if (answer.type === "judged") waiting?.resolve(answer.probability);
    else waiting?.reject(new Error(`the turn detector failed: ${answer.reason}`));
  }
}
