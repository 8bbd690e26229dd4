import { toError } from "../../../kit/errors.ts";
import type {
  CallbackRequest,
  Carrier,
  CarrierReport,
  LookUp,
  PlaceOutcome,
  PlaceRequest,
  TransferBack,
} from "../../../ports/carrier.ts";
import { withDeadline } from "../../../ports/clock.ts";
import type { AdapterDeps } from "../../../ports/descriptor.ts";
import type { MediaSocket } from "../../../ports/media-socket.ts";
import type { Transport } from "../../../ports/transport.ts";
import { LoopbackCall } from "./loopback-call.ts";
import type { Caller } from "../simulation/caller.ts";
import { prepareFarEnd } from "../simulation/menu.ts";
import { USUAL_CALLER, loopbackNumber, type LoopbackNumber } from "../simulation/numbers.ts";
import { needsVoice, type CallerScript, type Speak } from "../simulation/script.ts";
import { acceptMediaLine } from "../streaming/media-line.ts";
import { TwilioDialect } from "./stream-dialect.ts";
import { readStatusCallback } from "./status-callback.ts";

export type LoopbackParts = Readonly<{
  deps: Pick<AdapterDeps, "clock" | "random" | "logger" | "metrics">;
  /** Speaks what scripts have as text. Without it, numbers whose person speaks text cannot be placed. */
  speak?: Speak | undefined;
  /** Who answers at the conversing numbers; `undefined` for the usual caller. */
  caller?: ((dial: Readonly<{ dialId: string; to: string; from: string }>) => CallerScript | undefined) | undefined;
  /** Keeps what phones heard and said (16 kB a second of call) for {@link Loopback.call}; for tests and demonstrations. */
  keepSound?: boolean;
}>;

/**
 * A telephone network inside this process, whose phones are real clients: they report their progress over HTTP and talk
 * over a websocket, as a carrier of the Twilio dialect does. What happens at which number is in `../simulation/numbers.ts`.
 *
 * Its status callbacks are not signed: the addresses that they are posted to authorize them.
 */
export class Loopback implements Carrier {
  readonly name = "loopback";
  readonly #parts: LoopbackParts;
  readonly #calls = new Map<string, LoopbackCall>();
  readonly #callIds = new Map<string, string>();
  readonly #spoken = new Map<string, ReturnType<Speak>>();
  readonly #accountSid: string;
  #closing: Promise<void> | undefined;

  constructor(parts: LoopbackParts) {
    this.#parts = parts;
    this.#accountSid = `AC${parts.deps.random.id().replaceAll("-", "")}`;
  }

  async place(request: PlaceRequest, signal: AbortSignal): Promise<PlaceOutcome> {
    const number = loopbackNumber(request.to);
    if (number === undefined || number.place === "invalid-number")
      return { type: "rejected", reason: "invalid_number" };
    if (this.#closing !== undefined || signal.aborted || number.place === "not-sent")
      return { type: "not-sent", cause: new Error("the loopback network cannot be reached") };
    if (number.place === "refused") return { type: "rejected", reason: "carrier_rejected" };
    if (number.place === "server-error") return { type: "rejected", reason: "carrier_error" };
    if (number.place === "rate-limited" || this.#busy) return { type: "rate-limited", retryAfterMs: 1000 };
    if (number.place === "request-lost") return { type: "ambiguous", cause: new Error("the connection broke") };
    const script = this.#scriptFor(number, request);
    if (needsVoice(script) && this.#parts.speak === undefined) {
      this.#parts.deps.logger.error("the loopback network has no voice for its people; give it LOOPBACK_CALLER", {
        dialId: request.dialId,
      });
      return { type: "rejected", reason: "carrier_error" };
    }
    const call = this.#begin(request, number, script);
    if (number.place === "answer-lost") return { type: "ambiguous", cause: new Error("the connection broke") };
    return { type: "accepted", callId: call.callId };
  }

  async hangUp(callId: string): Promise<void> {
    this.#calls.get(callId)?.hangUp();
  }

  /** Rings the other number; the person goes there when somebody picked up and was told what it is about, and stays with us otherwise. */
  async transfer(
    callId: string,
    to: string,
    signal: AbortSignal,
    back?: Pick<TransferBack, "summary">,
  ): Promise<"transferred" | "failed"> {
    const number = loopbackNumber(to);
    const call = this.#calls.get(callId);
    if (call === undefined || number?.place !== "accepted") return "failed";
    return (await call.transfer(number, back?.summary?.text, signal)) ? "transferred" : "failed";
  }

