import { callEnd, type CallEnd } from "../model/call-end.ts";
import type { Clock, Timer } from "../ports/clock.ts";
import type { Ending } from "../ports/store.ts";
import type { OpenDial } from "../ports/unattended-dials.ts";
import type { Transport } from "../ports/transport.ts";
import type { FoundCall } from "./find-call.ts";
import type { DialEvent, HeldDial } from "./held-dial.ts";
import { horizonMs, type Placed } from "./place-dial.ts";

/** The carrier gives up first; if it does not, we do this much later. */
const RING_MARGIN_MS = 10_000;

/** Between the carrier's "answered" and its media socket; longer than this the person hears nothing and never will. */
const MEDIA_MS = 10_000;

/** How the time before the conversation ended. */
export type Rung =
  | Readonly<{ type: "answered"; line: Transport }>
  /** Nothing rings, and nothing will. */
  | Readonly<{ type: "over"; ending: Ending }>
  /** The row has its end already, by a callback or by somebody who did not know that it was claimed. */
  | Readonly<{ type: "ended" }>
  /** We end it: intent, hang-up, terminal statement. */
  | Readonly<{ type: "cut"; end: CallEnd }>
  /** No line came in time, though the carrier may have said that somebody answered. */
  | Readonly<{ type: "overdue"; answered: boolean }>
  | Readonly<{ type: "fenced" }>
  /** Nothing more can be learned here; the lease lapses and the reaper goes on. */
  | Readonly<{ type: "let-go" }>;

/**
 * The time between the claim and the conversation.
 *
 *   asking ──accepted──► ringing ──line──► answered
 *     │ └───ambiguous──► searching ─found─► ringing
 *     └─refused─► over
 *
 * A line may come before the carrier's answer to our request, and is as good as one. Whoever wants the dial cut while the
 * request is on its way has to wait for the answer, because only that names the call to hang up.
 */
export class Ringing {
  readonly #held: HeldDial;
  readonly #clock: Clock;
  readonly #claimedAt: number;
  #placing: "asking" | "searching" | "ringing" = "asking";
  #cutting: CallEnd | undefined;
  #fenced = false;
  #due: Timer | undefined;
  #media = false;

  constructor(held: HeldDial, clock: Clock, claimedAt: number) {
    this.#held = held;
    this.#clock = clock;
    this.#claimedAt = claimedAt;
  }

  /** Whether the request to ring may not leave any more. */
  get withdrawn(): boolean {
    return this.#cutting !== undefined || this.#fenced || this.#held.standing !== "ours";
  }

  /** Whether a line that names this call may come in now. */
  admits(line: Transport): boolean {
    const { callId } = this.#held;
    return callId === undefined || line.carrierCallId === undefined || line.carrierCallId === callId;
  }

  /** Takes events until the ringing is over. */
  async run(): Promise<Rung> {
    try {
      for (;;) {
        const event = await this.#held.inbox.take();
        if (event === undefined) return { type: "let-go" };
        const rung = this.#on(event);
        if (rung !== undefined) return rung;
      }
    } finally {
      this.#due?.cancel();
    }
  }

  #on(event: DialEvent): Rung | undefined {
    switch (event.type) {
      case "placed":
        return this.#onPlaced(event.placed);
      case "found":
        return this.#onFound(event.found);
      case "line":
        return this.#onLine(event.line);
      case "news":
        return this.#onNews(event.dial);
      case "command":
        return this.#cut(callEnd(event.command.endReason, "api"));
      case "cut":
        return this.#onCut();
      case "fenced":
        this.#fenced = true;
        return this.#placing === "asking" && this.#held.callId === undefined ? undefined : { type: "fenced" };
      case "due":
        return { type: "overdue", answered: this.#media };
      case "finished":
        return undefined;
    }
  }

