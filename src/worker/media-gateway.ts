import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import { toError } from "../kit/errors.ts";
import { withDeadline, type Clock } from "../ports/clock.ts";
import type { Carrier } from "../ports/carrier.ts";
import type { LiveState, MediaTicket } from "../ports/live.ts";
import type { Logger } from "../ports/logger.ts";
import type { Transport } from "../ports/transport.ts";
import type { ArrivedMedia } from "./forward-media.ts";
import { refuseUpgrade } from "./refuse-upgrade.ts";
import { SocketDoor } from "./socket-door.ts";
import { WsMediaSocket } from "./ws-media-socket.ts";

export type MediaGatewayParts = Readonly<{
  clock: Clock;
  logger: Logger;
  live: LiveState;
  /** By the ids of their accounts, which are the second part of the path. */
  carriers: ReadonlyMap<string, Carrier>;
  /** Base of the media URLs as carriers were given them, which is what some of them sign; no slash at its end. */
  publicWsUrl: string;
  /** Gets every line that came through. True: it owns the line now; false: nobody waits for it, and it is closed. */
  onLine(ticket: MediaTicket, line: Transport): boolean;
  /** Passes on what belongs to a call that another process holds; answers whether it did. */
  forward?: ((media: ArrivedMedia) => Promise<boolean>) | undefined;
  /** Sockets that may be between connecting and being a line; 64 unless told. */
  maxWaiting?: number;
}>;

/**
 * Lets media sockets in: `/media/<carrier>/<token>`. The token is taken from the live state before the websocket handshake, so
 * that a stranger is refused with a plain HTTP answer and costs nothing; it works once.
 */
export class MediaGateway {
  readonly #parts: MediaGatewayParts;
  readonly #door: SocketDoor;

  constructor(parts: MediaGatewayParts) {
    this.#parts = parts;
    const { clock, logger, maxWaiting: mostWaiting = MOST_WAITING } = parts;
    this.#door = new SocketDoor({ clock, logger, mostWaiting, mostMessageBytes: MOST_MESSAGE_BYTES, pingMs: PING_MS });
  }

  /** Whether a request is for the gateway; others may be handed to somebody else. */
  static owns(request: IncomingMessage): boolean {
    return (request.url ?? "").startsWith("/media/");
  }

  /** Takes every upgrade of an HTTP server; paths that are not media get 404. Returns a function that lets go of it. */
  attach(server: Server): () => void {
    const listener = (request: IncomingMessage, socket: Duplex, head: Buffer) =>
      void this.handle(request, socket, head);
    server.on("upgrade", listener);
    return () => server.off("upgrade", listener);
  }

  /** Sockets on their way in, and lines that are open. */
  get load(): Readonly<{ waiting: number; open: number }> {
    return this.#door.load;
  }

  /** Serves one upgrade request to the end; never rejects. */
  async handle(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    this.#door.guard(socket);
    const path = PATH.exec(request.url ?? "");
    const carrier = path === null ? undefined : this.#parts.carriers.get(path[1] as string);
    if (path === null || carrier === undefined) return refuse(socket, 404);
    if (!this.#isGenuine(request, carrier)) return refuse(socket, 403);
    if (this.#door.full) return refuse(socket, 503);
    await this.#door.pass(socket, async () => {
      const ticket = await this.#ticketFor(path[2] as string);
      if (ticket === "unknown") return refuse(socket, 503);
      if (ticket === undefined || ticket.carrier !== carrier.name) return refuse(socket, 403);
      if (this.#door.closed) return refuse(socket, 503);
      if ((await this.#parts.forward?.({ ticket, token: path[2] as string, request, socket, head })) === true) return;
      const ws = await this.#door.upgrade(request, socket, head);
      if (ws !== undefined) await this.#welcome(ws, socket, carrier, ticket);
    });
  }

  /** Lets nobody in any more and closes every socket; resolves when all are gone. Idempotent. */
  close(): Promise<void> {
    return this.#door.close();
  }

  /** Asked before the token is spent, so that a stranger who has seen it cannot even do that. */
  #isGenuine(request: IncomingMessage, carrier: Carrier): boolean {
    if (carrier.verifyMedia === undefined) return true;
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : value]),
    );
    return carrier.verifyMedia({ url: `${this.#parts.publicWsUrl}${request.url ?? ""}`, headers });
  }

  /** The ticket; `undefined` for a token that is not or no longer good, `unknown` when the live state cannot say. */
  async #ticketFor(token: string): Promise<MediaTicket | "unknown" | undefined> {
    const { clock, live, logger } = this.#parts;
    try {
      return await withDeadline(clock, TICKET_MS, "taking a media ticket", live.takeTicket(token));
    } catch (error) {
      logger.error("media ticket cannot be checked", { error: toError(error) });
      return "unknown";
    }
  }

  async #welcome(ws: WebSocket, connection: Duplex, carrier: Carrier, ticket: MediaTicket): Promise<void> {
    const { clock, logger } = this.#parts;
    const socket = new WsMediaSocket(ws, connection);
    const patience = new AbortController();
    const timer = clock.setTimer(HANDSHAKE_MS, () => patience.abort());
    try {
      const line = await carrier.acceptMedia(socket, patience.signal);
      this.#hand(ticket, line);
    } catch (error) {
      logger.warn("media handshake failed", { dialId: ticket.dialId, error: toError(error) });
      socket.close(1008, "handshake failed");
    } finally {
      timer.cancel();
    }
  }

  #hand(ticket: MediaTicket, line: Transport): void {
    try {
      if (this.#parts.onLine(ticket, line)) return;
      this.#parts.logger.warn("nobody waits for this media line", { dialId: ticket.dialId });
    } catch (error) {
      this.#parts.logger.error("taking a media line failed", { dialId: ticket.dialId, error: toError(error) });
    }
    line.close();
  }
}

/** A name as descriptors have, and a token as base64url; a query string is not part of the address. */
const PATH = /^\/media\/([a-z][a-z0-9-]{0,63})\/([\w-]{16,200})(?:\?.*)?$/;

const MOST_WAITING = 64;

/** Carriers send 20 ms a message (about 400 bytes); some dialects up to 100 ms. */
const MOST_MESSAGE_BYTES = 32 * 1024;
const TICKET_MS = 2000;
const HANDSHAKE_MS = 3000;
const PING_MS = 20_000;

const refuse = (socket: Duplex, status: 403 | 404 | 503): void => {
  refuseUpgrade(socket, { status, code: CODES[status], detail: DETAILS[status] });
};

const CODES = { 403: "invalid_media_token", 404: "not_found", 503: "unavailable" };

const DETAILS = {
  403: "This media address was used already, has expired or never was one, or the carrier's signature is missing; each lets one socket in, once.",
  404: "Media sockets connect to /media/<carrier>/<token>.",
  503: "No more media sockets can be taken in at the moment; try again in a second.",
};