  /** The network knows every call of its own process; a reference that it does not know will never be a call. */
  async lookUp(reference: Readonly<{ dialId: string; callId?: string | undefined }>): Promise<LookUp> {
    const callId = reference.callId ?? this.#callIds.get(reference.dialId) ?? "";
    return this.#calls.get(callId)?.state ?? { state: "absent", final: true };
  }

  readCallback(dialId: string, request: CallbackRequest): CarrierReport | undefined {
    return readStatusCallback(dialId, request);
  }

  acceptMedia(socket: MediaSocket, signal: AbortSignal): Promise<Transport> {
    return acceptMediaLine(socket, new TwilioDialect(), this.#parts.deps, signal);
  }

  /** The call that was placed for a dial, with its phone; `undefined` when there was none or it was long ago. */
  call(dialId: string): LoopbackCall | undefined {
    return this.#calls.get(this.#callIds.get(dialId) ?? "");
  }

  /** How many calls were placed and are remembered, and how many of them are not over. */
  get load(): Readonly<{ known: number; open: number }> {
    let open = 0;
    for (const call of this.#calls.values()) if (call.state.state !== "ended") open += 1;
    return { known: this.#calls.size, open };
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    for (const call of this.#calls.values()) call.hangUp();
    const settled = Promise.all([...this.#calls.values()].map((call) => call.settled));
    try {
      await withDeadline(this.#parts.deps.clock, CLOSE_MS, "closing the loopback network", settled);
    } catch {
      for (const call of this.#calls.values()) call.abort();
      await settled;
    }
  }

  get #busy(): boolean {
    return this.#calls.size >= MOST_REMEMBERED && this.load.open >= MOST_OPEN;
  }

  #scriptFor(number: LoopbackNumber, { dialId, to, from }: PlaceRequest): CallerScript {
    if (number.caller !== "conversation") return number.caller;
    return this.#parts.caller?.({ dialId, to, from }) ?? USUAL_CALLER;
  }

  #begin(request: PlaceRequest, number: LoopbackNumber, script: CallerScript): LoopbackCall {
    const { clock, random, logger } = this.#parts.deps;
    const callId = `CA${random.id().replaceAll("-", "")}`;
    const call = new LoopbackCall({
      clock,
      random,
      logger,
      callId,
      accountSid: this.#accountSid,
      request,
      number,
      caller: this.#personOf(number, script),
      keepSound: this.#parts.keepSound === true,
    });
    this.#calls.set(callId, call);
    this.#callIds.set(request.dialId, callId);
    this.#forget();
    return call;
  }

  #personOf(number: LoopbackNumber, script: CallerScript): Promise<Caller> {
    // Nobody answers: nothing needs to be said.
    const lines = number.outcome === "answer" ? script : { lines: [] };
    const speak = this.#parts.speak;
    const ready = prepareFarEnd(lines, speak === undefined ? undefined : (text) => this.#speakOnce(text, speak));
    return withDeadline(this.#parts.deps.clock, VOICE_MS, "making the caller's voice", ready);
  }

  /** People of a network say the same things over and over; their sound is made once. */
  #speakOnce(text: string, speak: Speak): ReturnType<Speak> {
    const kept = this.#spoken.get(text);
    if (kept !== undefined) return kept;
    const made = speak(text);
    made.catch((error: unknown) => {
      this.#spoken.delete(text);
      this.#parts.deps.logger.error("a loopback caller could not speak", { error: toError(error) });
    });
    if (this.#spoken.size >= MOST_SPOKEN) this.#spoken.clear();
    this.#spoken.set(text, made);
    return made;
  }

  /** Lets go of calls that ended long ago, the oldest first; with kept sound, of all but a few. */
  #forget(): void {
    const most = this.#parts.keepSound === true ? MOST_WITH_SOUND : MOST_REMEMBERED;
    for (const [callId, call] of this.#calls) {
      if (this.#calls.size <= most) return;
      if (call.state.state !== "ended") continue;
      this.#calls.delete(callId);
      if (this.#callIds.get(call.dialId) === callId) this.#callIds.delete(call.dialId);
    }
  }
}

const MOST_OPEN = 5000;
const MOST_REMEMBERED = 10_000;
const MOST_WITH_SOUND = 50;
const MOST_SPOKEN = 200;
const CLOSE_MS = 2000;
const VOICE_MS = 30_000;
