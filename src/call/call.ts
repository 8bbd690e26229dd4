import type { CallEnd, EndReason, EndedBy } from "../model/call-end.ts";
import type { CallPlan } from "../model/call-plan.ts";
import type { TranscriptEntry } from "../model/transcript.ts";
import type { TurnRecord } from "../model/turn-record.ts";
import type { AnsweredBy } from "../ports/carrier.ts";
import type { RecordingStream } from "../ports/recorder.ts";
import type { Transport } from "../ports/transport.ts";
import type { Transfer } from "./invocations.ts";
import type { OperatorOrder } from "./operator-order.ts";

/** Where a call writes down what happens in it. Calls return at once and never throw; writing goes on in the background. */
export interface CallJournal {
  /** Entry `index` of the transcript; written again under the same index when it changes. */
  transcript(index: number, entry: TranscriptEntry): void;
  /** What the transcriber believes so far; shown live, never kept. */
  interim(text: string): void;
  turn(turn: TurnRecord): void;
}

/** A live call. */
export interface CallHandle {
  /**
   * Resolves once with how the call ended; never rejects. When our side ends it, this resolves after the goodbye was heard and
   * *before* the line is hung up, so that the owner can note the intent first. The line is left open for the owner to close.
   */
  readonly finished: Promise<CallEnd>;
  /** Asks for an end: at once, or, `politely`, after a goodbye that takes `FAREWELL_MS` at most. */
  hangUp(reason: EndReason, endedBy: EndedBy, politely?: boolean): void;
  /** Lets a person who watches over the call say something, connect the other party elsewhere, or keep the agent silent. */
  order(order: OperatorOrder): void;
  /** Tells whom the carrier believes to have answered; evidence beside words and sound. After the end it says nothing. */
  answeredBy(by: AnsweredBy): void;
}

/** A call whose engines are warm and whose opening line is being made while the phone rings. */
export interface PreparedCall {
  /** The other party is there. Called at most once. Both sides go into `recording`, which stays the owner's to close. */
  answer(line: Transport, recording?: RecordingStream): CallHandle;
  /** Nobody answered: lets go of everything. Idempotent; also right after `answer`, once `finished` has resolved. */
  discard(): Promise<void>;
}

/** `transfer` connects the other party elsewhere, for a call that has been answered. */
export type PrepareCall = (plan: CallPlan, journal: CallJournal, transfer: Transfer) => PreparedCall;
