import { isPassing, NoAnswer, readProblem } from "./errors.ts";
import { pause, type Machine } from "./machine.ts";
import { EventParser, type ServerSentEvent } from "./server-sent-events.ts";
import { Watch } from "./watch.ts";

/** What does the sending: `fetch`, or something that behaves like it. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export type TransportOptions = Readonly<{
  baseUrl: string;
  credential: string;
  fetch: Fetch;
  timeoutMs: number;
  machine: Machine;
}>;

export type Sending = Readonly<{
  method: string;
  /** Below the base URL, with its query. */
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: unknown;
  /** Of a body that goes out as it is; without one, the body goes as JSON. */
  contentType?: string | undefined;
  /** Doing it twice is doing it once. */
  repeatable: boolean;
  /** Sound may lie elsewhere, at a signed address; `fetch` leaves the credential behind when it goes to another origin. */
  followed?: boolean;
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
}>;

/** Requests that may be repeated are sent so many times in all. */
const ATTEMPTS = 3;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 8000;

/** Who asks for more patience than this gets none: the error is told instead. */
const LONGEST_ASKED_MS = 30_000;

/** The service says something every 15 s; after three silences the connection is dead, whatever the sockets believe. */
const SILENCE_MS = 45_000;

/** Sends requests with the credential and a time limit, and turns what goes wrong into errors of ours. */
export class Transport {
  readonly machine: Machine;
  readonly #options: TransportOptions;

  constructor(options: TransportOptions) {
    this.machine = options.machine;
    this.#options = options;
  }

  /**
   * What `read` makes of the answer. The time limit holds for each attempt, reading included.
   *
   * @throws {ApiProblem | NoAnswer} and the reason of the signal when it aborts.
   */
  async send<T>(sending: Sending, read: (response: Response) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#watched(sending, async (watch) => read(await this.#open(sending, watch)));
      } catch (error) {
        const ms = sending.repeatable && attempt < ATTEMPTS ? pauseBefore(this.machine, error, attempt) : undefined;
        if (ms === undefined) throw error;
        await pause(this.machine, ms, sending.signal);
      }
    }
  }

  /** The events of one connection, until it ends. It is not opened again. */
  async *events(sending: Sending): AsyncGenerator<ServerSentEvent, void, undefined> {
    const watch = new Watch(this.machine, sending.signal);
    let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
    try {
      const response = await this.#orNoAnswer(sending, watch, this.#open(sending, watch));
      reader = response.body?.getReader();
      const parser = new EventParser();
      const decoder = new TextDecoder();
      for (;;) {
        watch.expect(SILENCE_MS);
        const chunk = await this.#orNoAnswer(sending, watch, reader?.read() ?? Promise.resolve(END));
        if (chunk.done) return;
        yield* parser.push(decoder.decode(chunk.value, { stream: true }));
      }
    } finally {
      watch.close();
      await reader?.cancel().catch(() => undefined);
    }
  }

  async #watched<T>(sending: Sending, work: (watch: Watch) => Promise<T>): Promise<T> {
    const watch = new Watch(this.machine, sending.signal);
    try {
      return await this.#orNoAnswer(sending, watch, work(watch));
    } finally {
      watch.close();
    }
  }

  async #open(sending: Sending, watch: Watch): Promise<Response> {
    const { method, path, headers = {}, body, contentType, followed = false } = sending;
    watch.expect(sending.timeoutMs ?? this.#options.timeoutMs);
    const response = await this.#options.fetch(`${this.#options.baseUrl}${path}`, {
      method,
      headers: {
        ...headers,
        authorization: `Bearer ${this.#options.credential}`,
        ...(body === undefined ? {} : { "content-type": typeOf(body, contentType) }),
      },
      ...(body === undefined ? {} : { body: contentType === undefined ? JSON.stringify(body) : (body as Blob) }),
      cache: "no-store",
      credentials: "omit",
      // Elsewhere is where nobody has meant the credential and the body to go.
      redirect: followed ? "follow" : "error",
      signal: watch.signal,
    });
    if (!response.ok) throw await readProblem(response);
    return response;
  }

  async #orNoAnswer<T>({ method, path, signal }: Sending, watch: Watch, work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      if (signal?.aborted === true) throw signal.reason;
      if (error instanceof Error && error.name === "ApiProblem") throw error;
      const what = `${method} ${path.replace(/\?.*/s, "")}`;
      if (watch.expired) throw new NoAnswer(`${what} was not answered in time`, { cause: error });
      throw new NoAnswer(`${what} was not answered: ${String(error)}`, { cause: error });
    }
  }
}

const END = { done: true, value: undefined } as const;

/** How long to wait before the next attempt, with some chance in it, so that many clients do not come back together. */
export const pauseBefore = (machine: Machine, error: unknown, attempt: number): number | undefined => {
  if (!isPassing(error)) return undefined;
  const asked = "retryAfterMs" in error ? (error.retryAfterMs ?? 0) : 0;
  if (asked > LONGEST_ASKED_MS) return undefined;
  const most = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1));
  return asked + most * (0.5 + machine.fraction() / 2);
};

/** A file knows better than the operation which of the types that are taken it is. */
const typeOf = (body: unknown, contentType: string | undefined): string =>
  contentType === undefined ? "application/json" : (body as Blob).type || contentType;
