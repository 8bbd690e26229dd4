import { Worker } from "node:worker_threads";
import { deferred, type Deferred } from "../../../kit/deferred.ts";
import { toError } from "../../../kit/errors.ts";
import { withDeadline, type Clock } from "../../../ports/clock.ts";
import type { FromThread, ToThread } from "./embedding-protocol.ts";

/** Loading takes 0.3 s on a laptop, and several seconds on a machine that starts everything at once. */
const LOAD_DEADLINE_MS = 60_000;

/** Requests that may wait for the thread; at 10 ms each the last would be a second late. */
const MAX_WAITING = 100;

/** A thread that died is started again at most this often, in milliseconds, so that one that cannot live costs little. */
const RESTART_AFTER_MS = 30_000;

/** The thread cannot do what was asked; whoever asked goes on without. */
export class EmbedderError extends Error {
  override readonly name = "EmbedderError";
}

/** Sentence embeddings from a worker thread. A thread that dies fails what waits, and is started again by a later request. */
export class Embedder {
  readonly #clock: Clock;
  readonly #script: URL;
  readonly #waiting = new Map<number, Deferred<readonly Float32Array[]>>();
  #worker: Worker | undefined;
  #startedAt = 0;
  #lastId = 0;
  #closed = false;

  private constructor(clock: Clock, script: URL) {
    this.#clock = clock;
    this.#script = script;
  }

  /** Starts the thread, whose body is the module `script`, and waits until it has loaded its model. */
  static async start(clock: Clock, script = new URL("embedding-thread.ts", import.meta.url)): Promise<Embedder> {
    const embedder = new Embedder(clock, script);
    try {
      const ready = embedder.#spawn();
      await withDeadline(clock, LOAD_DEADLINE_MS, "loading the sentence embeddings", ready);
      return embedder;
    } catch (error) {
      await embedder.close();
      throw error;
    }
  }

  /** The texts' meanings, each of length 1, or 0 for a text without words. Rejects with an {@link EmbedderError} when too many wait, or the thread is gone. */
  embed(texts: readonly string[]): Promise<readonly Float32Array[]> {
    if (this.#worker === undefined) this.#respawn();
    if (this.#worker === undefined) return Promise.reject(new EmbedderError("the embedding thread is gone"));
    if (this.#waiting.size >= MAX_WAITING) return Promise.reject(new EmbedderError("too many texts wait"));
    this.#lastId += 1;
    const answer = deferred<readonly Float32Array[]>();
    this.#waiting.set(this.#lastId, answer);
    // A thread that is still loading takes it up when it has loaded.
    this.#worker.postMessage({ id: this.#lastId, texts } satisfies ToThread);
    return answer.promise;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#worker?.terminate();
  }

  #respawn(): void {
    if (this.#closed || this.#clock.monotonic() - this.#startedAt < RESTART_AFTER_MS) return;
    // If it fails to load, what waits is told by the same event.
    this.#spawn().catch(() => undefined);
  }

  /** Resolves when the new thread has loaded. */
  #spawn(): Promise<void> {
    const worker = new Worker(this.#script, { name: "embeddings" });
    const ready = deferred<void>();
    this.#startedAt = this.#clock.monotonic();
    this.#worker = worker;
    const gone = (error: Error): void => {
      ready.reject(error);
      if (this.#worker === worker) this.#lose(error);
    };
    worker.on("message", (message: FromThread) => {
      if ("ready" in message) ready.resolve();
      else this.#take(message);
    });
    worker.on("error", (error: unknown) => gone(toError(error)));
    worker.on("exit", () => gone(new EmbedderError("the embedding thread has ended")));
    return ready.promise;
  }

  #take(message: Exclude<FromThread, { ready: true }>): void {
    const answer = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if ("meanings" in message) answer?.resolve(message.meanings);
    else answer?.reject(new EmbedderError(message.failure));
  }

  #lose(cause: Error): void {
    this.#worker = undefined;
    const error = new EmbedderError("the embedding thread has died", { cause });
    for (const answer of this.#waiting.values()) answer.reject(error);
    this.#waiting.clear();
  }
}
