// Original file: callengine/models/v1/models.proto


/**
 * Answers one request with `judge`, in order. One that takes longer than 500 ms of the clock comes too late to be of use.
 */
export interface DetectTurnResponse {
  /**
   * That the turn is over, 0 to 1.
   */
  'probability'?: (number | string);
}

/**
 * Answers one request with `judge`, in order. One that takes longer than 500 ms of the clock comes too late to be of use.
 */
export interface DetectTurnResponse__Output {
  /**
   * That the turn is over, 0 to 1.
   */
  'probability': (number);
}
