// Original file: callengine/models/v1/models.proto

import type { AudioFormat as _callengine_models_v1_AudioFormat, AudioFormat__Output as _callengine_models_v1_AudioFormat__Output } from '../../../callengine/models/v1/AudioFormat.ts';

export interface TranscriberDescription {
  /**
   * BCP 47 tags that are heard; "en" stands for every kind of English, and "en-GB" for that one, and where nobody asks for more than "en".
   * Empty: all languages.
   */
  'languages'?: (string)[];
  /**
   * Formats that are taken besides linear16 at 16000 Hz, which every server takes. A line's own format is sent where it is listed here.
   */
  'formats'?: (_callengine_models_v1_AudioFormat)[];
  /**
   * How long the final words typically come after `finalize`, in milliseconds of the clock; 0: unknown. It is measured in each call.
   */
  'finalMs'?: (number);
}

export interface TranscriberDescription__Output {
  /**
   * BCP 47 tags that are heard; "en" stands for every kind of English, and "en-GB" for that one, and where nobody asks for more than "en".
   * Empty: all languages.
   */
  'languages': (string)[];
  /**
   * Formats that are taken besides linear16 at 16000 Hz, which every server takes. A line's own format is sent where it is listed here.
   */
  'formats': (_callengine_models_v1_AudioFormat__Output)[];
  /**
   * How long the final words typically come after `finalize`, in milliseconds of the clock; 0: unknown. It is measured in each call.
   */
  'finalMs': (number);
}
