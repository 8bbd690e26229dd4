// Original file: callengine/models/v1/models.proto


export interface Done {
  /**
   * What it took; 0 where the engine does not count.
   */
  'inputTokens'?: (number);
  'outputTokens'?: (number);
}

export interface Done__Output {
  /**
   * What it took; 0 where the engine does not count.
   */
  'inputTokens': (number);
  'outputTokens': (number);
}
