import type { Exchange } from "../dialogue/dialogue.ts";
import type { CallEnd } from "../model/call-end.ts";
import type { TranscriptEntry } from "../model/transcript.ts";
import type { TurnRecord } from "../model/turn-record.ts";
import type { ToolCall } from "../ports/language-model.ts";
import type { TimerName } from "./events.ts";
import type { TransferWish } from "./transfer-wish.ts";

/** Where the words of a reply come from. */
export type ReplySource =
  | Readonly<{ type: "opening" }>
  | Readonly<{ type: "dialogue"; history: readonly Exchange[] }>
  | Readonly<{ type: "text"; text: string }>;

/** All that a step can ask for. Effects are carried out in order, at once; what takes time answers with events. */
export type Effect =
  | Readonly<{ type: "set-timer"; name: TimerName; ms: number }>
  | Readonly<{ type: "cancel-timer"; name: TimerName }>
  /** `held`: nothing of it is played before playback is resumed. */
  | Readonly<{ type: "start-reply"; reply: number; source: ReplySource; held?: true }>
  /** Stops the model, the synthesis and the playback of a reply together. */
  | Readonly<{ type: "cancel-reply"; reply: number }>
  | Readonly<{ type: "pause-playback" }>
  | Readonly<{ type: "resume-playback" }>
  /** Asks the transcriber for its final word on what was said so far. */
  | Readonly<{ type: "finalize" }>
  /** Tells the transcriber that the turn was taken. */
  | Readonly<{ type: "end-turn" }>
  | Readonly<{ type: "reopen-hearing" }>
  | Readonly<{ type: "invoke"; reply: number; call: ToolCall }>
  /** Asks the carrier to connect the other party to another number. */
  | (Readonly<{ type: "transfer" }> & TransferWish)
  /** Hearing, and the voice from the next reply on, are those of another language. */
  | Readonly<{ type: "switch-language"; language: string }>
  | Readonly<{ type: "write"; index: number; entry: TranscriptEntry }>
  | Readonly<{ type: "show-interim"; text: string }>
  | Readonly<{ type: "record-turn"; turn: TurnRecord }>
  | Readonly<{ type: "count-barge-in"; decision: "committed" | "resumed" }>
  | Readonly<{ type: "end"; end: CallEnd }>;
