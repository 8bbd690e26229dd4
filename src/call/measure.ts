import type { TurnRecord } from "../model/turn-record.ts";
import type { Metrics, Stage } from "../ports/metrics.ts";

/** One stage of a turn: what it added, from the latest of the stages before it, in milliseconds from the caller's last voiced sample. */
export type TurnStage = Readonly<{ stage: Stage; fromMs: number; untilMs: number }>;

/** The stages of a turn that happened, in travel order. */
export const stagesOf = (turn: TurnRecord): readonly TurnStage[] => {
  let waited = 0;
  const ends = { ...turn, ...turnOver(turn) };
  return STAGES.flatMap(([stage, field]) => {
    const untilMs = ends[field];
    if (untilMs === undefined) return [];
    const fromMs = waited;
    waited = Math.max(waited, untilMs);
    return [{ stage, fromMs, untilMs }];
  });
};

/**
 * When the turn was over but for its words, and when those were there: a turn is taken with them, so that all that is beyond the silence
 * which it deserved is the wait for them.
 */
const turnOver = (turn: TurnRecord): Partial<Pick<TurnRecord, "endpointMs" | "transcriptMs">> => {
  const { endpointMs, transcriptMs, endpoint, endReason } = turn;
  if (endpointMs === undefined || endpoint === undefined) return {};
  const overMs = Math.max(0, Math.round(endpoint.waitMs));
  const overdue = transcriptMs === undefined && (endReason === "timeout" || endReason === "transcript");
  const waited = overdue || (transcriptMs !== undefined && transcriptMs > overMs);
  return waited && endpointMs > overMs ? { endpointMs: overMs, transcriptMs: endpointMs } : {};
};

/** Counts a turn, and the stages of one that answered the caller; an opening or an idle message has no delay that anybody waits for. */
export const measure = (metrics: Metrics, turn: TurnRecord): void => {
  metrics.turnEnded(turn.endReason, turn.interrupted);
  if (turn.endReason === "opening" || turn.endReason === "idle" || turn.endReason === "resumed") return;
  for (const { stage, fromMs, untilMs } of stagesOf(turn)) {
    metrics.stage(stage, untilMs);
    // What was begun ahead of its turn was over before its turn came, and nobody waited for it.
    metrics.stageAdded(stage, Math.max(0, untilMs - fromMs));
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
