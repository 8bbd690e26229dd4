import type { Agent, EndpointMode, EndpointType, RecordingFormat, Sensitivity } from "./agent.ts";
import type { PlannedWindow } from "./calling-window.ts";
import type { Direction } from "./dial.ts";
import type { Extractor } from "./extractor.ts";
import type { FunctionDefinition } from "./function-definition.ts";
import type { OptionValue, VersionedPrompt } from "./versioned-prompt.ts";

/** A language (BCP 47 tag), and what hears and speaks it. */
export type PlannedLanguage = Readonly<{ language: string; transcriber: string; voiceId: string }>;

/**
 * Everything a worker needs to hold one call, frozen when the dial is created, so that later edits of the agent do not reach
 * a call that is already on its way. The only place where defaults live is `dials/plan-call.ts`, which makes it.
 */
export type CallPlan = Readonly<{
  dialId: string;
  workspaceId: string;
  direction: Direction;
  toNumber?: string;
  fromNumber?: string;
  fromNumberId?: string;
  /** The id of the carrier's account that the call goes over. */
  carrier?: string;
  /** The carrier's id of an inbound call, which rings already. */
  carrierCallId?: string;
  agent: Agent;
  prompt: VersionedPrompt;
  /** The agent had no prompt when a browser dial was made; `prompt` is empty, and the call is not begun. */
  lacksPrompt?: true;
  /** Takes over while an automated menu is on the line; absent where the agent does not navigate menus. */
  ivrPrompt?: VersionedPrompt;
  /** Values for the macros of the prompts, as given in `callAgentInput`. */
  inputs: Readonly<Record<string, unknown>>;
  functions: readonly FunctionDefinition[];
  /** What may be said while a function runs, by the function's id, macros filled; one of them is picked at random. */
  startedMessages?: Readonly<Record<string, readonly string[]>>;
  /** When the dial may be placed; at any time when absent. */
  callingWindow?: PlannedWindow;
  /** What to do when a voicemail picks up, macros filled; absent where none can. */
  voicemail?: Readonly<{
    action: "hangup" | "leave_message" | "continue";
    message: string;
    /** The carrier listens for machines as well. */
    carrierDetection?: true;
  }>;
  /** With whom the other party is connected when the agent cannot go on. E.164. */
  fallbackTransfer?: string;
  /** What is taken out of the transcript after the call. */
  extractor?: Extractor;
  language: string;
  /** The languages that the call may change to, its own first, and what hears and speaks each; absent where there is only one. */
  languages?: readonly PlannedLanguage[];
  transcriber: Readonly<{ type: string; keywords: readonly string[] }>;
  voice: Readonly<{ id: string; options: readonly OptionValue[]; volumeDb: number }>;
  /** What is heard behind the agent: an uploaded sound, or without `audioId` an office. */
  background?: Readonly<{ audioId?: string; volumeDb: number }>;
  sensitivity: Sensitivity;
  endpoint: Readonly<{ type: EndpointType; mode: EndpointMode; overrideFinalMs?: number }>;
  /** What is said, in turn, while an answer takes longer than this to begin; absent: nothing. */
  filler?: Readonly<{ afterMs: number; messages: readonly string[] }>;
  idle: Readonly<{ enabled: boolean; messages: readonly string[]; afterMs: number; maxMessages: number }>;
  /** The smaller of the agent's `maxDurationSeconds` and the dial's `timeoutMinutes`, from answer, in milliseconds. */
  maxDurationMs: number;
  /** How long the phone may ring, in milliseconds. */
  ringTimeoutMs: number;
  /** No sound of the call is kept. */
  unrecorded?: true;
  /** How sound is kept: not before it is allowed, and in another format than the deployment's. */
  recording?: Readonly<{ requireConsent?: true; format?: RecordingFormat }>;
  /** The agent's first words with macros filled, when given; else they come from the dialogue. */
  openingLine?: string;
  warnings: readonly string[];
}>;
