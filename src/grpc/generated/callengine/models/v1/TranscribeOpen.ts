// Original file: callengine/models/v1/models.proto

import type { AudioFormat as _callengine_models_v1_AudioFormat, AudioFormat__Output as _callengine_models_v1_AudioFormat__Output } from '../../../callengine/models/v1/AudioFormat.ts';

export interface TranscribeOpen {
  /**
   * BCP 47.
   */
  'language'?: (string);
  /**
   * Names and words that are likely, each as it is written. At most 500.
   */
  'keywords'?: (string)[];
  'format'?: (_callengine_models_v1_AudioFormat | null);
}

export interface TranscribeOpen__Output {
  /**
   * BCP 47.
   */
  'language': (string);
  /**
   * Names and words that are likely, each as it is written. At most 500.
   */
  'keywords': (string)[];
  'format': (_callengine_models_v1_AudioFormat__Output | null);
}
