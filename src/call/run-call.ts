import { deferred } from "../kit/deferred.ts";
import { toError } from "../kit/errors.ts";
import { Inbox } from "../kit/inbox.ts";
import { callEnd, type CallEnd } from "../model/call-end.ts";
import type { RecordingStream } from "../ports/recorder.ts";
import type { Transport } from "../ports/transport.ts";
import type { CallHandle, PreparedCall } from "./call.ts";
import type { CallEvent, CallHappening } from "./events.ts";
import type { CallParts } from "./call-parts.ts";
import { Performer } from "./perform.ts";
import { initialState, type CallState } from "./state.ts";
import { step } from "./step.ts";
import { Timers, type Ring } from "./timers.ts";

/** Events that may wait; at a few hundred a second even in a busy call, more means that the reader is stuck. */
const INBOX_BOUND = 5000;

type Entry = Readonly<{ at: number; happening: CallHappening }> | Readonly<{ ring: Ring }>;

/**
 * One call, from preparation to its end. Writers put events into the inbox; the one reader here lets `step` decide and the
 * performer act. Nothing else changes the state of a call.
 */
export const prepareCall = (parts: CallParts): PreparedCall => {
  const call = new Call(parts);
  call.prepare();
  return {
    answer: (line, recording) => call.answer(line, recording),
    discard: () => call.close(),
  };
};

class Call {
  readonly #parts: CallParts;
  readonly #inbox = new Inbox<Entry>(INBOX_BOUND);
  readonly #timers: Timers;
  readonly #performer: Performer;
  readonly #finished = deferred<CallEnd>();
  #state: CallState = initialState;
  /** What the opening reported before anybody answered; it belongs behind the answer. */
  #prelude: CallHappening[] | undefined = [];
  #answeredMs = 0;
  #closing: Promise<void> | undefined;

  constructor(parts: CallParts) {
    this.#parts = parts;
    this.#timers = new Timers(parts.clock, (ring) => {
      this.#put({ ring });
    });
    parts.takeovers?.listen((takeover) => {
      this.#happen({ type: "took-over", takeover });
    });
    this.#performer = new Performer(parts, {
      timers: this.#timers,
      emit: (happening) => {
        this.#happen(happening);
      },
      toCallMs: (monotonicMs) => monotonicMs - this.#answeredMs,
      end: (end) => {
        this.#finished.resolve(end);
      },
      broke: (error) => {
        this.#fail(error);
      },
    });
  }

  prepare(): void {
    this.#performer.prepareOpening();
  }

  answer(line: Transport, recording: RecordingStream | undefined): CallHandle {
    this.#answeredMs = this.#parts.clock.monotonic();
    // An opening that has to be made anew reports for itself; what the first one moved and called would count twice. Who took over did.
    const fits = this.#performer.fits(line.format);
    const prelude = (this.#prelude ?? []).filter(({ type }) => fits || type === "took-over");
    this.#prelude = undefined;
    this.#happen({ type: "answered" });
    for (const happening of prelude) this.#happen(happening);
    this.#performer.attach(line, recording);
    void this.#read();
    return {
      finished: this.#finished.promise,
      hangUp: (reason, endedBy, politely = false) => {
        this.#happen({ type: "hang-up", reason, endedBy, politely });
      },
      order: (order) => {
        this.#happen({ type: "operator", order });
      },
      answeredBy: (by) => {
        this.#happen({ type: "answered-by", by });
      },
    };
  }

  close(): Promise<void> {
    // Whoever lets go of a call in the middle still learns that it is over; after an end of its own this says nothing.
    this.#finished.resolve(callEnd("worker_lost", "system"));
    this.#inbox.close();
    this.#timers.close();
    this.#closing ??= this.#performer.close();
    return this.#closing;
  }

  #happen(happening: CallHappening): void {
    if (this.#prelude === undefined) this.#put({ at: this.#parts.clock.monotonic() - this.#answeredMs, happening });
    else if (this.#prelude.length < INBOX_BOUND) this.#prelude.push(happening);
  }

  #put(entry: Entry): void {
    try {
      this.#inbox.put(entry);
    } catch (error) {
      this.#fail(error);
    }
  }

  async #read(): Promise<void> {
    try {
      for (let entry = await this.#inbox.take(); entry !== undefined; entry = await this.#inbox.take()) {
        const event = this.#eventOf(entry);
        if (event !== undefined) this.#decide(event);
        if (this.#state.phase === "ended") break;
      }
    } catch (error) {
      this.#fail(error);
    } finally {
      await this.close();
    }
  }

  #eventOf(entry: Entry): CallEvent | undefined {
    const heard = this.#performer.heard();
    const voicedUntilMs = this.#performer.voicedUntilMs();
    if ("happening" in entry) return { at: entry.at, heard, voicedUntilMs, ...entry.happening };
    if (!this.#timers.accept(entry.ring)) return undefined;
    const at = this.#parts.clock.monotonic() - this.#answeredMs;
    return { at, heard, voicedUntilMs, type: "timer", name: entry.ring.name };
  }

  #decide(event: CallEvent): void {
    this.#parts.observe?.(event);
    const { state, effects } = step(this.#parts.rules, this.#state, event);
    this.#state = state;
    for (const effect of effects) this.#performer.perform(effect);
  }

  /** A mistake of ours in the middle of a call: the call ends, and the next one is not harmed. */
  #fail(error: unknown): void {
    this.#parts.logger.error("a call broke off by an internal error", { error: toError(error) });
    this.#finished.resolve(callEnd("worker_lost", "system"));
    void this.close();
  }
}
