import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import type { DialTokens } from "../dials/dial-token.ts";
import { toError } from "../kit/errors.ts";
import { BROWSER_SUBPROTOCOL, MOST_TEXT_BYTES, type BrowserErrorCode } from "../model/browser-protocol.ts";
import type { BrowserCalls } from "../ports/browser-calls.ts";
import { withDeadline, type Clock } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import type { DialStore } from "../ports/store.ts";
import { refuseUpgrade } from "./refuse-upgrade.ts";
import { SocketDoor } from "./socket-door.ts";
import { authorizeVisit } from "./visit.ts";
import { WsMediaSocket } from "./ws-media-socket.ts";

export type BrowserGatewayParts = Readonly<{
  clock: Clock;
  logger: Logger;
  dials: Pick<DialStore, "peek" | "spendToken">;
  tokens: Pick<DialTokens, "verify">;
  calls: BrowserCalls;
  /** Origins whose pages may connect besides our own. */
  origins: readonly string[];
}>;

/**
 * Lets browsers in: `/browser/<dialId>`. Programs send no `Origin` and may connect from anywhere; pages only from our own origin or a
 * listed one. The token comes as a subprotocol, and a bad one is then refused with a plain HTTP answer, or as the first message, and
 * the page then reads why.
 */
export class BrowserGateway {
  readonly #parts: BrowserGatewayParts;
  readonly #door: SocketDoor;

  constructor(parts: BrowserGatewayParts) {
    this.#parts = parts;
    const { clock, logger } = parts;
    this.#door = new SocketDoor({ clock, logger, ...LIMITS, handleProtocols });
  }

  /** Whether an upgrade request is for this gateway. */
  static owns(request: IncomingMessage): boolean {
    return (request.url ?? "").startsWith("/browser/");
  }

  /** The dial that a request is about; `undefined` for a path that names none. */
  static dialOf(request: IncomingMessage): string | undefined {
    return PATH.exec(request.url ?? "")?.[1];
  }

  /** Serves one upgrade request to the end; never rejects. */
  async handle(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    this.#door.guard(socket);
    const dialId = BrowserGateway.dialOf(request);
    if (dialId === undefined) return refuseUpgrade(socket, REFUSALS.path);
    if (!this.#mayConnect(request)) return refuseUpgrade(socket, REFUSALS.origin);
    if (this.#door.full) return refuseUpgrade(socket, REFUSALS.full);
    await this.#door.pass(socket, async () => {
      const token = tokenIn(request);
      const early = token === undefined ? undefined : await this.#authorize(dialId, token);
      if (early !== undefined && "code" in early) return refuseUpgrade(socket, asRefusal(early));
      const ws = await this.#door.upgrade(request, socket, head);
      if (ws !== undefined) await this.#welcome(ws, dialId, early);
    });
  }

  /** Lets nobody in any more and closes every socket; resolves when all are gone. Idempotent. */
  close(): Promise<void> {
    return this.#door.close();
  }

  #authorize(dialId: string, token: string) {
    return withDeadline(
      this.#parts.clock,
      CHECK_MS,
      "checking a token",
      authorizeVisit(this.#parts, dialId, token),
    ).catch((error: unknown) => {
      this.#parts.logger.error("a dial token cannot be checked", { dialId, error: toError(error) });
      return { code: "unavailable", message: "The token cannot be checked now.", retryAfterMs: 1000 } as const;
    });
  }

  /** The page at our own address may, whatever name it is reached by. */
  #mayConnect({ headers: { origin, host } }: IncomingMessage): boolean {
    if (origin === undefined || this.#parts.origins.includes(origin)) return true;
    return URL.canParse(origin) && new URL(origin).host === host;
  }

  async #welcome(ws: WebSocket, dialId: string, early: Authorized): Promise<void> {
    const socket = new WsMediaSocket(ws);
    const visit = early ?? (await this.#introduced(socket, dialId)) ?? UNINTRODUCED;
    if (!("code" in visit) && this.#parts.calls.attach(visit, socket)) return;
    const refused: Refused = "code" in visit ? visit : OCCUPIED;
    socket.send(JSON.stringify({ type: "error", ...refused }));
    socket.close(CLOSE_CODES[refused.code] ?? 1008, refused.code);
  }

  /** Who the first message says it is; `undefined` when it says nothing of the kind, or does not come. */
  async #introduced(socket: WsMediaSocket, dialId: string): Promise<Authorized> {
    const first = await withDeadline(this.#parts.clock, AUTH_MS, "a first message", socket.first()).catch(
      () => undefined,
    );
    const token = typeof first === "string" ? tokenOf(first) : undefined;
    return token === undefined ? undefined : this.#authorize(dialId, token);
  }
}

type Authorized = Awaited<ReturnType<typeof authorizeVisit>> | Refused | undefined;

type Refused = Readonly<{ code: BrowserErrorCode; message: string; retryAfterMs?: number }>;

const PATH = /^\/browser\/([\w.~-]{1,200})(?:\?.*)?$/;

const CHECK_MS = 5000;
const AUTH_MS = 5000;

const LIMITS = {
  /** Each has five seconds to show a token. */
  mostWaiting: 256,
  mostMessageBytes: Math.max(MOST_TEXT_BYTES, 256 * 1024),
  /** Muted visitors send no sound whose absence would tell. */
  pingMs: 5000,
} as const;

const handleProtocols = (offered: Set<string>) => (offered.has(BROWSER_SUBPROTOCOL) ? BROWSER_SUBPROTOCOL : false);

/** From the range that RFC 6455 leaves to applications, after the HTTP statuses of the same meaning. */
const CLOSE_CODES: Partial<Record<BrowserErrorCode, number>> = {
  unauthorized: 4401,
  forbidden: 4403,
  token_used: 4403,
  token_too_old: 4403,
  dial_over: 4410,
  busy: 4409,
  unavailable: 1013,
};

const UNINTRODUCED: Refused = {
  code: "unauthorized",
  message: 'The first message must be {"type":"auth","token":"…"} with the dial token, within five seconds.',
};
const OCCUPIED: Refused = { code: "busy", message: "Somebody is connected to this dial already." };

const REFUSALS = {
  path: { status: 404, code: "not_found", detail: "Browsers connect to /browser/<dialId>." },
  origin: {
    status: 403,
    code: "origin_not_allowed",
    detail: "Pages of this origin may not connect; CORS_ORIGINS lists those that may.",
  },
  full: { status: 503, code: "unavailable", detail: "No more browsers can be taken in at the moment; try again." },
} as const;

const STATUSES: Partial<Record<BrowserErrorCode, 401 | 503>> = { unauthorized: 401, unavailable: 503 };

const asRefusal = ({ code, message }: Refused): Parameters<typeof refuseUpgrade>[1] => {
  const status = STATUSES[code] ?? 403;
  return { status, code, detail: message };
};

/** The subprotocol beside ours is a token: browsers cannot set headers, and addresses end up in logs. */
const tokenIn = ({ headers }: IncomingMessage): string | undefined =>
  headers["sec-websocket-protocol"]
    ?.split(",")
    .map((one) => one.trim())
    .find((one) => one !== "" && one !== BROWSER_SUBPROTOCOL);

const tokenOf = (text: string): string | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || !("type" in value) || !("token" in value)) return undefined;
    return value.type === "auth" && typeof value.token === "string" ? value.token : undefined;
  } catch {
    return undefined;
  }
};
