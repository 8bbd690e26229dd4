import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What the server does with one request; each string or byte array is written as a chunk of its own. */
export type Script = Readonly<{
  status?: number;
  contentType?: string;
  chunks: readonly (string | Uint8Array | typeof STALL | typeof BREAK | typeof HALF_CLOSE | typeof HOLD)[];
}>;

/** Instead of a chunk: keeps the connection open and silent until the client leaves. */
export const STALL = Symbol("stall");

/** Instead of a chunk: destroys the connection. */
export const BREAK = Symbol("break");

/** Instead of a chunk: ends this side of the connection, in the middle of the answer. */
export const HALF_CLOSE = Symbol("half-close");

/** Instead of a chunk: waits for `release`. */
export const HOLD = Symbol("hold");

export type SeenRequest = Readonly<{
  path: string;
  authorization: string | undefined;
  headers: IncomingMessage["headers"];
  body: Record<string, unknown>;
}>;

/** A real server on loopback that plays scripts in order, keeps what it was asked, and knows whether all was used. */
export class CompletionsServer {
  readonly requests: SeenRequest[] = [];
  readonly #scripts: Script[] = [];
  readonly #server: Server;
  readonly #left: Promise<void>[] = [];
  readonly #holds: (() => void)[] = [];
  #held: (() => void) | undefined;
  #failure: Error | undefined;

  private constructor() {
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch((error: unknown) => {
        this.#failure = error instanceof Error ? error : new Error(String(error));
        response.destroy();
      });
    });
  }

  static async start(): Promise<CompletionsServer> {
    const made = new CompletionsServer();
    made.#server.listen(0, "127.0.0.1");
    await once(made.#server, "listening");
    return made;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  play(...scripts: readonly Script[]): void {
    this.#scripts.push(...scripts);
  }

  /** Lets all answers go on that wait at a `HOLD`. */
  release(): void {
    for (const go of this.#holds.splice(0)) go();
  }

  /** Resolves when so many answers wait at a `HOLD`. */
  async holding(count: number): Promise<void> {
    while (this.#holds.length < count)
      await new Promise<void>((resolve) => {
        this.#held = resolve;
      });
  }

  /** Resolves when every client that was kept waiting by `stall` has left. */
  async clientsLeft(): Promise<void> {
    await Promise.all(this.#left);
  }

  /** Throws when scripts are left over or were too few. */
  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#scripts.length > 0) throw new Error(`${this.#scripts.length} scripts were not used`);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    this.requests.push({
      path: request.url ?? "",
      authorization: request.headers.authorization,
      headers: request.headers,
      body: JSON.parse(Buffer.concat(parts).toString()) as Record<string, unknown>,
    });
    const script = this.#scripts.shift();
    if (script === undefined) throw new Error("more requests than scripts");
    response.writeHead(script.status ?? 200, { "content-type": script.contentType ?? "text/event-stream" });
    response.flushHeaders();
    for (const chunk of script.chunks) {
      if (chunk === STALL) {
        this.#left.push(once(response, "close").then(() => undefined));
        return;
      }
      if (chunk === BREAK) {
        response.destroy();
        return;
      }
      if (chunk === HALF_CLOSE) {
        response.socket?.end();
        return;
      }
      if (chunk === HOLD) {
        const released = new Promise<void>((resolve) => this.#holds.push(resolve));
        this.#held?.();
        await released;
        continue;
      }
      response.write(chunk);
      // One turn of the loop each, so that chunks reach the client apart from one another.
      await new Promise((resolve) => setImmediate(resolve));
    }
    response.end();
  }
}

/** A piece of an answer in the wire format. */
export const delta = (change: Record<string, unknown>, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: "x", choices: [{ index: 0, delta: change, finish_reason: finish }] })}\n\n`;

export const finished = (reason = "stop"): string => delta({}, reason);

export const usage = (input: number, output: number): string =>
  `data: ${JSON.stringify({ id: "x", choices: [], usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output } })}\n\n`;

export const DONE = "data: [DONE]\n\n";

/** An answer of the given pieces, complete in every respect. */
export const answer = (...pieces: readonly string[]): Script => ({
  chunks: [
    delta({ role: "assistant", content: "" }),
    ...pieces.map((content) => delta({ content })),
    finished(),
    usage(7, pieces.length),
    DONE,
  ],
});
