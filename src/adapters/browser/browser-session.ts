import { toError } from "../../kit/errors.ts";
import type { ClientMessage, ServerMessage } from "../../model/browser-protocol.ts";
import type { LiveEvent } from "../../model/live-event.ts";
import type { Timer } from "../../ports/clock.ts";
import type { LiveState } from "../../ports/live.ts";
import type { MediaSocket } from "../../ports/media-socket.ts";
import type { LineEnd } from "../../ports/transport.ts";
import { BrowserLine } from "./browser-line.ts";
import { readClientMessage } from "./client-messages.ts";
import { SessionMedia, type SessionMediaDeps } from "./session-media.ts";

export type BrowserSessionDeps = SessionMediaDeps & Readonly<{ live: Pick<LiveState, "follow"> }>;

type Owner = Readonly<{
  /** Sound travels for the first time: the dial may begin. */
  ready(session: BrowserSession): void;
  /** Nothing more will come of the session. */
  over(session: BrowserSession): void;
}>;

/**
 * One visitor of one dial, over as many sockets as it takes.
 *
 *   attached ──socket broken──► resuming ──attached again within 10 s──► attached
 *      │                            └── 10 s ──► the line is lost ─┐
 *      └── hang_up, or closed with 1000 ──► the line is hung up ──┴─► over, once the dial's end was told or 10 s have passed
 */
export class BrowserSession {
  readonly dialId: string;
  readonly #deps: BrowserSessionDeps;
  readonly #owner: Owner;
  readonly #media: SessionMedia;
  #tokenId = "";
  #socket: MediaSocket | undefined;
  #following: AbortController | undefined;
  #lastEventId: string | undefined;
  #line: BrowserLine | undefined;
  #begun = false;
  #over = false;
  #resuming: Timer | undefined;
  #mediaDue: Timer | undefined;
  #messages = { second: 0, count: 0 };
  #malformed = 0;

