import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { LiveState, MediaTicket } from "../ports/live.ts";
import type { SocketForwarding } from "./forward-socket.ts";

export type ArrivedMedia = Readonly<{
  ticket: MediaTicket;
  token: string;
  request: IncomingMessage;
  socket: Duplex;
  head: Buffer;
}>;

/** Until the process that holds the call takes the ticket for itself, in milliseconds. */
const AGAIN_MS = 10_000;

/** Passes on the media of calls that another process holds; answers whether it did. Rejects when the live state does not answer. */
export const mediaForwarder =
  (
    forwarding: SocketForwarding,
    live: Pick<LiveState, "issueTicket">,
    holds: (dialId: string) => boolean,
  ): ((media: ArrivedMedia) => Promise<boolean>) =>
  async ({ ticket, token, request, socket, head }) => {
    if (holds(ticket.dialId)) return false;
    const owner = await forwarding.ownerElsewhere(request, ticket.dialId);
    if (owner === undefined) return false;
    // It was taken to learn whose it is; the owner checks it anew, and the carrier's signature too.
    await live.issueTicket(token, ticket, AGAIN_MS);
    return forwarding.pass(owner, request, socket, head);
  };
