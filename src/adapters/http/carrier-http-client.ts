import { request as requestPlain, type ClientRequest, type IncomingMessage, type RequestOptions } from "node:http";
import { request as requestTls } from "node:https";
import { toError } from "../../kit/errors.ts";
import type { CarrierHttp, CarrierHttpOutcome, CarrierHttpRequest } from "../../ports/carrier-http.ts";
import type { Clock } from "../../ports/clock.ts";

/** REST over `node:http`, one connection a request. `timeoutMs` is the whole of a request, 10 s unless told. */
export class CarrierHttpClient implements CarrierHttp {
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  readonly #open = new Set<(why: Error) => void>();
  #closed = false;

  constructor(parts: Readonly<{ clock: Clock; timeoutMs?: number }>) {
    this.#clock = parts.clock;
    this.#timeoutMs = parts.timeoutMs ?? REQUEST_MS;
  }

  request(request: CarrierHttpRequest, signal: AbortSignal): Promise<CarrierHttpOutcome> {
    if (this.#closed || signal.aborted) return Promise.resolve(notSent(new Error("asked after its end")));
    return new Promise((resolve) => {
      const exchange = begin(request, (outcome) => {
        timer.cancel();
        signal.removeEventListener("abort", stop);
        this.#open.delete(exchange);
        resolve(outcome);
      });
      const stop = () => {
        exchange(new Error("the request was broken off"));
      };
      const timer = this.#clock.setTimer(this.#timeoutMs, () => {
        exchange(new Error(`the carrier did not answer within ${this.#timeoutMs} ms`));
      });
      signal.addEventListener("abort", stop, { once: true });
      this.#open.add(exchange);
    });
  }

  close(): Promise<void> {
    this.#closed = true;
    for (const stop of this.#open) stop(new Error("the client was closed"));
    return Promise.resolve();
  }
}

const REQUEST_MS = 10_000;
const MOST_ANSWER_BYTES = 1024 * 1024;

/** Starts one exchange and answers how to break it off; `settle` is called once, never before this returns. */
const begin = (request: CarrierHttpRequest, settle: (outcome: CarrierHttpOutcome) => void): ((why: Error) => void) => {
  let connected = false;
  let settled = false;
  let sent: ClientRequest | undefined;
  const end = (outcome: CarrierHttpOutcome) => {
    if (settled) return;
    settled = true;
    sent?.destroy();
    settle(outcome);
  };
  const fail = (cause: Error) => {
    end(connected ? { type: "lost", cause } : notSent(cause));
  };
  try {
    const url = new URL(request.url);
    sent = url.protocol === "https:" ? requestTls(url, optionsOf(request)) : requestPlain(url, optionsOf(request));
    // Nothing is written before the connection stands, for TLS before its handshake is through.
    sent.on("socket", (socket) => {
      socket.once(url.protocol === "https:" ? "secureConnect" : "connect", () => {
        connected = true;
      });
    });
    sent.on("error", fail);
    sent.on("response", (response) => {
      read(response).then(end, (error: unknown) => {
        fail(toError(error));
      });
    });
    sent.end(request.body);
  } catch (error) {
    queueMicrotask(() => {
      fail(toError(error));
    });
  }
  return fail;
};

const optionsOf = ({ method, headers, body }: CarrierHttpRequest): RequestOptions => ({
  method,
  agent: false,
  headers: {
    "user-agent": "call-engine",
    accept: "application/json",
    ...headers,
    ...(body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) }),
    connection: "close",
  },
});

const read = async (response: IncomingMessage): Promise<CarrierHttpOutcome> => {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of response) {
    const chunk = part as Buffer;
    bytes += chunk.length;
    if (bytes > MOST_ANSWER_BYTES) throw new Error("the carrier's answer is larger than a megabyte");
    parts.push(chunk);
  }
  const headers = Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : value]),
  );
  return { type: "answered", status: response.statusCode ?? 0, headers, body: Buffer.concat(parts).toString("utf8") };
};

const notSent = (cause: Error): CarrierHttpOutcome => ({ type: "not-sent", cause });
