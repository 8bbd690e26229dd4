// Original file: callengine/models/v1/models.proto

import type { Encoding as _callengine_models_v1_Encoding, Encoding__Output as _callengine_models_v1_Encoding__Output } from '../../../callengine/models/v1/Encoding.ts';

/**
 * How sound is written down.
 */
export interface AudioFormat {
  'encoding'?: (_callengine_models_v1_Encoding);
  /**
   * Samples per second: 8000, 16000, 22050, 24000 or 48000.
   */
  'sampleRate'?: (number);
}

/**
 * How sound is written down.
 */
export interface AudioFormat__Output {
  'encoding': (_callengine_models_v1_Encoding__Output);
  /**
   * Samples per second: 8000, 16000, 22050, 24000 or 48000.
   */
  'sampleRate': (number);
}
