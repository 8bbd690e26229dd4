// Original file: callengine/models/v1/models.proto

import type { Transcript as _callengine_models_v1_Transcript, Transcript__Output as _callengine_models_v1_Transcript__Output } from '../../../callengine/models/v1/Transcript.ts';
import type { Flushed as _callengine_models_v1_Flushed, Flushed__Output as _callengine_models_v1_Flushed__Output } from '../../../callengine/models/v1/Flushed.ts';
import type { TurnJudgement as _callengine_models_v1_TurnJudgement, TurnJudgement__Output as _callengine_models_v1_TurnJudgement__Output } from '../../../callengine/models/v1/TurnJudgement.ts';

export interface TranscribeResponse {
  'transcript'?: (_callengine_models_v1_Transcript | null);
  /**
   * All words of what was sent before the oldest unanswered `finalize` are out. Exactly one for each `finalize`, in order.
   */
  'flushed'?: (_callengine_models_v1_Flushed | null);
  /**
   * For engines that judge turns themselves.
   */
  'turnJudged'?: (_callengine_models_v1_TurnJudgement | null);
  'response'?: "transcript"|"flushed"|"turnJudged";
}

export interface TranscribeResponse__Output {
  'transcript'?: (_callengine_models_v1_Transcript__Output | null);
  /**
   * All words of what was sent before the oldest unanswered `finalize` are out. Exactly one for each `finalize`, in order.
   */
  'flushed'?: (_callengine_models_v1_Flushed__Output | null);
  /**
   * For engines that judge turns themselves.
   */
  'turnJudged'?: (_callengine_models_v1_TurnJudgement__Output | null);
  'response'?: "transcript"|"flushed"|"turnJudged";
}
