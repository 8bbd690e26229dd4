// Original file: callengine/control/v1/control.proto


export interface DrainResponse {
  /**
   * Calls that it still holds.
   */
  'calls'?: (number);
}

export interface DrainResponse__Output {
  /**
   * Calls that it still holds.
   */
  'calls': (number);
}
