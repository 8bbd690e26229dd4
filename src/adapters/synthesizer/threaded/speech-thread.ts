import { Worker } from "node:worker_threads";
import { deferred, type Deferred } from "../../../kit/deferred.ts";
import { toError } from "../../../kit/errors.ts";
import { millisecondsOf } from "../../../model/audio.ts";
import { withDeadline, type Clock, type Timer } from "../../../ports/clock.ts";
import type { Logger } from "../../../ports/logger.ts";
import type { FromThread, Speech, SpeechRequest, ToThread } from "./protocol.ts";

export type SpeechThreadOptions = Readonly<{
  name: string;
  /** The module that the thread runs; it calls `serveSpeech`. */
  script: URL;
  workerData: unknown;
  /** How long loading may take, in milliseconds. */
  startDeadlineMs: number;
  /** How long one request may take in the thread before the thread counts as stuck, in milliseconds. */
  answerDeadlineMs: number;
}>;

/** One `synthesize` call in the queue; `dueAt` is the monotonic time at which the sound it has been given so far runs out. */
export type Lane = { dueAt: number };

/** Requests of all calls that may wait for the thread at once; more than any machine that one engine serves could answer in time. */
const MAX_WAITING = 64;

/**
 * How long a thread that was told to close may take, in milliseconds. It finishes the sentence that it computes, which on a busy
 * machine takes many times its usual second. It is never terminated: a native engine that loses its thread in the middle of
 * an inference takes the whole process, and every call in it, down.
 */
const CLOSE_DEADLINE_MS = 30_000;

/** Texts below this many letters are not measured; what the last one measured counts for so much. */
const SHORTEST_MEASURED = 15;
const MEASURED_WEIGHT = 0.4;

type Job = {
  readonly lane: Lane;
  readonly request: SpeechRequest;
  readonly answer: Deferred<Speech>;
};

/** The engine's thread failed, or is too busy; another voice should speak. */
export class SpeechThreadError extends Error {
  override readonly name = "SpeechThreadError";
}

/**
 * An engine in a worker thread, shared by all calls.
 *
 * Requests wait here and go to the thread one at a time, so that what is aborted before its turn costs nothing. Next is always
 * the call whose sound runs out first: a call that waits for its first sound is due at once, a long opening line that is
 * already seconds ahead is not, so it cannot starve a live turn.
 *
 * A thread that dies or does not answer in time fails what was asked of it and is started again by the next request.
 */
export class SpeechThread {
  readonly #options: SpeechThreadOptions;
  readonly #clock: Clock;
  readonly #logger: Logger;
  #worker: Worker | undefined;
  #starting: Promise<void> | undefined;
  #waiting: Job[] = [];
  #current: { job: Job; id: number; timer: Timer; startedAt: number } | undefined;
  #msPerLetter: number | undefined;
  #lastId = 0;
  #closing: Promise<void> | undefined;

  constructor(options: SpeechThreadOptions, clock: Clock, logger: Logger) {
    this.#options = options;
    this.#clock = clock;
    this.#logger = logger;
  }

  /** How long the thread has lately taken for a letter of a text, in milliseconds; nothing before its first answer. */
  get msPerLetter(): number | undefined {
    return this.#msPerLetter;
  }

  /** How many requests of other calls go before the next one of this call, as things stand. */
  before(lane: Lane): number {
    const underWay = this.#current !== undefined && this.#current.job.lane !== lane;
    return this.#waiting.filter((job) => job.lane !== lane && job.lane.dueAt <= lane.dueAt).length + Number(underWay);
  }

