// Original file: callengine/models/v1/models.proto

import type { Role as _callengine_models_v1_Role, Role__Output as _callengine_models_v1_Role__Output } from '../../../callengine/models/v1/Role.ts';
import type { ToolCall as _callengine_models_v1_ToolCall, ToolCall__Output as _callengine_models_v1_ToolCall__Output } from '../../../callengine/models/v1/ToolCall.ts';

export interface Message {
  'role'?: (_callengine_models_v1_Role);
  /**
   * What was said. With ROLE_TOOL the result of a call, as JSON text.
   */
  'text'?: (string);
  /**
   * Functions that the model has called. With ROLE_ASSISTANT only.
   */
  'calls'?: (_callengine_models_v1_ToolCall)[];
  /**
   * Which call this is the result of, and its function's name. With ROLE_TOOL only.
   */
  'callId'?: (string);
  'name'?: (string);
}

export interface Message__Output {
  'role': (_callengine_models_v1_Role__Output);
  /**
   * What was said. With ROLE_TOOL the result of a call, as JSON text.
   */
  'text': (string);
  /**
   * Functions that the model has called. With ROLE_ASSISTANT only.
   */
  'calls': (_callengine_models_v1_ToolCall__Output)[];
  /**
   * Which call this is the result of, and its function's name. With ROLE_TOOL only.
   */
  'callId': (string);
  'name': (string);
}
