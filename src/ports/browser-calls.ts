import type { Carrier } from "./carrier.ts";
import type { MediaSocket } from "./media-socket.ts";

/** A visitor whose dial token was found good. */
export type Visit = Readonly<{ dialId: string; tokenId: string }>;

/** Where a dial's visitor is, as far as this process knows. */
export type Presence =
  | Readonly<{ state: "absent" }>
  | Readonly<{ state: "attached" }>
  /** The socket broke a moment ago; the same token lets its holder in again. */
  | Readonly<{ state: "resuming"; tokenId: string }>;

/**
 * The visitors of browser dials, and the carrier that brings them to their calls: asking it to place a dial means letting the visitor in
 * who waits for it here.
 */
export interface BrowserCalls extends Carrier {
  presence(dialId: string): Presence;
  /** Takes a visitor's socket, for a dial that nobody is attached to; answers false, and leaves the socket alone, when somebody is. */
  attach(visit: Visit, socket: MediaSocket): boolean;
}
