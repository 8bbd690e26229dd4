import type { CallHandle } from "../call/call.ts";
import type { Transfer } from "../call/invocations.ts";
import { Inbox } from "../kit/inbox.ts";
import { deferred } from "../kit/deferred.ts";
import { toError } from "../kit/errors.ts";
import type { Scope } from "../kit/scope.ts";
import type { CallEnd } from "../model/call-end.ts";
import type { AnsweredBy, CallReference, Carrier, LookUp } from "../ports/carrier.ts";
import { withDeadline } from "../ports/clock.ts";
import type { HangUpCommand } from "../ports/live.ts";
import type { Claim, DialStore } from "../ports/store.ts";
import type { OpenDial } from "../ports/unattended-dials.ts";
import type { Transport } from "../ports/transport.ts";
import type { EndForGoodDeps } from "./end-for-good.ts";
import { findCall, LOOK_UP_TIMEOUT_MS, type FoundCall } from "./find-call.ts";
import { persist, STORE, withTimeout } from "./persist.ts";
import type { Placed, PlaceDeps } from "./place-dial.ts";
import { DialWatch } from "./watch-dial.ts";

/** What happens to a dial while a worker holds it; taken one after another by whichever phase the dial is in. */
export type DialEvent =
  | Readonly<{ type: "placed"; placed: Placed }>
  | Readonly<{ type: "found"; found: FoundCall }>
  | Readonly<{ type: "line"; line: Transport }>
  | Readonly<{ type: "news"; dial: OpenDial }>
  | Readonly<{ type: "command"; command: HangUpCommand }>
  /** Another owner has taken the dial over. */
  | Readonly<{ type: "fenced" }>
  /** This process is shutting down and can wait no longer. */
  | Readonly<{ type: "cut" }>
  | Readonly<{ type: "due" }>
  | Readonly<{ type: "finished"; end: CallEnd }>;

/** `unknown`: the store did not answer in time. `ended`: the row has its end already. */
type Noted = "noted" | "unknown" | "ended" | "fenced";

type HeldDialDeps = EndForGoodDeps &
  Pick<PlaceDeps, "answerUrl"> &
  Readonly<{ dials: Pick<DialStore, "end" | "attachCall" | "advance" | "beat" | "intendHangUp" | "peek"> }>;

/** How long a person stays on the line for the sake of a note that the store does not take. */
const INTENT_MS = 2_000;

const HANG_UP = { forMs: 60_000, attemptMs: 6_000, maxPauseMs: 5_000 };
const HANG_UP_TIMEOUT_MS = 5_000;

/** One claimed dial: what is known of it, and everything that is written or asked about it under its claim. */
export class HeldDial {
  readonly claim: Claim;
  readonly carrier: Carrier;
  readonly inbox = new Inbox<DialEvent>(256);
  readonly watch: DialWatch;
  /** Whether a call may exist at the carrier. */
  mayRing = false;
  /** Whether the carrier has been asked to connect the person elsewhere and has not said what came of it. */
  transferring = false;
  line: Transport | undefined;
  /** The conversation, once there is one. */
  call: CallHandle | undefined;
  /** An operator keeps the agent silent. */
  agentPaused = false;
  /** Who has answered by the carrier's own detection, should it ever say so. */
  readonly answerer = deferred<AnsweredBy>();
  readonly #deps: HeldDialDeps;
  readonly #scope: Scope;
  readonly #over = deferred<"ended" | "fenced">();
  /** The wall clock before anything was asked of the carrier. */
  readonly since: number;
  #callId: string | undefined;
  #standing: "ours" | "ended" | "fenced" = "ours";

  constructor(deps: HeldDialDeps, claim: Claim, carrier: Carrier, scope: Scope) {
    this.#deps = deps;
    this.#scope = scope;
    this.claim = claim;
    this.carrier = carrier;
    this.since = deps.clock.now();
    this.watch = new DialWatch(deps, claim.dialId, 2_000, (dial) => {
      this.#read(dial);
    });
  }

