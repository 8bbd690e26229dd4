import { toError } from "../../../kit/errors.ts";
import type { Timer } from "../../../ports/clock.ts";
import { ask } from "./ask.ts";
import type { SipCallDeps } from "./call-deps.ts";
import { headerOf, headersOf, sipRequest, splitOutside, type SipRequest, type SipResponse } from "./message.ts";
import { escapeUser, paramsOf } from "./sip-address.ts";

/** How long we ask to be known for, in seconds; the trunk may say less. */
const EXPIRES = 600;

/** Pauses after a failure, in milliseconds; at the second refusal of the password already the long one. */
const FIRST_PAUSE_MS = 5000;
const LONGEST_PAUSE_MS = 300_000;

/** The trunk has this long to be told goodbye. */
const GOODBYE_MS = 1000;

/** Keeps the trunk informed where our user is (RFC 3261, section 10). */
export class Registration {
  readonly #deps: SipCallDeps;
  readonly #user: string;
  readonly #callId: string;
  readonly #tag: string;
  #sequence = 0;
  #failures = 0;
  #interval = EXPIRES;
  #state: "away" | "registered" | "closed" = "away";
  #timer: Timer | undefined;

  constructor(deps: SipCallDeps, user: string) {
    this.#deps = deps;
    this.#user = user;
    this.#callId = deps.random.secret(18);
    this.#tag = deps.random.secret(9);
  }

  get registered(): boolean {
    return this.#state === "registered";
  }

  start(): void {
    void this.#register();
  }

  /** Says that we are gone; whether the trunk hears it changes nothing. */
  async close(): Promise<void> {
    const known = this.#state === "registered";
    this.#state = "closed";
    this.#timer?.cancel();
    if (!known) return;
    const patience = Promise.withResolvers<void>();
    const timer = this.#deps.clock.setTimer(GOODBYE_MS, () => patience.resolve());
    await Promise.race([this.#send(0).catch(() => undefined), patience.promise]);
    timer.cancel();
  }

  async #register(): Promise<void> {
    try {
      let answer = await this.#send(this.#interval);
      const least = Number(headerOf(answer, "min-expires") ?? 0);
      if (answer.status === 423 && least > this.#interval && least <= 86_400) {
        this.#interval = least;
        answer = await this.#send(least);
      }
      if (this.#closed) return;
      if (answer.status < 300) this.#onRegistered(answer);
      else this.#onRefused(answer);
    } catch (error) {
      this.#deps.logger.warn("the trunk could not be asked to register us", { error: toError(error) });
      this.#again();
    }
  }

  get #closed(): boolean {
    return this.#state === "closed";
  }

  #onRegistered(answer: SipResponse): void {
    this.#state = "registered";
    this.#failures = 0;
    const seconds = Math.max(30, Math.min(this.#interval, this.#granted(answer)));
    // With time left for repetitions.
    this.#schedule(Math.max(seconds * 500, seconds * 1000 - 60_000));
  }

  /** Of our own contact, since the trunk lists those of others too. */
  #granted(answer: SipResponse): number {
    const own = this.#deps.contact();
    const uri = own.slice(own.indexOf("<") + 1, own.indexOf(">")).split(";")[0] ?? "";
    const contact = headersOf(answer, "contact").find((each) => each.includes(uri));
    const told = contact === undefined ? undefined : paramsOf(splitOutside(contact, ";").slice(1)).get("expires");
    const seconds = Number(told ?? headerOf(answer, "expires") ?? this.#interval);
    return Number.isFinite(seconds) ? seconds : this.#interval;
  }

  #onRefused(answer: SipResponse): void {
    this.#deps.logger.warn("the trunk refuses to register us", { status: answer.status });
    // More tries with a wrong password would lock the account.
    if (answer.status === 401 || answer.status === 403 || answer.status === 407) this.#failures = MOST_FAILURES;
    this.#again();
  }

  #again(): void {
    if (this.#closed) return;
    this.#state = "away";
    const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#failures);
    this.#failures = Math.min(MOST_FAILURES, this.#failures + 1);
    this.#schedule(pauseMs * (0.5 + this.#deps.random.fraction() / 2));
  }

  #schedule(ms: number): void {
    this.#timer = this.#deps.clock.setTimer(ms, () => void this.#register());
  }

  async #send(expires: number): Promise<SipResponse> {
    const { server } = this.#deps;
    const uri = `sip:${server.host}:${server.port}`;
    const to = await this.#deps.locate(uri);
    return ask(
      this.#deps,
      (more): SipRequest => {
        this.#sequence += 1;
        const user = `<sip:${escapeUser(this.#user)}@${server.host}>`;
        return sipRequest("REGISTER", uri, [
          ["from", `${user};tag=${this.#tag}`],
          ["to", user],
          ["call-id", this.#callId],
          ["cseq", `${this.#sequence} REGISTER`],
          ["contact", this.#deps.contact()],
          ["expires", String(expires)],
          ["user-agent", "call-engine"],
          ...more,
        ]);
      },
      to,
    );
  }
}

/** Doublings until the longest pause. */
const MOST_FAILURES = 6;
