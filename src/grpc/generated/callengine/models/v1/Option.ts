// Original file: callengine/models/v1/models.proto

import type { OptionType as _callengine_models_v1_OptionType, OptionType__Output as _callengine_models_v1_OptionType__Output } from '../../../callengine/models/v1/OptionType.ts';

/**
 * Something that can be set for a voice or a model.
 */
export interface Option {
  'id'?: (string);
  'name'?: (string);
  'type'?: (_callengine_models_v1_OptionType);
  /**
   * The value when nobody sets one, written as text.
   */
  'default'?: (string);
  'minimum'?: (number | string);
  'maximum'?: (number | string);
  /**
   * Bounds of a number, both included, where there are some. Each is a oneof of its own, so that 0 can be told from none also by
   * compilers that do not know `optional`.
   */
  'lowerBound'?: "minimum";
  'upperBound'?: "maximum";
}

/**
 * Something that can be set for a voice or a model.
 */
export interface Option__Output {
  'id': (string);
  'name': (string);
  'type': (_callengine_models_v1_OptionType__Output);
  /**
   * The value when nobody sets one, written as text.
   */
  'default': (string);
  'minimum'?: (number);
  'maximum'?: (number);
  /**
   * Bounds of a number, both included, where there are some. Each is a oneof of its own, so that 0 can be told from none also by
   * compilers that do not know `optional`.
   */
  'lowerBound'?: "minimum";
  'upperBound'?: "maximum";
}
