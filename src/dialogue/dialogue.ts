import type { ToolCall } from "../ports/language-model.ts";

/** What both sides have said, as it was really said and heard; made by the loop from the transcript and playback ledger. */
export type Exchange =
  | Readonly<{ speaker: "caller"; text: string }>
  | Readonly<{
      speaker: "agent";
      /** The words that the caller heard, which are fewer than were said when `interrupted`. */
      text: string;
      interrupted: boolean;
      calls?: readonly ToolCall[];
    }>
  | Readonly<{ speaker: "function"; callId: string; name: string; result: string }>
  /** The agent's flow went on; it stands behind the words that made it, and before those of the node it came to. */
  | (Readonly<{ speaker: "flow" }> & NodeMove)
  /** Something that happened and was not said, such as "the caller has been silent for 10 s". */
  | Readonly<{ speaker: "event"; text: string }>;

/** A flow goes from one node to another. */
export type NodeMove = Readonly<{
  toNodeId: string;
  fromNodeId?: string;
  /** Which of the left node's rules fired. */
  ruleIndex?: number;
  /** What the left node yielded, by name. */
  data: Readonly<Record<string, unknown>>;
}>;

/** What the agent does next. */
export type DialogueMove =
  /** A piece of text, as the model gives it; pieces are joined without anything between them. */
  | Readonly<{ type: "say"; text: string }>
  /** The loop runs the function and calls `respond` again with its result in the history. */
  | Readonly<{ type: "call"; call: ToolCall }>
  /** Keys of a telephone, as `readKeys` gives them; sent as tones behind what was said before, and not interruptible. */
  | Readonly<{ type: "press-digits"; digits: string }>
  /** It becomes history when a word of the reply was heard, or it calls a function, or it has ended. */
  | (Readonly<{ type: "move" }> & NodeMove)
  /** The agent is done; what it said before is to be heard to its end first. Nothing follows. */
  | Readonly<{ type: "hang-up"; reason: "agent_hangup" }>;

/**
 * What the agent says, decided turn by turn. It holds nothing that an interruption could make untrue: every answer is made
 * from the history that it is given. Streams throw on failure and end, without throwing, soon after their signal aborts.
 */
export interface Dialogue {
  /** The agent's first words; yields nothing when the agent does not open. */
  open(signal: AbortSignal): AsyncIterable<DialogueMove>;
  respond(history: readonly Exchange[], signal: AbortSignal): AsyncIterable<DialogueMove>;
}
