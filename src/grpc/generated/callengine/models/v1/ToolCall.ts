// Original file: callengine/models/v1/models.proto


export interface ToolCall {
  /**
   * Unique in the answer; empty: the name. The result comes back under it, in the `messages` of a later request.
   */
  'id'?: (string);
  'name'?: (string);
  /**
   * A JSON object, as JSON text; empty: one without fields.
   */
  'args'?: (string);
}

export interface ToolCall__Output {
  /**
   * Unique in the answer; empty: the name. The result comes back under it, in the `messages` of a later request.
   */
  'id': (string);
  'name': (string);
  /**
   * A JSON object, as JSON text; empty: one without fields.
   */
  'args': (string);
}
