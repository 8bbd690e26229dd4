import type { Clock, Timer } from "../../../ports/clock.ts";
import { serializeMessage, type SipRequest, type SipResponse } from "./message.ts";
import type { SipTransport } from "./sip-network.ts";

/** The timers of RFC 3261, table 4, in milliseconds. */
export const T1_MS = 500;
export const T2_MS = 4000;
export const TIMEOUT_MS = 64 * T1_MS;
const T4_MS = 5000;

export type ClientHandlers = Readonly<{
  /** Every response but repeated ones; a 2xx to an INVITE each time it comes. */
  response(response: SipResponse): void;
  /** No final response: nobody answered in time, or there is no way to the peer. `sent`: something may have arrived there. */
  failed(cause: Error, sent: boolean): void;
}>;

export type ClientParts = Readonly<{
  clock: Clock;
  request: SipRequest;
  transport: SipTransport;
  /** Rejects when certainly nothing was sent. */
  send(data: Uint8Array): Promise<void>;
  /** The acknowledgement of a refusal, which belongs to the transaction. */
  acknowledge(response: SipResponse): SipRequest;
  handlers: ClientHandlers;
  /** Forgets the transaction. */
  over(): void;
}>;

/**
 * One request that we made, of any method, with its repetitions.
 *
 *   calling ──1xx──► proceeding ──final──► completed ──► over
 *      └──────────────────┴── time-out ─────────────────► over
 */
export class ClientTransaction {
  readonly #parts: ClientParts;
  readonly #data: Uint8Array;
  readonly #invite: boolean;
  #state: "calling" | "proceeding" | "completed" | "over" = "calling";
  #sent = false;
  #accepted = false;
  #refusal: Uint8Array | undefined;
  #repeat: Timer | undefined;
  #limit: Timer | undefined;

  constructor(parts: ClientParts) {
    this.#parts = parts;
    this.#data = serializeMessage(parts.request);
    this.#invite = parts.request.method === "INVITE";
  }

  start(): void {
    this.#limit = this.#parts.clock.setTimer(TIMEOUT_MS, () => this.#fail(new Error("nobody answered the request")));
    this.#parts.send(this.#data).then(
      () => {
        this.#sent = true;
        if (this.#state === "calling") this.#repeatAfter(T1_MS);
      },
      (error: unknown) => this.#fail(error as Error),
    );
  }

  receive(response: SipResponse): void {
    if (this.#state === "over") return;
    this.#sent = true;
    if (response.status < 200) this.#onProvisional(response);
    else if (this.#state === "completed") this.#onRepeated(response);
    else this.#onFinal(response);
  }

  /** Forgets what is under way, without a word. */
  abandon(): void {
    this.#end();
  }

  #onProvisional(response: SipResponse): void {
    if (this.#state === "completed") return;
    if (this.#state === "calling" && this.#invite) {
      this.#repeat?.cancel();
      // From here on it may ring for as long as its caller lets it.
      this.#limit?.cancel();
    }
    this.#state = "proceeding";
    this.#parts.handlers.response(response);
  }

  #onRepeated(response: SipResponse): void {
    if (this.#accepted) {
      if (response.status < 300) this.#parts.handlers.response(response);
    } else if (this.#refusal !== undefined) this.#parts.send(this.#refusal).catch(() => undefined);
  }

  #onFinal(response: SipResponse): void {
    this.#state = "completed";
    this.#repeat?.cancel();
    this.#limit?.cancel();
    this.#accepted = this.#invite && response.status < 300;
    if (this.#invite && !this.#accepted) {
      this.#refusal = serializeMessage(this.#parts.acknowledge(response));
      this.#parts.send(this.#refusal).catch(() => undefined);
    }
    // Answers that were sent again are still on their way (timers D, K, and M of RFC 6026).
    const shortRestMs = this.#parts.transport === "udp" ? T4_MS : 0;
    const restMs = this.#invite ? TIMEOUT_MS : shortRestMs;
    this.#limit = this.#parts.clock.setTimer(restMs, () => this.#end());
    this.#parts.handlers.response(response);
  }

  #repeatAfter(ms: number): void {
    if (this.#parts.transport !== "udp") return;
    this.#repeat = this.#parts.clock.setTimer(ms, () => {
      this.#parts.send(this.#data).catch(() => undefined);
      const next = this.#state === "proceeding" ? T2_MS : Math.min(2 * ms, T2_MS);
      this.#repeatAfter(this.#invite ? 2 * ms : next);
    });
  }

  #fail(cause: Error): void {
    if (this.#state === "completed" || this.#state === "over") return;
    const sent = this.#sent;
    this.#end();
    this.#parts.handlers.failed(cause, sent);
  }

  #end(): void {
    if (this.#state === "over") return;
    this.#state = "over";
    this.#repeat?.cancel();
    this.#limit?.cancel();
    this.#parts.over();
  }
}
