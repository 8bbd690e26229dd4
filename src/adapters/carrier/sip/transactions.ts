import { toError } from "../../../kit/errors.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { Logger } from "../../../ports/logger.ts";
import type { Random } from "../../../ports/random.ts";
import { ClientTransaction, type ClientHandlers } from "./client-transaction.ts";
import {
  cseqOf,
  headerOf,
  headersOf,
  serializeMessage,
  sipRequest,
  sipResponse,
  splitOutside,
  type SipHeader,
  type SipRequest,
  type SipResponse,
} from "./message.ts";
import { parseMessage } from "./parse-message.ts";
import { ServerTransaction } from "./server-transaction.ts";
import { paramsOf } from "./sip-address.ts";
import type { SipNetwork, SipPeer } from "./sip-network.ts";

export type TransactionsParts = Readonly<{
  clock: Clock;
  random: Random;
  logger: Logger;
  network: Pick<SipNetwork, "send">;
  /** How peers reach us, `host:port`. */
  sentBy(): string;
  /** A request that was not known; ACKs of a 2xx come here without a transaction. */
  onRequest(request: SipRequest, transaction: ServerTransaction | undefined, from: SipPeer): void;
  /** A response that belongs to no request of ours, such as a 2xx that comes again after half a minute. */
  onStray(response: SipResponse): void;
}>;

/** Every request under way, ours and theirs (RFC 3261, section 17). */
export class Transactions {
  readonly #parts: TransactionsParts;
  readonly #clients = new Map<string, ClientTransaction>();
  readonly #servers = new Map<string, ServerTransaction>();

  constructor(parts: TransactionsParts) {
    this.#parts = parts;
  }

