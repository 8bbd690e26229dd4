import { Worker } from "node:worker_threads";
import { toError } from "../../../kit/errors.ts";
import { forbidOnnxTelemetry } from "../../../kit/onnx-telemetry.ts";
import type { Clock, Timer } from "../../../ports/clock.ts";
import { withDeadline } from "../../../ports/clock.ts";
import type { VadListener, VadStream, VoiceActivityDetector } from "../../../ports/vad.ts";
import { LARGEST_BATCH, WINDOW_SAMPLES } from "./protocol.ts";
import type { Answer, Order, WorkerData } from "./protocol.ts";
import { SileroStream } from "./stream.ts";

/** Loading the network takes 0.2 s on an idle core; a machine that needs longer than this cannot listen in real time. */
const START_DEADLINE_MS = 15_000;
const CLOSE_DEADLINE_MS = 2000;
/**
 * With more streams than this, windows are gathered for a moment, so that calls whose frames come at different times share a
 * batch: it saves half of the work for 8 ms of delay. Few streams are answered at once.
 */
const GATHER_ABOVE_STREAMS = 4;
const GATHER_MS = 8;

type Running = { readonly worker: Worker; readonly ready: Promise<void>; isReady: boolean };

/**
 * Silero v6 in one worker thread for the whole process. At most one batch is under way; what comes meanwhile forms the next, so
 * the batches grow by themselves as the load does. When the worker dies, every stream fails once and the next `open` starts another.
 */
export class SileroDetector implements VoiceActivityDetector {
  readonly name = "silero";
  readonly #modelPath: string;
  readonly #clock: Clock;
  readonly #streams = new Map<number, SileroStream>();
  /** Streams with a full window, oldest first. */
  readonly #waiting = new Set<SileroStream>();
  #running: Running | undefined;
  #underWay: readonly SileroStream[] | undefined;
  #gathering: Timer | undefined;
  #lastStream = 0;
  #closing: Promise<void> | undefined;

  constructor(modelPath: string, clock: Clock) {
    this.#modelPath = modelPath;
    this.#clock = clock;
  }

  /** Starts the worker and resolves once it can answer. */
  async start(): Promise<void> {
    const { ready } = this.#start();
    await withDeadline(this.#clock, START_DEADLINE_MS, "loading the voice activity detector", ready);
  }

  open(listener: VadListener): VadStream {
    if (this.#closing !== undefined) throw new Error("the voice activity detector is closed");
    this.#lastStream += 1;
    const stream = new SileroStream(this.#lastStream, listener, {
      windowReady: (ready) => {
        this.#waiting.add(ready);
        this.#pump();
      },
      closed: (closed) => {
        this.#streams.delete(closed.id);
        this.#waiting.delete(closed);
        if (this.#running !== undefined) post(this.#running.worker, { type: "forget", stream: closed.id });
      },
    });
    this.#streams.set(stream.id, stream);
    this.#start();
    return stream;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#gathering?.cancel();
    for (const stream of this.#streams.values()) stream.close();
    const worker = this.#running?.worker;
    this.#running = undefined;
    if (worker === undefined) return;
    const gone = new Promise<void>((resolve) => {
      worker.once("exit", () => {
        resolve();
      });
    });
    post(worker, { type: "close" });
    try {
      await withDeadline(this.#clock, CLOSE_DEADLINE_MS, "closing the voice activity detector", gone);
    } catch {
      await worker.terminate();
    }
  }

  #start(): Running {
    if (this.#running !== undefined) return this.#running;
    const workerData: WorkerData = { modelPath: this.#modelPath };
    forbidOnnxTelemetry();
    const worker = new Worker(new URL("worker.ts", import.meta.url), { workerData, name: "silero" });
    const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
    const running: Running = { worker, ready, isReady: false };
    // Whoever awaits `ready` hears of a failure there; streams hear of it by `failed`.
    ready.catch(() => undefined);
    const lost = (error: Error) => {
      reject(error);
      this.#lose(running, error);
    };
    worker.on("message", (answer: Answer) => {
      if (answer.type === "probabilities") {
        this.#deliver(answer.probabilities);
        return;
      }
      running.isReady = true;
      resolve();
      this.#pump();
    });
    worker.on("error", (error) => {
      lost(new Error("the voice activity detector's worker failed", { cause: toError(error) }));
    });
    worker.on("exit", (code) => {
      lost(new Error(`the voice activity detector's worker ended with code ${code}`));
    });
    this.#running = running;
    return running;
  }

  #lose(running: Running, error: Error): void {
    if (this.#running !== running) return;
    this.#running = undefined;
    this.#underWay = undefined;
    for (const stream of Array.from(this.#streams.values())) stream.fail(error);
  }

  /** Sends what waits, unless a batch is under way or it is worth waiting a moment for more. */
  #pump(): void {
    if (this.#waiting.size === 0 || this.#underWay !== undefined || this.#gathering !== undefined) return;
    if (this.#running?.isReady !== true) return;
    if (this.#streams.size <= GATHER_ABOVE_STREAMS || this.#waiting.size >= LARGEST_BATCH) {
      this.#send(this.#running.worker);
      return;
    }
    this.#gathering = this.#clock.setTimer(GATHER_MS, () => {
      this.#gathering = undefined;
      if (this.#running?.isReady === true && this.#waiting.size > 0) this.#send(this.#running.worker);
    });
  }

  #send(worker: Worker): void {
    const batch: SileroStream[] = [];
    for (const stream of this.#waiting) {
      if (batch.length === LARGEST_BATCH) break;
      batch.push(stream);
    }
    const windows = new Int16Array(batch.length * WINDOW_SAMPLES);
    for (const [row, stream] of batch.entries()) {
      windows.set(stream.takeWindow(), row * WINDOW_SAMPLES);
      this.#waiting.delete(stream);
    }
    this.#underWay = batch;
    post(worker, { type: "batch", streams: batch.map((stream) => stream.id), windows }, [windows.buffer]);
  }

  #deliver(probabilities: Float32Array): void {
    const batch = this.#underWay ?? [];
    this.#underWay = undefined;
    for (const [row, stream] of batch.entries()) {
      stream.deliver(probabilities[row] ?? 0);
      if (stream.hasWindow) this.#waiting.add(stream);
    }
    this.#pump();
  }
}

const post = (worker: Worker, order: Order, transfer: ArrayBuffer[] = []): void => {
  worker.postMessage(order, transfer);
};
