// Original file: callengine/models/v1/models.proto

import type { AudioFormat as _callengine_models_v1_AudioFormat, AudioFormat__Output as _callengine_models_v1_AudioFormat__Output } from '../../../callengine/models/v1/AudioFormat.ts';

export interface SynthesizeOpen {
  /**
   * One of the ids of `SynthesizerDescription`; NOT_FOUND for others.
   */
  'voiceId'?: (string);
  /**
   * BCP 47.
   */
  'language'?: (string);
  /**
   * Values of the voice's options by id; what is not there has its default.
   */
  'options'?: ({[key: string]: string});
  /**
   * One of the formats of `SynthesizerDescription`.
   */
  'format'?: (_callengine_models_v1_AudioFormat | null);
}

export interface SynthesizeOpen__Output {
  /**
   * One of the ids of `SynthesizerDescription`; NOT_FOUND for others.
   */
  'voiceId': (string);
  /**
   * BCP 47.
   */
  'language': (string);
  /**
   * Values of the voice's options by id; what is not there has its default.
   */
  'options': ({[key: string]: string});
  /**
   * One of the formats of `SynthesizerDescription`.
   */
  'format': (_callengine_models_v1_AudioFormat__Output | null);
}
