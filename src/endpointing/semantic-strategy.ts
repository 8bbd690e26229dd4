import { noPauses, pauseFactor } from "./caller-pauses.ts";
import type { CueVerdict } from "./cues/cue.ts";
import type { EndpointStrategy, TurnEvidence } from "./endpoint-strategy.ts";
import type { Prosody } from "./prosody.ts";
import { turnForm } from "./turn-form.ts";

/** The policy of a judgement: all waits in milliseconds from the last voiced sample. */
export type SemanticPolicy = Readonly<{
  /** From this probability on, the turn counts as over. */
  threshold: number;
  /** How long the agent then still waits. */
  delayMs: number;
  /** How long it waits for a turn that surely goes on. */
  timeoutMs: number;
  /** How fast the wait grows below the threshold: 1 evenly, more stays near the delay for longer. */
  curve: number;
}>;

/**
 * Weighs what the words look like, what was asked, how the voice ended and how this caller pauses; the less likely the end, the
 * longer the wait, between the delay and the time-out.
 */
export const semanticStrategy = (policy: SemanticPolicy): EndpointStrategy => ({
  rule: (evidence) => {
    const verdict = turnForm(evidence.text, evidence.expected, evidence.language);
    const probability = endProbability(verdict, evidence);
    const doubt = Math.max(0, (policy.threshold - probability) / policy.threshold);
    const extra =
      (policy.timeoutMs - policy.delayMs) * doubt ** policy.curve * pauseFactor(evidence.pauses ?? noPauses);
    return { waitMs: Math.min(policy.timeoutMs, policy.delayMs + extra), probability, form: verdict.form };
  },
  longestMs: policy.timeoutMs,
});

/** That the turn is over, by its words and its melody. */
export const endProbability = (verdict: CueVerdict, evidence: TurnEvidence): number => {
  const words = Math.min(0.99, Math.max(0.01, verdict.completeness));
  const odds = Math.log(words / (1 - words)) + melody(evidence.prosody, verdict) + sound(evidence.judged);
  return 1 / (1 + Math.exp(-odds));
};

/**
 * What the voice adds, in log odds. A fall to the bottom of the voice and a drop in loudness close a turn; a level or rising end
 * holds it open unless the words ask. It is bounded so that melody alone never overrules plain words.
 */
const melody = (prosody: Prosody | undefined, { form }: CueVerdict): number => {
  if (prosody === undefined) return 0;
  const { endPitch = 0, pitchSlope = 0, endEnergyDb = 0 } = prosody;
  const falling = form === "question" ? 0 : -0.12 * endPitch - 0.01 * pitchSlope;
  const fading = prosody.endEnergyDb === undefined ? 0 : -0.08 * (endEnergyDb + 3);
  return Math.min(MOST, Math.max(-MOST, falling + fading));
};

const MOST = 0.25;

/** What an audio model adds, in log odds: it hears much, but not what was asked, so plain words are not overruled. */
const sound = (judged: number | undefined): number => {
  if (judged === undefined) return 0;
  const sure = Math.min(0.95, Math.max(0.05, judged));
  return 0.6 * Math.log(sure / (1 - sure));
};
