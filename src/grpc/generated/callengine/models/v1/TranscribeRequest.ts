// Original file: callengine/models/v1/models.proto

import type { TranscribeOpen as _callengine_models_v1_TranscribeOpen, TranscribeOpen__Output as _callengine_models_v1_TranscribeOpen__Output } from '../../../callengine/models/v1/TranscribeOpen.ts';
import type { SpeechChange as _callengine_models_v1_SpeechChange, SpeechChange__Output as _callengine_models_v1_SpeechChange__Output } from '../../../callengine/models/v1/SpeechChange.ts';
import type { Finalize as _callengine_models_v1_Finalize, Finalize__Output as _callengine_models_v1_Finalize__Output } from '../../../callengine/models/v1/Finalize.ts';
import type { EndTurn as _callengine_models_v1_EndTurn, EndTurn__Output as _callengine_models_v1_EndTurn__Output } from '../../../callengine/models/v1/EndTurn.ts';

export interface TranscribeRequest {
  'open'?: (_callengine_models_v1_TranscribeOpen | null);
  /**
   * Sound in the format of `open`, whole samples, ordinarily 20 ms; also while nobody speaks. The first byte of the first one is
   * time 0.
   */
  'audio'?: (Buffer | Uint8Array | string);
  /**
   * The voice activity detector's word, ahead of the transcriber's own, for servers that cut the sound themselves.
   */
  'speech'?: (_callengine_models_v1_SpeechChange | null);
  /**
   * The caller has stopped: give the final text of everything sent before, then `flushed`. Comes for every pause, and also when
   * nothing was said.
   */
  'finalize'?: (_callengine_models_v1_Finalize | null);
  /**
   * The turn was taken and is being answered: what comes next is a new utterance. Nothing answers this.
   */
  'endTurn'?: (_callengine_models_v1_EndTurn | null);
  'request'?: "open"|"audio"|"speech"|"finalize"|"endTurn";
}

export interface TranscribeRequest__Output {
  'open'?: (_callengine_models_v1_TranscribeOpen__Output | null);
  /**
   * Sound in the format of `open`, whole samples, ordinarily 20 ms; also while nobody speaks. The first byte of the first one is
   * time 0.
   */
  'audio'?: (Buffer);
  /**
   * The voice activity detector's word, ahead of the transcriber's own, for servers that cut the sound themselves.
   */
  'speech'?: (_callengine_models_v1_SpeechChange__Output | null);
  /**
   * The caller has stopped: give the final text of everything sent before, then `flushed`. Comes for every pause, and also when
   * nothing was said.
   */
  'finalize'?: (_callengine_models_v1_Finalize__Output | null);
  /**
   * The turn was taken and is being answered: what comes next is a new utterance. Nothing answers this.
   */
  'endTurn'?: (_callengine_models_v1_EndTurn__Output | null);
  'request'?: "open"|"audio"|"speech"|"finalize"|"endTurn";
}
