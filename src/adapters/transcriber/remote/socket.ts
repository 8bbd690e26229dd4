import { WebSocket, type RawData } from "ws";
import { kindOfStatus, ProviderError, type ProviderErrorKind } from "../../../ports/provider-error.ts";
import { messageOf, type Message } from "./message.ts";

export type SocketParts = Readonly<{
  provider: string;
  url: URL;
  headers: Readonly<Record<string, string>>;
  /** What to do about a failure, by its kind; part of the error's message. */
  advice: Readonly<Record<ProviderErrorKind, string>>;
  /** The kind that a vendor's own close code stands for; others are `unavailable`. */
  kindOfClose?(code: number): ProviderErrorKind | undefined;
  opened(): void;
  message(message: Message): void;
  /** Told once, and not after `close`. */
  lost(error: ProviderError): void;
}>;

/** A vendor's messages are short; more is not meant for us. */
const MOST_BYTES = 1024 * 1024;

/** A handshake that takes longer is broken off by the socket itself, should nobody else do it. */
const HANDSHAKE_MS = 10_000;

/** A closing handshake that the vendor does not answer. */
const CLOSE_GRACE_CODE = 1000;

/** A websocket to a vendor that speaks JSON: what it failed by becomes one {@link ProviderError}. */
export class Socket {
  readonly #parts: SocketParts;
  readonly #socket: WebSocket;
  #over = false;
  #answered = true;

  constructor(parts: SocketParts) {
    this.#parts = parts;
    this.#socket = new WebSocket(parts.url, {
      headers: parts.headers,
      handshakeTimeout: HANDSHAKE_MS,
      maxPayload: MOST_BYTES,
      perMessageDeflate: false,
      followRedirects: false,
    });
    this.#socket.on("open", () => {
      if (!this.#over) parts.opened();
    });
    this.#socket.on("message", (data, binary) => {
      if (!this.#over) this.#read(data, binary);
    });
    this.#socket.on("pong", () => {
      this.#answered = true;
    });
    this.#socket.on("unexpected-response", (_request, response) => {
      const status = response.statusCode ?? 0;
      response.resume();
      this.fail(kindOfStatus(status) ?? "unavailable", `answered ${status}`);
    });
    this.#socket.on("error", (error) => {
      this.fail("unavailable", "cannot be reached or broke off", error);
    });
    this.#socket.on("close", (code) => {
      this.fail(parts.kindOfClose?.(code) ?? "unavailable", `ended the connection (${code})`);
    });
  }

  /** Bytes that wait to be taken by the network. */
  get waitingBytes(): number {
    return this.#socket.bufferedAmount;
  }

  send(data: string | Uint8Array): void {
    if (!this.#over && this.#socket.readyState === WebSocket.OPEN) this.#socket.send(data);
  }

  sendMessage(message: Message): void {
    this.send(JSON.stringify(message));
  }

  /** Asks whether the vendor is there; one that has not answered by the next time is not. */
  ping(): void {
    if (this.#over || this.#socket.readyState !== WebSocket.OPEN) return;
    if (!this.#answered) {
      this.fail("unavailable", "does not answer any more");
      return;
    }
    this.#answered = false;
    this.#socket.ping();
  }

  /** Gives the connection up for a reason. */
  fail(kind: ProviderErrorKind, what: string, cause?: Error): void {
    if (this.#over) return;
    this.#end();
    this.#socket.terminate();
    const { provider, advice, lost } = this.#parts;
    lost(new ProviderError(provider, kind, `${what} (${advice[kind]})`, cause));
  }

  /** Says goodbye with `last` and lets the socket close by itself. */
  close(last?: Message): void {
    if (this.#over) return;
    if (this.#socket.readyState === WebSocket.OPEN) {
      if (last !== undefined) this.sendMessage(last);
      this.#end();
      this.#socket.close(CLOSE_GRACE_CODE);
      return;
    }
    this.#end();
    this.#socket.terminate();
  }

  /** Nothing is told from here on; an error that still comes finds a listener, since it would end the process without. */
  #end(): void {
    this.#over = true;
    this.#socket.removeAllListeners("message");
  }

  #read(data: RawData, binary: boolean): void {
    const message = binary ? undefined : messageOf(textIn(data));
    if (message === undefined) this.fail("unavailable", "sent something that is no JSON object");
    else this.#parts.message(message);
  }
}

const textIn = (data: RawData): string => {
  if (Array.isArray(data)) return Buffer.concat(data).toString("utf8");
  return Buffer.isBuffer(data) ? data.toString("utf8") : Buffer.from(data).toString("utf8");
};
