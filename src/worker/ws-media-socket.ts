import type { Duplex } from "node:stream";
import { WebSocket, type RawData } from "ws";
import type { MediaSocket } from "../ports/media-socket.ts";
import { messageFrame } from "./websocket-frame.ts";

type Handlers = Parameters<MediaSocket["listen"]>[0];

/** A server-side websocket of the `ws` library as a {@link MediaSocket}. Errors of the library end in `closed`, never in a throw. */
export class WsMediaSocket implements MediaSocket {
  readonly #ws: WebSocket;
  readonly #connection: Duplex | undefined;
  #handlers: Handlers | undefined;
  #early: (string | Uint8Array)[] = [];
  #closed = false;
  #code: number | undefined;
  #wake: (() => void) | undefined;

  /** With the connection below it, which `ws` was made of without extensions, messages go out by the short way. */
  constructor(ws: WebSocket, connection?: Duplex) {
    this.#ws = ws;
    this.#connection = connection;
    ws.on("message", (data, isBinary) => this.#receive(isBinary ? bytesOf(data) : bytesOf(data).toString("utf8")));
    // A protocol error or a reset connection; `close` follows in every case.
    ws.on("error", () => ws.terminate());
    ws.on("close", (code) => {
      this.#closed = true;
      this.#code = code;
      this.#wake?.();
      this.#handlers?.closed(code);
    });
  }

  get bufferedAmount(): number {
    return this.#ws.bufferedAmount;
  }

  listen(handlers: Handlers): void {
    this.#handlers = handlers;
    const early = this.#early;
    this.#early = [];
    for (const data of early) handlers.message(data);
    if (this.#closed) handlers.closed(this.#code);
  }

  /** The first message, taken out of those that are held for `listen`; `undefined` when the socket closes without one. */
  async first(): Promise<string | Uint8Array | undefined> {
    if (this.#early.length === 0 && !this.#closed)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    return this.#early.shift();
  }

  send(data: string | Uint8Array): void {
    if (this.#ws.readyState !== WebSocket.OPEN) return;
    // `ws` writes whole frames in one go and so does this, so that neither comes between two halves of the other's.
    if (this.#connection !== undefined) this.#connection.write(messageFrame(data));
    // The callback takes write errors, which `close` reports anyway.
    else this.#ws.send(data, () => undefined);
  }

  close(code: number, reason: string): void {
    // RFC 6455 leaves 123 bytes for a reason.
    if (this.#ws.readyState === WebSocket.OPEN) this.#ws.close(code, reason.slice(0, 120));
    else if (this.#ws.readyState === WebSocket.CONNECTING) this.#ws.terminate();
  }

  #receive(data: string | Uint8Array): void {
    if (this.#handlers !== undefined) this.#handlers.message(data);
    else if (this.#early.length < MOST_EARLY) {
      this.#early.push(data);
      this.#wake?.();
    } else this.close(1008, "too much was said before the handshake");
  }
}

const MOST_EARLY = 64;

const bytesOf = (data: RawData): Buffer => {
  if (Buffer.isBuffer(data)) return data;
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
};
