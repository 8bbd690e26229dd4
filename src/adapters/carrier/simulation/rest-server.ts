import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { toError } from "../../../kit/errors.ts";
import type { Logger } from "../../../ports/logger.ts";

/** A request to a simulated carrier's REST interface; `body` are the fields of `text` when it is JSON or a form, none when it is neither. */
export type RestRequest = Readonly<{
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  text: string;
  body: Readonly<Record<string, unknown>>;
}>;

/** `lost`: what was asked for may be done, and is never answered. */
export type RestAnswer =
  | Readonly<{ status: number; body?: unknown; headers?: Readonly<Record<string, string>> }>
  | "lost";

/** HTTP for a simulated carrier; every request is read whole, a megabyte at the most, and answered in JSON. */
export class RestServer {
  readonly #server: Server;
  readonly #host: string;
  readonly #answer: (request: RestRequest) => RestAnswer;

  constructor(parts: Readonly<{ host: string; logger: Logger; answer(request: RestRequest): RestAnswer }>) {
    this.#host = parts.host;
    this.#answer = (request) => parts.answer(request);
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch((error: unknown) => {
        parts.logger.error("a simulated carrier failed", { error: toError(error) });
        response.destroy();
      });
    });
  }

  /** Origin, once it listens. */
  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://${this.#host}:${port}`;
  }

  listen(port: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(port, this.#host, resolve);
    });
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await textOf(request);
    const url = new URL(request.url ?? "/", "http://x");
    const answer = this.#answer({
      method: request.method ?? "",
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      text,
      body: fieldsOf(text, request.headers["content-type"] ?? ""),
    });
    // Granted, and never answered: the other side's patience ends it.
    if (answer === "lost") return;
    response.writeHead(answer.status, { "content-type": "application/json", ...answer.headers });
    response.end(answer.body === undefined ? undefined : JSON.stringify(answer.body));
  }
}

const MOST_BODY_BYTES = 1024 * 1024;

const textOf = async (request: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request) {
    bytes += (part as Buffer).length;
    if (bytes > MOST_BODY_BYTES) throw new Error("the request is too large");
    parts.push(part as Buffer);
  }
  return Buffer.concat(parts).toString("utf8");
};

const fieldsOf = (text: string, contentType: string): Readonly<Record<string, unknown>> => {
  if (contentType.includes("form-urlencoded")) return Object.fromEntries(new URLSearchParams(text));
  try {
    const value: unknown = text === "" ? {} : JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
};
