import { endpointRuling, hardTimeoutMs } from "../endpointing/endpoint-policy.ts";
import type { EndpointRuling, TurnEvidence } from "../endpointing/endpoint-strategy.ts";
import type { Exchange } from "../dialogue/dialogue.ts";
import { answeringParty, type AnsweringParty, type FirstSeconds } from "../dialogue/answering-party.ts";
import { idleMessagesOf } from "../dialogue/call-words.ts";
import { ownWords } from "../dialogue/own-words.ts";
import type { OwnWords } from "../dialogue/words-of-language.ts";
import { isScreened } from "../dialogue/screened-dialogue.ts";
import { farEndOf, type FarEnd } from "../dialogue/far-end.ts";
import type { Sensitivity } from "../model/agent.ts";
import type { CallPlan } from "../model/call-plan.ts";

/** What a call goes by; compiled once from the plan, the same for every step. All times in milliseconds. */
export type CallRules = Readonly<{
  /** Speech that commits an interruption of the agent, from its first voiced sample. */
  bargeInMs: number;
  /** When to take the turn, by what is known of it. */
  endpoint(evidence: TurnEvidence): EndpointRuling;
  /** Whether the sound of a turn's ending, its melody or what an audio model makes of it, bears on when it is taken. */
  weighsSound: boolean;
  /** From the last voiced sample to taking the turn although no final transcript came. */
  endpointHardMs: number;
  /** From the last voiced sample to acting on the interim transcript, when the customer asked for it. */
  overrideFinalMs: number | undefined;
  idle: CallPlan["idle"];
  /** Who is at the other end after all that was said; a person, where the agent does not navigate menus. */
  farEnd(history: readonly Exchange[]): FarEnd;
  /** Whether an assistant that screens calls is on the line after all that was said. */
  screened(history: readonly Exchange[]): boolean;
  /** How long the transcriber's final words typically take, in milliseconds; absent where it does not tell. */
  finalMs: number | undefined;
  /** Whether replies are begun before the turn that they answer is taken; it saves time and costs calls of the model. */
  speculates: boolean;
  /** What to do about a voicemail, and how to know one; absent on calls that no machine picks up. */
  voicemail: VoicemailRules | undefined;
  /** With whom the other party is connected when the agent cannot go on; absent: nobody. */
  fallbackTransfer: string | undefined;
  maxDurationMs: number;
  language: string;
  /** What is said of the project's own accord in a language (BCP 47). */
  words(language: string): OwnWords;
  /** What asks in a language whether somebody is there. */
  idleMessages(language: string): readonly string[];
}>;

export type VoicemailRules = NonNullable<CallPlan["voicemail"]> &
  Readonly<{ party(evidence: FirstSeconds): AnsweringParty | "unknown" }>;

/** What rules depend on beside the plan. */
export type EngineTraits = Readonly<{ finalMs?: number | undefined; speculates?: boolean }>;

export const compileRules = (plan: CallPlan, engines: EngineTraits = {}): CallRules => ({
  finalMs: engines.finalMs,
  speculates: engines.speculates === true,
  bargeInMs: BARGE_IN_MS[plan.sensitivity],
  endpoint: (evidence) => endpointRuling(plan.endpoint, evidence),
  weighsSound: plan.endpoint.type === "SEMANTIC",
  endpointHardMs: hardTimeoutMs(plan.endpoint),
  overrideFinalMs: plan.endpoint.overrideFinalMs,
  idle: plan.idle,
  farEnd: plan.ivrPrompt === undefined ? () => "human" : farEndOf,
  screened: plan.direction === "outbound" ? isScreened : () => false,
  voicemail: plan.voicemail === undefined ? undefined : { ...plan.voicemail, party: answeringParty },
  fallbackTransfer: plan.fallbackTransfer,
  maxDurationMs: plan.maxDurationMs,
  language: plan.language,
  words: ownWords,
  idleMessages: (language) => idleMessagesOf(plan, language),
});

const BARGE_IN_MS: Record<Sensitivity, number> = { ULTRA_FAST: 120, FAST: 200, MEDIUM: 350, SLOW: 600 };
