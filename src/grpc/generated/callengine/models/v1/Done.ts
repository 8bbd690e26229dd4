// Original file: callengine/models/v1/models.proto


export interface Done {
  /**
   * What it took, where the engine counts.
   */
  'inputTokens'?: (number);
  'outputTokens'?: (number);
  '_inputTokens'?: "inputTokens";
  '_outputTokens'?: "outputTokens";
}

export interface Done__Output {
  /**
   * What it took, where the engine counts.
   */
  'inputTokens'?: (number);
  'outputTokens'?: (number);
  '_inputTokens'?: "inputTokens";
  '_outputTokens'?: "outputTokens";
}
