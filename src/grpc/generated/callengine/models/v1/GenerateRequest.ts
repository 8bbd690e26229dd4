// Original file: callengine/models/v1/models.proto

import type { Message as _callengine_models_v1_Message, Message__Output as _callengine_models_v1_Message__Output } from '../../../callengine/models/v1/Message.ts';
import type { Tool as _callengine_models_v1_Tool, Tool__Output as _callengine_models_v1_Tool__Output } from '../../../callengine/models/v1/Tool.ts';

export interface GenerateRequest {
  /**
   * One of the ids of `GeneratorDescription`; NOT_FOUND for others.
   */
  'model'?: (string);
  /**
   * The conversation so far, oldest first.
   */
  'messages'?: (_callengine_models_v1_Message)[];
  /**
   * Functions that the model may call.
   */
  'tools'?: (_callengine_models_v1_Tool)[];
  /**
   * Values of the model's options by id; what is not there has its default.
   */
  'options'?: ({[key: string]: string});
  /**
   * When set: a JSON Schema object, as JSON text, that the whole answer has to be JSON of. Servers that cannot hold a model to it ignore
   * it; the messages ask for it as well.
   */
  'answerSchema'?: (string);
}

export interface GenerateRequest__Output {
  /**
   * One of the ids of `GeneratorDescription`; NOT_FOUND for others.
   */
  'model': (string);
  /**
   * The conversation so far, oldest first.
   */
  'messages': (_callengine_models_v1_Message__Output)[];
  /**
   * Functions that the model may call.
   */
  'tools': (_callengine_models_v1_Tool__Output)[];
  /**
   * Values of the model's options by id; what is not there has its default.
   */
  'options': ({[key: string]: string});
  /**
   * When set: a JSON Schema object, as JSON text, that the whole answer has to be JSON of. Servers that cannot hold a model to it ignore
   * it; the messages ask for it as well.
   */
  'answerSchema': (string);
}
