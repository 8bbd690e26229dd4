// Original file: callengine/models/v1/models.proto

import type { Model as _callengine_models_v1_Model, Model__Output as _callengine_models_v1_Model__Output } from '../../../callengine/models/v1/Model.ts';

export interface GeneratorDescription {
  /**
   * At least one; the first is the default.
   */
  'models'?: (_callengine_models_v1_Model)[];
}

export interface GeneratorDescription__Output {
  /**
   * At least one; the first is the default.
   */
  'models': (_callengine_models_v1_Model__Output)[];
}
