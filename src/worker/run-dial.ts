import type { PrepareCall, PreparedCall } from "../call/call.ts";
import { Journal } from "../dials/journal.ts";
import { toError } from "../kit/errors.ts";
import { Scope } from "../kit/scope.ts";
import { callEnd, type CallEnd } from "../model/call-end.ts";
import type { Carrier } from "../ports/carrier.ts";
import { withDeadline } from "../ports/clock.ts";
import type { LiveState } from "../ports/live.ts";
import type { Metrics } from "../ports/metrics.ts";
import type { Claim, DialStore, Ending } from "../ports/store.ts";
import { converse } from "./conversation.ts";
import { endForGood, type EndForGoodDeps } from "./end-for-good.ts";
import { HeldDial } from "./held-dial.ts";
import { hearCommands } from "./hear-commands.ts";
import { otherwise, unheard } from "./find-call.ts";
import { holdLease } from "./hold-lease.ts";
import { keepLine } from "./keep-line.ts";
import type { Lines } from "./lines.ts";
import { placeDial, type Placed, type PlaceDeps } from "./place-dial.ts";
import { Ringing, type Rung } from "./ringing.ts";
import { Tape, type TapeDeps } from "./tape.ts";

export type RunDialDeps = PlaceDeps &
  EndForGoodDeps &
  TapeDeps &
  Readonly<{
    dials: DialStore;
    live: LiveState;
    lines: Lines;
    metrics: Metrics;
    carriers: ReadonlyMap<string, Carrier>;
    prepare: PrepareCall;
  }>;

/** A callback may be this far behind the end that it reports. */
const WORD_MS = 1_500;

/** How long the end of a dial waits for what was said in it to be written. */
const FLUSH_MS = 5_000;

/** How long a call may take to stop its engines. */
const DISCARD_MS = 5_000;

/** While people talk, the line tells what matters; the row is looked at for what it cannot tell. */
const LOOK_IN_CALL_MS = 15_000;

/**
 * The whole life of one claimed dial: ring, talk, end. Each step that somebody else could get wrong after our death is written before it
 * is done; every path leaves through one terminal statement, without writing because the dial is somebody else's, or by letting the lease
 * lapse so that the reaper takes over.
 */
export class DialRun {
  readonly dialId: string;
  readonly #deps: RunDialDeps;
  readonly #claim: Claim;
  readonly #claimedAt: number;
  readonly #scope: Scope;
  held: HeldDial | undefined;
  readonly #journal: Journal;
  #prepared: PreparedCall | undefined;
  #placed: Promise<Placed> | undefined;
  readonly #tape: Tape;
  #connected = false;
  #finished: Promise<void> | undefined;

  /** `claimedAt`: monotonic milliseconds from before the claim was sent. */
  constructor(deps: RunDialDeps, claim: Claim, claimedAt: number) {
    this.#deps = deps;
    this.#claim = claim;
    this.#claimedAt = claimedAt;
    this.dialId = claim.dialId;
    this.#scope = new Scope(`dial ${claim.dialId}`);
    this.#journal = new Journal(deps, claim.dialId);
    this.#tape = new Tape(deps, claim.plan);
  }

  /** Whether somebody is on the line. */
  get connected(): boolean {
    return this.#connected;
  }

  /** Lives the dial; never rejects. Idempotent. */
  run(): Promise<void> {
    this.#finished ??= this.#run();
    return this.#finished;
  }

  /** Ends the dial for a shutdown. */
  cut(): void {
    this.held?.inbox.put({ type: "cut" });
  }

  /** Stops trying, and leaves what is not done to the reaper; `run` resolves within seconds. */
  abandon(): void {
    void this.#closeScope();
  }

  /** The dial's row has changed. */
  nudge(): void {
    this.held?.watch.nudge();
  }

