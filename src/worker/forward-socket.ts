import { connect as connectPlainly, type Socket } from "node:net";
import { connect as connectSafely } from "node:tls";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { deferred } from "../kit/deferred.ts";
import { toError } from "../kit/errors.ts";
import type { CallRegistry, ProcessAddress } from "../ports/call-registry.ts";
import { withDeadline, type Clock } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";

export type ForwardParts = Readonly<{
  clock: Clock;
  logger: Logger;
  registry: Pick<CallRegistry, "ownerOf">;
  /** The name of this process. */
  self: string;
  /** How long a drain waits for what is passed through to end by itself, in milliseconds. */
  drainMs: number;
}>;

/** Marks a request that was passed on, so that it is not passed on again. */
const FORWARDED = "x-call-engine-forwarded";

const FIND_MS = 2000;
const CONNECT_MS = 2000;

/** A goodbye takes seven seconds at most, and the end of its call under three. */
const FAREWELL_MS = 10_000;

/** Connections that may be passed through at a time. */
const MOST = 10_000;

/**
 * Passes websockets on to the process that holds their call, byte for byte: the request as it came, and then both directions as they
 * flow, so that nothing of the protocol is understood or changed here.
 */
export class SocketForwarding {
  readonly #parts: ForwardParts;
  readonly #open = new Set<Duplex>();
  readonly #drained = deferred<void>();
  #draining = false;

  constructor(parts: ForwardParts) {
    this.#parts = parts;
  }

  /** Who else holds the dial; nobody for a request that was passed on already. Never rejects. */
  async ownerElsewhere(request: IncomingMessage, dialId: string): Promise<ProcessAddress | undefined> {
    const { clock, logger, registry, self } = this.#parts;
    if (request.headers[FORWARDED] !== undefined) return undefined;
    try {
      const owner = await withDeadline(clock, FIND_MS, "finding a call", registry.ownerOf(dialId));
      return owner?.name === self ? undefined : owner;
    } catch (error) {
      logger.warn("it is not known who holds a call", { dialId, error: toError(error) });
      return undefined;
    }
  }

  /** Connects the socket with its owner; answers whether that worked, after which the socket is not ours any more. Never rejects. */
  async pass(owner: ProcessAddress, request: IncomingMessage, socket: Duplex, head: Buffer): Promise<boolean> {
    const { clock, logger } = this.#parts;
    if (this.#open.size >= MOST) return false;
    let far: Socket | undefined;
    try {
      far = open(new URL(owner.mediaUrl));
      await withDeadline(clock, CONNECT_MS, "reaching another process", connected(far));
    } catch (error) {
      far?.destroy();
      logger.warn("a websocket could not be passed on", { error: toError(error) });
      return false;
    }
    far.write(headOf(request));
    if (head.length > 0) far.write(head);
    this.#join(socket, far);
    return true;
  }

  /**
   * Waits until nothing is passed through any more: the calls behind it are other processes', and this one's end must not end them.
   * Resolves after `drainMs` at the latest, or ten seconds after it was called a second time: where several processes are hurried at once, the
   * calls that they hold take their leave through one another. What comes meanwhile is passed on as ever.
   */
  drain(): Promise<void> {
    const { clock, drainMs } = this.#parts;
    if (this.#open.size === 0) this.#drained.resolve();
    const timer = clock.setTimer(this.#draining ? Math.min(FAREWELL_MS, drainMs) : drainMs, () => {
      this.#drained.resolve();
    });
    this.#draining = true;
    return this.#drained.promise.finally(() => {
      timer.cancel();
    });
  }

  /** Cuts what is passed through. */
  close(): void {
    for (const socket of this.#open) socket.destroy();
  }

  #join(near: Duplex, far: Socket): void {
    this.#open.add(near);
    const cut = () => {
      this.#open.delete(near);
      if (this.#draining && this.#open.size === 0) this.#drained.resolve();
      near.destroy();
      far.destroy();
    };
    for (const end of [near, far]) {
      end.on("error", cut);
      end.once("close", cut);
    }
    near.pipe(far);
    far.pipe(near);
  }
}

const open = ({ protocol, hostname, port }: URL): Socket => {
  const safe = protocol === "https:";
  const usual = safe ? 443 : 80;
  const to = { host: hostname.replaceAll(/^\[|\]$/g, ""), port: port === "" ? usual : Number(port) };
  const socket = safe ? connectSafely({ ...to, servername: to.host }) : connectPlainly(to);
  // Sound waits for nobody.
  socket.setNoDelay(true);
  return socket;
};

const connected = (socket: Socket): Promise<void> =>
  new Promise((resolve, reject) => {
    socket.once("encrypted" in socket ? "secureConnect" : "connect", () => resolve());
    socket.once("error", reject);
  });

/** The request as it came, in its own spelling, with the mark. */
const headOf = ({ method = "GET", url = "/", httpVersion, rawHeaders }: IncomingMessage): string => {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2)
    lines.push(`${rawHeaders[index] ?? ""}: ${rawHeaders[index + 1] ?? ""}`);
  return `${[...lines, `${FORWARDED}: 1`].join("\r\n")}\r\n\r\n`;
};