  #onPlaced(placed: Placed): Rung | undefined {
    switch (placed.type) {
      case "accepted":
        return this.#ring(placed.callId);
      case "ambiguous":
        if (this.#fenced) return { type: "fenced" };
        if (this.#placing === "ringing") return this.#stop();
        this.#placing = "searching";
        this.#held.search(this.#claimedAt + horizonMs(this.#held.claim.plan.ringTimeoutMs));
        return undefined;
      case "refused":
        this.#held.mayRing = false;
        return this.#fenced || this.#held.standing !== "ours" ? this.#stop() : { type: "over", ending: placed.ending };
      case "withdrawn":
        this.#held.mayRing = false;
        return this.#stop() ?? { type: "ended" };
    }
  }

  #onFound(found: FoundCall): Rung | undefined {
    switch (found.state) {
      case "unknown":
        return { type: "let-go" };
      case "absent": {
        this.#held.mayRing = false;
        const end = this.#cutting ?? callEnd("carrier_error", "carrier");
        return { type: "over", ending: { type: "observed", evidence: 1, end } };
      }
      case "ended": {
        const otherwise = this.#cutting?.reason;
        const ending: Ending = { type: "carrier", evidence: 3, end: found.end };
        return { type: "over", ending: otherwise === undefined ? ending : { ...ending, otherwise } };
      }
      case "ringing":
        return this.#ring(found.callId);
      case "in-progress":
        return this.#ring(found.callId) ?? this.#expectMedia();
    }
  }

  #onLine(line: Transport): Rung | undefined {
    if (line.carrierCallId !== undefined) this.#held.learnCall(line.carrierCallId);
    this.#held.line = line;
    return this.#stop() ?? { type: "answered", line };
  }

  #onNews(dial: OpenDial): Rung | undefined {
    // A call that we do not know yet must be known first, so that it can be hung up: not every end comes from the carrier.
    if (dial.state === "ENDED") return this.#held.callId === undefined ? undefined : { type: "ended" };
    const intent = dial.hangupIntent;
    if (intent === "canceled" || intent === "operator_hangup") return this.#cut(callEnd(intent, "api"));
    const named =
      dial.carrierCallId !== null && this.#placing !== "ringing" ? this.#ring(dial.carrierCallId) : undefined;
    return named ?? (dial.state === "IN_PROGRESS" ? this.#expectMedia() : undefined);
  }

  #onCut(): Rung | undefined {
    // A search takes minutes, and the time to wait is over.
    if (this.#placing === "searching") return { type: "let-go" };
    return this.#cut(callEnd("worker_lost", "system"));
  }

  #cut(end: CallEnd): Rung | undefined {
    this.#cutting ??= end;
    // Noted at once: if this process dies before the call is named, whoever finds the call knows why it is to be cut.
    if (this.#held.callId !== undefined) return { type: "cut", end: this.#cutting };
    void this.#held.intend(this.#cutting);
    return undefined;
  }

  #ring(callId: string): Rung | undefined {
    this.#held.learnCall(callId);
    const stop = this.#stop();
    if (stop !== undefined) return stop;
    if (this.#placing !== "ringing") {
      this.#placing = "ringing";
      this.#held.advance("RINGING");
      this.#expect(this.#held.claim.plan.ringTimeoutMs + RING_MARGIN_MS);
    }
    return undefined;
  }

  /** What a dial comes to that must not go on; `undefined` when it may. */
  #stop(): Rung | undefined {
    if (this.#fenced || this.#held.standing === "fenced") return { type: "fenced" };
    if (this.#held.standing === "ended") return { type: "ended" };
    return this.#cutting === undefined ? undefined : { type: "cut", end: this.#cutting };
  }

  #expectMedia(): undefined {
    if (this.#media) return;
    this.#media = true;
    this.#expect(MEDIA_MS);
  }

  #expect(ms: number): void {
    this.#due?.cancel();
    this.#due = this.#clock.setTimer(ms, () => {
      this.#held.inbox.put({ type: "due" });
    });
  }
}
