// Original file: callengine/models/v1/models.proto

import type { Option as _callengine_models_v1_Option, Option__Output as _callengine_models_v1_Option__Output } from '../../../callengine/models/v1/Option.ts';

export interface Model {
  /**
   * Unique in the deployment; prompts name models by it.
   */
  'id'?: (string);
  'name'?: (string);
  'options'?: (_callengine_models_v1_Option)[];
}

export interface Model__Output {
  /**
   * Unique in the deployment; prompts name models by it.
   */
  'id': (string);
  'name': (string);
  'options': (_callengine_models_v1_Option__Output)[];
}
