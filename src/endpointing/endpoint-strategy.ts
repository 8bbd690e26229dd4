import type { CallerPauses } from "./caller-pauses.ts";
import type { TurnForm } from "./cues/cue.ts";
import type { ExpectedAnswer } from "./expected-answer.ts";
import type { Prosody } from "./prosody.ts";

/** All that is known of a turn when the caller has fallen silent. */
export type TurnEvidence = Readonly<{
  text: string;
  /** BCP 47; English when absent. */
  language?: string;
  expected?: ExpectedAnswer;
  prosody?: Prosody;
  /** An audio model's probability that the turn is over, 0 to 1. */
  judged?: number;
  pauses?: CallerPauses;
}>;

/** When the agent takes the floor if the caller stays silent, and why. */
export type EndpointRuling = Readonly<{
  /** From the last voiced sample, in milliseconds. */
  waitMs: number;
  /** That the turn is over, 0 to 1; absent where nothing was weighed. */
  probability?: number;
  form?: TurnForm;
}>;

/** One way to tell the end of a turn. Pure: the same evidence has the same ruling. */
export type EndpointStrategy = Readonly<{
  rule(evidence: TurnEvidence): EndpointRuling;
  /** The longest that it ever waits, in milliseconds from the last voiced sample. */
  longestMs: number;
}>;
