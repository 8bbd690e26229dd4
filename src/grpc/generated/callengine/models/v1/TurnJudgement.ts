// Original file: callengine/models/v1/models.proto


export interface TurnJudgement {
  /**
   * That the caller's turn is over, 0 to 1.
   */
  'probability'?: (number | string);
}

export interface TurnJudgement__Output {
  /**
   * That the caller's turn is over, 0 to 1.
   */
  'probability': (number);
}
