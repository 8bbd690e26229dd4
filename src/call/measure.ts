import type { TurnRecord } from "../model/turn-record.ts";
import type { Metrics, Stage } from "../ports/metrics.ts";

/** Counts the stages of a turn that answered the caller; an opening or an idle message has no delay that anybody waits for. */
export const measure = (metrics: Metrics, turn: TurnRecord): void => {
  if (turn.endReason === "opening" || turn.endReason === "idle" || turn.endReason === "resumed") return;
  for (const [stage, field] of STAGES) {
    const ms = turn[field];
    if (ms !== undefined) metrics.stage(stage, ms);
  }
};

const STAGES = [
  ["endpoint", "endpointMs"],
  ["transcript", "transcriptMs"],
  ["model", "modelFirstTokenMs"],
  ["sentence", "firstSentenceMs"],
  ["synthesizer", "synthesizerFirstAudioMs"],
  ["sent", "audioSentMs"],
  ["heard", "heardMs"],
] as const satisfies readonly (readonly [Stage, keyof TurnRecord])[];
