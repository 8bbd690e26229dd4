import type { CallHandle } from "../call/call.ts";
import { FAREWELL_MS } from "../call/ending.ts";
import { callEnd, type CallEnd } from "../model/call-end.ts";
import type { Clock, Timer } from "../ports/clock.ts";
import type { OpenDial } from "../ports/unattended-dials.ts";
import type { DialEvent, HeldDial } from "./held-dial.ts";
import { horizonMs } from "./place-dial.ts";

/** The call's own limit ends it first; this is for a call that does not keep it. */
const LIMIT_MARGIN_MS = 60_000;

/** How long a call may take to let go once asked. */
const LET_GO_MS = 5_000;

/** The row may say that the call is over a moment before the line does. */
const LINE_BEHIND_MS = 2_000;

/** Owns a live call from answer to its end. Answers how it ended, or "fenced". */
export const converse = async (
  held: HeldDial,
  clock: Clock,
  claimedAt: number,
  answer: () => CallHandle,
): Promise<CallEnd | "fenced"> => {
  const timers: Timer[] = [];
  try {
    const handle = answer();
    held.call = handle;
    handle.finished.then(
      (end) => {
        held.inbox.put({ type: "finished", end });
      },
      () => {
        held.inbox.put({ type: "finished", end: callEnd("worker_lost", "system") });
      },
    );
    void held.answerer.promise.then((by) => {
      handle.answeredBy(by);
    });
    const limitMs = held.claim.plan.maxDurationMs + LIMIT_MARGIN_MS;
    const asking = new Asking(held, clock, handle, timers);
    timers.push(
      clock.setTimer(limitMs, () => {
        asking.ask(callEnd("max_duration", "system"));
      }),
    );
    for (;;) {
      const event = await held.inbox.take();
      if (event === undefined) return callEnd("worker_lost", "system");
      if (event.type === "finished") return event.end;
      if (event.type === "fenced") {
        handle.hangUp("worker_lost", "system");
        return "fenced";
      }
      if (event.type === "placed" && event.placed.type === "ambiguous" && held.callId === undefined)
        held.search(claimedAt + horizonMs(held.claim.plan.ringTimeoutMs));
      const end = read(held, event);
      if (end !== undefined) asking.ask(end, end.endedBy === "remote" ? LINE_BEHIND_MS : 0);
    }
  } finally {
    for (const timer of timers) timer.cancel();
  }
};

/** What an event asks of the call: an end, or nothing. */
const read = (held: HeldDial, event: DialEvent): CallEnd | undefined => {
  switch (event.type) {
    case "command":
      return callEnd(event.command.endReason, "api");
    case "cut":
      return callEnd("worker_lost", "system");
    case "news":
      return readRow(event.dial);
    case "found":
      if (event.found.state === "ended") return callEnd("counterparty_hangup", "remote");
      if (event.found.state !== "absent" && event.found.state !== "unknown") held.learnCall(event.found.callId);
      return undefined;
    case "placed":
      if (event.placed.type === "accepted") held.learnCall(event.placed.callId);
      return undefined;
    case "line":
    case "due":
    case "fenced":
    case "finished":
      return undefined;
  }
};

const readRow = ({ state, hangupIntent }: OpenDial): CallEnd | undefined => {
  if (state === "ENDED") return callEnd("counterparty_hangup", "remote");
  // Somebody noted that they want it ended, and their command did not reach us.
  return hangupIntent === "canceled" || hangupIntent === "operator_hangup" ? callEnd(hangupIntent, "api") : undefined;
};

/** Asks a call to end, the first reason only, and answers in its place if it does not. */
class Asking {
  readonly #held: HeldDial;
  readonly #clock: Clock;
  readonly #handle: CallHandle;
  readonly #timers: Timer[];
  #asked = false;

  constructor(held: HeldDial, clock: Clock, handle: CallHandle, timers: Timer[]) {
    this.#held = held;
    this.#clock = clock;
    this.#handle = handle;
    this.#timers = timers;
  }

  ask(end: CallEnd, afterMs = 0): void {
    if (afterMs > 0) {
      this.#timers.push(
        this.#clock.setTimer(afterMs, () => {
          this.ask(end);
        }),
      );
      return;
    }
    if (this.#asked) return;
    this.#asked = true;
    // Nobody has wished for this end: the agent says that it has to go.
    const politely = end.reason === "worker_lost";
    this.#handle.hangUp(end.reason, end.endedBy, politely);
    this.#timers.push(
      this.#clock.setTimer(politely ? FAREWELL_MS + LET_GO_MS : LET_GO_MS, () => {
        this.#held.inbox.put({ type: "finished", end });
      }),
    );
  }
}
