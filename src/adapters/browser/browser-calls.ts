import { toError } from "../../kit/errors.ts";
import type { BrowserCalls, Presence, Visit } from "../../ports/browser-calls.ts";
import type { LookUp, PlaceOutcome, PlaceRequest } from "../../ports/carrier.ts";
import type { LiveState, MediaTicket } from "../../ports/live.ts";
import type { MediaSocket } from "../../ports/media-socket.ts";
import type { Transport } from "../../ports/transport.ts";
import { BrowserSession, type BrowserSessionDeps } from "./browser-session.ts";

export type BrowserCallsDeps = Omit<BrowserSessionDeps, "live"> &
  Readonly<{
    live: Pick<LiveState, "follow" | "takeTicket">;
    /** Asks for a dial to be taken up by this process; answers false when it takes no dials any more. */
    begin(dialId: string): boolean;
    /** The visitor has left before the dial was taken up. */
    withdraw(dialId: string): void;
    /** As of the media gateway: true when somebody waits for the line, and owns it now. */
    onLine(ticket: MediaTicket, line: Transport): boolean;
  }>;

/**
 * Visitors and their dials. To the rest of the service this is one more carrier: a dial is asked for when its visitor's sound travels,
 * is placed by letting the visitor in, and the visitor comes in on the ticket of the place request as any media socket does.
 */
export class VisitorCalls implements BrowserCalls {
  readonly name = "browser";
  readonly reports = false;
  readonly #deps: BrowserCallsDeps;
  readonly #sessions = new Map<string, BrowserSession>();

  constructor(deps: BrowserCallsDeps) {
    this.#deps = deps;
  }

  presence(dialId: string): Presence {
    const session = this.#sessions.get(dialId);
    if (session === undefined) return { state: "absent" };
    return session.attached ? { state: "attached" } : { state: "resuming", tokenId: session.tokenId };
  }

  attach({ dialId, tokenId }: Visit, socket: MediaSocket): boolean {
    const session = this.#sessions.get(dialId) ?? this.#open(dialId);
    if (session.attached) return false;
    session.attach(tokenId, socket);
    return true;
  }

  place({ dialId, mediaUrl }: PlaceRequest): Promise<PlaceOutcome> {
    const line = this.#sessions.get(dialId)?.line;
    if (line?.open !== true) return Promise.resolve({ type: "rejected", reason: "no_client" });
    void this.#bring(dialId, line, mediaUrl.slice(mediaUrl.lastIndexOf("/") + 1));
    return Promise.resolve({ type: "accepted", callId: dialId });
  }

  hangUp(callId: string): Promise<void> {
    this.#sessions.get(callId)?.line?.close();
    return Promise.resolve();
  }

  lookUp({ dialId }: Readonly<{ dialId: string }>): Promise<LookUp> {
    return Promise.resolve(
      this.#sessions.get(dialId)?.line?.open === true
        ? { state: "in-progress", callId: dialId }
        : { state: "absent", final: true },
    );
  }

  readCallback(): undefined {
    return undefined;
  }

  acceptMedia(): Promise<Transport> {
    return Promise.reject(new Error("browsers connect to /browser/<dialId>"));
  }

  async close(): Promise<void> {
    for (const session of this.#sessions.values()) session.close();
    await this.#deps.peers?.close();
  }

  #open(dialId: string): BrowserSession {
    const session = new BrowserSession(this.#deps, dialId, {
      ready: () => {
        if (!this.#deps.begin(dialId)) session.turnAway("This process takes no more calls; connect again.", 1000);
      },
      over: () => {
        this.#sessions.delete(dialId);
        this.#deps.withdraw(dialId);
      },
    });
    this.#sessions.set(dialId, session);
    return session;
  }

  async #bring(dialId: string, line: Transport, token: string): Promise<void> {
    try {
      const ticket = await this.#deps.live.takeTicket(token);
      if (ticket !== undefined && this.#deps.onLine(ticket, line)) return;
      this.#deps.logger.warn("nobody waits for this visitor", { dialId });
    } catch (error) {
      this.#deps.logger.error("a visitor was not let in", { dialId, error: toError(error) });
    }
    line.close();
  }
}
