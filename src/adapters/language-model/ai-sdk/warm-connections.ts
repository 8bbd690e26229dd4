import type { Socket } from "node:net";
import { Agent, buildConnector, fetch as fetchOver } from "undici";

/** Connections stay open between the answers of a conversation, in milliseconds; vendors keep theirs for a minute and longer. */
const KEEP_ALIVE_MS = 20_000;

/** The system asks after a silent other side this often, in milliseconds, so that a connection that is gone is not handed out. */
const PROBE_MS = 10_000;

/** Longest that names and handshakes may take, in milliseconds; whoever waits for an answer gives up sooner. */
const CONNECT_MS = 10_000;

/** Hosts that are made ready for; a vendor has one. */
const MOST_READY = 8;

/**
 * Connections to a vendor, some of them opened before anybody asks: name, TCP and TLS are then over when the first request comes. Nothing
 * is sent over a connection that is only made ready, so that a vendor counts no request.
 */
export class WarmConnections {
  /** For the SDK in place of the one that is built in, whose connections nobody can open ahead. */
  readonly fetch: typeof globalThis.fetch;
  readonly #connect = buildConnector({ timeout: CONNECT_MS, allowH2: false, keepAliveInitialDelay: PROBE_MS });
  readonly #agent: Agent;
  /** By protocol, host and port: a connection that is open or being opened; `undefined` in the end where it could not be. */
  readonly #ready = new Map<string, Promise<Socket | undefined>>();
  #closed = false;

  constructor() {
    this.#agent = new Agent({
      allowH2: false,
      keepAliveTimeout: KEEP_ALIVE_MS,
      bodyTimeout: 0,
      headersTimeout: 0,
      connect: (options, callback) => {
        void this.#give(options, callback);
      },
    });
    const overAgent = (input: string, init: object) => fetchOver(input, { ...init, dispatcher: this.#agent });
    // The two are of one make, and differ in where their types are written down; the SDK passes addresses as text.
    this.fetch = overAgent as unknown as typeof globalThis.fetch;
  }

  /** Opens a connection to where `url` points, unless one is there that is not in use. Never fails; what cannot be opened is opened later. */
  warm(url: string): void {
    const { protocol, hostname, port, origin } = new URL(url);
    const options = { protocol, hostname, port };
    const key = keyOf(options);
    const pool = this.#agent.stats[origin];
    const isFree = pool !== undefined && Number(pool.connected) > pool.size;
    if (this.#closed || isFree || this.#ready.has(key) || this.#ready.size >= MOST_READY) return;
    const { promise, resolve } = Promise.withResolvers<Socket | undefined>();
    this.#ready.set(key, promise);
    const drop = () => {
      if (this.#ready.get(key) === promise) this.#ready.delete(key);
    };
    this.#connect(options, (error, socket) => {
      if (error === null && !this.#closed) {
        hold(socket, drop);
        resolve(socket);
        return;
      }
      socket?.destroy();
      drop();
      resolve(undefined);
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const ready of this.#ready.values()) void ready.then((socket) => socket?.destroy());
    this.#ready.clear();
    await this.#agent.destroy();
  }

  async #give(options: buildConnector.Options, callback: buildConnector.Callback): Promise<void> {
    const ready = await this.#take(keyOf(options));
    if (ready === undefined) this.#connect(options, callback);
    else callback(null, ready);
  }

  /** The connection that was made ready, if it is still good. */
  async #take(key: string): Promise<Socket | undefined> {
    const ready = this.#ready.get(key);
    this.#ready.delete(key);
    const socket = await ready;
    if (socket === undefined || socket.destroyed || !socket.writable) return undefined;
    socket.off("error", forget);
    return socket.ref();
  }
}

/** Keeps a connection until it is used or the vendor hangs up; an unused one keeps no process alive. */
const hold = (socket: Socket, drop: () => void): void => {
  socket.on("error", forget);
  socket.once("close", drop);
  socket.unref();
};

/** A vendor that closes an unused connection has done no harm. */
const forget = (): void => undefined;

const keyOf = ({ protocol, hostname, port }: Readonly<{ protocol: string; hostname: string; port: string }>): string =>
  `${protocol}//${hostname}:${port}`;