  /** Sends a request, completed by Via and Max-Forwards, and hears what comes of it. The branch names it for {@link Transactions.cancel}. */
  request(request: SipRequest, to: SipPeer, handlers: ClientHandlers): string {
    const branch = `${COOKIE}${this.#parts.random.secret(12)}`;
    const complete = { ...request, headers: [...this.#ownHeaders(branch, to), ...request.headers] };
    this.#open(complete, branch, to, handlers);
    return branch;
  }

  /** Withdraws an INVITE that has had a provisional answer. */
  cancel(invite: SipRequest, branch: string, to: SipPeer): void {
    const kept = invite.headers.filter(([name]) => KEPT_FOR_CANCEL.has(name));
    const { number } = cseqOf(invite);
    const headers: SipHeader[] = [...this.#ownHeaders(branch, to), ...kept, ["cseq", `${number} CANCEL`]];
    const ignore = { response: () => undefined, failed: () => undefined };
    this.#open(sipRequest("CANCEL", invite.uri, headers), branch, to, ignore);
  }

  /** Sends a request that nobody answers: an ACK of a 2xx. Errors are those of a lost datagram. */
  acknowledge(ack: SipRequest, to: SipPeer): void {
    const branch = `${COOKIE}${this.#parts.random.secret(12)}`;
    const complete = { ...ack, headers: [...this.#ownHeaders(branch, to), ...ack.headers] };
    this.#parts.network.send(serializeMessage(complete), to).catch(() => undefined);
  }

  /** The INVITE that a CANCEL withdraws. */
  inviteOf(cancel: SipRequest): ServerTransaction | undefined {
    return this.#servers.get(serverKey(cancel, "INVITE"));
  }

  /** Takes what the network brought. */
  receive(data: Uint8Array, from: SipPeer): void {
    // What keeps a path open (RFC 5626, and what servers send instead).
    if (data.length <= 4) return;
    const message = parseMessage(data);
    if (message === undefined) this.#parts.logger.debug("a SIP message is none", { count: data.length });
    else if (message.type === "response") this.#onResponse(message);
    else this.#onRequest(message, from);
  }

  /** Ends everything under way, without a word. */
  close(): void {
    for (const transaction of [...this.#clients.values(), ...this.#servers.values()]) transaction.abandon();
  }

  #ownHeaders(branch: string, { transport }: SipPeer): readonly SipHeader[] {
    const via = `SIP/2.0/${transport.toUpperCase()} ${this.#parts.sentBy()};branch=${branch};rport`;
    return [
      ["via", via],
      ["max-forwards", "70"],
    ];
  }

  #open(request: SipRequest, branch: string, to: SipPeer, handlers: ClientHandlers): void {
    const key = `${branch} ${request.method}`;
    const transaction = new ClientTransaction({
      clock: this.#parts.clock,
      request,
      transport: to.transport,
      send: (data) => this.#parts.network.send(data, to),
      acknowledge: (response) => refusalAck(request, response),
      handlers,
      over: () => this.#clients.delete(key),
    });
    this.#clients.set(key, transaction);
    transaction.start();
  }

  #onResponse(response: SipResponse): void {
    const branch = viaParams(headersOf(response, "via")[0] ?? "").get("branch") ?? "";
    const client = this.#clients.get(`${branch} ${cseqOf(response).method}`);
    if (client === undefined) this.#parts.onStray(response);
    else client.receive(response);
  }

  #onRequest(request: SipRequest, from: SipPeer): void {
    const key = serverKey(request, request.method === "ACK" ? "INVITE" : request.method);
    const known = this.#servers.get(key);
    if (request.method === "ACK") {
      // That of a refusal belongs to the INVITE's own transaction; that of a 2xx has a branch of its own, or should.
      known?.acknowledged();
      if (known === undefined || known.accepted) this.#parts.onRequest(request, undefined, from);
      return;
    }
    if (known !== undefined) {
      known.repeated();
      return;
    }
    const complete = withReceived(request, from);
    const transaction = new ServerTransaction({
      clock: this.#parts.clock,
      request: complete,
      from,
      transport: from.transport,
      send: (data) => {
        this.#parts.network.send(data, from).catch((error: unknown) => {
          this.#parts.logger.info("a SIP answer was not sent", { error: toError(error) });
        });
      },
      over: () => this.#servers.delete(key),
    });
    if (this.#servers.size >= MOST_AT_ONCE) {
      transaction.respond(answerTo(complete, 503));
      transaction.abandon();
      return;
    }
    this.#servers.set(key, transaction);
    this.#parts.onRequest(complete, transaction, from);
  }
}

/** An answer to a request, with what every answer repeats of it; `tag` is ours, once there is a dialog. */
export const answerTo = (
  request: SipRequest,
  status: number,
  more: Readonly<{ tag?: string; headers?: readonly SipHeader[]; body?: Uint8Array }> = {},
): SipResponse => {
  const to = headerOf(request, "to") ?? "";
  const tagged = more.tag === undefined || /;\s*tag=/i.test(to) ? to : `${to};tag=${more.tag}`;
  const kept = request.headers.filter(([name]) => name === "via" || (name === "record-route" && status < 300));
  const headers: SipHeader[] = [
    ...kept,
    ["from", headerOf(request, "from") ?? ""],
    ["to", tagged],
    ["call-id", headerOf(request, "call-id") ?? ""],
    ["cseq", headerOf(request, "cseq") ?? ""],
    ...(more.headers ?? []),
  ];
  return sipResponse(status, headers, more.body);
};

/** What a branch begins with that is unique (RFC 3261, section 8.1.1.7). */
const COOKIE = "z9hG4bK";

const MOST_AT_ONCE = 10_000;

const KEPT_FOR_CANCEL: ReadonlySet<string> = new Set(["from", "to", "call-id", "route"]);

const viaParams = (via: string): ReadonlyMap<string, string> => paramsOf(splitOutside(via, ";").slice(1));

/** RFC 3261, section 17.2.3; what senders of RFC 2543 lack is made up by the rest. */
const serverKey = (request: SipRequest, method: string): string => {
  const via = headersOf(request, "via")[0] ?? "";
  const sentBy = splitOutside(via, ";")[0] ?? "";
  const { number } = cseqOf(request);
  return [method, viaParams(via).get("branch"), sentBy, headerOf(request, "call-id"), number].join(" ");
};

/** Notes in the topmost Via where the request really came from (RFC 3581). */
const withReceived = (request: SipRequest, { address, port }: SipPeer): SipRequest => {
  let first = true;
  const headers = request.headers.map(([name, value]): SipHeader => {
    if (name !== "via" || !first) return [name, value];
    first = false;
    const [top = "", ...others] = splitOutside(value, ",");
    const marked = `${top.replace(/;\s*rport(?:=\d*)?(?=;|$)/i, "")};received=${address};rport=${port}`;
    return [name, [marked, ...others].join(", ")];
  });
  return { ...request, headers };
};

const refusalAck = (request: SipRequest, response: SipResponse): SipRequest => {
  const kept = request.headers.filter(([name]) => ["via", "max-forwards", "from", "call-id", "route"].includes(name));
  const headers: SipHeader[] = [
    ...kept,
    ["to", headerOf(response, "to") ?? ""],
    ["cseq", `${cseqOf(request).number} ACK`],
  ];
  return sipRequest("ACK", request.uri, headers);
};
