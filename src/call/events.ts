import type { Prosody } from "../endpointing/prosody.ts";
import type { EndReason, EndedBy } from "../model/call-end.ts";
import type { Takeover } from "../model/takeover.ts";
import type { AnsweredBy } from "../ports/carrier.ts";
import type { ToolCall } from "../ports/language-model.ts";
import type { TranscriptEvent } from "../ports/transcriber.ts";
import type { OperatorOrder } from "./operator-order.ts";
import type { TransferWish } from "./transfer-wish.ts";
import type { WantedKeys } from "./wanted-keys.ts";
import type { LineEnd } from "../ports/transport.ts";

/** Timers that a call may have running; each at most once. */
export type TimerName =
  | "max-duration"
  | "endpoint"
  | "voice"
  | "transcript"
  | "barge-in"
  | "false-alarm"
  | "suspicion"
  | "digits"
  | "idle"
  | "model"
  | "collect"
  | "voicemail"
  | "goodbye"
  | "last-words";

/** What becomes of a reply; it is kept, with its time, while the reply waits for its turn to be taken. */
export type HeldEvent = Exclude<
  Extract<CallEvent, { reply: number }>,
  { type: "transfer-wanted" | "digits-wanted" | "language-wanted" }
>;

/** Stages of a reply on its way to the caller. */
export type ReplyStage = "first-token" | "first-sentence" | "first-audio" | "sent" | "acknowledged";

/**
 * All that a call decides upon. Every event is stamped with the call's time: milliseconds since answer, so that the sequence
 * alone replays the call.
 */
export type CallEvent = Stamp & CallHappening;

export type Stamp = Readonly<{
  at: number;
  heard?: Heard | undefined;
  /** When the caller's voice was last there, as far as the detector has listened. */
  voicedUntilMs?: number | undefined;
}>;

/**
 * The playback ledger's truth at the moment of an event: how much of which reply the caller has heard. It travels with every
 * event, so that any decision to stop the agent knows exactly which words remain.
 */
export type Heard = Readonly<{ reply: number; text: string; endMs: number }>;

export type CallHappening =
  | Readonly<{ type: "answered" }>
  | Readonly<{ type: "line-gone"; why: LineEnd }>
  | Readonly<{ type: "digit"; digit: string }>
  /** The caller may be about to speak; nothing more comes of it if that was a mistake. */
  | Readonly<{ type: "speech-suspected" }>
  | Readonly<{ type: "speech-started"; onsetMs: number }>
  | Readonly<{ type: "speech-ended"; lastVoicedMs: number; prosody?: Prosody }>
  /** What the transcriber heard, in milliseconds since answer. */
  | (Readonly<{ type: "transcript" }> & TranscriptEvent)
  /** An audio model's word on whether the turn was over when speech ended last, 0 to 1. */
  | Readonly<{ type: "turn-judged"; probability: number }>
  | Readonly<{ type: "flushed" }>
  /** A signal of a machine in the caller's sound, where it is listened for. */
  | Readonly<{ type: "tone"; tone: "beep" | "fax"; endMs: number }>
  /** The carrier's own detection says who picked up. */
  | Readonly<{ type: "answered-by"; by: AnsweredBy }>
  | Readonly<{ type: "hearing-failed"; part: "vad" | "transcriber" }>
  /** One provider took over from another. */
  | Readonly<{ type: "took-over"; takeover: Takeover }>
  /** `atMs` where it was reached before this was known. */
  | Readonly<{ type: "reply-stage"; reply: number; stage: ReplyStage; atMs?: number }>
  | Readonly<{ type: "reply-said"; reply: number; text: string }>
  | Readonly<{ type: "reply-called"; reply: number; call: ToolCall }>
  | Readonly<{ type: "reply-pressed"; reply: number; call: ToolCall }>
  | Readonly<{
      type: "reply-moved";
      reply: number;
      fromNodeId?: string;
      toNodeId: string;
      ruleIndex?: number;
      data: Readonly<Record<string, unknown>>;
    }>
  | Readonly<{ type: "reply-hangs-up"; reply: number; reason: EndReason }>
  | Readonly<{ type: "reply-complete"; reply: number }>
  | Readonly<{ type: "reply-failed"; reply: number; part: "model" | "synthesizer" }>
  | Readonly<{ type: "playback-started"; reply: number; startMs: number }>
  | Readonly<{ type: "playback-progress"; reply: number }>
  | Readonly<{ type: "playback-drained"; reply: number }>
  | Readonly<{ type: "function-result"; reply: number; callId: string; name: string; result: string }>
  /** A function came to this: the other party is to be connected to `to`, an allowed number. */
  | (Readonly<{ type: "transfer-wanted"; reply: number; callId: string; name: string }> & TransferWish)
  /** A function came to this: the other party is to press keys, which are its result. */
  | Readonly<{ type: "digits-wanted"; reply: number; callId: string; name: string; wanted: WantedKeys }>
  /** A function came to this: from now on another language is heard and spoken, in which the other party may be speaking. */
  | Readonly<{
      type: "language-wanted";
      reply: number;
      callId: string;
      name: string;
      language: string;
      result: string;
    }>
  | Readonly<{ type: "transfer-ended"; transferred: boolean }>
  | Readonly<{ type: "operator"; order: OperatorOrder }>
  | Readonly<{ type: "timer"; name: TimerName }>
  | Readonly<{ type: "hang-up"; reason: EndReason; endedBy: EndedBy; politely?: boolean }>;
