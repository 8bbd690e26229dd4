// Original file: callengine/models/v1/models.proto

import type { Voice as _callengine_models_v1_Voice, Voice__Output as _callengine_models_v1_Voice__Output } from '../../../callengine/models/v1/Voice.ts';
import type { AudioFormat as _callengine_models_v1_AudioFormat, AudioFormat__Output as _callengine_models_v1_AudioFormat__Output } from '../../../callengine/models/v1/AudioFormat.ts';

export interface SynthesizerDescription {
  /**
   * BCP 47 tags that are spoken, as with `TranscriberDescription`. Empty: all languages.
   */
  'languages'?: (string)[];
  /**
   * At least one. Ids are unique in the server and, since agents name voices by them, across the deployment: begin them with a name.
   */
  'voices'?: (_callengine_models_v1_Voice)[];
  /**
   * What the server can make; at least one. Where the line's own format is listed it is asked for, else the first. Those with other rates
   * than `AudioFormat` names are passed over.
   */
  'formats'?: (_callengine_models_v1_AudioFormat)[];
  /**
   * How long the first sound of an answer may take before another voice speaks in its place, in milliseconds of the clock; 0: 800, at
   * most 10000.
   */
  'firstAudioDeadlineMs'?: (number);
}

export interface SynthesizerDescription__Output {
  /**
   * BCP 47 tags that are spoken, as with `TranscriberDescription`. Empty: all languages.
   */
  'languages': (string)[];
  /**
   * At least one. Ids are unique in the server and, since agents name voices by them, across the deployment: begin them with a name.
   */
  'voices': (_callengine_models_v1_Voice__Output)[];
  /**
   * What the server can make; at least one. Where the line's own format is listed it is asked for, else the first. Those with other rates
   * than `AudioFormat` names are passed over.
   */
  'formats': (_callengine_models_v1_AudioFormat__Output)[];
  /**
   * How long the first sound of an answer may take before another voice speaks in its place, in milliseconds of the clock; 0: 800, at
   * most 10000.
   */
  'firstAudioDeadlineMs': (number);
}