  /** A place in the queue for one `synthesize` call. */
  lane(): Lane {
    return { dueAt: this.#clock.monotonic() };
  }

  /** Loads the engine, if it is not loaded. Rejects when that fails or takes too long. */
  start(): Promise<void> {
    if (this.#closing !== undefined) return Promise.reject(new SpeechThreadError(`${this.#options.name} is closed`));
    this.#starting ??= this.#start();
    return this.#starting;
  }

  /** Rejects with {@link SpeechThreadError} on failure, and with the signal's reason as soon as it aborts. */
  async speak(lane: Lane, request: SpeechRequest, signal: AbortSignal): Promise<Speech> {
    signal.throwIfAborted();
    if (this.#waiting.length >= MAX_WAITING)
      throw new SpeechThreadError(`${this.#options.name} has ${MAX_WAITING} sentences waiting; use another voice`);
    const job: Job = { lane, request, answer: deferred<Speech>() };
    this.#waiting.push(job);
    const stop = () => {
      this.#waiting = this.#waiting.filter((waiting) => waiting !== job);
      job.answer.reject(signal.reason);
    };
    signal.addEventListener("abort", stop, { once: true });
    try {
      void this.#next();
      return await job.answer.promise;
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  /** Fails what waits and ends the thread, after the sentence that it is at. Idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #next(): Promise<void> {
    try {
      await this.start();
    } catch (error) {
      this.#failAll(error);
      return;
    }
    if (this.#current !== undefined) return;
    const job = this.#takeMostUrgent();
    const worker = this.#worker;
    if (job === undefined || worker === undefined) return;
    this.#lastId += 1;
    const id = this.#lastId;
    const deadline = this.#options.answerDeadlineMs;
    const timer = this.#clock.setTimer(deadline, () => {
      this.#lose(worker, new SpeechThreadError(`${this.#options.name} did not answer within ${deadline} ms`));
    });
    this.#current = { job, id, timer, startedAt: this.#clock.monotonic() };
    this.#post(worker, { type: "speak", id, request: job.request });
  }

  #takeMostUrgent(): Job | undefined {
    const due = this.#waiting.reduce<Job | undefined>(
      (first, job) => (first === undefined || job.lane.dueAt < first.lane.dueAt ? job : first),
      undefined,
    );
    this.#waiting = this.#waiting.filter((job) => job !== due);
    return due;
  }

  async #start(): Promise<void> {
    const { name, script, workerData, startDeadlineMs } = this.#options;
    const worker = new Worker(script, { name, workerData, execArgv: [] });
    this.#worker = worker;
    const ready = deferred<void>();
    worker.on("message", (message: FromThread) => {
      if (message.type === "ready") ready.resolve();
      else this.#receive(worker, message);
    });
    worker.on("error", (thrown) => {
      const error = new SpeechThreadError(`the thread of ${name} failed`, { cause: toError(thrown) });
      ready.reject(error);
      this.#lose(worker, error);
    });
    worker.on("exit", () => {
      const error = new SpeechThreadError(`the thread of ${name} ended`);
      ready.reject(error);
      this.#lose(worker, error);
    });
    try {
      await withDeadline(this.#clock, startDeadlineMs, `loading ${name}`, ready.promise);
    } catch (error) {
      this.#lose(worker, toError(error));
      throw error;
    }
  }

  #receive(worker: Worker, message: Exclude<FromThread, { type: "ready" }>): void {
    if (message.type === "note") {
      this.#logger.info("speech engine", { engine: this.#options.name, note: message.message });
      return;
    }
    const current = this.#current;
    if (current === undefined || worker !== this.#worker || message.id !== current.id) return;
    this.#current = undefined;
    current.timer.cancel();
    const { job } = current;
    if (message.type === "failed") {
      const text = `${this.#options.name} could not speak a sentence`;
      job.answer.reject(new SpeechThreadError(text, { cause: message.error }));
    } else {
      this.#measure(job.request.text, this.#clock.monotonic() - current.startedAt);
      const ms = millisecondsOf(job.request.format, message.speech.audio.length);
      job.lane.dueAt = Math.max(job.lane.dueAt, this.#clock.monotonic()) + ms;
      job.answer.resolve(message.speech);
    }
    void this.#next();
  }

  /** Short texts say more about the thread's overhead than about its pace, which other load changes all the time. */
  #measure({ length }: string, ms: number): void {
    if (length < SHORTEST_MEASURED) return;
    const before = this.#msPerLetter ?? ms / length;
    this.#msPerLetter = before + (ms / length - before) * MEASURED_WEIGHT;
  }

  /** Gives up a thread: everything that was asked of it fails, and the next request starts another. */
  #lose(worker: Worker, error: Error): void {
    if (worker !== this.#worker) return;
    this.#worker = undefined;
    this.#starting = undefined;
    this.#failAll(error);
    this.#post(worker, { type: "close" });
    worker.unref();
    if (this.#closing === undefined) this.#logger.warn("a speech engine failed", { engine: this.#options.name, error });
  }

  #failAll(error: unknown): void {
    const failed = this.#waiting;
    this.#waiting = [];
    if (this.#current !== undefined) {
      this.#current.timer.cancel();
      failed.push(this.#current.job);
      this.#current = undefined;
    }
    for (const job of failed) job.answer.reject(error);
  }

  async #close(): Promise<void> {
    const worker = this.#worker;
    this.#failAll(new SpeechThreadError(`${this.#options.name} is closed`));
    if (worker === undefined) return;
    const ended = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
    this.#post(worker, { type: "close" });
    try {
      await withDeadline(this.#clock, CLOSE_DEADLINE_MS, `closing ${this.#options.name}`, ended);
    } catch (error) {
      this.#logger.error("a speech engine does not end", { engine: this.#options.name, error: toError(error) });
      worker.unref();
    }
  }

  #post(worker: Worker, message: ToThread): void {
    worker.postMessage(message);
  }
}
