import type { Clock, Timer } from "../../../ports/clock.ts";
import { T1_MS, T2_MS, TIMEOUT_MS } from "./client-transaction.ts";
import { serializeMessage, type SipRequest, type SipResponse } from "./message.ts";
import type { SipPeer, SipTransport } from "./sip-network.ts";

export type ServerParts = Readonly<{
  clock: Clock;
  request: SipRequest;
  from: SipPeer;
  transport: SipTransport;
  send(data: Uint8Array): void;
  /** Forgets the transaction. */
  over(): void;
}>;

/**
 * One request of a peer, answered once: repeated requests get the same answer, and the final answer to an INVITE is repeated until it is
 * acknowledged.
 */
export class ServerTransaction {
  readonly request: SipRequest;
  readonly from: SipPeer;
  readonly #parts: ServerParts;
  #last: Uint8Array | undefined;
  #final = 0;
  #unacknowledged: (() => void) | undefined;
  #repeat: Timer | undefined;
  #limit: Timer | undefined;

  constructor(parts: ServerParts) {
    this.#parts = parts;
    this.request = parts.request;
    this.from = parts.from;
  }

  /** Whether a final answer was given. */
  get answered(): boolean {
    return this.#final !== 0;
  }

  /** Whether the final answer was a 2xx. */
  get accepted(): boolean {
    return this.#final >= 200 && this.#final < 300;
  }

  /** Answers; a second final answer is ignored. `unacknowledged` is called when nobody acknowledges a 2xx within 32 s. */
  respond(response: SipResponse, unacknowledged?: () => void): void {
    if (this.#final !== 0) return;
    this.#last = serializeMessage(response);
    this.#parts.send(this.#last);
    if (response.status < 200) return;
    this.#final = response.status;
    this.#unacknowledged = unacknowledged;
    const invite = this.request.method === "INVITE";
    // A 2xx is repeated over TCP as well, since proxies on the way may use UDP (RFC 3261, section 13.3.1.4).
    if (invite && (response.status < 300 || this.#parts.transport === "udp")) this.#repeatAfter(T1_MS);
    this.#limit = this.#parts.clock.setTimer(TIMEOUT_MS, () => {
      this.#end();
      this.#unacknowledged?.();
    });
  }

  /** The same request came again. */
  repeated(): void {
    if (this.#last !== undefined) this.#parts.send(this.#last);
  }

  /** The final answer has arrived; repetitions of the request are still known for a while. */
  acknowledged(): void {
    this.#repeat?.cancel();
    this.#unacknowledged = undefined;
  }

  abandon(): void {
    this.#end();
  }

  #repeatAfter(ms: number): void {
    this.#repeat = this.#parts.clock.setTimer(ms, () => {
      if (this.#last !== undefined) this.#parts.send(this.#last);
      this.#repeatAfter(Math.min(2 * ms, T2_MS));
    });
  }

  #end(): void {
    this.#repeat?.cancel();
    this.#limit?.cancel();
    this.#parts.over();
  }
}