  async #run(): Promise<void> {
    const { carrier: name, direction, toNumber = "", fromNumber = "" } = this.#claim.plan;
    const carrier = name === undefined ? undefined : this.#deps.carriers.get(name);
    if (carrier === undefined || (direction !== "browser" && (toNumber === "" || fromNumber === ""))) {
      this.#deps.logger.error("a dial has no carrier that could place it", { dialId: this.dialId });
      const end = callEnd("carrier_error", "system");
      await endForGood(this.#deps, this.dialId, { type: "observed", evidence: 2, end });
      return;
    }
    const held = new HeldDial(this.#deps, this.#claim, carrier, this.#scope);
    this.held = held;
    this.#scope.onClose(() => {
      held.watch.stop();
      held.inbox.close();
    });
    this.#scope.onClose(holdLease(this.#deps, this.#claim, () => void held.doubt()));
    try {
      await this.#live(held, toNumber, fromNumber);
    } catch (error) {
      this.#deps.logger.error("a dial broke down", { dialId: this.dialId, error: toError(error) });
      // Only the carrier's answer names the call that must be hung up.
      const placed = await this.#placed;
      if (placed?.type === "accepted") held.learnCall(placed.callId);
      await this.#cut(held, callEnd("worker_lost", "system"));
    } finally {
      await this.#release();
    }
  }

  async #live(held: HeldDial, to: string, from: string): Promise<void> {
    const rung = await this.#ring(held, to, from);
    this.#deps.traces?.rang(this.#claim.plan, held.since, rung.type);
    switch (rung.type) {
      case "answered":
        return this.#talk(held, rung);
      case "over":
        return this.#conclude(held, rung.ending);
      case "ended":
        await held.hangUp();
        await this.#conclude(held, undefined);
        return;
      case "cut":
        return this.#cut(held, rung.end);
      case "overdue":
        return this.#overdue(held, rung.answered);
      case "fenced":
        return this.#yield(held);
      case "let-go":
        held.line?.close();
        this.#deps.logger.warn("a dial is left to the reaper", { dialId: this.dialId });
    }
  }

  async #ring(held: HeldDial, to: string, from: string): Promise<Rung> {
    const { clock, lines, live, logger } = this.#deps;
    const ringing = new Ringing(held, clock, this.#claimedAt);
    this.#prepared = this.#deps.prepare(this.#claim.plan, this.#journal, held.transfer);
    const withdraw = lines.expect(this.dialId, this.#claim.epoch, (line) => {
      if (!ringing.admits(line)) return false;
      held.inbox.put({ type: "line", line });
      return true;
    });
    this.#scope.onClose(withdraw);
    hearCommands({ live, logger }, held, this.#scope, this.#tape);
    held.watch.every(2_000);
    const withdrawn = () => {
      // From the moment that the request may leave, somebody may ring.
      held.mayRing ||= !ringing.withdrawn;
      return ringing.withdrawn;
    };
    const { claim, carrier } = held;
    this.#placed = placeDial(this.#deps, { claim, carrier, to, from, claimedAt: this.#claimedAt, withdrawn });
    void this.#placed.then((placed) => {
      this.#deps.traces?.placed(claim.plan, held.since, placed.type);
      held.inbox.put({ type: "placed", placed });
    });
    try {
      return await ringing.run();
    } finally {
      withdraw();
    }
  }

  async #talk(held: HeldDial, rung: Extract<Rung, { type: "answered" }>): Promise<void> {
    const { clock, metrics } = this.#deps;
    const line = keepLine(this.#deps, held, rung.line, this.#scope);
    const answeredAt = clock.monotonic();
    this.#connected = true;
    metrics.callStarted();
    held.advance("IN_PROGRESS");
    held.watch.every(LOOK_IN_CALL_MS);
    let end: CallEnd | "fenced";
    try {
      const recording = await this.#tape.start(line.format.sampleRate);
      end = await converse(held, clock, this.#claimedAt, () => {
        if (this.#prepared === undefined) throw new Error("answered before it was prepared");
        return this.#prepared.answer(line, recording);
      });
    } finally {
      metrics.callEnded(clock.monotonic() - answeredAt);
    }
    if (end === "fenced") await this.#yield(held);
    else if (end.reason === "media_lost") await this.#lostLine(held, end);
    else await this.#cut(held, end);
  }

  /** Nobody came: the carrier knows best whether nobody answered, or somebody did and heard nothing. */
  async #overdue(held: HeldDial, answered: boolean): Promise<void> {
    const found = await held.askCarrier();
    const end = unheard(found, answered);
    if (found?.state !== "ended") await this.#cut(held, end);
    else await this.#conclude(held, { type: "carrier", evidence: 3, end: found.end, ...otherwise(found.end, end) });
  }

  /** The line broke: it may be that the person hung up and only the carrier saw it. */
  async #lostLine(held: HeldDial, end: CallEnd): Promise<void> {
    if ((await held.awaitWord(WORD_MS)) === "ours") {
      const found = await held.askCarrier();
      if (found?.state === "ended") {
        held.line?.close();
        await this.#conclude(held, { type: "carrier", evidence: 3, end: found.end });
        return;
      }
    }
    await this.#cut(held, end);
  }

  /** Our side ends the call: why, then how, then that it did. Somebody who was connected elsewhere is talking there. */
  async #cut(held: HeldDial, end: CallEnd): Promise<void> {
    const noted = await held.intend(end);
    if (noted === "fenced") return this.#yield(held);
    // The carrier may tell of the end at once, and who asks then wants to read what was said.
    await this.#journal.settle();
    const hungUp = end.reason === "transferred" || (await held.hangUp());
    held.line?.close();
    if (held.mayRing && (await held.awaitWord(hungUp ? WORD_MS : 0)) === "ours" && !hungUp) {
      await this.#letGoOfCall();
      await this.#write();
      return;
    }
    // Without a note, a carrier that says "completed" before us makes this the other party's doing.
    await this.#conclude(held, { type: "observed", evidence: noted === "unknown" && this.#connected ? 4 : 2, end });
  }

  /** The call is over: what was said in it is written, then the end, unless the row has one already. */
  async #conclude(held: HeldDial, ending: Ending | undefined): Promise<void> {
    await this.#letGoOfCall();
    if (held.standing === "fenced") {
      this.#journal.abandon();
      return;
    }
    const written = await this.#write();
    if (ending !== undefined && (held.standing === "ours" || ending.evidence === 4))
      await endForGood(this.#deps, this.dialId, ending, this.#scope.signal);
    // A store that took the end after an outage takes the rest too.
    if (!written) await this.#write();
  }

  /** Writes what was said and where it is recorded; answers whether all of it is in the store. */
  async #write(): Promise<boolean> {
    const written = await Promise.all([this.#journal.flush(FLUSH_MS), this.#tape.keep()]);
    return !written.includes(false);
  }

  /** The dial is somebody else's: the call that we know of is cut, and nothing is written but that it was us. */
  async #yield(held: HeldDial): Promise<void> {
    this.#deps.logger.warn("a dial was taken over; its call here is cut", { dialId: this.dialId });
    this.#journal.abandon();
    if (held.mayRing) await held.intend(callEnd("worker_lost", "system"));
    await held.hangUp();
    held.line?.close();
  }

  async #letGoOfCall(): Promise<void> {
    if (this.#prepared === undefined) return;
    try {
      await withDeadline(this.#deps.clock, DISCARD_MS, "letting go of a call", this.#prepared.discard());
    } catch (error) {
      this.#deps.logger.error("a call did not let go", { dialId: this.dialId, error: toError(error) });
    }
  }

  async #release(): Promise<void> {
    this.#connected = false;
    await this.#letGoOfCall();
    await this.#tape.close();
    await this.#closeScope();
    await this.#journal.close();
  }
  async #closeScope(): Promise<void> {
    const failed = (error: unknown) =>
      this.#deps.logger.error("a dial was not cleaned up", { dialId: this.dialId, error: toError(error) });
    await this.#scope.close().catch(failed);
  }
}
