import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer, type ServerOptions, type WebSocket } from "ws";
import { toError } from "../kit/errors.ts";
import type { Clock, Timer } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";

export type SocketDoorParts = Readonly<{
  clock: Clock;
  logger: Logger;
  /** Sockets that may be between their request and being let in; more are to be told to come again. */
  mostWaiting: number;
  /** A larger message ends its socket, in bytes. */
  mostMessageBytes: number;
  /** How often peers are asked whether they are there; who has not answered by the next time is gone. */
  pingMs: number;
  /** Which of the subprotocols that are offered is taken up. */
  handleProtocols?: ServerOptions["handleProtocols"];
}>;

/** Takes websockets in, out of an HTTP server's upgrade requests, and knows all that are open. */
export class SocketDoor {
  readonly #parts: SocketDoorParts;
  readonly #server: WebSocketServer;
  /** Connections between their request and the end of the websocket handshake, and what ends them when they fail. */
  readonly #raw = new Map<Duplex, () => void>();
  readonly #unanswered = new WeakSet<WebSocket>();
  #waiting = 0;
  #pings: Timer | undefined;
  #closing: Promise<void> | undefined;

  constructor(parts: SocketDoorParts) {
    this.#parts = parts;
    const { mostMessageBytes: maxPayload, handleProtocols } = parts;
    this.#server = new WebSocketServer({
      ...ALWAYS,
      maxPayload,
      ...(handleProtocols === undefined ? {} : { handleProtocols }),
    });
  }

  /** Sockets on their way in, and open ones. */
  get load(): Readonly<{ waiting: number; open: number }> {
    return { waiting: this.#waiting, open: this.#server.clients.size };
  }

  /** Whether nobody else may come in now. */
  get full(): boolean {
    return this.closed || this.#waiting >= this.#parts.mostWaiting;
  }

  /** Whether nobody may come in any more. */
  get closed(): boolean {
    return this.#closing !== undefined;
  }

  /** Keeps a peer that goes away from being an error that nobody handles. For every request, the refused ones as well. */
  guard(socket: Duplex): void {
    const end = () => socket.destroy();
    this.#raw.set(socket, end);
    socket.on("error", end);
    socket.once("close", () => this.#raw.delete(socket));
  }

  /** Counts a request as being on its way in while `work` lets it in; what `work` throws ends the connection. Never rejects. */
  async pass(socket: Duplex, work: () => Promise<void>): Promise<void> {
    this.#waiting += 1;
    try {
      await work();
    } catch (error) {
      this.#parts.logger.error("a socket failed on its way in", { error: toError(error) });
      socket.destroy();
    } finally {
      this.#raw.delete(socket);
      this.#waiting -= 1;
    }
  }

  /** The websocket handshake; `undefined` when `ws` refused it, which it answers with an HTTP error by itself. */
  async upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<WebSocket | undefined> {
    const ws = await new Promise<WebSocket | undefined>((resolve) => {
      if (socket.destroyed) resolve(undefined);
      socket.once("close", () => resolve(undefined));
      this.#server.handleUpgrade(request, socket, head, resolve);
    });
    const end = this.#raw.get(socket);
    if (end !== undefined) socket.off("error", end);
    this.#raw.delete(socket);
    if (ws === undefined) return undefined;
    ws.on("pong", () => this.#unanswered.delete(ws));
    this.#pings ??= this.#parts.clock.setTimer(this.#parts.pingMs, () => this.#ping());
    return ws;
  }

  /** Lets nobody in any more and closes every socket; resolves when all are gone. Idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** Keeps paths through proxies open, and ends sockets whose peer has answered nothing since the last round. */
  #ping(): void {
    for (const ws of this.#server.clients) {
      if (this.#unanswered.has(ws)) {
        ws.terminate();
        continue;
      }
      this.#unanswered.add(ws);
      ws.ping(() => undefined);
    }
    const { clock, pingMs } = this.#parts;
    this.#pings = this.#server.clients.size === 0 ? undefined : clock.setTimer(pingMs, () => this.#ping());
  }

  async #close(): Promise<void> {
    this.#pings?.cancel();
    for (const socket of this.#raw.keys()) socket.destroy();
    const clients = [...this.#server.clients];
    const gone = clients.map((ws) => new Promise<void>((resolve) => ws.once("close", () => resolve())));
    for (const ws of clients) ws.close(1001, "the service stops");
    const timer = this.#parts.clock.setTimer(CLOSE_MS, () => {
      for (const ws of clients) ws.terminate();
    });
    await Promise.all(gone);
    timer.cancel();
    this.#server.close();
  }
}

const CLOSE_MS = 1000;

const ALWAYS = {
  noServer: true,
  // Compression would add a delay and a zlib state to every socket; TCP no-delay is what `ws` sets by itself.
  perMessageDeflate: false,
  clientTracking: true,
  /** How long a peer may take to answer our close, in milliseconds. */
  closeTimeout: CLOSE_MS,
} as const;
