// Original file: callengine/models/v1/models.proto

import type { Option as _callengine_models_v1_Option, Option__Output as _callengine_models_v1_Option__Output } from '../../../callengine/models/v1/Option.ts';

export interface Voice {
  'id'?: (string);
  'name'?: (string);
  /**
   * A sentence for whoever chooses.
   */
  'description'?: (string);
  /**
   * What can be set, by agents that use this voice.
   */
  'options'?: (_callengine_models_v1_Option)[];
}

export interface Voice__Output {
  'id': (string);
  'name': (string);
  /**
   * A sentence for whoever chooses.
   */
  'description': (string);
  /**
   * What can be set, by agents that use this voice.
   */
  'options': (_callengine_models_v1_Option__Output)[];
}