  constructor(deps: BrowserSessionDeps, dialId: string, owner: Owner) {
    this.#deps = deps;
    this.#owner = owner;
    this.dialId = dialId;
    this.#media = new SessionMedia({
      ...deps,
      dialId,
      line: () => this.#openLine(),
      tell: (message) => this.#tell(message),
      up: () => this.#mediaUp(),
      lost: () => this.#mediaLost(),
    });
  }

  get attached(): boolean {
    return this.#socket !== undefined;
  }

  get tokenId(): string {
    return this.#tokenId;
  }

  /** The line, once sound has travelled on it. */
  get line(): BrowserLine | undefined {
    return this.#begun ? this.#line : undefined;
  }

  get over(): boolean {
    return this.#over;
  }

  /** Takes a socket for a session that has none. */
  attach(tokenId: string, socket: MediaSocket): void {
    this.#resuming?.cancel();
    this.#resuming = undefined;
    this.#tokenId = tokenId;
    this.#socket = socket;
    this.#tell({ type: "ready", dialId: this.dialId, resumed: this.#begun });
    this.#follow();
    if (this.#begun) this.#expectMedia();
    socket.listen({
      message: (data) => {
        if (this.#socket === socket) this.#take(data);
      },
      closed: (code) => {
        if (this.#socket === socket) this.#socketGone(code);
      },
    });
  }

  /** The dial cannot begin now; the visitor is told why and let go. */
  turnAway(message: string, retryAfterMs: number): void {
    this.#tell({ type: "error", code: "unavailable", message, retryAfterMs });
    this.#finish(1013, "try again later");
  }

  /** Our side ends the session. */
  close(): void {
    this.#line?.end("closed-by-us");
    this.#finish(1001, "the service stops");
  }

  #take(data: string | Uint8Array): void {
    if (this.#isTooMuch()) {
      this.#drop("too many messages");
      return;
    }
    if (typeof data !== "string") {
      this.#media.take(data);
      return;
    }
    const read = readClientMessage(data);
    if ("message" in read) this.#obey(read.message);
    else if (++this.#malformed <= MOST_MALFORMED) {
      const { path, fault } = read;
      this.#tell({ type: "error", code: "bad_message", path, message: `${path || "The message"} ${fault}.` });
    } else this.#drop("malformed messages");
  }

  #obey(message: ClientMessage): void {
    switch (message.type) {
      case "start":
        if (this.#socket !== undefined) void this.#media.start(this.#socket, message);
        break;
      case "offer":
        void this.#media.negotiate(message.sdp);
        break;
      case "candidate":
        this.#media.candidate(message.candidate);
        break;
      case "digits":
        for (const digit of message.digits) this.#line?.digit(digit);
        break;
      case "mute":
        this.#openLine().mute(message.muted);
        break;
      case "mark":
        this.#media.played(message.name);
        break;
      case "hang_up":
        this.#leave("hung-up");
        break;
      case "auth":
        // Who the visitor is was settled before; a second token changes nothing.
        break;
    }
  }

  #openLine(): BrowserLine {
    this.#line ??= new BrowserLine(this.dialId, this.#deps.clock, {
      silent: () => this.#silent(),
      close: () => this.#expectEnd(),
    });
    return this.#line;
  }

  #mediaUp(): void {
    this.#mediaDue?.cancel();
    this.#mediaDue = undefined;
    if (this.#begun) return;
    this.#begun = true;
    this.#owner.ready(this);
  }

  #mediaLost(): void {
    this.#line?.use(undefined);
    this.#tell({ type: "error", code: "media_failed", message: "The sound is lost. Send another offer or start." });
    this.#expectMedia();
  }

  /** No sound for too long. Over the socket that is the end of the socket, which its peer may not even know. */
  #silent(): void {
    this.#deps.logger.info("a browser went silent", { dialId: this.dialId });
    if (this.#media.overSocket) this.#drop("no sound for 3 s");
    else this.#mediaLost();
  }

  #drop(reason: string): void {
    this.#socket?.close(1008, reason);
    this.#socketGone(1008);
  }

  /** A call goes on without sound only as long as one without a socket does. */
  #expectMedia(): void {
    this.#mediaDue?.cancel();
    this.#mediaDue = this.#deps.clock.setTimer(RESUME_MS, () => this.#leave("lost"));
  }

  #socketGone(code?: number): void {
    this.#socket = undefined;
    this.#following?.abort();
    this.#media.socketGone();
    if (code === 1000) this.#leave("hung-up");
    // A page that is closed or loaded anew says 1001 and may be back in a moment; if it is not, its visitor has left.
    else this.#resuming = this.#deps.clock.setTimer(RESUME_MS, () => this.#leave(code === 1001 ? "hung-up" : "lost"));
  }

  #leave(why: LineEnd): void {
    this.#line?.end(why);
    this.#media.close();
    if (this.#begun && this.#socket !== undefined) this.#expectEnd();
    else this.#finish(1000, "");
  }

  /** The line is over; the visitor is still told how the dial ended. */
  #expectEnd(): void {
    this.#mediaDue?.cancel();
    this.#mediaDue = this.#deps.clock.setTimer(RESUME_MS, () => this.#finish(1000, ""));
    if (this.#socket === undefined) this.#finish(1000, "");
  }

  #finish(code: number, reason: string): void {
    if (this.#over) return;
    this.#over = true;
    this.#resuming?.cancel();
    this.#mediaDue?.cancel();
    this.#following?.abort();
    this.#line?.end("closed-by-us");
    this.#media.close();
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close(code, reason);
    this.#owner.over(this);
  }

  #follow(): void {
    this.#following?.abort();
    const following = new AbortController();
    this.#following = following;
    const work = async () => {
      for await (const { id, event } of this.#deps.live.follow(this.dialId, this.#lastEventId, following.signal)) {
        if (following.signal.aborted) return;
        this.#lastEventId = id;
        this.#report(event);
      }
    };
    work().catch((error: unknown) => {
      this.#deps.logger.warn("a browser does not hear of its call", { dialId: this.dialId, error: toError(error) });
    });
  }

  #report(event: LiveEvent): void {
    // What a page does not read in time it does without; `GET /dials/{id}` has all of it.
    if ((this.#socket?.bufferedAmount ?? 0) <= MOST_UNREAD_BYTES) this.#tell(event);
    if (event.type !== "status" || !TERMINAL.has(event.status)) return;
    this.#tell({ type: "bye", status: event.status, systemResultType: event.systemResultType });
    this.#finish(1000, "the call is over");
  }

  #tell(message: ServerMessage): void {
    this.#socket?.send(JSON.stringify(message));
  }

  #isTooMuch(): boolean {
    const second = Math.floor(this.#deps.clock.monotonic() / 1000);
    if (second !== this.#messages.second) this.#messages = { second, count: 0 };
    this.#messages.count += 1;
    return this.#messages.count > MOST_MESSAGES_A_SECOND;
  }
}

const RESUME_MS = 10_000;
const MOST_MALFORMED = 50;
const MOST_UNREAD_BYTES = 1024 * 1024;

/** Sound in pieces of 10 ms, ten times as fast as it is spoken, after a page was held up. */
const MOST_MESSAGES_A_SECOND = 1000;

const TERMINAL: ReadonlySet<string> = new Set(["completed", "failed", "canceled", "busy", "no-answer"]);
