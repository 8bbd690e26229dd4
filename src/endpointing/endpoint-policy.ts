import type { EndpointMode, EndpointType } from "../model/agent.ts";
import type { EndpointRuling, EndpointStrategy, TurnEvidence } from "./endpoint-strategy.ts";
import { semanticStrategy, type SemanticPolicy } from "./semantic-strategy.ts";
import { silenceStrategy } from "./silence-strategy.ts";

export type EndpointRules = Readonly<{ type: EndpointType; mode: EndpointMode }>;

/** The strategy of an agent's setting. */
export const strategyOf = ({ type, mode }: EndpointRules): EndpointStrategy =>
  type === "SIMPLE" ? SIMPLE[mode] : SEMANTIC[mode];

/** When the agent takes the floor, and why. */
export const endpointRuling = (rules: EndpointRules, evidence: TurnEvidence): EndpointRuling =>
  strategyOf(rules).rule(evidence);

/** How long after the caller's last voiced sample the agent takes the floor when only the words are known, in milliseconds. */
export const endpointWaitMs = (rules: EndpointRules, text: string): number => endpointRuling(rules, { text }).waitMs;

/** The longest a turn may wait for its transcript, from the last voiced sample: after that the agent acts on what there is. */
export const hardTimeoutMs = (rules: EndpointRules): number => strategyOf(rules).longestMs + TRANSCRIPT_GRACE_MS;

/** What a setting means: from where on a turn counts as over, how long the agent then waits, and how long at most. */
export const SEMANTIC_POLICY: Record<EndpointMode, SemanticPolicy> = {
  CONSERVATIVE: { threshold: 0.76, delayMs: 500, timeoutMs: 3500, curve: 0.5 },
  DEFAULT: { threshold: 0.76, delayMs: 300, timeoutMs: 2500, curve: 0.4 },
  AGGRESSIVE: { threshold: 0.72, delayMs: 200, timeoutMs: 1500, curve: 0.35 },
};

const SIMPLE: Record<EndpointMode, EndpointStrategy> = {
  CONSERVATIVE: silenceStrategy(1000),
  DEFAULT: silenceStrategy(700),
  AGGRESSIVE: silenceStrategy(400),
};

const SEMANTIC: Record<EndpointMode, EndpointStrategy> = {
  CONSERVATIVE: semanticStrategy(SEMANTIC_POLICY.CONSERVATIVE),
  DEFAULT: semanticStrategy(SEMANTIC_POLICY.DEFAULT),
  AGGRESSIVE: semanticStrategy(SEMANTIC_POLICY.AGGRESSIVE),
};

/** Room for a slow final; local engines under load were seen at 800 ms. */
const TRANSCRIPT_GRACE_MS = 2000;
