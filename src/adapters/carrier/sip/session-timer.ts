import type { Clock, Timer } from "../../../ports/clock.ts";
import { headerOf, splitOutside, type SipHeader, type SipMessage } from "./message.ts";
import { hasOption } from "./ask.ts";
import { paramsOf } from "./sip-address.ts";

/** Who shows in time that the call still is one, and how often in seconds (RFC 4028). */
export type SessionTerms = Readonly<{ seconds: number; refresher: "us" | "peer" }>;

/** The shortest interval that RFC 4028 lets anybody ask for, in seconds. */
export const SHORTEST_SESSION = 90;

/** What we ask for, in seconds; also the value that RFC 4028 recommends. */
export const USUAL_SESSION = 1800;

/** The interval that a message tells of, in seconds. */
export const sessionSeconds = (message: SipMessage): number | undefined => {
  const told = /^(\d{1,9})/.exec(headerOf(message, "session-expires") ?? "");
  return told === null ? undefined : Number(told[1]);
};

/** What a peer's request comes to; `undefined` when nobody asks for refreshes. */
export const termsOfRequest = (request: SipMessage): SessionTerms | undefined => {
  const seconds = sessionSeconds(request);
  if (seconds === undefined) return undefined;
  const wish = refresherOf(request);
  // Who does not know the extension will not refresh.
  return { seconds, refresher: wish === "uas" || !hasOption(request, "supported", "timer") ? "us" : "peer" };
};

/** What the answer to a request of ours came to. */
export const termsOfAnswer = (answer: SipMessage): SessionTerms | undefined => {
  const seconds = sessionSeconds(answer);
  return seconds === undefined ? undefined : { seconds, refresher: refresherOf(answer) === "uas" ? "peer" : "us" };
};

/** What our answer tells of the terms. */
export const headersOfTerms = (terms: SessionTerms | undefined): readonly SipHeader[] =>
  terms === undefined
    ? []
    : [
        ["session-expires", `${terms.seconds};refresher=${terms.refresher === "peer" ? "uac" : "uas"}`],
        ...(terms.refresher === "peer" ? [["require", "timer"] as const] : []),
      ];

const refresherOf = (message: SipMessage): string | undefined =>
  paramsOf(splitOutside(headerOf(message, "session-expires") ?? "", ";").slice(1)).get("refresher");

/** Refreshes a call, or watches that it is refreshed. */
export class SessionTimer {
  readonly #clock: Clock;
  readonly #on: Readonly<{ refresh(): void; expired(): void }>;
  #timer: Timer | undefined;

  constructor(clock: Clock, on: Readonly<{ refresh(): void; expired(): void }>) {
    this.#clock = clock;
    this.#on = on;
  }

  /** The terms as they were agreed on just now. */
  agreed(terms: SessionTerms | undefined): void {
    this.#timer?.cancel();
    if (terms === undefined) return;
    const ms = terms.seconds * 1000;
    const refreshes = terms.refresher === "us";
    // RFC 4028, section 10: half of the interval, and a little before its end.
    const waitMs = refreshes ? ms / 2 : ms - Math.min(32_000, ms / 3);
    this.#timer = this.#clock.setTimer(waitMs, () => (refreshes ? this.#on.refresh() : this.#on.expired()));
  }

  stop(): void {
    this.#timer?.cancel();
  }
}
