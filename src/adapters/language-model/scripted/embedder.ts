import { Worker } from "node:worker_threads";
import { deferred, type Deferred } from "../../../kit/deferred.ts";
import { toError } from "../../../kit/errors.ts";
import { withDeadline, type Clock } from "../../../ports/clock.ts";
import type { FromThread, ToThread } from "./embedding-protocol.ts";

/** Loading takes 0.3 s on a laptop, and several seconds on a machine that starts everything at once. */
const LOAD_DEADLINE_MS = 60_000;

/** Requests that may wait for the thread; at 10 ms each the last would be a second late. */
const MAX_WAITING = 100;

/** The thread cannot do what was asked; whoever asked goes on without. */
export class EmbedderError extends Error {
  override readonly name = "EmbedderError";
}

/** Sentence embeddings from a worker thread. */
export class Embedder {
  readonly #worker: Worker;
  readonly #ready: Deferred<void> = deferred();
  readonly #waiting = new Map<number, Deferred<readonly Float32Array[]>>();
  #lastId = 0;
  #gone: Error | undefined;

  private constructor() {
    // Whoever waits for it is told; after that nobody may be left to hear of a thread that ends.
    this.#ready.promise.catch(() => undefined);
    this.#worker = new Worker(new URL("embedding-thread.ts", import.meta.url), { name: "embeddings" });
    this.#worker.on("message", (message: FromThread) => this.#take(message));
    this.#worker.on("error", (error: unknown) => this.#fail(toError(error)));
    this.#worker.on("exit", () => this.#fail(new EmbedderError("the embedding thread has ended")));
  }

  /** Starts the thread and waits until it has loaded its model. */
  static async start(clock: Clock): Promise<Embedder> {
    const embedder = new Embedder();
    try {
      await withDeadline(clock, LOAD_DEADLINE_MS, "loading the sentence embeddings", embedder.#ready.promise);
      return embedder;
    } catch (error) {
      await embedder.close();
      throw error;
    }
  }

  /** The texts' meanings, each of length 1. Rejects with an {@link EmbedderError} when too many wait, or the thread is gone. */
  embed(texts: readonly string[]): Promise<readonly Float32Array[]> {
    if (this.#gone !== undefined) return Promise.reject(new EmbedderError("the thread is gone", { cause: this.#gone }));
    if (this.#waiting.size >= MAX_WAITING) return Promise.reject(new EmbedderError("too many texts wait"));
    this.#lastId += 1;
    const answer = deferred<readonly Float32Array[]>();
    this.#waiting.set(this.#lastId, answer);
    this.#worker.postMessage({ id: this.#lastId, texts } satisfies ToThread);
    return answer.promise;
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #take(message: FromThread): void {
    if ("ready" in message) {
      this.#ready.resolve();
      return;
    }
    const answer = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if ("meanings" in message) answer?.resolve(message.meanings);
    else answer?.reject(new EmbedderError(message.failure));
  }

  #fail(error: Error): void {
    this.#gone ??= error;
    this.#ready.reject(error);
    for (const answer of this.#waiting.values()) answer.reject(error);
    this.#waiting.clear();
  }
}
