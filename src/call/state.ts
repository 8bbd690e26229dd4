import type { Exchange, NodeMove } from "../dialogue/dialogue.ts";
import { noPauses, type CallerPauses } from "../endpointing/caller-pauses.ts";
import type { EndpointRuling } from "../endpointing/endpoint-strategy.ts";
import type { ExpectedAnswer } from "../endpointing/expected-answer.ts";
import type { Prosody } from "../endpointing/prosody.ts";
import type { CallEnd, EndReason } from "../model/call-end.ts";
import type { Takeover } from "../model/takeover.ts";
import type { TurnRecord } from "../model/turn-record.ts";
import type { ToolCall } from "../ports/language-model.ts";
import type { HeldEvent } from "./events.ts";
import type { FinalDelay } from "./final-delay.ts";
import type { TranscribedWord } from "../ports/transcriber.ts";
import type { LineEnd } from "../ports/transport.ts";
import type { TransferWish } from "./transfer-wish.ts";
import type { WantedKeys } from "./wanted-keys.ts";
import { nobodyYet, type AnsweringState } from "./answering-state.ts";

/**
 * Everything a call knows at one moment, as one value. Only `step` makes a new one.
 *
 *   live ──hang-up move──► goodbye ──drained──► ended
 *    │  ──line gone──► last-words ──flushed──►  ▲
 *    └── hang-up, max duration, failure ────────┘
 */
export type CallState = Readonly<{
  phase: "live" | "goodbye" | "last-words" | "ended";
  /** What the call will end with once the goodbye is heard or the last words are in. */
  ending: CallEnd | undefined;
  caller: CallerState;
  /** The reply under way; at most one at a time. */
  reply: ReplyState | undefined;
  /** A reply that was begun before its turn was taken; only while there is no other. */
  speculation: SpeculationState | undefined;
  nextReply: number;
  /** Playback stands still because the caller began to speak. */
  paused: boolean;
  /** What an interruption without words took from the agent; said after all when it turns out to have been a noise. */
  unsaid: string | undefined;
  /** What was really said and heard so far; the tentative turn is not in it. */
  history: readonly Exchange[];
  /** Transcript entries so far; the next one's index. */
  entries: number;
  turns: number;
  idleMessages: number;
  /** Functions that were called since the caller last said something. */
  callsInARow: number;
  /** A function answered after its reply was over, and nobody has said anything about it yet. */
  lateAnswer: boolean;
  /** A person leads the conversation; the agent says nothing of its own. */
  agentPaused: boolean;
  /** The other party is being connected elsewhere. */
  transfer: TransferState | undefined;
  /** The language that the call has changed to; absent while it is the one that it began with. */
  language: string | undefined;
  /** Why the agent could not go on and connects the other party with somebody. */
  gaveUp: EndReason | undefined;
  hearingFailures: number;
  /** Providers that took over since the last reply began; they belong to the next one's turn. */
  takeovers: readonly Takeover[];
  /** Keys that a function waits for. */
  collecting: CollectingState | undefined;
  /** Whether a machine has picked up. */
  answering: AnsweringState;
}>;

export type SpeculationState = Readonly<{
  id: number;
  /** The caller's words that it answers, and what was said before them. */
  text: string;
  history: readonly Exchange[];
  /** What became of it so far. */
  held: readonly HeldEvent[];
}>;

/** Keys pressed so far, for the call of a function by a reply. */
export type CollectingState = Readonly<{
  reply: number;
  callId: string;
  name: string;
  wanted: WantedKeys;
  digits: string;
}>;

export type TransferState = TransferOrigin &
  TransferWish &
  Readonly<{
    /** The announcement, if there is one, was heard and the carrier asked. */
    asked: boolean;
    /** The line ended before the carrier's word came; that word tells what it meant. */
    lineGone: LineEnd | undefined;
  }>;

type TransferOrigin =
  /** The reply that announces it, and the function call that it answers. */
  Readonly<{ by: "function"; reply: number; callId: string; name: string }> | Readonly<{ by: "operator" }>;

export type Utterance = Readonly<{
  number: number;
  text: string;
  final: boolean;
  startMs: number;
  endMs: number;
  /** Where the transcriber tells when each was said. */
  words?: readonly TranscribedWord[] | undefined;
}>;

