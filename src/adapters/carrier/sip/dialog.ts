import {
  cseqOf,
  headerOf,
  headersOf,
  sipRequest,
  type SipHeader,
  type SipRequest,
  type SipResponse,
} from "./message.ts";
import { parseNameAddress } from "./sip-address.ts";

export type DialogParts = Readonly<{
  callId: string;
  /** Values of From and To as our side writes them, with tags. */
  local: string;
  remote: string;
  /** Where the peer wants to be asked. */
  target: string;
  /** The proxies on the way there, the next one first. */
  route: readonly string[];
  localSequence: number;
  remoteSequence: number | undefined;
}>;

/** What two sides of a call know of each other (RFC 3261, section 12). */
export class Dialog {
  readonly #parts: DialogParts;
  #target: string;
  #localSequence: number;
  #remoteSequence: number | undefined;

  constructor(parts: DialogParts) {
    this.#parts = parts;
    this.#target = parts.target;
    this.#localSequence = parts.localSequence;
    this.#remoteSequence = parts.remoteSequence;
  }

  /** The dialog that a 2xx to our INVITE makes; `undefined` when it does not say where its sender is. */
  static ofAnswer(invite: SipRequest, answer: SipResponse): Dialog | undefined {
    const target = parseNameAddress(headersOf(answer, "contact")[0] ?? "")?.uri;
    if (target === undefined) return undefined;
    return new Dialog({
      callId: headerOf(invite, "call-id") ?? "",
      local: headerOf(invite, "from") ?? "",
      remote: headerOf(answer, "to") ?? "",
      target,
      route: headersOf(answer, "record-route").toReversed(),
      localSequence: cseqOf(invite).number,
      remoteSequence: undefined,
    });
  }

  /** The dialog that a peer's INVITE makes, once it is answered with `tag`. */
  static ofInvite(invite: SipRequest, tag: string): Dialog | undefined {
    const target = parseNameAddress(headersOf(invite, "contact")[0] ?? "")?.uri;
    if (target === undefined) return undefined;
    return new Dialog({
      callId: headerOf(invite, "call-id") ?? "",
      local: `${headerOf(invite, "to") ?? ""};tag=${tag}`,
      remote: headerOf(invite, "from") ?? "",
      target,
      route: headersOf(invite, "record-route"),
      localSequence: 0,
      remoteSequence: cseqOf(invite).number,
    });
  }

  /** Where the next request of ours goes first. */
  get nextHop(): string {
    return parseNameAddress(this.#parts.route[0] ?? "")?.uri ?? this.#target;
  }

  /** Whether a request is part of this dialog. */
  has(request: SipRequest): boolean {
    return (
      tagOf(headerOf(request, "to")) === tagOf(this.#parts.local) &&
      tagOf(headerOf(request, "from")) === tagOf(this.#parts.remote)
    );
  }

  /** Notes a peer's request. False: it is older than one that came before. */
  follows(request: SipRequest): boolean {
    const { number } = cseqOf(request);
    if (this.#remoteSequence !== undefined && number < this.#remoteSequence) return false;
    this.#remoteSequence = number;
    return true;
  }

  /** The peer has moved, as the Contact of a new INVITE or UPDATE says. */
  retarget(message: SipRequest | SipResponse): void {
    this.#target = parseNameAddress(headersOf(message, "contact")[0] ?? "")?.uri ?? this.#target;
  }

  request(method: string, headers: readonly SipHeader[] = [], body?: Uint8Array): SipRequest {
    this.#localSequence += 1;
    return this.#make(method, this.#localSequence, headers, body);
  }

  /** Acknowledges a 2xx to our INVITE. */
  ack(answer: SipResponse): SipRequest {
    return this.#make("ACK", cseqOf(answer).number, []);
  }

  #make(method: string, sequence: number, headers: readonly SipHeader[], body?: Uint8Array): SipRequest {
    const { callId, local, remote, route } = this.#parts;
    const own: SipHeader[] = [
      ...route.map((each): SipHeader => ["route", each]),
      ["from", local],
      ["to", remote],
      ["call-id", callId],
      ["cseq", `${sequence} ${method}`],
      ["user-agent", "call-engine"],
      ...headers,
    ];
    return sipRequest(method, this.#target, own, body);
  }
}

/** The tag of a From or To; empty where there is none. */
export const tagOf = (address: string | undefined): string => parseNameAddress(address ?? "")?.params.get("tag") ?? "";
