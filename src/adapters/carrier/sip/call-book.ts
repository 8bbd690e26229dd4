import type { IncomingCall } from "./incoming-call.ts";
import type { OutgoingCall } from "./outgoing-call.ts";

export type SipCall = OutgoingCall | IncomingCall;

/** Calls of one account by their Call-ID, also a while after they ended, since their end may be asked for. */
export class CallBook {
  readonly #calls = new Map<string, SipCall>();

  get(callId: string): SipCall | undefined {
    return this.#calls.get(callId);
  }

  /** Whether no further call can be held. */
  get full(): boolean {
    return this.#calls.size >= MOST_REMEMBERED && this.open.length >= MOST_OPEN;
  }

  /** Calls that are not over. */
  get open(): readonly SipCall[] {
    return [...this.#calls.values()].filter((call) => call.state?.state !== "ended");
  }

  /** Takes a call in, in place of an earlier one of the same id, and lets go of those that ended longest ago. */
  add(call: SipCall): void {
    this.#calls.delete(call.callId);
    this.#calls.set(call.callId, call);
    for (const [callId, each] of this.#calls) {
      if (this.#calls.size <= MOST_REMEMBERED) return;
      if (each.state?.state === "ended") this.#calls.delete(callId);
    }
  }

  remove(call: SipCall): void {
    if (this.#calls.get(call.callId) === call) this.#calls.delete(call.callId);
  }
}

const MOST_OPEN = 2000;
const MOST_REMEMBERED = 5000;
