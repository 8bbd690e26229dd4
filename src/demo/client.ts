import { createParser } from "./server-sent-events.ts";
import type { CreatedDial, Dial } from "../model/dial.ts";
import type { LiveEvent } from "../model/live-event.ts";
import { sleep, type Clock } from "../ports/clock.ts";

/** How long any answer of our own service may take. */
const REQUEST_MS = 15_000;

/** A client of the service over HTTP, as anybody could write it. */
export class DemoClient {
  readonly #baseUrl: string;
  readonly #key: string;
  readonly #clock: Clock;

  constructor(baseUrl: string, key: string, clock: Clock) {
    this.#baseUrl = baseUrl;
    this.#key = key;
    this.#clock = clock;
  }

  async createDial(body: Readonly<Record<string, unknown>>): Promise<CreatedDial> {
    return (await this.#json("POST", "/dials", body)) as CreatedDial;
  }

  async dial(id: string): Promise<Dial> {
    return (await this.#json("GET", `/dials/${id}`)) as Dial;
  }

  async hangUp(id: string): Promise<void> {
    await this.#json("POST", `/dials/${id}/hangup`, {});
  }

  /** The bytes of a recording. */
  async recording(url: string): Promise<Uint8Array> {
    const response = await this.#fetch("GET", url);
    return new Uint8Array(await response.arrayBuffer());
  }

  /** What happens in a call, until it is over. */
  async *events(id: string, signal: AbortSignal): AsyncGenerator<LiveEvent> {
    const response = await this.#fetch("GET", `${this.#baseUrl}/dials/${id}/events`, undefined, signal);
    const parser = createParser();
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? [])
      for (const data of parser.push(decoder.decode(chunk as Uint8Array, { stream: true })))
        yield JSON.parse(data) as LiveEvent;
  }

  async #json(method: string, path: string, body?: unknown): Promise<unknown> {
    return (await this.#fetch(method, `${this.#baseUrl}${path}`, body)).json();
  }

  async #fetch(method: string, url: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
    const overdue = new AbortController();
    const timer = this.#clock.setTimer(REQUEST_MS, () => {
      overdue.abort(new Error(`${method} ${new URL(url).pathname} took longer than ${REQUEST_MS} ms`));
    });
    try {
      const response = await fetch(url, {
        method,
        headers: {
          authorization: `Bearer ${this.#key}`,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: signal ?? overdue.signal,
      });
      if (!response.ok)
        throw new Error(`${method} ${new URL(url).pathname} answered ${response.status}: ${await response.text()}`);
      return response;
    } finally {
      timer.cancel();
    }
  }

  /** Reads a dial until a condition holds; rejects after `limitMs`. */
  async until(id: string, condition: (dial: Dial) => boolean, limitMs: number): Promise<Dial> {
    const limit = this.#clock.monotonic() + limitMs;
    for (;;) {
      const dial = await this.dial(id);
      if (condition(dial)) return dial;
      if (this.#clock.monotonic() > limit)
        throw new Error(`the dial is still ${dial.status ?? "unknown"} after ${limitMs} ms`);
      await sleep(this.#clock, 200);
    }
  }
}
