import type { EndpointMode, EndpointType } from "../model/agent.ts";
import { completeness } from "./completeness.ts";

export type EndpointRules = Readonly<{ type: EndpointType; mode: EndpointMode }>;

/**
 * How long after the caller's last voiced sample the agent takes the floor, in milliseconds.
 *
 * SIMPLE is a silence timer. SEMANTIC waits between a minimum and a maximum by how complete the words look; the square keeps
 * the wait near the minimum for anything that is probably over, and near the maximum only for what plainly goes on.
 */
export const endpointWaitMs = (rules: EndpointRules, text: string): number => {
  if (rules.type === "SIMPLE") return SIMPLE_WAIT_MS[rules.mode];
  const { min, max } = SEMANTIC_WAIT_MS[rules.mode];
  return min + (max - min) * (1 - completeness(text)) ** 2;
};

/** The longest a turn may wait for its transcript, from the last voiced sample: after that the agent acts on what there is. */
export const hardTimeoutMs = (rules: EndpointRules): number =>
  Math.max(SIMPLE_WAIT_MS[rules.mode], rules.type === "SEMANTIC" ? SEMANTIC_WAIT_MS[rules.mode].max : 0) +
  TRANSCRIPT_GRACE_MS;

const SIMPLE_WAIT_MS: Record<EndpointMode, number> = { CONSERVATIVE: 1000, DEFAULT: 700, AGGRESSIVE: 400 };

const SEMANTIC_WAIT_MS: Record<EndpointMode, Readonly<{ min: number; max: number }>> = {
  CONSERVATIVE: { min: 500, max: 3500 },
  DEFAULT: { min: 300, max: 2500 },
  AGGRESSIVE: { min: 200, max: 1500 },
};

/** Room for a slow final; local engines under load were seen at 800 ms. */
const TRANSCRIPT_GRACE_MS = 2000;