export type CallerState = Readonly<{
  speaking: boolean;
  onsetMs: number;
  lastVoicedMs: number;
  /** Utterances since the last turn was committed: the tentative turn. */
  utterances: readonly Utterance[];
  digits: string;
  /** The transcriber has given its final word since the caller last stopped. */
  flushed: boolean;
  /** The wait is over and only the transcript is missing. */
  due: boolean;
  flushedAtMs: number | undefined;
  /** When the final words were asked for, until they came. */
  finalizedAtMs: number | undefined;
  /** How long they took so far in the call; absent before the first. */
  finalDelay: FinalDelay | undefined;
  /** Utterances up to this number belong to earlier turns. */
  committedUtterance: number;
  /** How the voice ended when the caller last stopped. */
  prosody: Prosody | undefined;
  /** What an audio model says of the end, where there is one and it has answered: that the turn is over, 0 to 1. */
  judged: number | undefined;
  /** What was learnt of the caller's pauses within turns. */
  pauses: CallerPauses;
  /** What the end of the turn was last decided upon. */
  ruling: (EndpointRuling & Readonly<{ expected: ExpectedAnswer["type"] }>) | undefined;
  /** How often a reply to the tentative turn was begun before it was taken. */
  speculations: number;
  /** Transcript index of the tentative turn, once it was written. */
  entry: number | undefined;
}>;

export type ReplyState = Readonly<{
  id: number;
  /** The words that the reply answers, until they are committed to the history: when the reply is first heard. */
  answers: string | undefined;
  /** Text that the dialogue gave so far. */
  said: string;
  audible: boolean;
  startMs: number;
  /** The dialogue has given all it had. */
  complete: boolean;
  /** Everything that was to be spoken has been heard. */
  drained: boolean;
  interruptible: boolean;
  /** Functions that were called and have not answered yet, and answers that are in. */
  pendingCalls: number;
  /** A word of the reply was heard, it called a function, or it ended: its moves in the flow are history. */
  counts: boolean;
  /** Moves of the flow that wait for the reply to count. */
  moves: readonly NodeMove[];
  /** Functions as the dialogue asked for them, and as they are called: under ids that no other call has had. */
  asked: readonly ToolCall[];
  calls: readonly ToolCall[];
  /** Keys that were pressed, which are among `calls` too; they need no answer. */
  pressed: readonly ToolCall[];
  results: readonly Readonly<{ callId: string; name: string; result: string }>[];
  entry: number | undefined;
  /** What the entry says so far. */
  written: Readonly<{ text: string; endTimeMs: number }> | undefined;
  turn: TurnRecord;
  /** What the latencies of the turn are counted from: the caller's last voiced sample, or the decision itself. */
  zeroMs: number;
}>;

export const initialState: CallState = {
  phase: "live",
  ending: undefined,
  caller: {
    speaking: false,
    onsetMs: 0,
    lastVoicedMs: 0,
    utterances: [],
    digits: "",
    flushed: true,
    due: false,
    flushedAtMs: undefined,
    finalizedAtMs: undefined,
    finalDelay: undefined,
    committedUtterance: 0,
    prosody: undefined,
    judged: undefined,
    pauses: noPauses,
    ruling: undefined,
    speculations: 0,
    entry: undefined,
  },
  reply: undefined,
  speculation: undefined,
  nextReply: 0,
  paused: false,
  unsaid: undefined,
  history: [],
  entries: 0,
  turns: 0,
  idleMessages: 0,
  callsInARow: 0,
  lateAnswer: false,
  agentPaused: false,
  transfer: undefined,
  language: undefined,
  gaveUp: undefined,
  hearingFailures: 0,
  takeovers: [],
  collecting: undefined,
  answering: nobodyYet,
};

/** The words of the tentative turn, in order. */
export const turnText = (caller: CallerState): string => {
  const words = caller.utterances
    .map((utterance) => utterance.text.trim())
    .filter((text) => text !== "")
    .join(" ");
  const keys = caller.digits === "" ? "" : `(pressed ${caller.digits.split("").join(" ")})`;
  return [words, keys].filter((part) => part !== "").join(" ");
};