  get callId(): string | undefined {
    return this.#callId;
  }

  /** `ended`: the row has its end already. `fenced`: another owner has it; nothing may be written any more. */
  get standing(): "ours" | "ended" | "fenced" {
    return this.#standing;
  }

  /** The carrier's id of our call; noted in the row in the background, and if the row refuses it, the dial is not ours. */
  learnCall(callId: string): void {
    if (this.#callId !== undefined) return;
    this.#callId = callId;
    this.#background("noting a call", async (signal) => {
      const attached = await persist(
        this.#deps,
        STORE,
        "noting a call",
        () => this.#deps.dials.attachCall(this.claim, callId),
        signal,
      );
      if (!attached) await this.doubt();
    });
  }

  /** Moves the row forward, in the background, and tells the live stream if it moved. */
  advance(state: "RINGING" | "IN_PROGRESS"): void {
    const { dialId } = this.claim;
    this.#background("advancing a dial", async (signal) => {
      const moved = await persist(
        this.#deps,
        STORE,
        "advancing a dial",
        () => this.#deps.dials.advance(dialId, state),
        signal,
      );
      const status = state === "RINGING" ? "ringing" : "in-progress";
      if (moved) this.#deps.live.publish(dialId, { type: "status", status, systemResultType: null });
    });
  }

  /** Looks for a call whose answer was lost; what comes of it arrives as a `found` event. */
  search(horizonAt: number): void {
    this.#background("finding a call", async (signal) => {
      const found = await findCall(this.#deps, this.carrier, this.#reference, horizonAt, signal);
      this.inbox.put({ type: "found", found });
    });
  }

  /** A fenced write found no row: has the dial ended, or has somebody else taken it over? */
  async doubt(): Promise<void> {
    try {
      const dial = await withDeadline(
        this.#deps.clock,
        INTENT_MS,
        "looking at a dial",
        this.#deps.dials.peek(this.claim.dialId),
      );
      if (dial?.state === "ENDED" && dial.epoch === this.claim.epoch) this.#read(dial);
      else this.fence();
    } catch {
      this.fence();
    }
  }

  /** From here on nothing is written about this dial. */
  fence(): void {
    if (this.#standing !== "ours") return;
    this.#standing = "fenced";
    this.#over.resolve("fenced");
    this.inbox.put({ type: "fenced" });
  }

  /**
   * Notes why the call is about to be hung up, before it is. This is the one thing that is written about a dial that is somebody
   * else's by now: our hang-up is a fact, and without the note the carrier's word on it would read as the caller's.
   */
  async intend(end: CallEnd): Promise<Noted> {
    if (this.#standing === "ended") return "ended";
    const { dialId } = this.claim;
    const claim = this.#standing === "ours" ? this.claim : undefined;
    try {
      const how = { ...STORE, forMs: INTENT_MS };
      const note = () => this.#deps.dials.intendHangUp(dialId, end.reason, end.endedBy, claim);
      const ours = await persist(this.#deps, how, "noting an intent", note, this.#scope.signal);
      if (claim === undefined) return "fenced";
      if (ours) return "noted";
      await this.doubt();
      return this.standing === "ours" ? "noted" : this.standing;
    } catch (error) {
      this.#deps.logger.warn("hanging up without a note of why", { dialId, error: toError(error) });
      return "unknown";
    }
  }

  /**
   * Ends the call at the carrier, trying for a minute. False: the carrier could not be reached, or does not know our call yet,
   * so that somebody may still be on the line.
   */
  async hangUp(): Promise<boolean> {
    if (!this.mayRing) return true;
    try {
      const attempt = async () => {
        const callId = this.#callId ?? (await this.#findId());
        if (callId === undefined) return;
        await withTimeout(this.#deps.clock, HANG_UP_TIMEOUT_MS, "hanging up", (signal) =>
          this.carrier.hangUp(callId, signal),
        );
      };
      await persist(this.#deps, HANG_UP, "hanging up", attempt, this.#scope.signal);
      return true;
    } catch (error) {
      this.#deps.logger.error("a call could not be hung up; it is left to the reaper", {
        dialId: this.claim.dialId,
        error: toError(error),
      });
      return false;
    }
  }

  /** Asks the carrier to connect the person elsewhere; `failed` when it cannot, or gives no answer. */
  readonly transfer: Transfer = async ({ to, summary }, signal) => {
    const callId = this.#callId ?? this.line?.carrierCallId;
    if (callId === undefined || this.#standing !== "ours" || this.carrier.transfer === undefined) return "failed";
    this.transferring = true;
    try {
      const { dialId, plan } = this.claim;
      return await this.carrier.transfer(callId, to, signal, {
        answerUrl: this.#deps.answerUrl({ dialId, carrier: this.carrier.name }),
        callerId: plan.direction === "inbound" ? plan.toNumber : plan.fromNumber,
        ...(summary === undefined ? {} : { summary: { text: summary, language: plan.language } }),
      });
    } catch (error) {
      this.#deps.logger.warn("a call could not be transferred", {
        dialId: this.claim.dialId,
        error: toError(error),
      });
      return "failed";
    } finally {
      this.transferring = false;
    }
  };

  /** The carrier's word on our call, asked once; `undefined` when it gives none. */
  async askCarrier(): Promise<LookUp | undefined> {
    try {
      return await this.#lookUp();
    } catch (error) {
      this.#deps.logger.warn("the carrier could not be asked about a call", {
        dialId: this.claim.dialId,
        error: toError(error),
      });
      return undefined;
    }
  }

  /** Waits up to `ms` for the carrier's word, or another owner, to reach the row. */
  async awaitWord(ms: number): Promise<"ours" | "ended" | "fenced"> {
    if (this.#standing !== "ours" || this.carrier.reports === false) return this.#standing;
    this.watch.every(300);
    this.watch.nudge();
    try {
      return await withDeadline(this.#deps.clock, ms, "the carrier's word", this.#over.promise);
    } catch {
      return "ours";
    }
  }

  #read(dial: OpenDial): void {
    if (dial.epoch !== this.claim.epoch) {
      this.fence();
      return;
    }
    if (dial.state === "ENDED" && this.#standing === "ours") {
      this.#standing = "ended";
      this.#over.resolve("ended");
    }
    this.inbox.put({ type: "news", dial });
  }

  /** A call that was never named to us, found by our reference; `undefined` when there is nothing to hang up. */
  async #findId(): Promise<string | undefined> {
    const found = await this.#lookUp();
    if (found.state === "absent") {
      if (found.final) return undefined;
      throw new Error("the carrier does not list the call, and may do so later");
    }
    return found.state === "ended" ? undefined : found.callId;
  }

  /** What the carrier can find our call by when its answer was lost. */
  get #reference(): CallReference {
    const { dialId, plan } = this.claim;
    return { dialId, to: plan.toNumber, from: plan.fromNumber, since: this.since };
  }

  #lookUp(): Promise<LookUp> {
    return withTimeout(this.#deps.clock, LOOK_UP_TIMEOUT_MS, "looking a call up", (signal) =>
      this.carrier.lookUp({ ...this.#reference, callId: this.#callId }, signal),
    );
  }

  /** Work beside the phases, which dies with the dial and is void once the dial is not ours. */
  #background(what: string, work: (signal: AbortSignal) => Promise<void>): void {
    work(this.#scope.signal).catch((error: unknown) => {
      if (this.#scope.closed) return;
      this.#deps.logger.error("something about a dial was not written", {
        dialId: this.claim.dialId,
        what,
        error: toError(error),
      });
    });
  }
}
