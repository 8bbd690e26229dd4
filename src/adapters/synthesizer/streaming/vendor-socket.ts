import { WebSocket, type RawData } from "ws";
import { toError } from "../../../kit/errors.ts";
import type { Clock } from "../../../ports/clock.ts";
import { kindOfStatus, ProviderError } from "../../../ports/provider-error.ts";
import type { Tap } from "./arrivals.ts";

/** Where a connection leads; connections with the same key can stand in for each other. */
export type SocketTarget = Readonly<{ key: string; url: string; headers: Readonly<Record<string, string>> }>;

export type SocketListener = Readonly<{
  message(data: string | Uint8Array): void;
  /** The connection is gone; told once. */
  lost(error: ProviderError): void;
}>;

/** Opening takes two or three round trips; a vendor that needs this long cannot hold a conversation. */
const CONNECT_MS = 3000;

/** One message holds at most some seconds of sound; whatever sends more is no synthesizer. */
const MOST_MESSAGE_BYTES = 4 * 1024 * 1024;

/** A websocket to a vendor, for one listener at a time. */
export class VendorSocket implements Tap {
  readonly key: string;
  readonly #provider: string;
  readonly #socket: WebSocket;
  #listener: SocketListener | undefined;
  #lost: ProviderError | undefined;

  /**
   * Connects.
   *
   * @throws {ProviderError} by the status that the vendor answers with, or `unavailable` when it cannot be reached within 3 s.
   */
  static open(provider: string, target: SocketTarget, clock: Clock, signal: AbortSignal): Promise<VendorSocket> {
    return new Promise((resolve, reject) => {
      const socket = new WebSocket(target.url, {
        headers: target.headers,
        perMessageDeflate: false,
        maxPayload: MOST_MESSAGE_BYTES,
      });
      const settle = (how: () => void) => {
        timer.cancel();
        signal.removeEventListener("abort", stop);
        how();
      };
      const fail = (error: unknown) => {
        settle(() => {
          socket.terminate();
          reject(toError(error));
        });
      };
      const stop = () => {
        fail(signal.reason);
      };
      const timer = clock.setTimer(CONNECT_MS, () => {
        fail(new ProviderError(provider, "unavailable", `did not accept a connection within ${CONNECT_MS} ms`));
      });
      // Terminating a socket that still connects is told as an error, when nobody listens any more.
      socket.on("error", (cause) => {
        fail(new ProviderError(provider, "unavailable", "the connection failed", cause));
      });
      socket.once("unexpected-response", (request, { statusCode = 0 }) => {
        request.destroy();
        const kind = kindOfStatus(statusCode) ?? "unavailable";
        fail(new ProviderError(provider, kind, `answered the connection with status ${statusCode}`));
      });
      socket.once("open", () => {
        settle(() => {
          resolve(new VendorSocket(provider, target.key, socket));
        });
      });
      if (signal.aborted) stop();
      else signal.addEventListener("abort", stop, { once: true });
    });
  }

  private constructor(provider: string, key: string, socket: WebSocket) {
    this.key = key;
    this.#provider = provider;
    this.#socket = socket;
    socket.on("message", (data, isBinary) => {
      this.#listener?.message(isBinary ? bytesOf(data) : textOf(data));
    });
    socket.on("error", (cause) => {
      this.#lose(new ProviderError(provider, "unavailable", "the connection broke", cause));
    });
    socket.on("close", (code) => {
      this.#lose(new ProviderError(provider, kindOfClose(code), `closed the connection (code ${code})`));
    });
  }

  get alive(): boolean {
    return this.#lost === undefined && this.#socket.readyState === WebSocket.OPEN;
  }

  /** Whoever listened before hears nothing any more. A listener of a lost connection learns that at once. */
  listen(listener: SocketListener | undefined): void {
    this.#listener = listener;
    if (this.#lost !== undefined) listener?.lost(this.#lost);
  }

  send(message: string): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(message);
    else this.#lose(new ProviderError(this.#provider, "unavailable", "the connection is closing"));
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  /** Ends the connection at once. Idempotent. */
  terminate(): void {
    this.#listener = undefined;
    this.#socket.terminate();
  }

  #lose(error: ProviderError): void {
    if (this.#lost !== undefined) return;
    this.#lost = error;
    this.#listener?.lost(error);
  }
}

/** Vendors close with 1008 (a policy) when they refuse what was asked, and with 1013 when they have too much to do. */
const kindOfClose = (code: number) => {
  if (code === 1008) return "rejected";
  return code === 1013 ? "rate-limited" : "unavailable";
};

const bytesOf = (data: RawData): Uint8Array => {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data;
};

const textOf = (data: RawData): string => Buffer.from(bytesOf(data)).toString("utf8");
