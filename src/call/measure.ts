import type { TurnRecord } from "../model/turn-record.ts";
import type { Metrics, Stage } from "../ports/metrics.ts";

/** Counts a turn, and the stages of one that answered the caller; an opening or an idle message has no delay that anybody waits for. */
export const measure = (metrics: Metrics, turn: TurnRecord): void => {
  metrics.turnEnded(turn.endReason, turn.interrupted);
  if (turn.endReason === "opening" || turn.endReason === "idle" || turn.endReason === "resumed") return;
  let waited = 0;
  for (const [stage, field] of STAGES) {
    const ms = turn[field];
    if (ms === undefined) continue;
    metrics.stage(stage, ms);
    // What was begun ahead of its turn was over before its turn came, and nobody waited for it.
    metrics.stageAdded(stage, Math.max(0, ms - waited));
    waited = Math.max(waited, ms);
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
