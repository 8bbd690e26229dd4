// Original file: callengine/models/v1/models.proto

import type { ToolCall as _callengine_models_v1_ToolCall, ToolCall__Output as _callengine_models_v1_ToolCall__Output } from '../../../callengine/models/v1/ToolCall.ts';
import type { Done as _callengine_models_v1_Done, Done__Output as _callengine_models_v1_Done__Output } from '../../../callengine/models/v1/Done.ts';

export interface GenerateResponse {
  /**
   * The next words, as the model gives them; joined without anything between them.
   */
  'text'?: (string);
  /**
   * Complete; arguments are not streamed.
   */
  'call'?: (_callengine_models_v1_ToolCall | null);
  /**
   * The answer is complete. Exactly one, last.
   */
  'done'?: (_callengine_models_v1_Done | null);
  'response'?: "text"|"call"|"done";
}

export interface GenerateResponse__Output {
  /**
   * The next words, as the model gives them; joined without anything between them.
   */
  'text'?: (string);
  /**
   * Complete; arguments are not streamed.
   */
  'call'?: (_callengine_models_v1_ToolCall__Output | null);
  /**
   * The answer is complete. Exactly one, last.
   */
  'done'?: (_callengine_models_v1_Done__Output | null);
  'response'?: "text"|"call"|"done";
}
